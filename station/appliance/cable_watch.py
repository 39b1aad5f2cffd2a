"""Whether the station gives addresses on its cable: only where nobody else does.

It begins as a guest. Where nobody gave it an address for a while it asks who does, and where nobody answers
it becomes the one who gives them: a bare switch, or one cable to one computer. While it does it goes on
asking, as a guest would, whether somebody else gives addresses after all; an answer makes it a guest again.
Of two stations that began at the same moment the one with the smaller hardware address stays.
Sans I/O: observations in, roles out. Source of the messages: RFC 2131, sections 2 and 4; RFC 2132; RFC 768.
"""

import enum
import struct
from collections.abc import Iterable
from typing import Final

import msgspec

PATIENCE_MS: Final = 25_000
"""A guest that hears nothing for so long after the cable was plugged in is alone."""
ASKS_EVERY_MS: Final = 20_000
FIRST_ASKED_MS: Final = 6_000
"""After it has begun to give addresses: another station may have begun in the same moment."""
SERVERS, CLIENTS = 67, 68
"""The ports of those who give addresses, and of those who ask for one."""
_HEAD: Final = struct.Struct("!4BIHH4s4s4s4s16s192x4s")
_MAGIC: Final = b"\x63\x82\x53\x63"
_REQUEST, _REPLY, _ETHERNET = 1, 2, 1
_BROADCAST: Final = 0x8000
_TYPE, _SERVER, _PAD, _END = 53, 54, 0, 255
_DISCOVER, _OFFER = 1, 2
_ADDRESS: Final = 4
_UDP: Final = 17
_UDP_HEAD: Final = struct.Struct("!HHHH")
_IP_HEAD: Final = struct.Struct("!BBHHHBBH4s4s")
_IP_4, _HOPS, _TO_ALL = 0x45, 64, b"\xff" * 4
_NOWHERE: Final = bytes(4)


class Role(enum.Enum):
    """What the station is on a cable."""

    GUEST = "guest"
    HOST = "host"


class Seen(msgspec.Struct, frozen=True):
    """What is seen of a cable. has_carrier: something is at its other end. has_address: somebody gave us one.

    has_other: somebody else answered who gives addresses, and to whom we give way.
    """

    has_carrier: bool
    has_address: bool = False
    has_other: bool = False


class Offer(msgspec.Struct, frozen=True):
    """Who answered that it gives addresses. server: its address, 4 bytes. sender: its hardware address."""

    server: bytes
    sender: bytes


class CableWatch:
    """One cable. Times are monotonic, in milliseconds."""

    def __init__(self) -> None:
        self.role = Role.GUEST
        self._alone_since_ms: int | None = None
        self._asked_ms: int | None = None

    def see(self, seen: Seen, now_ms: int) -> Role:
        """The role from now on."""
        if not seen.has_carrier:
            # The next network may be another one.
            self.role, self._alone_since_ms = Role.GUEST, None
        elif self.role is Role.HOST:
            if seen.has_other:
                self.role, self._alone_since_ms = Role.GUEST, now_ms
        elif seen.has_address:
            self._alone_since_ms = None
        elif self._alone_since_ms is None or seen.has_other:
            self._alone_since_ms = now_ms
        elif self._is_alone(now_ms):
            self.role, self._asked_ms = Role.HOST, now_ms + FIRST_ASKED_MS - ASKS_EVERY_MS
        return self.role

    def should_ask(self, now_ms: int) -> bool:
        """Whether it is time to ask whether somebody else gives addresses; ``see`` has to follow."""
        if self.role is Role.GUEST:
            return self._is_alone(now_ms)
        if self._asked_ms is None or now_ms - self._asked_ms < ASKS_EVERY_MS:
            return False
        self._asked_ms = now_ms
        return True

    def _is_alone(self, now_ms: int) -> bool:
        return self._alone_since_ms is not None and now_ms - self._alone_since_ms >= PATIENCE_MS


def question(mac: bytes, number: int) -> bytes:
    """Who gives addresses here? mac: 6 bytes. number: told again in answers."""
    head = _HEAD.pack(
        _REQUEST, _ETHERNET, len(mac), 0, number, 0, _BROADCAST,
        _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, mac.ljust(16, b"\0"), _MAGIC,
    )  # fmt: skip
    return head + bytes((_TYPE, 1, _DISCOVER, _END))


def answered_by(message: bytes, number: int) -> bytes | None:
    """Who answered a question: 4 bytes of an address; None for whatever else it is."""
    if len(message) < _HEAD.size:
        return None
    operation, _, _, _, told, *_, magic = _HEAD.unpack_from(message)
    if (operation, told, magic) != (_REPLY, number, _MAGIC):
        return None
    options = _options(message[_HEAD.size :])
    server = options.get(_SERVER, b"")
    is_offer = options.get(_TYPE) == bytes((_OFFER,))
    return server if is_offer and len(server) == _ADDRESS else None


def gives_way(offers: Iterable[Offer], role: Role, own: Offer) -> bool:
    """Whether the station leaves it to one of those to give addresses. own: as it offers them itself.

    Two stations give the same address to themselves: one of them goes on, and both know which.
    """
    others = [offer for offer in offers if offer.sender != own.sender]
    return any(role is Role.GUEST or each.server != own.server or each.sender < own.sender for each in others)


def packet_to_all(message: bytes) -> bytes:
    """An IPv4 packet with a question, from no address: two stations that have the same one hear it too."""
    length = _UDP_HEAD.size + len(message)

    def head(checksum: int) -> bytes:
        size = _IP_HEAD.size + length
        return _IP_HEAD.pack(_IP_4, 0, size, 0, 0, _HOPS, _UDP, checksum, _NOWHERE, _TO_ALL)

    # Without a checksum of its own, as UDP over IPv4 may be.
    return head(_checksum(head(0))) + _UDP_HEAD.pack(CLIENTS, SERVERS, length, 0) + message


def datagram_to(port: int, packet: bytes) -> bytes:
    """What an IPv4 packet carries for this port by UDP; empty for whatever else it is."""
    start = (packet[0] & 0x0F) * 4 if packet else 0
    if start < _IP_HEAD.size or len(packet) < start + _UDP_HEAD.size or packet[9] != _UDP:
        return b""
    _, to, length, _ = _UDP_HEAD.unpack_from(packet, start)
    return packet[start + _UDP_HEAD.size : start + length] if to == port else b""


def _checksum(head: bytes) -> int:
    total: int = sum(struct.unpack(f"!{len(head) // 2}H", head))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _options(rest: bytes) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    at = 0
    while at < len(rest) and rest[at] != _END:
        if rest[at] == _PAD:
            at += 1
        elif at + 1 < len(rest):
            found[rest[at]] = rest[at + 2 : at + 2 + rest[at + 1]]
            at += 2 + rest[at + 1]
        else:
            break
    return found
