"""Events for the judge's corrections to a game; the corrected events stay in the journal."""

import msgspec

from core.game.state.causes import Cause
from core.game.state.game import HighNoon
from core.terms import Role, SeatNo


class _CorrectionEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class LifeCorrected(_CorrectionEvent, frozen=True, tag="life-corrected"):
    """The judge set the life points of a seat. life: the new total. reason: the judge's."""

    seat: SeatNo
    life: int
    reason: str


class EliminationCorrected(_CorrectionEvent, frozen=True, tag="elimination-corrected"):
    """The judge set a player's killer, cause of elimination and shown role. reason: the judge's."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str


class TurnsCorrected(_CorrectionEvent, frozen=True, tag="turns-corrected"):
    """The judge set how many turns a seat actually played. turns: the new total. reason: the judge's."""

    seat: SeatNo
    turns: int
    reason: str


class ReshufflesCorrected(_CorrectionEvent, frozen=True, tag="reshuffles-corrected"):
    """The judge set the number of reshuffles. high_noon: its new state. reason: the judge's."""

    count: int
    high_noon: HighNoon
    reason: str


class TurnCorrected(_CorrectionEvent, frozen=True, tag="turn-corrected"):
    """The judge set whose turn it is, without the effects of a turn start.

    high_noon: its state in this turn. reason: the judge's.
    """

    seat: SeatNo
    high_noon: HighNoon
    reason: str


class OrderCorrected(_CorrectionEvent, frozen=True, tag="order-corrected"):
    """The judge set the order of the eliminations. seats: all eliminated ones, first to last."""

    seats: tuple[SeatNo, ...]
    reason: str


class PlayerRestored(_CorrectionEvent, frozen=True, tag="player-restored"):
    """The judge removed an elimination that never happened. life: the seat's life points now."""

    seat: SeatNo
    life: int
    reason: str


class GameResumed(_CorrectionEvent, frozen=True, tag="game-resumed"):
    """The corrected eliminations meet no ending condition, so the game continues."""


CorrectionEvent = (
    LifeCorrected
    | EliminationCorrected
    | TurnsCorrected
    | ReshufflesCorrected
    | TurnCorrected
    | OrderCorrected
    | PlayerRestored
    | GameResumed
)
