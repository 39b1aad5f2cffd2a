"""Limits on connections that are not identified yet, and on each terminal's entries within an hour.

Silent connections can't block others: if there is no room left, the connection that has been silent the
longest is closed for the newcomer. An address that connects too often is refused before any cryptography. A
stolen terminal cannot fill the disk.
"""

import enum
import ipaddress
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from base.clock import Clock
from base.errors import PeerFault
from sync.protocol.entry import TerminalId

_NET_OF_ONE: Final = 64
"""The length of an IPv6 prefix within which a single machine can use any address."""
_VERSION_6: Final = 6
_MOST_ADDRESSES: Final = 4096
_MOST_KNOWN: Final = 1024


class ConnectionStage(enum.Enum):
    """The stage of a connection, which determines whether a newcomer may replace it."""

    IDLE = enum.auto()
    """It has sent nothing since it was opened or last served, so it may be replaced at once."""
    SPEAKING = enum.auto()
    """It has sent something, so it may only be replaced after a long pause."""
    SERVED = enum.auto()
    """It is being served and can't be replaced."""


class LimitSettings(msgspec.Struct, frozen=True):
    """The limits on the number of connections.

    at_once, from_one: the most in total, and from one address.
    reserved, from_known: the same for addresses of known terminals, in addition to the others.
    burst, each_s: connections that one address may open at once, and then per second.
    pause_ms: the pause after which a connection that has sent something may be replaced.
    """

    at_once: int
    from_one: int
    burst: int
    each_s: int
    reserved: int = 0
    from_known: int = 0
    pause_ms: int = 1_000


class Visit:
    """A connection counted by ``ConnectionLimits.admit``."""

    def __init__(self, limits: "ConnectionLimits", owner: "_Owner", evict: Callable[[], None]) -> None:
        self._limits = limits
        self.owner = owner
        self.evict = evict
        self.stage = ConnectionStage.IDLE
        self.since_ms = 0
        self.is_reserved = False

    def enter(self, stage: ConnectionStage) -> None:
        """Set the stage of the connection; repeat ``SPEAKING`` whenever bytes arrive."""
        if self not in self.owner.visits:
            return
        self.since_ms = self._limits.clock.monotonic_ms()
        del self.owner.visits[self]
        self.owner.visits[self] = None
        if not self.is_reserved:
            del self._limits.strangers[self.stage][self]
            self._limits.strangers[stage][self] = None
        self.stage = stage

    def leave(self) -> None:
        """Stop counting the connection; may be called twice."""
        if self not in self.owner.visits:
            return
        del self.owner.visits[self]
        if self.is_reserved:
            self._limits.reserved -= 1
        else:
            del self._limits.strangers[self.stage][self]


@dataclass
class _Owner:
    """An address, with its connections in the order of their last activity."""

    left: float
    seen_ms: int
    visits: dict[Visit, None] = field(default_factory=dict)


