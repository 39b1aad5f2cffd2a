"""A true game: what happens at a table, by the rules and the rehearsal players' habits, entered or not."""

import random
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.finished_game import finished_game
from core.game.ending.sheet import AgreeEnding, DeclareRoles, awaited_seats
from core.game.ending.winnings import winnings
from core.game.events import evolve
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.state.game import Cause, GameState, Phase
from core.game.state.seats import role_counts
from core.rule_set import RecordMode
from core.terms import Dollars, Role, SeatNo
from kiosk.rehearsal.brain import plan_turn
from kiosk.rehearsal.memory import Habits, new_game

HABITS: Final = Habits(slips=0.0)
JAIL: Final = 0.03
"""The share of turns that a player spends in Jail."""
OWN_DUEL: Final = 0.02
"""The share of turns in which a player loses a Duel that they began."""
_MOST_TURNS: Final = 200


class Happening(msgspec.Struct, frozen=True):
    """One thing that happens. after_s: since the one before. by: the player who would enter it.

    before, after: the true state.
    """

    after_s: float
    command: GameCommand
    by: SeatNo
    before: GameState
    after: GameState


class TrueGame(msgspec.Struct, frozen=True):
    """A whole game as it happened. roles: by seat. final: with all roles declared."""

    roles: tuple[Role, ...]
    happenings: tuple[Happening, ...]
    final: GameState
    rules: Edition

    @property
    def winnings(self) -> tuple[Dollars, ...]:
        return winnings(finished_game(self.final), self.rules)


class _Table:
    """A true table while it plays. start: of its first turn."""

    def __init__(self, seed: int, start: GameState, rules: Edition) -> None:
        self.chance = random.Random(f"truth {seed}")
        self.edition = rules
        self.state = start
        counts = role_counts(len(start.seats), rules)
        others = [role for role in Role if role is not Role.SHERIFF for _ in range(counts.count(role))]
        self.chance.shuffle(others)
        self.roles = (Role.SHERIFF, *others)
        self.happenings: list[Happening] = []
        memory = new_game(len(start.seats), self.chance)
        self.memory = msgspec.structs.replace(memory, roles=self.roles)

    def play(self) -> None:
        while self.state.phase is Phase.PLAYING:
            assert self.state.turns < _MOST_TURNS, "a game without an end"
            self._play_turn()
        self.state = declare(self.state, self.roles, self.edition)

    def _play_turn(self) -> None:
        turn = self.state.turn
        assert turn is not None
        self._answer(turn, None)
        if self._is_over(turn):
            return
        self._remember()
        if self.chance.random() < JAIL and self._may(SkipTurn()):
            self._happen(self.chance.uniform(5, 15), SkipTurn(), turn)
            return
        if self.chance.random() < OWN_DUEL and self._may(LoseLife(turn)):
            self._happen(10, LoseLife(turn), turn)
            self._answer(turn, Cause.OWN_DUEL)
            if self._is_over(turn):
                return
        self.memory = plan_turn(self.memory, HABITS, self.chance)
        for name, after_s in self.memory.plan:
            self._carry_out(name, after_s, turn)
            if self._is_over(turn):
                return

    def _carry_out(self, name: str, after_s: float, turn: SeatNo) -> None:
        match name.split("-"):
            case ["reshuffle"]:
                self._happen(after_s, Reshuffle(), turn)
            case ["end", "turn"]:
                self._happen(after_s, EndTurn(), turn)
            case ["seat", seat, "minus"]:
                victim = SeatNo(int(seat))
                if self._may(LoseLife(victim)):
                    self._happen(after_s, LoseLife(victim), victim)
                    self._answer(turn, Cause.DYNAMITE if victim == turn else Cause.PLAYER)
            case ["seat", seat, "plus"]:
                healed = SeatNo(int(seat))
                if self._may(RegainLife(healed)):
                    self._happen(after_s, RegainLife(healed), healed)
            case _:
                raise ValueError(f"nothing like {name} happens")

    def _answer(self, turn: SeatNo, cause: Cause | None) -> None:
        """Decide the fate of everybody without a life point. cause: None at the start of a turn."""
        while self.state.phase is Phase.PLAYING and self.state.pending:
            seat = self.state.pending[0]
            if self._is_saved(seat):
                continue
            by_noon = self.state.high_noon_question
            why = Cause.HIGH_NOON if by_noon else (cause or Cause.PLAYER)
            by = turn if why is Cause.PLAYER else None
            if why is Cause.OWN_DUEL:
                others = (s for s in self.state.seats if s.in_play and not s.passive)
                by = self.chance.choice([other.seat for other in others if other.seat != seat])
            self._happen(8, Eliminate(seat, by, self.roles[seat - 1], why), seat)
        if self.state.phase is Phase.PLAYING and self.state.revolution_question is not None:
            who = self.state.revolution_question
            is_rebel = self.roles[who - 1] is Role.REBEL
            self._happen(5, AnswerRevolution(who, is_rebel=is_rebel), who)

    def _is_saved(self, seat: SeatNo) -> bool:
        for rescue in (Rescue.SID_KETCHUM, Rescue.BEER):
            command = SaveLastLife(seat, rescue)
            if self._may(command) and self.chance.random() < HABITS.saved_by_beer:
                self._happen(5, command, seat)
                return True
        return False

    def _is_over(self, turn: SeatNo) -> bool:
        state = self.state
        return state.phase is not Phase.PLAYING or state.turn != turn or bool(state.pending)

    def _remember(self) -> None:
        state = self.state
        assert state.turn is not None
        out = frozenset(seat.seat for seat in state.seats if not seat.in_play)
        self.memory = msgspec.structs.replace(
            self.memory, turn=state.turn, turns=state.turns, out=out, sheriff=state.sheriff, plan=()
        )

    def _may(self, command: GameCommand) -> bool:
        return why_not(self.state, command, self.edition) is None

    def _happen(self, after_s: float, command: GameCommand, by: SeatNo) -> None:
        before = self.state
        self._do(command)
        self.happenings.append(Happening(after_s, command, by, before, self.state))

    def _do(self, command: GameCommand) -> None:
        self.state = carry_out(self.state, command, self.edition)


def carry_out(state: GameState | None, command: GameCommand, rules: Edition) -> GameState:
    """Return the state after a command; the first one seats the table. Raises Refused."""
    for event in decide(state, command, rules):
        state = evolve(state, event)
    assert state is not None  # it had one, or was seated
    return state


def declare(state: GameState, roles: tuple[Role, ...], rules: Edition) -> GameState:
    """Return a game that has ended with everybody's agreement and all roles. Raises Refused."""
    for seat in awaited_seats(state):
        state = carry_out(state, AgreeEnding(seat), rules)
    return carry_out(state, DeclareRoles(roles), rules)


def play_true_game(seed: int, start: GameState, rules: Edition) -> TrueGame:
    """Play a whole game from its first turn; the same seed and start give the same game.

    Turns are kept in full, whatever the table enters.
    """
    full = msgspec.structs.replace(start, mode=RecordMode.FULL, is_turn_unknown=False, turn=start.sheriff)
    table = _Table(seed, full, rules)
    table.play()
    return TrueGame(table.roles, tuple(table.happenings), table.state, rules)
