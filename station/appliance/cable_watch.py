"""Whether the station gives addresses on its cable: only where nobody else does.

It begins as a guest. Where nobody gave it an address for a while it becomes the one who gives them: a bare
switch, or one cable to one computer. While it does it goes on asking, as a guest would, whether somebody
else gives addresses after all; the first answer makes it a guest again. Sans I/O: observations in, roles out.
Source of the messages: RFC 2131, sections 2 and 4; RFC 2132.
"""

import enum
import struct
from typing import Final

import msgspec

PATIENCE_MS: Final = 25_000
"""A guest that hears nothing for so long after the cable was plugged in is alone."""
ASKS_EVERY_MS: Final = 20_000
_HEAD: Final = struct.Struct("!4BIHH4s4s4s4s16s192x4s")
_MAGIC: Final = b"\x63\x82\x53\x63"
_REQUEST, _REPLY, _ETHERNET = 1, 2, 1
_BROADCAST: Final = 0x8000
_TYPE, _SERVER, _PAD, _END = 53, 54, 0, 255
_DISCOVER, _OFFER = 1, 2
_ADDRESS: Final = 4
_NOWHERE: Final = bytes(4)


class Role(enum.Enum):
    """What the station is on a cable."""

    GUEST = "guest"
    HOST = "host"


class Seen(msgspec.Struct, frozen=True):
    """What is seen of a cable. has_carrier: something is at its other end. has_address: somebody gave us one.

    has_other: somebody else answered who gives addresses, since the last time this was asked.
    """

    has_carrier: bool
    has_address: bool = False
    has_other: bool = False


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
        elif self._alone_since_ms is None:
            self._alone_since_ms = now_ms
        elif now_ms - self._alone_since_ms >= PATIENCE_MS:
            self.role, self._asked_ms = Role.HOST, now_ms
        return self.role

    def should_ask(self, now_ms: int) -> bool:
        """Whether it is time to ask whether somebody else gives addresses; true once for each time."""
        if self.role is not Role.HOST or self._asked_ms is None or now_ms - self._asked_ms < ASKS_EVERY_MS:
            return False
        self._asked_ms = now_ms
        return True


def question(mac: bytes, number: int) -> bytes:
    """Who gives addresses here? A message to all (port 67). mac: 6 bytes. number: told again in answers."""
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


def is_other_host(message: bytes, number: int, own: bytes) -> bool:
    """Whether somebody else answered a question. own: the station's address as a host, 4 bytes.

    The kernel hands a message to all also to the station itself, whose own server answers it.
    """
    return answered_by(message, number) not in {None, own}


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
