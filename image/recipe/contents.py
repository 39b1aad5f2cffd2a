"""The contents of an image, from ``image/packages.toml``."""

from pathlib import Path

import msgspec

from image.recipe.target import Kind, Target
from saloon.base.errors import BadData


class Packages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Debian packages: installed with their dependencies, or only their files unpacked.

    left_out: dependencies that are not fetched into the image.
    """

    packages: tuple[str, ...]
    unpacked: tuple[str, ...]
    left_out: tuple[str, ...] = ()


class Common(Packages, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The packages of every image, and those of one processor."""

    arm64: Packages
    amd64: Packages


class OfKind(Packages, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The additions of one kind: packages, Python distributions and programs (name = module:function).

    built: distributions among them of which there is no wheel for the suite's Python. without: folders of the
    wheel that this kind never imports.
    """

    python: tuple[str, ...]
    built: tuple[str, ...]
    programs: dict[str, str]
    without: tuple[str, ...]


class Files(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files left out of packages, as patterns of the shell."""

    excluded: tuple[str, ...]
    drivers_excluded: tuple[str, ...]


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of ``packages.toml``."""

    suite: str
    python: str
    common: Common
    terminal: OfKind
    station: OfKind
    files: Files

    def of_kind(self, kind: Kind) -> OfKind:
        """Return the contents of this kind of machine beyond the common part."""
        return self.terminal if kind is Kind.TERMINAL else self.station

    def base(self, target: Target) -> Packages:
        """Return the packages of every image for this processor, sorted."""
        more: Packages = getattr(self.common, target.architecture.value)
        return Packages(
            packages=tuple(sorted({*self.common.packages, *more.packages})),
            unpacked=tuple(sorted({*self.common.unpacked, *more.unpacked})),
        )


def contents_of(path: Path) -> Contents:
    """Read the list of packages. Raises BadData with the key that is wrong."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Contents)
    except (msgspec.DecodeError, OSError) as error:
        raise BadData(str(path), str(error)) from error
