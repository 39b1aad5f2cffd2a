"""Events for the judge's corrections to a game; the corrected events stay in the journal."""

import msgspec

from saloon.core.game.cause import Cause
from saloon.core.game.setup.roles import Role
from saloon.core.terms import SeatNo


class _CorrectionEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class LifeCorrected(_CorrectionEvent, frozen=True, tag="life-corrected"):
    """The judge set the life points of a seat. life: all of them, afterwards. reason: the judge's."""

    seat: SeatNo
    life: int
    reason: str


class EliminationCorrected(_CorrectionEvent, frozen=True, tag="elimination-corrected"):
    """The judge set who eliminated a seat, how, and the role that it showed. reason: the judge's."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str


class TurnsCorrected(_CorrectionEvent, frozen=True, tag="turns-corrected"):
    """The judge set how many turns a seat really played. turns: all of them. reason: the judge's."""

    seat: SeatNo
    turns: int
    reason: str


class GameResumed(_CorrectionEvent, frozen=True, tag="game-resumed"):
    """The corrected eliminations meet no ending condition: the game goes on."""


CorrectionEvent = LifeCorrected | EliminationCorrected | TurnsCorrected | GameResumed
