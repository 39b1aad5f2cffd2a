"""A USB stick as shops sell it, in a file of the host: one partition, FAT32, nothing on it."""

import struct
import subprocess
from pathlib import Path
from typing import Final

from tests.boot.disk import SECTOR, BadImage, Disk

SIZE: Final = 256 << 20
_START: Final = 1 << 20
_FAT32: Final = 0x0C
_SIGNED: Final = b"\x55\xaa"
_STATE: Final = 65
"""The place of its state in the partition's first sector."""
_WAS_PULLED: Final = 1


def made(path: Path, size: int = SIZE) -> Disk:
    """A new stick. size: in octets. Raises BadImage where it cannot be made."""
    length = size - _START
    entry = struct.pack("<B3xB3xII", 0, _FAT32, _START // SECTOR, length // SECTOR)
    with path.open("wb") as file:
        file.write(bytes(446) + entry.ljust(64, b"\0") + _SIGNED)
        file.truncate(size)
    sectors = str(length // SECTOR)
    _run(
        "mformat", "-F", "-T", sectors, "-h", "64", "-s", "32", "-v", "STICK", "-i", f"{path}@@{_START}", "::"
    )
    return Disk(path)


def faults_of(stick: Path, target: Path) -> str:
    """Return the faults that fsck finds in the stick's file system; nothing if it is sound.

    target: for a copy.
    That it was once pulled out and not unmounted is no fault: the mark of it, which stays, is left out.
    """
    partition = Disk(stick).boot
    with stick.open("rb") as file:
        file.seek(partition.start)
        content = bytearray(file.read(partition.length))
    content[_STATE] &= ~_WAS_PULLED
    target.write_bytes(content)
    check = subprocess.run(("fsck.fat", "-n", str(target)), capture_output=True, text=True, check=False)
    return "" if check.returncode == 0 else check.stdout


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadImage(f"{command[0]}: {done.stderr.strip()}")
