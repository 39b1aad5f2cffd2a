"""A USB stick as shops sell it, in a file of the host: one partition, FAT32, nothing on it."""

import struct
import subprocess
from pathlib import Path
from typing import Final

from tests.boot.disk import SECTOR, BadImage, Disk, Partition

SIZE: Final = 256 << 20
_START: Final = 1 << 20
_FAT32: Final = 0x0C
_SIGNED: Final = b"\x55\xaa"


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
    """What fsck finds wrong with the stick's file system, nothing for a clean one. target: for a copy."""
    partition: Partition = Disk(stick).boot
    with stick.open("rb") as file:
        file.seek(partition.start)
        target.write_bytes(file.read(partition.length))
    found = subprocess.run(("fsck.fat", "-n", str(target)), capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else found.stdout


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadImage(f"{command[0]}: {done.stderr.strip()}")
