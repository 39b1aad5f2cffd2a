"""Add a file to the root folder of a FAT32 file system, returning the changed bytes.

Nothing is written here: the file system is read in place, and the changes are returned so that they can be
applied while an image is copied or sent. Source: Microsoft, "FAT32 File System Specification", 1.03.
"""

import datetime as dt
import struct
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from base.errors import BadData

Read = Callable[[int, int], bytes]
"""A function that reads a number of bytes at a position; fewer at the end."""
SECTOR: Final = 512
_ENTRY: Final = 32
_FIRST: Final = 2
"""The number of the first cluster, as 0 and 1 are reserved."""
_FREE, _LAST = 0, 0x0FFFFFFF
_NO_CLUSTER: Final = 0x0FFFFFF7
_UNKNOWN: Final = 0xFFFFFFFF
_DELETED, _END = 0xE5, 0
_LONG_NAME: Final = 0x0F
_VOLUME: Final = 0x08
_ARCHIVE: Final = 0x20
_ONLY_LONG: Final = 0x40
_IN_LONG: Final = 13
_MOST_FOLDER: Final = 256
"""The most clusters of the root folder to read."""
_FS_INFO: Final = b"RRaA"
_FIRST_YEAR: Final = 1980


class Patch(msgspec.Struct, frozen=True):
    """New bytes for a position on the disk."""

    start: int
    content: bytes


class _FatLayout(msgspec.Struct, frozen=True):
    """The layout of a file system, in bytes. ``clusters`` is one more than the last cluster's number."""

    tables: tuple[int, ...]
    data: int
    cluster: int
    clusters: int
    root: int
    info: int


