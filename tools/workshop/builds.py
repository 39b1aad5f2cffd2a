"""Parts, terminals built from them, costs and currents. Prices and currents are from memory."""

import tomllib
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec

from base.errors import BadData

HERE: Final = Path(__file__).parent
TABLES: Final = 50
"""The number of tables in the page's example."""
SPARES: Final = 3
"""The number of complete spare terminals."""
VOLTS: Final = 5.1

T = TypeVar("T")
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class Goods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part to buy. eur: price of one. ma, peak_ma: typical and peak current at 5 V."""

    name: str
    eur: Number
    ma: Number = 0
    peak_ma: Number = 0


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to build a terminal. terminal: its parts. hall: parts needed once for fifty tables.

    build_minutes: the time to build one, with all parts at hand. hall_minutes: the time to lay its cables in
    the hall.
    """

    name: str
    about: str
    build_minutes: Number
    hall_minutes: Number
    terminal: dict[str, Count]
    hall: dict[str, Count]


class Sum(msgspec.Struct, frozen=True):
    """The totals of a build.

    eur: the cost of one terminal. hall_eur: that of fifty with spares and the hall's parts. ma, peak_ma: one
    terminal's current at 5 V.
    """

    eur: int
    hall_eur: int
    ma: int
    peak_ma: int

    @property
    def watts(self) -> float:
        """The power of one terminal during a game."""
        return self.ma * VOLTS / 1000

    @property
    def peak_watts(self) -> float:
        """The peak power of one terminal."""
        return self.peak_ma * VOLTS / 1000


def goods() -> dict[str, Goods]:
    """Return all parts by short name. Raises BadData for an invalid list."""
    return _read(HERE / "parts.toml", dict[str, Goods])


def builds(known: dict[str, Goods]) -> dict[str, Build]:
    """Return all builds by short name. Raises BadData for an invalid list or an unknown part."""
    file = HERE / "builds.toml"
    found = _read(file, dict[str, Build])
    for key, build in found.items():
        for part in (*build.terminal, *build.hall):
            if part not in known:
                raise BadData(f"{file}: [{key}]", f"no part {part!r} in parts.toml")
    return found


def sum_of(build: Build, known: dict[str, Goods]) -> Sum:
    """Return the totals of a build."""
    parts = [(known[part], count) for part, count in build.terminal.items()]
    eur = sum(part.eur * count for part, count in parts)
    once = sum(known[part].eur * count for part, count in build.hall.items())
    return Sum(
        eur,
        eur * (TABLES + SPARES) + once,
        sum(part.ma * count for part, count in parts),
        sum(part.peak_ma * count for part, count in parts),
    )


def _read(file: Path, kind: type[T]) -> T:
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadData(str(file), str(error)) from error
