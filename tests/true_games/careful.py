"""A game of cards, entered carefully: each happening as the commands that a careful table would enter."""

import random
from collections.abc import Sequence
from typing import Final, TypeVar, assert_never

from core.characters import Character
from core.editions.loader import rules_of, with_all_readings
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.rebel import RevealRebel
from core.game.play.abandonment import Abandon
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import TakeCharacter
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetTurn, SkipTurn, records_turns
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckInAll, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, GameState, HighNoon, Phase, SeatedPlayer, Stake
from core.game.state.offences import Offence
from core.rule_set import OptionKey, RecordMode, RuleSet
from core.terms import Dollars, GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from tests.forgetful.true_game import Happening, TrueGame, carry_out, declare
from tests.true_games import record
from tests.true_games.record import CardGame, Effect, Hits, NoonTakes

_RESCUES: Final = {"beer": Rescue.BEER, "sid": Rescue.SID_KETCHUM}
_CAUSES: Final = {"Dynamite": Cause.DYNAMITE, "High Noon": Cause.HIGH_NOON}
_THINKING_S: Final = (6.0, 60.0)
"""Turns are unevenly long."""
_CARD_S: Final = (3.0, 12.0)

ByT = TypeVar("ByT")


class Seating:
    """The seats of a table, where the Sheriff's is the first, as in the championships."""

    def __init__(self, game: CardGame) -> None:
        self._before = next(one.seat for one in game.seats if one.role == "Sheriff") - 1
        self._players = game.players

    def at(self, seat: int) -> SeatNo:
        return SeatNo((seat - 1 - self._before) % self._players + 1)

    def by_seat(self, values: Sequence[ByT]) -> tuple[ByT, ...]:
        return (*values[self._before :], *values[: self._before])


def rules_for(game: CardGame, mode: RecordMode = RecordMode.FULL) -> RuleSet:
    """Return the rules by which a game was played, as a new tournament states them."""
    options = tuple(OptionKey(option) for option in game.options)
    return with_all_readings(RuleSet(game.edition, options, mode=mode))


def roles_for(game: CardGame) -> tuple[Role, ...]:
    return Seating(game).by_seat([Role(one.role.lower()) for one in game.seats])


def characters_for(game: CardGame) -> tuple[Character, ...]:
    return Seating(game).by_seat([Character(one.character) for one in game.seats])


def cause_of(happened: Effect | NoonTakes, seat: int, killer: int | None, cause: str) -> Cause:
    """Return the cause of an elimination. The other duellist is the killer in an own Duel (D35)."""
    if killer is None:
        return _CAUSES[cause]
    is_own = isinstance(happened, Effect) and happened.card == "Duel" and happened.by == seat
    return Cause.OWN_DUEL if is_own else Cause.PLAYER


def begin(game: CardGame, mode: RecordMode) -> GameState:
    """Return the state of a table at the first turn. Where characters are sold, nobody brings money."""
    rules = rules_for(game, mode)
    edition = rules_of(rules)
    stake = None if edition.auction is None else Stake(Dollars(0))
    seats = [SeatNo(seat) for seat in range(1, game.players + 1)]
    order = SeatTable(
        GameId("true"),
        TournamentId("true"),
        "True games",
        rules,
        RoundNo(1),
        TableNo(1),
        tuple(SeatedPlayer(PlayerId(f"p{seat}"), f"Player {seat}", stake) for seat in seats),
    )
    state: GameState | None = None
    for command in (order, CheckInAll(), DealRoles()):
        state = carry_out(state, command, edition)
    assert state is not None  # the first command seats the table
    characters = characters_for(game)
    if state.phase is Phase.AUCTION:
        state = carry_out(state, RevealCharacters(characters), edition)
    for seat, character in zip(seats, characters, strict=True):
        take = ChooseCharacter if state.phase is Phase.CHARACTERS else TakeCharacter
        if state.seats[seat - 1].character is None:
            state = carry_out(state, take(seat, character), edition)
    return carry_out(state, BeginGame(), edition)


