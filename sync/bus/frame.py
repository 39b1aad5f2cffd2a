"""Frames on a shared pair of wires: a 10-byte header, a payload and a CRC-32, stuffed, between zeros."""

import enum
import struct

import msgspec

from base.errors import PeerFault
from sync.link.envelope import CHECK_BYTES, PieceSplitter, add_envelope, body_in

LARGEST_PAYLOAD = 488
VERSION = 1
MOST_TERMINALS = 32
EVERYBODY = 0

_HEADER = struct.Struct(">BBBBHHH")
_SHORTEST = _HEADER.size + CHECK_BYTES
_LONGEST = _SHORTEST + LARGEST_PAYLOAD
FRAME_OVERHEAD = _SHORTEST + 3
"""Bytes on the line in addition to a payload, including stuffing (1 or 2 bytes) and the closing zero."""
_CAUGHT = 2
"""Bytes of noise that a line may pick up between two senders."""


class BusFrameKind(enum.Enum):
    """The purpose of a frame."""

    INVITE = 17
    """An invitation to all units without a lease. Payload: ``Invitation``."""
    ADMIT = 18
    """The address and lease for one unit, and its first poll. Payload: ``Admission``."""
    ASK = 19
    """A question to all members: which of these addresses have data? Payload: 4 bytes, with the lowest bit
    for address 1."""
    POLL = 20
    """One terminal's turn. Payload: bytes granted (2), then ranges received beyond ``ack``."""
    DOWN = 21
    """Stream data for one terminal, sent before its poll."""
    HUSH = 22
    """An order to be silent until the next poll. Payload: milliseconds (4), unit id; none for all."""
    SHUN = 23
    """The end of a lease, and a ban from invitations. Payload: milliseconds (4), life (4), unit id."""

    HERE = 33
    """The answer of a unit without a lease to an invitation. Payload: life (4), unit id (4 to 8)."""
    WANT = 34
    """The answer to ASK of a terminal that has something to send."""
    UP = 35
    """Stream data from a terminal that was polled."""
    DONE = 36
    """The end of a turn. ``number`` is that of the next data frame.

    Payload: bytes waiting (2), ranges received.
    """


FROM_STATION = frozenset(
    {
        BusFrameKind.INVITE,
        BusFrameKind.ADMIT,
        BusFrameKind.ASK,
        BusFrameKind.POLL,
        BusFrameKind.DOWN,
        BusFrameKind.HUSH,
        BusFrameKind.SHUN,
    }
)


class BusFrame(msgspec.Struct, frozen=True):
    """A frame. Numbers count data frames modulo 65,536."""

    kind: BusFrameKind
    address: int
    turn: int
    lease: int = 0
    number: int = 0
    ack: int = 0
    payload: bytes = b""


def frame_bytes(frame: BusFrame) -> bytes:
    """Return a frame as sent on the line, including the closing zero."""
    header = _HEADER.pack(
        frame.kind.value, VERSION, frame.address, frame.turn, frame.lease, frame.number, frame.ack
    )
    return add_envelope(header + frame.payload)


def burst(*frames: BusFrame) -> bytes:
    """Return several frames as sent in one go, with the leading zero."""
    return b"\0" + b"".join(map(frame_bytes, frames))


def frame_of(data: bytes) -> BusFrame:
    """Decode the frame between two zeros. Raises PeerFault for anything else."""
    body = body_in(data, _SHORTEST, _LONGEST)
    kind, version, address, turn, lease, number, ack = _HEADER.unpack_from(body)
    if version != VERSION:
        raise PeerFault(f"a frame of bus version {version}, we speak {VERSION}")
    try:
        frame_kind = BusFrameKind(kind)
    except ValueError as error:
        raise PeerFault(f"a frame of unknown kind {kind}") from error
    if address > MOST_TERMINALS:
        raise PeerFault(f"address {address}, there are {MOST_TERMINALS}")
    return BusFrame(frame_kind, address, turn, lease, number, ack, body[_HEADER.size :])


class BusFrameReader:
    """A parser that splits the pair's bytes into frames and buffers at most one.

    ``invalid`` is the number of invalid pieces, from noise or colliding answers.
    """

    def __init__(self) -> None:
        self._cutter = PieceSplitter(_LONGEST)
        self._was_good = False
        self._broken = 0
        self.invalid = 0

    @property
    def noise_bytes(self) -> int:
        """The number of bytes received that belonged to no frame."""
        return self._broken + self._cutter.spilt

    def feed(self, data: bytes) -> tuple[BusFrame, ...]:
        """Return the frames completed by these bytes."""
        frames: list[BusFrame] = []
        for piece in self._cutter.feed(data):
            try:
                frames.append(_frame_in(piece))
                self._was_good = True
            except PeerFault:
                self.invalid += 1
                self._broken += len(piece or b"")
                self._was_good = False
        return tuple(frames)

    def pending_bytes(self) -> int:
        """Return the number of bytes of the incomplete frame."""
        return self._cutter.pending_bytes()

    def is_quiet(self) -> bool:
        """Return whether only idle-line noise followed the last valid frame."""
        return self._was_good and not self._is_amid()

    def hush(self) -> bool:
        """Discard an incomplete frame, and return whether it was more than idle-line noise."""
        was_amid = self._is_amid()
        self._cutter.clear()
        return was_amid

    def _is_amid(self) -> bool:
        return self._cutter.is_spilling or self._cutter.pending_bytes() > _CAUGHT


def _frame_in(piece: bytes | None) -> BusFrame:
    if piece is None:
        raise PeerFault("a frame that does not end")
    return frame_of(piece)
