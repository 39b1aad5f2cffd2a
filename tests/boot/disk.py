"""An image on the host: its partitions, its boot files, copies that trials may write, sticks, a slow card.

The slow card is a file behind NBD, as QEMU can limit bytes and requests itself (``LIMITS``), but delays no
flush.
"""

import hashlib
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from io import BufferedRWPair
from pathlib import Path
from typing import Final, Self

import msgspec

SECTOR: Final = 512
_TABLE: Final = 446
_ENTRY: Final = 16
_PIECE: Final = 1 << 20


class Partition(msgspec.Struct, frozen=True):
    """A primary partition. kind: its type in the table. start, length: in octets."""

    number: int
    kind: int
    start: int
    length: int


class BadImage(Exception):
    """An image is not made as images are."""


def partitions_of(first_sector: bytes) -> tuple[Partition, ...]:
    """The partitions in an MBR. Raises BadImage for a sector that is none."""
    if len(first_sector) < SECTOR or first_sector[510:SECTOR] != b"\x55\xaa":
        raise BadImage("the first sector is no partition table")
    partitions = []
    for number in range(4):
        entry = first_sector[_TABLE + number * _ENTRY : _TABLE + (number + 1) * _ENTRY]
        start, sectors = struct.unpack("<II", entry[8:16])
        if entry[4]:
            partitions.append(Partition(number + 1, entry[4], start * SECTOR, sectors * SECTOR))
    return tuple(partitions)


class Disk:
    """A disk in a raw file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self.partitions = partitions_of(file.read(SECTOR))

    @property
    def boot(self) -> Partition:
        return self.partitions[0]

    @property
    def root(self) -> Partition:
        return self.partitions[1]

    @property
    def data(self) -> Partition:
        return self.partitions[2]

    def names(self, folder: str = "") -> tuple[str, ...]:
        listed = _run("mdir", "-b", "-i", self._fat(), f"::/{folder}")
        prefix = f"::/{folder}/" if folder else "::/"
        return tuple(line.removeprefix(prefix) for line in listed.decode().splitlines() if line.strip())

    def read(self, name: str) -> bytes:
        """A file of the boot partition. Raises BadImage where it is not there."""
        return _run("mcopy", "-n", "-i", self._fat(), f"::/{name}", "-")

    def put(self, name: str, content: bytes) -> None:
        """Write a file on the boot partition, as an organiser does with a card in a reader."""
        _run("mcopy", "-o", "-i", self._fat(), "-", f"::/{name}", content=content)

    def ruin(self, partition: Partition) -> None:
        """Make a partition what a worn card makes of it: nothing in it can be read as it was."""
        with self.path.open("r+b") as file:
            file.seek(partition.start)
            for _ in range(0, partition.length, _PIECE):
                file.write(b"\xff" * min(_PIECE, partition.length))

    def _fat(self) -> str:
        return f"{self.path}@@{self.boot.start}"


def hash_of(path: Path, partition: Partition) -> str:
    """SHA-256 of a partition of a raw file, as hex."""
    digest = hashlib.sha256()
    left = partition.length
    with path.open("rb") as file:
        file.seek(partition.start)
        while left and (piece := file.read(min(_PIECE, left))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest()


def copied(image: Path, target: Path) -> Path:
    """A copy to be prepared with an organiser's files: as quick as the file system can."""
    _run("cp", "--reflink=auto", "--sparse=always", str(image), str(target))
    return target


def overlay(image: Path, target: Path, size: str) -> Path:
    """A card of this size with the image on it: what a guest writes goes to the new file only.

    What QEMU has written is there, whenever it is killed.
    """
    _run(
        "qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(image.resolve()), str(target), size
    )
    return target


def flattened(card: Path, target: Path) -> Path:
    """Return a guest's card as a raw file."""
    _run("qemu-img", "convert", "-O", "raw", str(card), str(target))
    return target


def unclean(path: Path, partition: Partition) -> str:
    """Return the faults in an unused ext4 file system; nothing after a clean end. path: a raw file."""
    place = f"{path}?offset={partition.start}"
    report = _run("dumpe2fs", "-h", place).decode(errors="replace")
    state = next(
        (line.split(":", 1)[1].strip() for line in report.splitlines() if "system state" in line), "?"
    )
    if state != "clean" or "needs_recovery" in report:
        return f"the file system is {state}{', its journal not empty' * ('needs_recovery' in report)}"
    looked = subprocess.run(("e2fsck", "-fn", place), capture_output=True, text=True, check=False)
    return looked.stdout if looked.returncode else ""


