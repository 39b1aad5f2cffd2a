"""Messages to the parent process of all terminals in a rehearsal, and its reports."""

import msgspec


class StartUnit(msgspec.Struct, frozen=True, tag="start"):
    """Start a unit with the arguments of ``saloon-terminal``. Its output is appended to the file ``log``."""

    name: str
    arguments: tuple[str, ...]
    log: str


class KillUnit(msgspec.Struct, frozen=True, tag="kill"):
    """Kill a unit immediately, as a power cut would."""

    name: str


class EndUnit(msgspec.Struct, frozen=True, tag="end"):
    """Shut a unit down properly."""

    name: str


UnitOrder = StartUnit | KillUnit | EndUnit


class UnitEnded(msgspec.Struct, frozen=True):
    """A report that a unit has ended.

    ``status`` is as by ``os.waitstatus_to_exitcode``; negative for a signal.
    """

    name: str
    status: int
