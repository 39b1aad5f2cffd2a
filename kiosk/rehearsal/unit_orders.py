"""The orders to the program of all terminals of a rehearsal, and its reports."""

import msgspec


class StartUnit(msgspec.Struct, frozen=True, tag="start"):
    """Start a unit. name: yours. arguments: of ``saloon-terminal``. log: where its words go, appended."""

    name: str
    arguments: tuple[str, ...]
    log: str


class KillUnit(msgspec.Struct, frozen=True, tag="kill"):
    """Cut a unit's power: it ends at once and can say nothing."""

    name: str


class EndUnit(msgspec.Struct, frozen=True, tag="end"):
    """Shut a unit down in order."""

    name: str


UnitOrder = StartUnit | KillUnit | EndUnit


class UnitEnded(msgspec.Struct, frozen=True):
    """A unit has ended. status: as of ``os.waitstatus_to_exitcode``; negative for a signal."""

    name: str
    status: int
