"""The contents of an image, from ``image/packages.toml``."""

from pathlib import Path

import msgspec

from base.errors import BadData
from image.recipe.target import Kind, Target


class Packages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Debian packages to install with their dependencies, except those left out, or only to unpack."""

    packages: tuple[str, ...]
    unpacked: tuple[str, ...]
    left_out: tuple[str, ...] = ()


class Common(Packages, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The packages of every image, and those for one processor."""

    arm64: Packages
    amd64: Packages


class OfKind(Packages, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The additions for one kind of machine: packages, Python distributions and programs.

    programs: entry points (module:function) by name.
    built: distributions that have no wheel for the suite's Python.
    without: folders of the wheel that this kind never imports.
    """

    python: tuple[str, ...]
    built: tuple[str, ...]
    programs: dict[str, str]
    without: tuple[str, ...]


class Files(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files to leave out of packages, as shell patterns."""

    excluded: tuple[str, ...]
    drivers_excluded: tuple[str, ...]


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete contents of ``packages.toml``."""

    suite: str
    python: str
    common: Common
    terminal: OfKind
    station: OfKind
    files: Files

    def of_kind(self, kind: Kind) -> OfKind:
        return self.terminal if kind is Kind.TERMINAL else self.station

    def base(self, target: Target) -> Packages:
        """Return the packages of every image for this processor, sorted."""
        more: Packages = getattr(self.common, target.architecture.value)
        return Packages(
            packages=tuple(sorted({*self.common.packages, *more.packages})),
            unpacked=tuple(sorted({*self.common.unpacked, *more.unpacked})),
        )


def contents_of(path: Path) -> Contents:
    """Read the list of packages. Raises BadData naming the wrong key."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Contents)
    except (msgspec.DecodeError, OSError) as error:
        raise BadData(str(path), str(error)) from error
