"""What the station's end of a shared pair has to tell its owner."""

import msgspec


class Joined(msgspec.Struct, frozen=True):
    """A unit has got a lease and answers: a new stream begins."""

    lease: int
    unit: bytes


class Left(msgspec.Struct, frozen=True):
    """The stream of a lease is over. problem: why, in words."""

    lease: int
    unit: bytes
    problem: str


class Cloned(msgspec.Struct, frozen=True):
    """Two units say that they have one id; the one that came second is kept away."""

    unit: bytes


class Full(msgspec.Struct, frozen=True):
    """A unit came and every address is lent."""

    unit: bytes


class Babbled(msgspec.Struct, frozen=True):
    """A unit spoke without being asked and is kept away for so long."""

    unit: bytes
    for_ms: int


class Drowned(msgspec.Struct, frozen=True):
    """Somebody who does not obey drowns the pair. suspects: units, the likeliest first; may be empty."""

    suspects: tuple[bytes, ...]


class Cleared(msgspec.Struct, frozen=True):
    """The pair is quiet again."""


BusEvent = Joined | Left | Cloned | Full | Babbled | Drowned | Cleared
