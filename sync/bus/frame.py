"""Frames on a shared pair of wires: a 10-byte header, a payload and a CRC-32, stuffed, between zero bytes.

All parsers raise PeerFault for an invalid frame or payload.
"""

import enum
import struct

import msgspec

from base.errors import PeerFault
from sync.link.frame import CHECK_BYTES, FrameReader, add_envelope, body_in

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
"""Bytes of noise that the line may produce between two senders."""


class BusFrameKind(enum.Enum):
    """The kind of a frame, which determines its payload."""

    INVITE = 17
    """An invitation to all units without a lease. Payload: ``Invitation``."""
    ADMIT = 18
    """The address and lease for one unit, and its first poll. Payload: ``Admission``."""
    ASK = 19
    """A question to members whether they have data.

    Payload: a bit mask of their addresses (4 bytes, lowest bit for address 1).
    """
    POLL = 20
    """One terminal's turn. Payload: bytes granted (2), then ranges received beyond ``ack``."""
    DOWN = 21
    """Stream data for one terminal, sent before its poll."""
    HUSH = 22
    """An order to be silent until the next poll.

    Payload: milliseconds (4), and a unit id, or none to silence all units.
    """
    SHUN = 23
    """The end of a lease, and a ban from invitations. Payload: milliseconds (4), life (4), unit id."""

    HERE = 33
    """The answer of a unit without a lease to an invitation. Payload: life (4), unit id (4 to 8)."""
    WANT = 34
    """The answer to ASK of a terminal that has something to send."""
    UP = 35
    """Stream data from a terminal that was polled."""
    DONE = 36
    """The end of a turn. Payload: bytes waiting (2), ranges received.

    ``number`` is that of the next data frame.
    """


FROM_STATION = frozenset(kind for kind in BusFrameKind if kind.value < BusFrameKind.HERE.value)


class BusFrame(msgspec.Struct, frozen=True):
    """A frame; ``number`` and ``ack`` count data frames modulo 65,536."""

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
    """Decode the bytes between two zeros into a frame. Raises PeerFault if they are not a valid one."""
    body = body_in(data, _SHORTEST, _LONGEST)
    kind, version, address, turn, lease, number, ack = _HEADER.unpack_from(body)
    if version != VERSION:
        raise PeerFault(f"a frame of bus version {version}, we speak {VERSION}")
    try:
        frame_kind = BusFrameKind(kind)
    except ValueError as error:
        raise PeerFault(f"a frame of unknown kind {kind}") from error
    if address > MOST_TERMINALS:
        raise PeerFault(f"address {address}; the highest is {MOST_TERMINALS}")
    return BusFrame(frame_kind, address, turn, lease, number, ack, body[_HEADER.size :])


class BusFrameReader(FrameReader[BusFrame]):
    """A frame parser that distinguishes colliding answers from the noise of an idle line."""

    def __init__(self) -> None:
        super().__init__(_LONGEST, frame_of)

    def is_quiet(self) -> bool:
        """Return whether only idle-line noise followed the last valid frame."""
        return self.was_good and not self._is_amid()

    def hush(self) -> bool:
        """Discard an incomplete frame, and return whether it was more than idle-line noise."""
        was_amid = self._is_amid()
        self._cutter.clear()
        return was_amid

    def _is_amid(self) -> bool:
        return self._cutter.is_spilling or self._cutter.pending_bytes() > _CAUGHT


SHORTEST_UNIT, LONGEST_UNIT = 4, 8
_MOST_WAITING = 0xFFFF

_INVITATION = struct.Struct(">HBBI")
_ADMISSION = struct.Struct(">HI")
_HUSH = struct.Struct(">I")
_LIFE = struct.Struct(">I")
_MASK = struct.Struct(">I")
_COUNT = struct.Struct(">H")


class Invitation(msgspec.Struct, frozen=True):
    """The payload of an invitation.

    reign: a random number that identifies this run of the station.
    slots: the number of slots, each ``slot_ms`` long.
    taken: a bit for each assigned address, lowest for address 1.
    """

    reign: int
    slots: int
    slot_ms: int
    taken: int


