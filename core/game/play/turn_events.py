"""Events of turns that were passed or not played, and of the table's record mode."""

import enum

import msgspec

from core.rule_set import RecordMode
from core.terms import SeatNo


class Skip(enum.Enum):
    """The reason why a turn was not played."""

    JAIL = "jail"
    DYNAMITE = "dynamite"


class _TurnEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class TurnSkipped(_TurnEvent, frozen=True, tag="turn-skipped"):
    """A seat's turn started but was not played, and does not count (D31)."""

    seat: SeatNo
    why: Skip


class TurnsPassed(_TurnEvent, frozen=True, tag="turns-passed"):
    """The ends of these seats' turns were not entered; a later turn shows that they are over.

    doubtful: seats whose last life point High Noon would have taken; the table is asked about them.
    """

    seats: tuple[SeatNo, ...]
    doubtful: tuple[SeatNo, ...] = ()


class HighNoonSurvived(_TurnEvent, frozen=True, tag="high-noon-survived"):
    """A player in question is still in play."""

    seat: SeatNo


class TurnNamed(_TurnEvent, frozen=True, tag="turn-named"):
    """The table set the current turn, without the effects of a turn start."""

    seat: SeatNo


class TurnUnknown(_TurnEvent, frozen=True, tag="turn-unknown"):
    """Turns are not recorded so far (light mode): the current one must be set before it ends."""


class RecordModeSet(_TurnEvent, frozen=True, tag="record-mode-set"):
    """The table uses this record mode from now on."""

    mode: RecordMode


TurnEvent = TurnSkipped | TurnsPassed | HighNoonSurvived | TurnNamed | TurnUnknown | RecordModeSet
