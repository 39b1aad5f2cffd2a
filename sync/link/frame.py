"""Frames on a serial line: an 8-byte header, a payload, a CRC-32, stuffed, between zero bytes.

======  =====  ==========================================================
offset  bytes  meaning (most significant byte first)
======  =====  ==========================================================
0       1      kind: 1 open, 2 data, 3 ack, 4 noise
1       1      version of the link, 1
2       2      session of the sender, new at each start, never 0
4       2      number of this data frame; in noise, of the frame probably hit
6       2      ack: the next data frame that the sender expects
8       0-488  payload
end     4      CRC-32 (as in Ethernet) of everything before
======  =====  ==========================================================

With the stuffing (1 or 2 bytes) and the closing zero, a frame is 14 or 15 bytes longer than its payload.

The envelope (a trailing checksum, stuffing, a closing zero) turns any bytes into a frame; a shared pair of
wires uses it too, with another header.
"""

import contextlib
import enum
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import msgspec

from base.errors import PeerFault

F = TypeVar("F")
_LONGEST_RUN = 254


def cobs_encode(data: bytes) -> bytes:
    """Encode bytes so that they contain no zeros, by consistent overhead byte stuffing (COBS)."""
    out = bytearray()
    for run in data.split(b"\0"):
        whole, rest = divmod(len(run), _LONGEST_RUN)
        for i in range(whole):
            out.append(_LONGEST_RUN + 1)
            out += run[i * _LONGEST_RUN : (i + 1) * _LONGEST_RUN]
        out.append(rest + 1)
        out += run[whole * _LONGEST_RUN :]
    return bytes(out)


def cobs_decode(data: bytes) -> bytes:
    """Decode COBS. Raises PeerFault for an invalid encoding."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        end = at + code
        if code == 0 or end > len(data):
            raise PeerFault("a frame's stuffing is broken")
        out += data[at + 1 : end]
        at = end
        if code <= _LONGEST_RUN and at < len(data):
            out.append(0)
    return bytes(out)


_CRC = struct.Struct(">I")
CHECK_BYTES = _CRC.size
_STUFFING = 3
"""The largest number of bytes that stuffing adds to one of our frames."""


def add_envelope(body: bytes) -> bytes:
    """Return a frame's body as sent on the line: with CRC-32, stuffing and closing zero."""
    return cobs_encode(body + _CRC.pack(zlib.crc32(body))) + b"\0"


def body_in(data: bytes, shortest: int, longest: int) -> bytes:
    """Decode the bytes between two zeros into a frame's body and check it. Raises PeerFault.

    The size limits include the checksum.
    """
    raw = cobs_decode(data)
    if not shortest <= len(raw) <= longest:
        raise PeerFault(f"a frame of {len(raw)} bytes")
    body = raw[:-CHECK_BYTES]
    if _CRC.pack(zlib.crc32(body)) != raw[-CHECK_BYTES:]:
        raise PeerFault("a frame's checksum is wrong")
    return body


class _PieceSplitter:
    """A splitter of a line's bytes at its zeros, which buffers at most one frame.

    longest: the most bytes of a frame before stuffing.
    spilt: the total size of pieces that were too long.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest + _STUFFING
        self._buffer = bytearray()
        self.is_spilling = False
        self.spilt = 0

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Yield each non-empty piece that these bytes complete, or None for one that was too long."""
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._keep(piece)
            whole, was_spilling = bytes(self._buffer), self.is_spilling
            self.clear()
            if whole or was_spilling:
                yield None if was_spilling else whole
        self._keep(rest)

    def pending_bytes(self) -> int:
        return len(self._buffer)

    def clear(self) -> None:
        self.is_spilling = False
        self._buffer.clear()

    def _keep(self, piece: bytes) -> None:
        if self.is_spilling or len(self._buffer) + len(piece) > self._longest:
            self.is_spilling = True
            self.spilt += len(self._buffer) + len(piece)
            self._buffer.clear()
            return
        self._buffer += piece


class FrameReader(Generic[F]):
    """A parser that splits a line's bytes into frames and buffers at most one.

    ``invalid`` counts the pieces that weren't valid frames.
    """

    def __init__(self, longest: int, decode: Callable[[bytes], F]) -> None:
        self._cutter = _PieceSplitter(longest)
        self._decode = decode
        self._broken = 0
        self.invalid = 0
        self.was_good = False

    @property
    def noise_bytes(self) -> int:
        """The number of bytes received that belonged to no frame."""
        return self._broken + self._cutter.spilt

    def feed(self, data: bytes) -> tuple[F, ...]:
        """Return the frames completed by these bytes."""
        frames: list[F] = []
        for piece in self._cutter.feed(data):
            frame = None
            with contextlib.suppress(PeerFault):
                frame = None if piece is None else self._decode(piece)
            self.was_good = frame is not None
            if frame is not None:
                frames.append(frame)
            else:
                self.invalid += 1
                self._broken += len(piece or b"")
        return tuple(frames)

    def pending_bytes(self) -> int:
        return self._cutter.pending_bytes()


LARGEST_PAYLOAD = 488
VERSION = 1

_HEADER = struct.Struct(">BBHHH")
_SHORTEST = _HEADER.size + CHECK_BYTES
_LONGEST = _SHORTEST + LARGEST_PAYLOAD


class Kind(enum.Enum):
    """The kind of a frame, which determines its payload."""

    OPEN = 1
    """A start. Payload: the other end's session (2 bytes, 0 if unknown), and 1 if the sender is up."""
    DATA = 2
    ACK = 3
    """An acknowledgement. Payload: ranges received beyond ``ack``, as pairs of first number and count."""
    NOISE = 4
    """An ack sent after invalid bytes, which were probably frame ``number``."""


class LinkFrame(msgspec.Struct, frozen=True):
    """A frame. ``number`` counts data frames modulo 65,536 and is 0 in open and ack."""

    kind: Kind
    session: int
    number: int
    ack: int
    payload: bytes = b""


def frame_bytes(frame: LinkFrame) -> bytes:
    """Return a frame as sent on the line, including the closing zero."""
    header = _HEADER.pack(frame.kind.value, VERSION, frame.session, frame.number, frame.ack)
    return add_envelope(header + frame.payload)


def frame_of(data: bytes) -> LinkFrame:
    """Decode the bytes between two zeros into a frame. Raises PeerFault if they are not a valid one."""
    body = body_in(data, _SHORTEST, _LONGEST)
    kind, version, session, number, ack = _HEADER.unpack_from(body)
    if version != VERSION:
        raise PeerFault(f"a frame of link version {version}, we speak {VERSION}")
    try:
        return LinkFrame(Kind(kind), session, number, ack, body[_HEADER.size :])
    except ValueError as error:
        raise PeerFault(f"a frame of unknown kind {kind}") from error


class LinkFrameReader(FrameReader[LinkFrame]):
    """A parser of a line's bytes."""

    def __init__(self) -> None:
        super().__init__(_LONGEST, frame_of)
