"""Frames on a serial line: an 8-byte header, a payload, a CRC-32, stuffed, between zero bytes.

======  =====  ==========================================================
offset  bytes  meaning (most significant byte first)
======  =====  ==========================================================
0       1      kind: 1 open, 2 data, 3 ack, 4 noise
1       1      version of the link, 1
2       2      session of the sender, new at each start, never 0
4       2      number of this data frame; of the frame that noise may have hit
6       2      ack: the next data frame that the sender expects
8       0-488  payload
end     4      CRC-32 (as in Ethernet) over all before
======  =====  ==========================================================

With the stuffing (1 or 2 bytes) and the closing zero a frame is 14 or 15 bytes longer than its payload.
"""

import enum
import struct
import zlib

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.link.cobs import stuffed, unstuffed

LARGEST_PAYLOAD = 488
VERSION = 1

_HEADER = struct.Struct(">BBHHH")
_CRC = struct.Struct(">I")
_SHORTEST = _HEADER.size + _CRC.size
_LONGEST = _SHORTEST + LARGEST_PAYLOAD
_LONGEST_STUFFED = _LONGEST + 3


class Kind(enum.Enum):
    """What a frame is for."""

    OPEN = 1
    """Payload: the other end's session, 0 while unknown, in 2 bytes; then 1 when the sender is up, else 0."""
    DATA = 2
    ACK = 3
    """Payload: ranges received beyond ``ack``, as pairs (first number, how many)."""
    NOISE = 4
    """An ack of one that has just heard what was no frame: it may have been frame ``number``."""


class Frame(msgspec.Struct, frozen=True):
    """One frame. number counts data frames modulo 65,536 and is 0 in open and ack."""

    kind: Kind
    session: int
    number: int
    ack: int
    payload: bytes = b""


def frame_bytes(frame: Frame) -> bytes:
    """A frame as it lies on the line, closing zero included."""
    header = _HEADER.pack(frame.kind.value, VERSION, frame.session, frame.number, frame.ack)
    body = header + frame.payload
    return stuffed(body + _CRC.pack(zlib.crc32(body))) + b"\0"


def frame_of(data: bytes) -> Frame:
    """The frame that lies between two zeros. Raises PeerFault for anything else."""
    raw = unstuffed(data)
    if not _SHORTEST <= len(raw) <= _LONGEST:
        raise PeerFault(f"a frame of {len(raw)} bytes")
    body = raw[: -_CRC.size]
    if _CRC.pack(zlib.crc32(body)) != raw[-_CRC.size :]:
        raise PeerFault("a frame's checksum is wrong")
    kind, version, session, number, ack = _HEADER.unpack_from(body)
    if version != VERSION:
        raise PeerFault(f"a frame of link version {version}, we speak {VERSION}")
    try:
        return Frame(Kind(kind), session, number, ack, body[_HEADER.size :])
    except ValueError as error:
        raise PeerFault(f"a frame of unknown kind {kind}") from error


class FrameReader:
    """Cuts a line's bytes into frames; holds at most one frame, whatever comes.

    invalid counts what was no frame: noise, or frames that noise has hit; noise counts its bytes.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._skipping = False
        self.invalid = 0
        self.noise = 0

    def feed(self, data: bytes) -> tuple[Frame, ...]:
        """The frames that are complete with these bytes."""
        frames: list[Frame] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._keep(piece)
            self._close(frames)
        self._keep(rest)
        return tuple(frames)

    def held(self) -> int:
        """Bytes that wait for their frame's end."""
        return len(self._buffer)

    def _keep(self, piece: bytes) -> None:
        if self._skipping or len(self._buffer) + len(piece) > _LONGEST_STUFFED:
            self._skipping = True
            self.noise += len(self._buffer) + len(piece)
            self._buffer.clear()
            return
        self._buffer += piece

    def _close(self, frames: list[Frame]) -> None:
        if self._skipping:
            self.invalid += 1
        elif self._buffer:
            try:
                frames.append(frame_of(bytes(self._buffer)))
            except PeerFault:
                self.invalid += 1
                self.noise += len(self._buffer)
        self._skipping = False
        self._buffer.clear()
