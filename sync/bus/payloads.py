"""The payloads of frames without stream data: invitations, admissions and answers.

All parsers raise PeerFault for an invalid payload: its CRC was right, so the sender is at fault.
"""

import struct

import msgspec

from base.errors import PeerFault

SHORTEST_UNIT, LONGEST_UNIT = 4, 8
MOST_WAITING = 0xFFFF

_INVITATION = struct.Struct(">HBBI")
_ADMISSION = struct.Struct(">HI")
_HUSH = struct.Struct(">I")
_LIFE = struct.Struct(">I")
_MASK = struct.Struct(">I")
_COUNT = struct.Struct(">H")


class Invitation(msgspec.Struct, frozen=True):
    """The payload of an invitation.

    reign: random number of the station's start.
    slots: number of slots, each slot_ms long.
    taken: a bit for each assigned address, lowest for address 1.
    """

    reign: int
    slots: int
    slot_ms: int
    taken: int


class Admission(msgspec.Struct, frozen=True):
    """The unit that gets the frame's address and lease.

    ``grant`` is the number of bytes allowed in its first turn.
    """

    grant: int
    life: int
    unit: bytes


class Hush(msgspec.Struct, frozen=True):
    """An order to be silent for at most ``for_ms``. ``unit`` is empty for all."""

    for_ms: int
    unit: bytes = b""


class JoinRequest(msgspec.Struct, frozen=True):
    """A unit without a lease. ``life`` is the random number of its start."""

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
    """Parse the payload of a hush."""
    (for_ms,) = _unpack(_HUSH, payload)
    unit = payload[_HUSH.size :]
    return Hush(for_ms, _unit(unit) if unit else b"")


def shun_bytes(hush: Hush, life: int) -> bytes:
    """Return the payload of a shun: a hush for one life of a unit."""
    return _HUSH.pack(hush.for_ms) + _LIFE.pack(life) + hush.unit


def shun_of(payload: bytes) -> tuple[Hush, int]:
    """Parse the payload of a shun into the hush and the life that it applies to."""
    (for_ms,) = _unpack(_HUSH, payload)
    (life,) = _unpack(_LIFE, payload[_HUSH.size :])
    return Hush(for_ms, _unit(payload[_HUSH.size + _LIFE.size :])), life


def here_bytes(here: JoinRequest) -> bytes:
    """Return the payload of a unit's answer to an invitation."""
    return _LIFE.pack(here.life) + here.unit


def here_of(payload: bytes) -> JoinRequest:
    """Parse a unit's answer to an invitation."""
    (life,) = _unpack(_LIFE, payload)
    return JoinRequest(life, _unit(payload[_LIFE.size :]))


def mask_bytes(addresses: tuple[int, ...]) -> bytes:
    return _MASK.pack(sum(1 << (address - 1) for address in addresses))


def is_in_mask(payload: bytes, address: int) -> bool:
    """Return whether an encoded set contains an address."""
    (mask,) = _unpack(_MASK, payload, exactly=True)
    return bool(mask >> (address - 1) & 1)


def count_bytes(count: int, ranges: bytes) -> bytes:
    """Return the payload of a count (bytes granted or waiting) and the ranges received."""
    return _COUNT.pack(min(MOST_WAITING, count)) + ranges


def count_of(payload: bytes) -> tuple[int, bytes]:
    """Parse a payload into its count (bytes granted or waiting) and the ranges received."""
    (count,) = _unpack(_COUNT, payload)
    return count, payload[_COUNT.size :]


def address_mask(addresses: tuple[int, ...]) -> int:
    """Return the assigned addresses as an invitation's bit mask."""
    return int.from_bytes(mask_bytes(addresses))


def _unpack(layout: struct.Struct, payload: bytes, *, exactly: bool = False) -> tuple[int, ...]:
    fits = len(payload) == layout.size if exactly else len(payload) >= layout.size
    if not fits:
        raise PeerFault(f"a payload of {len(payload)} bytes where {layout.size} are wanted")
    return layout.unpack_from(payload)


def _unit(data: bytes) -> bytes:
    if not SHORTEST_UNIT <= len(data) <= LONGEST_UNIT:
        raise PeerFault(f"a unit id of {len(data)} bytes; {SHORTEST_UNIT} to {LONGEST_UNIT} are allowed")
    return data