class _PatchedDisk:
    """A disk with changes kept in memory, in whole sectors."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._sectors: dict[int, bytearray] = {}

    def read(self, start: int, size: int) -> bytes:
        """Return bytes, including changes. Raises BadData beyond the end of the disk."""
        first, last = start // SECTOR, -(-(start + size) // SECTOR)
        content = bytearray(self._read(first * SECTOR, (last - first) * SECTOR))
        if len(content) < (last - first) * SECTOR:
            raise BadData("boot partition", "this FAT32 file system reaches beyond the end of its disk")
        for number in range(first, last):
            changed = self._sectors.get(number)
            if changed is not None:
                content[(number - first) * SECTOR : (number - first + 1) * SECTOR] = changed
        return bytes(content[start - first * SECTOR :][:size])

    def write(self, start: int, content: bytes) -> None:
        for number in range(start // SECTOR, -(-(start + len(content)) // SECTOR)):
            sector = self._sectors.setdefault(number, bytearray(self.read(number * SECTOR, SECTOR)))
            begin = max(start, number * SECTOR)
            end = min(start + len(content), (number + 1) * SECTOR)
            sector[begin - number * SECTOR : end - number * SECTOR] = content[begin - start : end - start]

    def patches(self) -> tuple[Patch, ...]:
        return tuple(Patch(n * SECTOR, bytes(self._sectors[n])) for n in sorted(self._sectors))


def label_of(read: Read, start: int) -> str:
    """Return the label of the FAT32 file system at a position. Raises BadData if there is none."""
    boot = _boot_sector(read, start)
    return boot[71:82].decode("ascii", "replace").rstrip()


def patches_for_file(
    read: Read, start: int, name: str, content: bytes, when: dt.datetime
) -> tuple[Patch, ...]:
    """Return the changes that put a file into the root folder, replacing one of the same name.

    start: the file system's position on the disk.
    name: at most 13 ASCII characters.
    when: its modification time.

    Raises BadData if the FAT32 file system is missing, damaged or full.
    """
    disk = _PatchedDisk(read)
    shape = _shape(_boot_sector(read, start), start)
    others = set()
    for known in tuple(_named_entries(disk, shape)):
        if known.long.lower() == name.lower():
            _remove(disk, shape, known)
        else:
            others.add(known.short)
    clusters = _allocate_clusters(disk, shape, -(-len(content) // shape.cluster))
    for number, cluster in enumerate(clusters):
        piece = content[number * shape.cluster : (number + 1) * shape.cluster]
        disk.write(_position(shape, cluster), piece.ljust(shape.cluster, b"\0"))
    short = _short_name(name, others)
    entries = _long_entry(name, short) + _short_entry(short, clusters, len(content), when)
    for number, slot in enumerate(_free_slots(disk, shape, len(entries) // _ENTRY)):
        disk.write(slot, entries[number * _ENTRY : (number + 1) * _ENTRY])
    return disk.patches()


class _DirectoryEntry(msgspec.Struct, frozen=True):
    """A file in a folder. ``slots`` are the positions of its directory entries; ``first`` is 0 if empty."""

    slots: tuple[int, ...]
    long: str
    short: bytes
    first: int


def _boot_sector(read: Read, start: int) -> bytes:
    boot = read(start, SECTOR)
    is_fat32 = len(boot) == SECTOR and boot[510:] == b"\x55\xaa" and boot[82:90] == b"FAT32   "
    if not is_fat32 or _u16(boot, 11) != SECTOR or boot[13] not in {1, 2, 4, 8, 16, 32, 64, 128}:
        raise BadData("boot partition", "this is no FAT32 file system with sectors of 512 bytes")
    return boot


def _shape(boot: bytes, start: int) -> _FatLayout:
    reserved, copies, size = _u16(boot, 14), boot[16], _u32(boot, 36)
    tables = tuple(start + (reserved + number * size) * SECTOR for number in range(copies))
    data = start + (reserved + copies * size) * SECTOR
    sectors = _u32(boot, 32) - reserved - copies * size
    clusters = _FIRST + sectors // boot[13]
    is_sound = _FIRST < clusters <= size * SECTOR // 4 and _FIRST <= _u32(boot, 44) < clusters
    if not tables or not is_sound:
        raise BadData("boot partition", "this FAT32 file system contradicts itself")
    info = start + _u16(boot, 48) * SECTOR
    return _FatLayout(tables, data, boot[13] * SECTOR, clusters, _u32(boot, 44), info)


def _position(shape: _FatLayout, cluster: int) -> int:
    return shape.data + (cluster - _FIRST) * shape.cluster


def _next(disk: _PatchedDisk, shape: _FatLayout, cluster: int) -> int:
    return _u32(disk.read(shape.tables[0] + cluster * 4, 4), 0) & _LAST


def _link(disk: _PatchedDisk, shape: _FatLayout, cluster: int, following: int) -> None:
    for table in shape.tables:
        disk.write(table + cluster * 4, struct.pack("<I", following))


def _chain(disk: _PatchedDisk, shape: _FatLayout, first: int) -> Iterator[int]:
    """Yield the clusters of a file. Raises BadData if its chain loops or leaves the disk."""
    cluster = first
    for _number in range(shape.clusters):
        if not _FIRST <= cluster < shape.clusters:
            break
        yield cluster
        cluster = _next(disk, shape, cluster)
        if cluster >= _NO_CLUSTER:
            return
    raise BadData("boot partition", "this FAT32 file system contradicts itself")


def _slots(disk: _PatchedDisk, shape: _FatLayout) -> Iterator[int]:
    for number, cluster in enumerate(_chain(disk, shape, shape.root)):
        if number == _MOST_FOLDER:
            raise BadData("boot partition", "its root folder is too large")
        begin = _position(shape, cluster)
        yield from range(begin, begin + shape.cluster, _ENTRY)


def _named_entries(disk: _PatchedDisk, shape: _FatLayout) -> Iterator[_DirectoryEntry]:
    slots: list[int] = []
    long = ""
    for slot in _slots(disk, shape):
        entry = disk.read(slot, _ENTRY)
        if entry[0] == _END:
            return
        if entry[0] == _DELETED:
            slots, long = [], ""
        elif entry[11] == _LONG_NAME:
            signs = (entry[1:11] + entry[14:26] + entry[28:32]).decode("utf-16-le", "replace")
            slots, long = [*slots, slot], signs.partition("\0")[0] + long
        else:
            if not entry[11] & _VOLUME:
                first = _u16(entry, 20) << 16 | _u16(entry, 26)
                yield _DirectoryEntry((*slots, slot), long, entry[:11], first)
            slots, long = [], ""


def _remove(disk: _PatchedDisk, shape: _FatLayout, former: _DirectoryEntry) -> None:
    """Remove a file and overwrite its content, which may be secret."""
    for cluster in tuple(_chain(disk, shape, former.first)) if former.first else ():
        disk.write(_position(shape, cluster), bytes(shape.cluster))
        _link(disk, shape, cluster, _FREE)
        _count_free(disk, shape, 1, cluster)
    for slot in former.slots:
        disk.write(slot, bytes((_DELETED,)))


def _allocate_clusters(disk: _PatchedDisk, shape: _FatLayout, count: int) -> tuple[int, ...]:
    """Allocate clusters and link them into a chain. Raises BadData if too few are free."""
    clusters: list[int] = []
    for first in range(_FIRST, shape.clusters, SECTOR // 4):
        last = min(first + SECTOR // 4, shape.clusters)
        links = disk.read(shape.tables[0] + first * 4, (last - first) * 4)
        clusters += [
            first + n for n, (link,) in enumerate(struct.iter_unpack("<I", links)) if not link & _LAST
        ]
        if len(clusters) >= count:
            break
    if len(clusters) < count:
        raise BadData("boot partition", "it is full")
    clusters = clusters[:count]
    for cluster, following in zip(clusters, [*clusters[1:], _LAST][: len(clusters)], strict=True):
        _link(disk, shape, cluster, following)
        _count_free(disk, shape, -1, cluster)
    return tuple(clusters)


def _count_free(disk: _PatchedDisk, shape: _FatLayout, more: int, hint: int) -> None:
    """Update the number of free clusters, if the file system records it."""
    info = disk.read(shape.info, SECTOR)
    if info.startswith(_FS_INFO) and _u32(info, 488) != _UNKNOWN:
        disk.write(shape.info + 488, struct.pack("<II", _u32(info, 488) + more, hint))


def _free_slots(disk: _PatchedDisk, shape: _FatLayout, count: int) -> tuple[int, ...]:
    """Return positions for consecutive directory entries, extending the folder if needed."""
    run: list[int] = []
    for slot in _slots(disk, shape):
        run = [*run, slot] if disk.read(slot, 1)[0] in (_DELETED, _END) else []
        if len(run) == count:
            return tuple(run)
    *_before, last = _chain(disk, shape, shape.root)
    (fresh,) = _allocate_clusters(disk, shape, 1)
    disk.write(_position(shape, fresh), bytes(shape.cluster))
    _link(disk, shape, last, fresh)
    return _free_slots(disk, shape, count)


def _short_name(name: str, taken: set[bytes]) -> bytes:
    """Return a file's short name (8.3), as old programs show it."""
    stem, _dot, ending = name.upper().rpartition(".")
    for number in range(1, 10):
        short = f"{stem[:6]:<6}~{number}".encode("ascii") + f"{ending[:3]:<3}".encode("ascii")
        if short not in taken:
            return short
    raise BadData("boot partition", f"there are too many files like {name}")


def _long_entry(name: str, short: bytes) -> bytes:
    check = 0
    for sign in short:
        check = ((check & 1) << 7) + (check >> 1) + sign & 0xFF
    padded = (name + "\0").encode("utf-16-le")[: _IN_LONG * 2].ljust(_IN_LONG * 2, b"\xff")
    head = struct.pack("<B10sBBB", _ONLY_LONG | 1, padded[:10], _LONG_NAME, 0, check)
    return head + padded[10:22] + b"\0\0" + padded[22:]


def _short_entry(short: bytes, clusters: tuple[int, ...], size: int, when: dt.datetime) -> bytes:
    first = clusters[0] if clusters else 0
    date = max(when.year - _FIRST_YEAR, 0) << 9 | when.month << 5 | when.day
    time = when.hour << 11 | when.minute << 5 | when.second // 2
    return struct.pack(
        "<11sBBBHHHHHHHI",
        short, _ARCHIVE, 0, 0, time, date, date, first >> 16, time, date, first & 0xFFFF, size,
    )  # fmt: skip


def _u16(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "little")


def _u32(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 4], "little")
