"""Events of turns that were not played, kept separate so that older logs keep their counts."""

import enum

import msgspec

from saloon.core.terms import SeatNo


class Skip(enum.Enum):
    """The reason for which a turn that started was not played."""

    JAIL = "jail"
    DYNAMITE = "dynamite"


class TurnSkipped(msgspec.Struct, frozen=True, tag="turn-skipped", tag_field="event"):
    """The turn of a seat started, but was not played, and does not count as played (D31)."""

    seat: SeatNo
    why: Skip


TurnEvent = TurnSkipped
