"""The events that a bus master reports to its owner."""

import msgspec


class Joined(msgspec.Struct, frozen=True):
    """A unit with a new lease has answered; its stream begins."""

    lease: int
    unit: bytes


class UnitLeft(msgspec.Struct, frozen=True):
    """The stream of a lease ended. ``problem`` is the reason."""

    lease: int
    unit: bytes
    problem: str


class Cloned(msgspec.Struct, frozen=True):
    """A second unit with the same id was detected and banned."""

    unit: bytes


class Full(msgspec.Struct, frozen=True):
    """A unit asked for an address, but none is free."""

    unit: bytes


class Babbled(msgspec.Struct, frozen=True):
    """A unit sent without being polled and is banned for ``for_ms`` milliseconds."""

    unit: bytes
    for_ms: int


class PairJammed(msgspec.Struct, frozen=True):
    """A unit that ignores the protocol floods the pair.

    ``suspects`` lists the most likely units first, and may be empty.
    """

    suspects: tuple[bytes, ...]


class SecondStation(msgspec.Struct, frozen=True):
    """Another station polls on the same pair, because two cables were joined by mistake."""


class StationAlone(msgspec.Struct, frozen=True):
    """The other station is no longer heard."""


class PairQuiet(msgspec.Struct, frozen=True):
    """The pair is quiet again."""


BusEvent = Joined | UnitLeft | Cloned | Full | Babbled | PairJammed | PairQuiet | SecondStation | StationAlone
