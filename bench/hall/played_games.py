"""Realistic logs of games, played by the core's decisions and encoded as a terminal does."""

from collections.abc import Sequence
from random import Random

from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.events import GameStep
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, Confirmation, GameState, Phase, SeatedPlayer
from core.game.state.seats import role_counts
from core.game.timeline import Timeline, extend
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId

_GAME = GameId("bench-r1-t1-a1")
_TURNS = 40
"""The number of turns, enough for High Noon."""


def played_log(seed: int, players: int, key: str = "championship-2022") -> tuple[GameStep, ...]:
    """Return the steps of a whole game, with random wounds and eliminations, confirmed at the end."""
    return _Table(Random(seed), players, edition(key)).played()


def seated(game: GameId, table: TableNo, players: Sequence[SeatedPlayer]) -> GameStep:
    """Return the first step of a game at a table of a tournament, which the game's id names."""
    made = _Table(Random(0), len(players), edition("championship-2022"))
    return made.seat(game, table, players)


class _Table:
    def __init__(self, chance: Random, players: int, rules: Edition) -> None:
        self._chance, self._rules, self._players = chance, rules, players
        self._log: list[GameStep] = []
        self._timeline: Timeline | None = None
        row = role_counts(players, rules)
        others = [role for role in Role if role is not Role.SHERIFF for _ in range(row.count(role))]
        chance.shuffle(others)
        self._roles = (Role.SHERIFF, *others)

    @property
    def _state(self) -> GameState:
        assert self._timeline is not None  # the table is seated first
        return self._timeline.state

    def played(self) -> tuple[GameStep, ...]:
        """Play from seating to the confirmed record sheet and return the steps."""
        seats = range(1, self._players + 1)
        names = [SeatedPlayer(PlayerId(f"p{seat}"), f"Player {seat}") for seat in seats]
        step = self.seat(_GAME, TableNo(1), names)
        self._log.append(step)
        self._timeline = extend(None, step)
        for seat in seats:
            self._do(CheckIn(SeatNo(seat)))
        self._do(DealRoles())
        characters = self._chance.sample(self._rules.characters.deck, self._players)
        for seat, character in zip(seats, characters, strict=True):
            self._do(ChooseCharacter(SeatNo(seat), character))
        self._do(BeginGame())
        for turn in range(_TURNS):
            self._play_turn(turn)
        self._do(EndByTimeLimit())
        self._do(DeclareRoles(self._roles))
        self._do(ConfirmSheet(Confirmation.PIN))
        return tuple(self._log)

    def seat(self, game: GameId, table: TableNo, players: Sequence[SeatedPlayer]) -> GameStep:
        """Return the step that seats these players."""
        command = SeatTable(
            game=game,
            tournament=TournamentId("bench"),
            tournament_name="Bench",
            rules=RuleSet(self._rules.key),
            round=RoundNo(1),
            table=table,
            seats=tuple(players),
        )
        return GameStep(game, decide(None, command, self._rules))

    def _play_turn(self, turn: int) -> None:
        alive = [seat.seat for seat in self._state.seats if seat.in_play]
        if self._state.phase is not Phase.PLAYING:
            return
        if turn % 8 == 7:
            self._do(Reshuffle())
        self._do(LoseLife(self._chance.choice(alive), 1))
        for seat in tuple(self._state.pending):
            by = next(other for other in alive if other != seat)
            role = self._roles[seat - 1]
            high_noon = self._state.high_noon_question
            self._do(
                Eliminate(seat, None, role, Cause.HIGH_NOON)
                if high_noon
                else Eliminate(seat, by, role, Cause.PLAYER)
            )
        self._do(EndTurn())

    def _do(self, command: GameCommand) -> None:
        state = None if self._timeline is None else self._timeline.state
        if state is not None and why_not(state, command, self._rules) is not None:
            return
        step = GameStep(_GAME, decide(state, command, self._rules))
        self._log.append(step)
        self._timeline = extend(self._timeline, step)