class Careful:
    """A table that enters all that happens, at once. state: now; began: the turn that High Noon began in.

    chance: of the seconds between two happenings. happenings: so far.
    """

    def __init__(self, game: CardGame, start: GameState) -> None:
        self._game, self._seating = game, Seating(game)
        self._edition = rules_of(start.rules)
        self._roles = roles_for(game)
        self._chance = random.Random(f"true {game.name}")
        self._wait_s = 0.0
        self._turn, self._n, self._ahead = SeatNo(1), 0, 0
        self._is_jailed = False
        self.state = start
        self.happenings: list[Happening] = []
        self.high_noon: tuple[int, SeatNo] | None = None

    def play(self) -> None:
        """Enter the whole game. Raise Refused, or AssertionError, where the core doesn't go along."""
        for happened in self._game.happenings:
            self._enter(happened)
        assert self.state.phase is Phase.ENDED, f"still {self.state.phase}"

    def true_game(self) -> TrueGame:
        """Return the game as it happened, with all roles declared. Raises Refused."""
        final = declare(self.state, self._roles, self._edition)
        return TrueGame(self._roles, tuple(self.happenings), final, self._edition)

    @property
    def _is_light(self) -> bool:
        return self.state.mode is RecordMode.LIGHT

    def _enter(self, happened: record.Happened) -> None:  # noqa: C901 - one exhaustive match
        at = self._seating.at
        match happened:
            case record.TurnBegins(turn=seat, n=n):
                self._begin_turn(at(seat), n)
            case NoonTakes():
                self._settle(happened)
            case Effect():
                self._hit(happened.hits)
                self._settle(happened)
            case record.Heals(heals=heals):
                for seat, points in heals if not self._is_light else ():
                    for _ in range(points):
                        self._do(RegainLife(at(seat)), at(seat))
            case record.Reshuffled(in_turn_of=seat):
                self._reshuffle(at(seat))
            case record.HeldByJail():
                self._is_jailed = True
            case record.Warned(warning=seat):
                self._do(WarnPlayer(at(seat), Offence.SLOW_PLAY, "slow"), at(seat))
            case record.Left(leave=seat):
                self._do(Abandon(at(seat)), at(seat))
            case record.Ejected(eject=seat):
                self._do(Abandon(at(seat), True, Offence.SLOW_PLAY, "slow again"), at(seat))
            case record.RebelShows(rebel_shows=seat):
                self._do(RevealRebel(at(seat)), at(seat))
            case record.TurnEnds(life=life):
                self._check_life(self._seating.by_seat(life))
            case record.Ends(ending="time-limit"):
                self._do(EndByTimeLimit(), self._turn)
            case record.PassedAsPassive() | record.Revolts() | record.Reward() | record.SheriffDiscards():
                pass
            case record.Ends():
                pass
            case _:
                assert_never(happened)

    # Turns.

    @property
    def _knows_turn(self) -> bool:
        return records_turns(self.state, self._edition) and not self.state.is_turn_unknown

    def _is_in_turn(self) -> bool:
        """Return whether the core has the true turn, not one after it: it passes turns by itself."""
        return self._knows_turn and self.state.turns - self._ahead == self._n

    def _begin_turn(self, seat: SeatNo, n: int) -> None:
        """End the turn before, unless the core did: a player who leaves in between plays no more turns."""
        if self.state.phase is Phase.PLAYING and n > 1 and self._is_in_turn():
            self._do(SkipTurn() if self._is_jailed else EndTurn(), self._turn)
        self._turn, self._n, self._is_jailed = seat, n, False
        self._wait_s += self._chance.uniform(*_THINKING_S)
        if self._is_in_turn():
            assert self.state.turn == seat, f"turn {n} is seat {self.state.turn}'s"

    def _check_life(self, life: tuple[int, ...]) -> None:
        if self._is_light or self.state.phase is not Phase.PLAYING or not self._is_in_turn():
            return
        lives = tuple(seat.life if seat.in_play else 0 for seat in self.state.seats)
        assert lives == life, f"life points in turn {self._n}: {lives}, truly {life}"

    def _reshuffle(self, seat: SeatNo) -> None:
        is_late = self._knows_turn and self.state.turn != seat
        self._do(Reshuffle(seat if is_late else None), seat)
        if self.state.high_noon is not HighNoon.OFF and self.state.is_turn_unknown:
            self._do(SetTurn(seat), seat)
            self._ahead = self.state.turns - self._n

    # Life points.

    def _hit(self, hits: Hits) -> None:
        for number, points in hits if not self._is_light else ():
            seat = self._seating.at(number)
            for _ in range(points):
                self._do(LoseLife(seat), seat)

    def _settle(self, happened: Effect | NoonTakes) -> None:
        """Say what becomes of those without a life point, in the order in which they lost it."""
        is_first = True
        for number, _ in happened.hits:
            for seat, how, points in happened.rescues if not self._is_light else ():
                if seat == number:
                    self._save(seat, _RESCUES[how], points)
            for seat, killer, cause in happened.out:
                if seat == number:
                    self._eliminate(seat, killer, cause_of(happened, seat, killer, cause), is_first=is_first)
                    is_first = False
        seat_no = self.state.revolution_question
        if self.state.phase is Phase.PLAYING and seat_no is not None:
            is_rebel = self._roles[seat_no - 1] is Role.REBEL
            self._do(AnswerRevolution(seat_no, is_rebel=is_rebel), seat_no)

    def _save(self, number: int, how: Rescue, points: int) -> None:
        seat = self._seating.at(number)
        for _ in range(points):
            self._do(SaveLastLife(seat, how), seat)

    def _eliminate(self, number: int, killer: int | None, cause: Cause, *, is_first: bool) -> None:
        seat = self._seating.at(number)
        by = None if killer is None else self._seating.at(killer)
        # In a full game all who fall to one card are at no life points at once.
        same_card = None if is_first or not self._is_light else True
        self._do(Eliminate(seat, by, self._roles[seat - 1], cause, same_card), seat)

    def _do(self, command: GameCommand, by: SeatNo) -> None:
        before = self.state
        self.state = carry_out(before, command, self._edition)
        wait_s, self._wait_s = self._wait_s + self._chance.uniform(*_CARD_S), 0.0
        self.happenings.append(Happening(wait_s, command, by, before, self.state))
        if before.high_noon is not HighNoon.ON and self.state.high_noon is HighNoon.ON:
            assert self.state.turn is not None  # High Noon begins with a turn
            self.high_noon = self.state.turns - self._ahead, self.state.turn


def play(game: CardGame, mode: RecordMode) -> Careful:
    table = Careful(game, begin(game, mode))
    table.play()
    return table
