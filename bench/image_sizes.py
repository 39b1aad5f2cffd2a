"""The size of an image beside that of its base system, on the card and as a download."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from base.errors import Unavailable
from bench.figure import Figure

IMAGES: Final = Path(__file__).parents[1] / "build" / "image"
_MB: Final = 1_000_000
_PIECE: Final = 4 * 1024 * 1024
_BLOCK: Final = 4096
_BASE: Final = "the base layer alone, packed the same way"
_ONLY_TO_BOOT: Final = ("boot", "usr/lib/linux-image-*", "usr/lib/raspi-firmware", "usr/lib/systemd/boot")
"""Files that the recipe moves to the boot partition, which both images have."""
_AS_THE_RECIPE: Final = ("-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "9", "-b", "256K")


def sizes(arch: str, images: Path = IMAGES) -> Sequence[Figure]:
    """Return both figures of a terminal's image. Raises Unavailable if a file or program is missing."""
    image = images / f"saloon-terminal-{arch}.img"
    layers = sorted((images / "cache").glob(f"base-{arch}-*.tar"), key=lambda file: file.stat().st_mtime)
    if not image.exists() or not layers:
        raise Unavailable(f"no {image.name} with its base layer in {images}: make image ARCH={arch}")
    try:
        with tempfile.TemporaryDirectory() as name:
            return _beside(arch, image, layers[-1], Path(name))
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"the base layer cannot be measured: {error}") from error


def _beside(arch: str, image: Path, layer: Path, folder: Path) -> Sequence[Figure]:
    """Compare the image with one that contains only the base system."""
    base, root = folder / "base.squashfs", folder / "root.squashfs"
    with layer.open("rb") as tar:
        subprocess.run(
            ["mksquashfs", "-", str(base), "-tar", *_AS_THE_RECIPE, "-wildcards", "-e", *_ONLY_TO_BOOT],
            stdin=tar,
            check=True,
            capture_output=True,
        )
    _copy_part(image, 2, root)
    on_card = _written(image)
    packed = _packed(image)
    bare_on_card = on_card - root.stat().st_size + base.stat().st_size
    bare_packed = packed - _packed(root) + _packed(base)
    return (
        Figure(f"image on the card, {arch}", "MB", on_card / _MB, _BASE, bare_on_card / _MB, aim="250"),
        Figure(f"image to download, {arch}", "MB", packed / _MB, _BASE, bare_packed / _MB, more="zstd -3"),
    )


def _copy_part(image: Path, number: int, to: Path) -> None:
    told = subprocess.run(["sfdisk", "--json", str(image)], check=True, capture_output=True, text=True).stdout
    table = json.loads(told)["partitiontable"]
    part = table["partitions"][number - 1]
    with image.open("rb") as disk, to.open("wb") as file:
        disk.seek(part["start"] * table["sectorsize"])
        left = part["size"] * table["sectorsize"]
        while left and (piece := disk.read(min(left, _PIECE))):
            file.write(piece)
            left -= len(piece)


def _written(file: Path) -> int:
    """Return the size of an image's blocks, except those of zeros, which a card writer may skip."""
    nothing, size = bytes(_BLOCK), 0
    with file.open("rb") as image:
        while piece := image.read(_PIECE):
            size += sum(_BLOCK for at in range(0, len(piece), _BLOCK) if piece[at : at + _BLOCK] != nothing)
    return size


def _packed(file: Path) -> int:
    with subprocess.Popen(["zstd", "-q", "-3", "-c", str(file)], stdout=subprocess.PIPE) as packer:
        assert packer.stdout is not None
        size = 0
        while piece := packer.stdout.read(_PIECE):
            size += len(piece)
    if packer.returncode:
        raise subprocess.CalledProcessError(packer.returncode, "zstd")
    return size
