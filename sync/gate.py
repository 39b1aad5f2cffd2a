"""Who may wait at the station's door: how many strangers at once and how often, by address.

A stranger is whoever has not shown yet which terminal it is. Nobody can keep the others out by
connecting again and again and saying nothing: an address that has used up its share is turned
away before any cryptography, and comes again later.
"""

import contextlib
import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.clock import Clock

_NET_OF_ONE = 64
"""Bits of an IPv6 address that one machine cannot choose."""
_MOST_ADDRESSES = 4096


class GateLimits(msgspec.Struct, frozen=True):
    """at_once, from_one: strangers at the door, of all addresses and of one.

    burst, each_s: connections of one address that may come together, and so many a second after.
    unknown_bytes: what a stranger may say before it is known. greeting_s: how long it may take.
    """

    at_once: int = 256
    from_one: int = 64
    burst: int = 512
    each_s: int = 32
    unknown_bytes: int = 64 * 1024
    greeting_s: float = 10.0


@dataclass
class _Address:
    waiting: int
    left: float
    seen_ms: int


class Gate:
    """Counts the strangers. Not thread-safe."""

    def __init__(self, clock: Clock, limits: GateLimits = GateLimits()) -> None:  # noqa: B008 (immutable)
        self._clock = clock
        self.limits = limits
        self._addresses: dict[str, _Address] = {}
        self._waiting = 0

    @contextlib.contextmanager
    def stranger(self, address: str) -> Iterator[None]:
        """A stranger of this address, for as long as the block lasts. Raises PeerFault: turn it away."""
        one = self._address(_owner_of(address))
        if self._waiting >= self.limits.at_once:
            raise PeerFault(f"{self._waiting} strangers are at the door already")
        if one.waiting >= self.limits.from_one:
            raise PeerFault(f"{one.waiting} strangers of {address} are at the door already")
        if one.left < 1:
            raise PeerFault(f"{address} connects too often")
        one.left -= 1
        one.waiting += 1
        self._waiting += 1
        try:
            yield
        finally:
            one.waiting -= 1
            self._waiting -= 1

    def _address(self, owner: str) -> _Address:
        now_ms = self._clock.monotonic_ms()
        one = self._addresses.pop(owner, None) or _Address(0, self.limits.burst, now_ms)
        grown = one.left + (now_ms - one.seen_ms) * self.limits.each_s / 1000
        one.left = min(float(self.limits.burst), grown)
        one.seen_ms = now_ms
        # The longest unseen come first; those who wait at the door are few, by the limits.
        self._addresses[owner] = one
        for other in tuple(self._addresses)[: max(0, len(self._addresses) - _MOST_ADDRESSES)]:
            if not self._addresses[other].waiting:
                del self._addresses[other]
        return one


def _owner_of(address: str) -> str:
    """Who has an address: one machine can take any of an IPv6 network's."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6:  # noqa: PLR2004 (the version of the Internet protocol)
        return str(ipaddress.ip_network((found, _NET_OF_ONE), strict=False))
    return address
