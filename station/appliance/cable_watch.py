"""Decide whether the station acts as DHCP server on a cable, which it does only if there is no other.

It starts as a client. If it gets no address for a while, it looks for a DHCP server. If none answers, as on a
bare switch or a direct cable to a computer, it becomes the server. It then keeps looking for other servers;
if one answers, it becomes a client again. If two stations start at the same moment, the one with the smaller
MAC address remains the server.

This module does no I/O: it takes observations and returns roles. Source of the messages: RFC 2131, sections 2
and 4; RFC 2132; RFC 768.
"""

import enum
import struct
from collections.abc import Iterable
from typing import Final

import msgspec

PATIENCE_MS: Final = 25_000
"""The time without a lease after which a client looks for a DHCP server."""
ASKS_EVERY_MS: Final = 20_000
FIRST_ASKED_MS: Final = 6_000
"""The delay of the first check after becoming a server, as another station may have become one too."""
SERVERS, CLIENTS = 67, 68
"""The UDP ports of DHCP servers and clients."""
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


class CableRole(enum.Enum):
    """The station's role on a cable: DHCP client or server."""

    GUEST = "guest"
    HOST = "host"


class CableObservation(msgspec.Struct, frozen=True):
    """An observation of a cable. ``has_other``: another DHCP server takes precedence."""

    has_carrier: bool
    has_address: bool = False
    has_other: bool = False


class DhcpOffer(msgspec.Struct, frozen=True):
    """A DHCP server's answer: its address in 4 bytes, and its MAC address."""

    server: bytes
    sender: bytes


class CableWatch:
    """The role on one cable. Times are monotonic, in milliseconds."""

    def __init__(self) -> None:
        self.role = CableRole.GUEST
        self._alone_since_ms: int | None = None
        self._asked_ms: int | None = None

    def see(self, seen: CableObservation, now_ms: int) -> CableRole:
        """Update the role from an observation and return it."""
        if not seen.has_carrier:
            # The next network may be a different one.
            self.role, self._alone_since_ms = CableRole.GUEST, None
        elif self.role is CableRole.HOST:
            if seen.has_other:
                self.role, self._alone_since_ms = CableRole.GUEST, now_ms
        elif seen.has_address:
            self._alone_since_ms = None
        elif self._alone_since_ms is None or seen.has_other:
            self._alone_since_ms = now_ms
        elif self._is_alone(now_ms):
            self.role, self._asked_ms = CableRole.HOST, now_ms + FIRST_ASKED_MS - ASKS_EVERY_MS
        return self.role

    def should_ask(self, now_ms: int) -> bool:
        """Return whether to look for another DHCP server now. Call ``see`` with the result."""
        if self.role is CableRole.GUEST:
            return self._is_alone(now_ms)
        if self._asked_ms is None or now_ms - self._asked_ms < ASKS_EVERY_MS:
            return False
        self._asked_ms = now_ms
        return True

    def _is_alone(self, now_ms: int) -> bool:
        return self._alone_since_ms is not None and now_ms - self._alone_since_ms >= PATIENCE_MS


def dhcp_discover(mac: bytes, number: int) -> bytes:
    """Return a DHCPDISCOVER message. ``number`` is the transaction id, repeated in answers."""
    head = _HEAD.pack(
        _REQUEST, _ETHERNET, len(mac), 0, number, 0, _BROADCAST,
        _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, mac.ljust(16, b"\0"), _MAGIC,
    )  # fmt: skip
    return head + bytes((_TYPE, 1, _DISCOVER, _END))


def dhcp_offer_server(message: bytes, number: int) -> bytes | None:
    """Return the server's address (4 bytes) from a DHCPOFFER, or None for any other message."""
    if len(message) < _HEAD.size:
        return None
    operation, _, _, _, transaction, *_, magic = _HEAD.unpack_from(message)
    if (operation, transaction, magic) != (_REPLY, number, _MAGIC):
        return None
    options = _options(message[_HEAD.size :])
    server = options.get(_SERVER, b"")
    is_offer = options.get(_TYPE) == bytes((_OFFER,))
    return server if is_offer and len(server) == _ADDRESS else None


def yields_to_other_server(offers: Iterable[DhcpOffer], role: CableRole, own: DhcpOffer) -> bool:
    """Return whether one of the other DHCP servers takes precedence. ``own`` is the station's own offer.

    Another station has the same address; the smaller MAC address decides between the two.
    """
    others = [offer for offer in offers if offer.sender != own.sender]
    return any(
        role is CableRole.GUEST or each.server != own.server or each.sender < own.sender for each in others
    )


def packet_to_all(message: bytes) -> bytes:
    """Return an IPv4 broadcast packet from 0.0.0.0, which even reaches a station with our own address."""
    length = _UDP_HEAD.size + len(message)

    def head(checksum: int) -> bytes:
        size = _IP_HEAD.size + length
        return _IP_HEAD.pack(_IP_4, 0, size, 0, 0, _HOPS, _UDP, checksum, _NOWHERE, _TO_ALL)

    # Without a UDP checksum, which is optional over IPv4.
    return head(_checksum(head(0))) + _UDP_HEAD.pack(CLIENTS, SERVERS, length, 0) + message


def datagram_to(port: int, packet: bytes) -> bytes:
    """Return the payload of a UDP packet sent to a port, or empty for any other packet."""
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
    options: dict[int, bytes] = {}
    at = 0
    while at < len(rest) and rest[at] != _END:
        if rest[at] == _PAD:
            at += 1
        elif at + 1 < len(rest):
            options[rest[at]] = rest[at + 2 : at + 2 + rest[at + 1]]
            at += 2 + rest[at + 1]
        else:
            break
    return options
