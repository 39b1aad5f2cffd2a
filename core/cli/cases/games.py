"""Worked cases of finished games: endings and winnings."""

import enum
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from base.errors import BadData
from core.cli.cases.vectors import Vector
from core.cli.files import decode
from core.editions.edition import Edition
from core.editions.readings import Readings
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.ending.finished import FinishedGame
from core.game.ending.winnings import PayoutKind, payouts
from core.game.state.game import Abandonment, Cause, Elimination, Revolution
from core.terms import PlayerId, Role, RoundNo, SeatNo, TableNo


class EndedBy(enum.Enum):
    """The ending of a case's game."""

    ELIMINATION = "elimination"
    TIME_LIMIT = "time_limit"


class CaseElimination(msgspec.Struct, frozen=True):
    """An elimination. ``effect`` is the same string for players eliminated by one card."""

    seat: SeatNo
    by: SeatNo | None
    turn: SeatNo
    effect: str | None = None
    cause: str | None = None


class CaseGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game in the format of the worked cases. Lists are by seat, seat 1 first."""

    players: int
    roles: tuple[Role, ...]
    eliminations: tuple[CaseElimination, ...]
    abandonments: tuple[Abandonment, ...] = ()
    ended_by: EndedBy | None = None

    def __post_init__(self) -> None:
        if len(self.roles) != self.players:
            raise ValueError(f"{len(self.roles)} roles for {self.players} players")
        if self.roles.count(Role.SHERIFF) != 1:
            raise ValueError("there must be one Sheriff")
        seats = [elimination.seat for elimination in self.eliminations]
        if len(set(seats)) != len(seats):
            raise ValueError("a seat is eliminated twice")
        named = {*seats, *(elimination.turn for elimination in self.eliminations)}
        named |= {elimination.by for elimination in self.eliminations if elimination.by is not None}
        strange = [seat for seat in named if not 1 <= seat <= self.players]
        if strange:
            raise ValueError(f"there is no seat {strange[0]}")


def case_game(vector: Vector, where: str) -> CaseGame:
    """Return the game of a case. Raises BadData."""
    return decode(vector.input, CaseGame, f"{where}, input")


def case_outcome(game: CaseGame, readings: Readings) -> Outcome | InProgress:
    """Return how a case's game ended, or InProgress."""
    eliminations = tuple(_eliminations(game.eliminations, game.roles))
    return outcome(game.roles, eliminations, readings, time_limit=game.ended_by is EndedBy.TIME_LIMIT)


def finished_case(game: CaseGame, edition: Edition, where: str) -> tuple[FinishedGame, Outcome]:
    """Return a case's game as a finished game with its outcome, without eliminations after the ending.

    Raises BadData for a game without an ending.
    """
    ended = case_outcome(game, edition.readings)
    if isinstance(ended, InProgress):
        raise BadData(f"{where}, input.eliminations", "these eliminations do not end the game")
    eliminations = tuple(_eliminations(game.eliminations, game.roles))[: ended.after]
    return (
        FinishedGame(
            round=RoundNo(1),
            table=TableNo(1),
            players=tuple(PlayerId(f"seat {seat}") for seat in range(1, game.players + 1)),
            roles=game.roles,
            eliminations=eliminations,
            abandonments=game.abandonments,
            ending=ended.ending,
        ),
        ended,
    )


def scoring(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the winnings of a finished game, its winners and the seat that lost a final duel."""
    finished, ended = finished_case(case_game(vector, where), edition, where)
    paid = payouts(finished, ended, edition)
    return {
        "outcome": ended.ending.value,
        "payout": [payout.dollars for payout in paid],
        "cash_part": [payout.of(PayoutKind.REWARD) for payout in paid],
        "penalty_part": [payout.of(PayoutKind.PENALTY) for payout in paid],
        "won": ended.winners,
        "alive_at_end": ended.alive,
        "renegade_final_duel_lost": ended.final_duel_lost,
        "revolution_seat": None if ended.revolution is None else ended.revolution.seat,
    }


def ending(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the state of a game after its eliminations."""
    game = case_game(vector, where)
    ended = case_outcome(game, edition.readings)
    return {
        "outcome": ended.ending.value if isinstance(ended, Outcome) else "in_progress",
        "ended_after_elimination": _last_elimination(game, ended),
        "won": ended.winners if isinstance(ended, Outcome) else (),
        "alive_at_end": ended.alive,
        "renegade_final_duel_lost": ended.final_duel_lost if isinstance(ended, Outcome) else (),
        "deputies_alive": ended.seats_of(Role.DEPUTY, alive=True),
        "deputies_eliminated": ended.seats_of(Role.DEPUTY, alive=False),
        "outlaws_alive": ended.seats_of(Role.OUTLAW, alive=True),
        "outlaws_eliminated": ended.seats_of(Role.OUTLAW, alive=False),
        "current_sheriff": ended.current_sheriff,
        "revolution": None if ended.revolution is None else _revolution_fields(ended.revolution),
    }


def _revolution_fields(revolution: Revolution) -> Mapping[str, object]:
    return {"seat": revolution.seat, "after_elimination": revolution.after}


def _last_elimination(game: CaseGame, ended: Outcome | InProgress) -> int | None:
    """Return the number of the elimination that ended the game, or None for a time limit."""
    if isinstance(ended, InProgress) or game.ended_by is EndedBy.TIME_LIMIT:
        return None
    return ended.after


def _eliminations(eliminations: Sequence[CaseElimination], roles: Sequence[Role]) -> Iterator[Elimination]:
    number = 0
    before: str | None = None
    for elimination in eliminations:
        if elimination.effect is None or elimination.effect != before:
            number += 1
        before = elimination.effect
        yield Elimination(
            seat=elimination.seat,
            by=elimination.by,
            turn=elimination.turn,
            effect=number,
            cause=_cause(elimination),
            role=roles[elimination.seat - 1],
        )


def _cause(elimination: CaseElimination) -> Cause:
    # Dynamite and High Noon strike in the player's own turn; otherwise the killer wasn't recorded.
    if elimination.by is not None or (elimination.turn != elimination.seat and elimination.cause is None):
        return Cause.PLAYER
    return Cause.HIGH_NOON if elimination.cause == "high_noon" else Cause.DYNAMITE
