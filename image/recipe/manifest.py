"""The manifest of an image, written beside it so that images can be compared without opening them."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from image.recipe.card.layout import Disk
from image.recipe.packages.apt import Package
from image.recipe.program.app import Release

_PIECE = 4 * 1024 * 1024


class File(msgspec.Struct, frozen=True):
    """A file's size in bytes and its hash."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The description of an image: its release, disk, files, and all packages with their versions.

    unpacked: packages that were only unpacked.
    byte_code: the version of Python that compiled it.
    """

    release: Release
    epoch: int
    suite: str
    disk: Disk
    files: Mapping[str, File]
    packages: tuple[Package, ...]
    unpacked: tuple[str, ...]
    byte_code: str
    distributions: Mapping[str, str]


def file_of(path: Path) -> File:
    """Return a file's size and hash."""
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            whole.update(piece)
    return File(path.stat().st_size, whole.hexdigest())


def distributions_in(lib: Path) -> Mapping[str, str]:
    """Return the Python distributions in a folder and their versions."""
    found = {}
    for folder in sorted(lib.glob("*.dist-info")):
        name, _, version = folder.name.removesuffix(".dist-info").rpartition("-")
        found[name] = version
    return found


def text_of(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"
