"""Small images as the recipe lays them out, and what mtools and fsck read in them."""

import os
import struct
import subprocess
from pathlib import Path

SECTOR = 512
BOOT = 4 << 20
BOOT_SIZE = 34 << 20
ROOT = BOOT + BOOT_SIZE
REST = 1 << 20
WITH_SYSTEM = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}


def image_file(path: Path, *, label: str = "SALOON", files: dict[str, bytes] | None = None) -> Path:
    """A disk with FAT32, a root that no hole hides, and data."""
    fat = path.with_suffix(".fat")
    fat.unlink(missing_ok=True)
    _run("mkfs.vfat", "-C", "-F", "32", "-s", "1", "-n", label, str(fat), str(BOOT_SIZE // 1024))
    for name, content in (files or {}).items():
        (path.parent / "put").write_bytes(content)
        _run("mcopy", "-i", str(fat), str(path.parent / "put"), f"::{name}")
    with path.open("wb") as disk, fat.open("rb") as boot:
        disk.write(_table((0x0C, BOOT, BOOT_SIZE), (0x83, ROOT, REST), (0x83, ROOT + REST, REST)))
        for start in range(0, BOOT_SIZE, 1 << 20):
            piece = boot.read(1 << 20)
            if piece.count(0) != len(piece):
                disk.seek(BOOT + start)
                disk.write(piece)
        disk.seek(ROOT)
        disk.write(bytes(range(256)) * (REST // 256))
        disk.truncate(ROOT + 2 * REST)
    fat.unlink()
    return path


def read_back(image: Path, name: str = "saloon.toml") -> bytes:
    """A file of the boot partition, as mtools read it."""
    return _run("mtype", "-i", f"{image}@@{BOOT}", f"::{name}")


def listed(image: Path) -> list[str]:
    """The names in the boot partition's root folder."""
    return sorted(_run("mdir", "-b", "-i", f"{image}@@{BOOT}", "::").decode().replace("::/", "").split())


def is_sound(image: Path) -> bool:
    """Return whether fsck finds no fault in the boot partition."""
    fat = image.with_suffix(".checked")
    with image.open("rb") as disk, fat.open("wb") as out:
        disk.seek(BOOT)
        out.write(disk.read(BOOT_SIZE))
    done = subprocess.run(["fsck.vfat", "-n", str(fat)], capture_output=True, check=False, env=WITH_SYSTEM)
    fat.unlink()
    return done.returncode == 0


def _table(*parts: tuple[int, int, int]) -> bytes:
    table = bytearray(SECTOR)
    for number, (kind, start, size) in enumerate(parts):
        struct.pack_into(
            "<BBBBBBBBII",
            table,
            446 + number * 16,
            0,
            0,
            0,
            0,
            kind,
            0,
            0,
            0,
            start // SECTOR,
            size // SECTOR,
        )
    table[510:] = b"\x55\xaa"
    return bytes(table)


def _run(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=True, env=WITH_SYSTEM).stdout
