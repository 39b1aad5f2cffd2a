"""Events of turns that nobody entered in time or that were not played, and of the table's record mode."""

import enum

import msgspec

from saloon.core.rule_set import RecordMode
from saloon.core.terms import SeatNo


class Skip(enum.Enum):
    """The reason for which a turn that started was not played."""

    JAIL = "jail"
    DYNAMITE = "dynamite"


class _TurnEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class TurnSkipped(_TurnEvent, frozen=True, tag="turn-skipped"):
    """The turn of a seat started, but was not played, and does not count as played (D31)."""

    seat: SeatNo
    why: Skip


class TurnsPassed(_TurnEvent, frozen=True, tag="turns-passed"):
    """The ends of these seats' turns were not entered; a later turn shows that they are over.

    doubtful: those of them whose last life point High Noon would have taken; they are asked about.
    """

    seats: tuple[SeatNo, ...]
    doubtful: tuple[SeatNo, ...] = ()


class HighNoonSurvived(_TurnEvent, frozen=True, tag="high-noon-survived"):
    """A player about whom the table was asked is still in play."""

    seat: SeatNo


class TurnNamed(_TurnEvent, frozen=True, tag="turn-named"):
    """The table named the turn that is being played; nothing starts with it."""

    seat: SeatNo


class TurnUnknown(_TurnEvent, frozen=True, tag="turn-unknown"):
    """Turns were not entered so far, in a light game: the current one must be named before it ends."""


class RecordModeSet(_TurnEvent, frozen=True, tag="record-mode-set"):
    """The table records its game in this way from now on."""

    mode: RecordMode


TurnEvent = TurnSkipped | TurnsPassed | HighNoonSurvived | TurnNamed | TurnUnknown | RecordModeSet
