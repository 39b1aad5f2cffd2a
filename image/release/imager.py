"""The entry of an image in Raspberry Pi Imager, in a list to be opened by ``rpi-imager --repo``.

The format is defined in Imager's doc/json-schema/os-list-schema.json.
"""

import base64
import datetime as dt
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData
from image.recipe.manifest import Manifest, file_of
from image.recipe.program.app import Release
from image.recipe.target import Architecture, Kind

CHECKOUT: Final = Path(__file__).parents[2]
_ICON: Final = CHECKOUT / "station/web/static/star.svg"
_BOARDS: Final = ("pi3-64bit", "pi4-64bit")
"""The boards that the image's kernel supports, by Imager's names."""
_NAMES: Final = {
    Kind.TERMINAL: (
        "Saloon terminal",
        "A table of a BANG! tournament. Add the table's saloon.toml afterwards.",
    ),
    Kind.STATION: ("Saloon station", "The judge's station of a BANG! tournament."),
}


class ImagerEntry(msgspec.Struct, frozen=True):
    """An operating system in Imager's list, whose settings (``init_format``) don't fit our images."""

    name: str
    description: str
    icon: str
    url: str
    extract_size: int
    extract_sha256: str
    image_download_size: int
    image_download_sha256: str
    release_date: str
    devices: tuple[str, ...] = _BOARDS
    init_format: str = "none"


class ImagerList(msgspec.Struct, frozen=True):
    """The whole list for Imager."""

    os_list: tuple[ImagerEntry, ...]


def imager_list(images: tuple[Path, ...], url: str) -> bytes:
    """Return the list of images as JSON. Raises BadData if an image lacks its manifest or ``.xz`` file.

    ``url`` is the address of the folder with the compressed files.
    """
    entries = tuple(_entry(image, url.rstrip("/")) for image in images)
    return msgspec.json.format(msgspec.json.encode(ImagerList(entries)), indent=2) + b"\n"


def _entry(image: Path, url: str) -> ImagerEntry:
    manifest = _manifest(image)
    release: Release = manifest.release
    if release.architecture is not Architecture.ARM64:
        raise BadData(str(image), f"is for {release.architecture.value}; Imager writes cards for a Pi: arm64")
    packed = image.with_name(f"{image.name}.xz")
    if not packed.is_file():
        raise BadData(str(image), f"has no compressed file beside it: xz --keep -T0 {image}")
    whole, download = file_of(image), file_of(packed)
    if manifest.files.get("disk") != whole:
        raise BadData(str(image), "differs from its manifest: it was written to, build it again")
    name, description = _NAMES[release.kind]
    return ImagerEntry(
        name=f"{name} {release.version}",
        description=description,
        icon="data:image/svg+xml;base64," + base64.b64encode(_ICON.read_bytes()).decode(),
        url=f"{url}/{packed.name}",
        extract_size=whole.size,
        extract_sha256=whole.sha256,
        image_download_size=download.size,
        image_download_sha256=download.sha256,
        release_date=dt.datetime.fromtimestamp(manifest.epoch, dt.UTC).date().isoformat(),
    )


def _manifest(image: Path) -> Manifest:
    file = image.with_suffix(".json")
    try:
        return msgspec.json.decode(file.read_bytes(), type=Manifest)
    except OSError as error:
        raise BadData(str(file), f"the manifest cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise BadData(str(file), f"this is not an image's manifest: {error}") from error
