"""The disk image, made by mtools, mke2fs and sfdisk, so that no loop devices are needed."""

import os
from pathlib import Path

from image.recipe.card.layout import MIB, SECTOR, Disk, laid_out, uuid_of
from image.recipe.run import Commands
from image.recipe.target import Target

BOOT_SIZE = 128 * MIB
DATA_SIZE = 64 * MIB
_BLOCK = 4 * MIB
_MOST_DATA = 512 * 1024 * MIB
"""The largest size to which the file system can be grown while mounted."""


def _set_times(folder: Path, epoch: int) -> None:
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (epoch, epoch))


def write_fat(files: Path, made: Path, target: Target, size: int, commands: Commands) -> None:
    """Write a FAT32 file system, labelled SALOON, with a folder's files."""
    _set_times(files, commands.epoch)
    made.unlink(missing_ok=True)
    volume = uuid_of(target, "boot").replace("-", "")[:8]
    sectors = size // 1024
    commands.run(
        "mkfs.vfat", "--invariant", "-C", "-F", "32", "-s", "2", "-S", str(SECTOR),
        "-i", volume, "-n", "SALOON", made, str(sectors),
    )  # fmt: skip
    tops = sorted(files.iterdir())
    commands.run("mcopy", "-s", "-p", "-m", "-Q", "-i", made, *tops, "::/")


def write_data(made: Path, target: Target, size: int, commands: Commands) -> None:
    """Write the empty ext4 file system, labelled saloon-data, that a board fills and grows.

    Its block size matches SQLite's pages and a card's smallest writes. For such a small file system, mke2fs
    would choose 1 KiB, permanently.
    """
    made.unlink(missing_ok=True)
    uuid = uuid_of(target, "data")
    options = (
        f"hash_seed={uuid}",
        f"resize={_MOST_DATA // 4096}",
        "lazy_itable_init=0",
        "lazy_journal_init=0",
        "root_owner=0:0",
    )
    commands.run(
        "mke2fs", "-q", "-F", "-t", "ext4", "-L", "saloon-data", "-U", uuid, "-m", "1", "-b", "4096",
        "-E", ",".join(options),
        made, f"{size // 1024}k",
    )  # fmt: skip


def _copied(part: Path, disk: Path, start: int) -> None:
    """Copy a part to its place, leaving holes for blocks of zeros."""
    with part.open("rb") as source, disk.open("r+b") as there:
        place = start
        while block := source.read(_BLOCK):
            if block.count(0) != len(block):
                there.seek(place)
                there.write(block)
            place += len(block)


def put_together(parts: tuple[Path, Path, Path], target: Target, made: Path, commands: Commands) -> Disk:
    """Write the disk image from the file systems of boot, root and data, and return its layout."""
    boot, root, data = parts
    disk = laid_out(target, boot.stat().st_size, root.stat().st_size, data.stat().st_size)
    made.unlink(missing_ok=True)
    with made.open("wb") as empty:
        empty.truncate(disk.size)
    commands.run("sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", made, text=disk.script())
    for part, place in zip(parts, disk.partitions, strict=True):
        _copied(part, made, place.start)
    return disk