class ConnectionLimits:
    """A counter of connections that makes room for newcomers. Not thread-safe.

    ``exempt`` addresses, such as a proxy's, are shared by many people: their connections
    count only towards the total.
    """

    def __init__(self, clock: Clock, settings: LimitSettings, exempt: frozenset[str] = frozenset()) -> None:
        self.clock = clock
        self.settings = settings
        self._exempt = frozenset(_owner_of(address) for address in exempt)
        self._owners: dict[str, _Owner] = {}
        self._known: dict[str, None] = {}
        self.strangers: dict[ConnectionStage, dict[Visit, None]] = {stage: {} for stage in ConnectionStage}
        self.reserved = 0

    def admit(self, address: str, evict: Callable[[], None]) -> Visit:
        """Count a new connection. Raises PeerFault to refuse it.

        ``evict`` is called when a newcomer replaces it; it is no longer counted then.
        """
        name = _owner_of(address)
        is_known = name in self._known
        owner = self._owner(name)
        if name not in self._exempt:
            self._check_share(owner, address, is_known=is_known)
        visit = Visit(self, owner, evict)
        visit.since_ms = self.clock.monotonic_ms()
        visit.is_reserved = is_known and self.reserved < self.settings.reserved
        if visit.is_reserved:
            self.reserved += 1
        else:
            count = sum(len(visits) for visits in self.strangers.values())
            if count >= self.settings.at_once and not self._make_room(self._silent()):
                raise PeerFault(f"{count} others are connecting already")
            self.strangers[visit.stage][visit] = None
        owner.visits[visit] = None
        return visit

    def remember(self, address: str) -> None:
        """Reserve room for an address from which a known terminal has connected."""
        name = _owner_of(address)
        self._known.pop(name, None)
        self._known[name] = None
        if len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def make_room(self) -> bool:
        """Close the connection that has been silent the longest, and return False if none may be closed."""
        return self._make_room(self._silent())

    def _check_share(self, owner: _Owner, address: str, *, is_known: bool) -> None:
        """Raise PeerFault if an address connects too often, or has too many busy connections."""
        if owner.left < 1:
            raise PeerFault(f"{address} connects too often")
        owner.left -= 1
        share = self.settings.from_known if is_known else self.settings.from_one
        if len(owner.visits) >= share and not self._make_room(_silent_first(owner.visits)):
            raise PeerFault(f"{len(owner.visits)} of {address} are connecting already")

    def _silent(self) -> tuple[Visit, ...]:
        """Return the unidentified connections that have been silent the longest: one idle, one not."""
        stages = (self.strangers[ConnectionStage.IDLE], self.strangers[ConnectionStage.SPEAKING])
        return tuple(next(iter(visits)) for visits in stages if visits)

    def _make_room(self, visits: Iterable[Visit]) -> bool:
        now_ms = self.clock.monotonic_ms()
        for visit in visits:
            if visit.stage is ConnectionStage.IDLE or now_ms - visit.since_ms >= self.settings.pause_ms:
                visit.leave()
                visit.evict()
                return True
        return False

    def _owner(self, name: str) -> _Owner:
        now_ms = self.clock.monotonic_ms()
        one = self._owners.pop(name, None) or _Owner(self.settings.burst, now_ms)
        grown = one.left + (now_ms - one.seen_ms) * self.settings.each_s / 1000
        one.left = min(float(self.settings.burst), grown)
        one.seen_ms = now_ms
        # Longest unseen addresses come first; the limits keep those with connections few.
        self._owners[name] = one
        if len(self._owners) > _MOST_ADDRESSES:
            others = (name for name, other in self._owners.items() if not other.visits and other is not one)
            self._owners.pop(next(others, ""), None)
        return one


def _silent_first(visits: Iterable[Visit]) -> tuple[Visit, ...]:
    """Return the connections that may be replaced: idle ones first, longest silence first."""
    unserved = [visit for visit in visits if visit.stage is not ConnectionStage.SERVED]
    return tuple(sorted(unserved, key=lambda visit: visit.stage is not ConnectionStage.IDLE))


def _owner_of(address: str) -> str:
    """Return the owner of an address: the address itself, or the network for IPv6."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == _VERSION_6:
        return str(ipaddress.ip_network((ip, _NET_OF_ONE), strict=False))
    return address


TOO_MUCH: Final = "it sends far more than a game produces; the station stores the rest slowly"
"""The alarm about a terminal that sends too many entries."""
_HOUR_MS: Final = 3_600_000


class QuotaSettings(msgspec.Struct, frozen=True):
    """The entries, and their bytes, that a terminal may send at once, and then again within each hour.

    A long game has about 1,000 entries of 200 bytes. A terminal may return with 10,000 unsent ones, which is
    far below these limits.
    """

    entries: int = 60_000
    size: int = 16 * 1024 * 1024


@dataclass
class _Left:
    entries: float
    size: float
    at_ms: int
    alarmed_ms: int | None = None


class EntryQuota:
    """A counter of entries by terminal. Not thread-safe."""

    def __init__(self, clock: Clock, settings: QuotaSettings) -> None:
        self._clock = clock
        self._settings = settings
        self._left: dict[TerminalId, _Left] = {}

    def take(self, terminal: TerminalId, entries: int, size: int) -> bool:
        """Count entries that have arrived, and return False if they may not be stored now.

        As long as any quota is left, all of them may be stored, so that a terminal that has used it up can
        slowly continue.
        """
        left = self._grown(terminal)
        if left.entries <= 0 or left.size <= 0:
            return False
        left.entries -= entries
        left.size -= size
        return True

    def is_alarm_due(self, terminal: TerminalId) -> bool:
        """Return whether to alert the judge now; this is true at most once an hour."""
        left = self._grown(terminal)
        if left.alarmed_ms is not None and left.at_ms - left.alarmed_ms < _HOUR_MS:
            return False
        left.alarmed_ms = left.at_ms
        return True

    def _grown(self, terminal: TerminalId) -> _Left:
        now_ms = self._clock.monotonic_ms()
        most = self._settings
        left = self._left.setdefault(terminal, _Left(most.entries, most.size, now_ms))
        share = (now_ms - left.at_ms) / _HOUR_MS
        left.entries = min(float(most.entries), left.entries + share * most.entries)
        left.size = min(float(most.size), left.size + share * most.size)
        left.at_ms = now_ms
        return left