class Admission(msgspec.Struct, frozen=True):
    """The payload that assigns the frame's address and lease to a unit.

    ``grant`` is the number of bytes allowed in its first turn.
    """

    grant: int
    life: int
    unit: bytes


class Hush(msgspec.Struct, frozen=True):
    """An order to a unit to be silent for at most ``for_ms``; an empty ``unit`` addresses all of them."""

    for_ms: int
    unit: bytes = b""


class JoinRequest(msgspec.Struct, frozen=True):
    """An answer to an invitation. ``life`` is a random number that identifies this run of the unit."""

    life: int
    unit: bytes


def invitation_bytes(invitation: Invitation) -> bytes:
    return _INVITATION.pack(invitation.reign, invitation.slots, invitation.slot_ms, invitation.taken)


def invitation_of(payload: bytes) -> Invitation:
    return Invitation(*_unpack(_INVITATION, payload, exactly=True))


def admission_bytes(admission: Admission) -> bytes:
    return _ADMISSION.pack(admission.grant, admission.life) + admission.unit


def admission_of(payload: bytes) -> Admission:
    grant, life = _unpack(_ADMISSION, payload)
    return Admission(grant, life, _unit(payload[_ADMISSION.size :]))


def hush_bytes(hush: Hush) -> bytes:
    return _HUSH.pack(hush.for_ms) + hush.unit


def hush_of(payload: bytes) -> Hush:
    """Decode the payload of a hush."""
    (for_ms,) = _unpack(_HUSH, payload)
    unit = payload[_HUSH.size :]
    return Hush(for_ms, _unit(unit) if unit else b"")


def shun_bytes(hush: Hush, life: int) -> bytes:
    return _HUSH.pack(hush.for_ms) + _LIFE.pack(life) + hush.unit


def shun_of(payload: bytes) -> tuple[Hush, int]:
    """Decode the payload of a shun into the order and the life that it applies to."""
    (for_ms,) = _unpack(_HUSH, payload)
    (life,) = _unpack(_LIFE, payload[_HUSH.size :])
    return Hush(for_ms, _unit(payload[_HUSH.size + _LIFE.size :])), life


def here_bytes(here: JoinRequest) -> bytes:
    return _LIFE.pack(here.life) + here.unit


def here_of(payload: bytes) -> JoinRequest:
    (life,) = _unpack(_LIFE, payload)
    return JoinRequest(life, _unit(payload[_LIFE.size :]))


def address_mask(addresses: tuple[int, ...]) -> int:
    return sum(1 << (address - 1) for address in addresses)


def mask_bytes(addresses: tuple[int, ...]) -> bytes:
    return _MASK.pack(address_mask(addresses))


def is_in_mask(payload: bytes, address: int) -> bool:
    (mask,) = _unpack(_MASK, payload, exactly=True)
    return bool(mask >> (address - 1) & 1)


def count_bytes(count: int, ranges: bytes) -> bytes:
    """Encode a number of bytes (granted or waiting), followed by the ranges received."""
    return _COUNT.pack(min(_MOST_WAITING, count)) + ranges


def count_of(payload: bytes) -> tuple[int, bytes]:
    """Decode a payload into a number of bytes (granted or waiting) and the ranges received."""
    (count,) = _unpack(_COUNT, payload)
    return count, payload[_COUNT.size :]


def _unpack(layout: struct.Struct, payload: bytes, *, exactly: bool = False) -> tuple[int, ...]:
    fits = len(payload) == layout.size if exactly else len(payload) >= layout.size
    if not fits:
        raise PeerFault(f"a payload of {len(payload)} bytes; expected {layout.size}")
    return layout.unpack_from(payload)


def _unit(data: bytes) -> bytes:
    if not SHORTEST_UNIT <= len(data) <= LONGEST_UNIT:
        raise PeerFault(f"a unit id of {len(data)} bytes; {SHORTEST_UNIT} to {LONGEST_UNIT} are allowed")
    return data