def found_in(path: Path, secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of these texts that are anywhere in a raw file, skipping its holes."""
    sought = {secret: secret.encode() for secret in secrets}
    longest = max(len(octets) for octets in sought.values())
    leaked = set[str]()
    with path.open("rb") as file:
        for start, end in _written(file.fileno()):
            for at in range(start, end, _PIECE):
                file.seek(at)
                piece = file.read(_PIECE + longest)
                leaked |= {secret for secret, octets in sought.items() if octets in piece}
    return tuple(sorted(leaked))


def _written(descriptor: int) -> Iterator[tuple[int, int]]:
    end = 0
    while True:
        try:
            start = os.lseek(descriptor, end, os.SEEK_DATA)
        except OSError:
            return
        end = os.lseek(descriptor, start, os.SEEK_HOLE)
        yield start, end


def _run(*command: str, content: bytes | None = None) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, input=content)
    if done.returncode:
        raise BadImage(f"{command[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


_STICK_SIZE: Final = 256 << 20
_START: Final = 1 << 20
_FAT32: Final = 0x0C
_SIGNED: Final = b"\x55\xaa"
_STATE: Final = 65
"""The place of its state in the partition's first sector."""
_WAS_PULLED: Final = 1


def blank_stick(path: Path, size: int = _STICK_SIZE) -> Disk:
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


FLUSH_S: Final = 0.02
LIMITS: Final = "throttling.bps-total=10000000,throttling.iops-total=300"
"""10 MB and 300 requests a second: a poor card."""
_ROOM: Final = 16 << 30
"""The file's size, as it cannot grow behind NBD: more than a card and QEMU's tables."""
_OPTION: Final = b"IHAVEOPT"
_REPLY: Final = struct.Struct(">QIII")
_REPLY_MAGIC: Final = 0x3E889045565A9
_REQUEST: Final = struct.Struct(">IHHQQI")
_ANSWER: Final = struct.Struct(">IIQ")
_ANSWER_MAGIC: Final = 0x67446698
_EXPORT_NAME, _GO = 1, 7
_ACK, _INFO, _UNSUPPORTED = 1, 3, 0x80000001
_HAS_FLAGS, _CAN_FLUSH = 1, 4


class SlowCard:
    """Serves a file on a socket until the ``with`` block ends. flushes: how many were asked for."""

    def __init__(self, card: Path, place: Path) -> None:
        self._file = os.open(card, os.O_RDWR)
        os.ftruncate(self._file, _ROOM)
        place.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(place))
        self._listener.listen()
        self.flushes = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        peer, _ = self._listener.accept()
        with peer, peer.makefile("rwb") as stream:
            stream.write(b"NBDMAGIC" + _OPTION + struct.pack(">H", 3))
            stream.flush()
            stream.read(4)
            while not self._negotiate(stream):
                pass
            while self._answer(stream):
                stream.flush()

    def _negotiate(self, stream: BufferedRWPair) -> bool:
        """Answer one option; whether requests follow."""
        _, option, length = struct.unpack(">8sII", stream.read(16))
        stream.read(length)
        export = struct.pack(">QH", _ROOM, _HAS_FLAGS | _CAN_FLUSH)
        match option:
            case 1:
                stream.write(export)
            case 7:
                said = struct.pack(">H", 0) + export
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _INFO, len(said)) + said)
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _ACK, 0))
            case _:
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _UNSUPPORTED, 0))
        stream.flush()
        return option in {_EXPORT_NAME, _GO}

    def _answer(self, stream: BufferedRWPair) -> bool:
        """Carry out one request; whether another may follow."""
        head = stream.read(_REQUEST.size)
        if len(head) < _REQUEST.size:
            return False
        _, _, kind, handle, at, length = _REQUEST.unpack(head)
        data = b""
        match kind:
            case 0:
                data = os.pread(self._file, length, at)
            case 1:
                os.pwrite(self._file, stream.read(length), at)
            case 3:
                self.flushes += 1
                time.sleep(FLUSH_S)
            case _:
                return False
        stream.write(_ANSWER.pack(_ANSWER_MAGIC, 0, handle) + data)
        return True
