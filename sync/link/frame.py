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
"""

import enum
import struct

import msgspec

from base.errors import PeerFault
from sync.link.envelope import CHECK_BYTES, FrameReader, add_envelope, body_in

LARGEST_PAYLOAD = 488
VERSION = 1

_HEADER = struct.Struct(">BBHHH")
_SHORTEST = _HEADER.size + CHECK_BYTES
_LONGEST = _SHORTEST + LARGEST_PAYLOAD


class Kind(enum.Enum):
    """The purpose of a frame."""

    OPEN = 1
    """A start. Payload: the other end's session (2 bytes, or 0 if unknown), and 1 if the sender is up."""
    DATA = 2
    ACK = 3
    """An acknowledgement. Payload: ranges received beyond ``ack``, as pairs of first number and count."""
    NOISE = 4
    """An ack sent after invalid bytes, which may have been frame ``number``."""


class LinkFrame(msgspec.Struct, frozen=True):
    """A frame. ``number`` counts data frames modulo 65,536; 0 in open and ack."""

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
    """Decode the frame between two zeros. Raises PeerFault for anything else."""
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
