"""The members of a bus, which are units that have a lease, and the events that its master reports."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from sync.bus.frame import MOST_TERMINALS
from sync.bus.stream import TurnStream
from sync.bus.timing import Reaction

ACK_WITHIN_MS = 40
"""The longest delay (ms) of an acknowledgement while it waits to be combined with data."""
ALIVE_EVERY_MS = 4_000
"""The silence (ms) after which a member is polled to check that it is still there."""
_GONE_AFTER_MS = 3_000
_GONE_AFTER = 6
"""A member loses its lease after this number of unanswered polls and ``_GONE_AFTER_MS`` of silence."""
_FIRST_RETRY_MS = 15
_LONGEST_RETRY_MS = 1_000
_STRAY_MS = 3_000
_GREETING_BYTES = 1_200
_GREETING_MS = 2_000
_GREETING_PAUSE_MS = 500
"""A newcomer's handshake counts as over after these bytes, this time, or this silence (ms)."""


@dataclass
class Member:
    """A unit with a lease. ``waits`` is the number of bytes that it last reported as waiting."""

    unit: bytes
    life: int
    address: int
    lease: int
    stream: TurnStream
    reaction: Reaction
    since_ms: int
    heard_ms: int
    is_joined: bool = False
    waits: int = 0
    failures: int = 0
    retry_ms: int = 0
    served: int = 0
    ack_ms: int | None = None
    is_short: bool = False
    spoke_ms: int = 0
    strays_within: int = 0
    strayed_ms: int = 0

    def is_greeting(self, now_ms: int) -> bool:
        """Return whether the member is probably still in its TLS handshake."""
        is_young = now_ms - self.since_ms < _GREETING_MS
        is_talking = now_ms - max(self.since_ms, self.spoke_ms) < _GREETING_PAUSE_MS
        return is_young and is_talking and self.stream.bytes_received < _GREETING_BYTES

    def wants_turn(self, now_ms: int) -> bool:
        """Return whether the member should be polled now, because either side has something to send."""
        if now_ms < self.retry_ms:
            return False
        is_ack_due = self.ack_ms is not None and now_ms >= self.ack_ms
        is_told = self.stream.unsent() > 0 or self.stream.count_unacknowledged() > 0
        return (
            self.waits > 0
            or self.is_short
            or is_told
            or is_ack_due
            or self.failures > 0
            or not self.is_joined
        )

    def is_due(self, now_ms: int) -> bool:
        return now_ms >= max(self.retry_ms, self.heard_ms + ALIVE_EVERY_MS)

    def next_ms(self) -> int:
        """Return when the member must be polled next if nothing else happens."""
        due = [self.heard_ms + ALIVE_EVERY_MS]
        if self.ack_ms is not None:
            due.append(self.ack_ms)
        if self.failures:
            due.append(self.retry_ms)
        return max(self.retry_ms, min(due))

    def count_stray(self, now_ms: int) -> int:
        """Count a frame sent without being polled, and return the number of recent ones."""
        if now_ms - self.strayed_ms > _STRAY_MS:
            self.strays_within = 0
            self.strayed_ms = now_ms
        self.strays_within += 1
        return self.strays_within

    def on_answer(self, now_ms: int) -> None:
        """Record that the member finished its turn."""
        self.heard_ms = now_ms
        self.failures = 0
        self.retry_ms = 0

    def on_silence(self, now_ms: int) -> None:
        """Record an unanswered poll, and wait longer before each further one."""
        self.failures += 1
        pause = _FIRST_RETRY_MS * 2 ** min(self.failures - 1, 10) if self.failures > 1 else 0
        self.retry_ms = now_ms + min(_LONGEST_RETRY_MS, pause)

    def is_gone(self, now_ms: int) -> bool:
        return self.failures >= _GONE_AFTER and now_ms - self.heard_ms >= _GONE_AFTER_MS


class Members:
    """All members, by address."""

    def __init__(self) -> None:
        self._by_address: dict[int, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        return iter(tuple(self._by_address.values()))

    def __len__(self) -> int:
        return len(self._by_address)

    def at(self, address: int, lease: int) -> Member | None:
        """Return the member that has this address under exactly this lease, or None."""
        member = self._by_address.get(address)
        return member if member is not None and member.lease == lease else None

    def of_lease(self, lease: int) -> Member | None:
        return next((member for member in self if member.lease == lease), None)

    def of_unit(self, unit: bytes) -> Member | None:
        return next((member for member in self if member.unit == unit), None)

    def free_address(self) -> int | None:
        free = (address for address in range(1, MOST_TERMINALS + 1) if address not in self._by_address)
        return next(free, None)

    def add(self, member: Member) -> None:
        self._by_address[member.address] = member

    def remove(self, member: Member) -> None:
        del self._by_address[member.address]

    def addresses(self) -> tuple[int, ...]:
        return tuple(sorted(self._by_address))

    def next_turn(self, now_ms: int) -> Member | None:
        """Return the least recently polled member that is due or wants a turn, or None."""
        wanting = [member for member in self if member.wants_turn(now_ms) or member.is_due(now_ms)]
        return min(wanting, key=lambda member: member.served, default=None)

    def voices(self, now_ms: int) -> int:
        return sum(member.wants_turn(now_ms) for member in self)

    def idle(self, now_ms: int) -> tuple[Member, ...]:
        return tuple(m for m in self if m.is_joined and not m.failures and not m.wants_turn(now_ms))


class Joined(msgspec.Struct, frozen=True):
    """A unit with a new lease has answered; its stream begins."""

    lease: int
    unit: bytes


class UnitLeft(msgspec.Struct, frozen=True):
    """The stream of a lease ended. ``problem`` is the reason."""

    lease: int
    unit: bytes
    problem: str


class Cloned(msgspec.Struct, frozen=True):
    """A second unit with the same id was detected and banned."""

    unit: bytes


class Full(msgspec.Struct, frozen=True):
    """A unit asked for an address, but none is free."""

    unit: bytes


class Babbled(msgspec.Struct, frozen=True):
    """A unit sent without being polled and is banned for ``for_ms`` milliseconds."""

    unit: bytes
    for_ms: int


class PairJammed(msgspec.Struct, frozen=True):
    """A unit that ignores the protocol floods the pair.

    ``suspects`` lists the most likely units first, and may be empty.
    """

    suspects: tuple[bytes, ...]


class SecondStation(msgspec.Struct, frozen=True):
    """Another station polls on the same pair, because two cables were joined by mistake."""


class StationAlone(msgspec.Struct, frozen=True):
    """The other station is no longer heard."""


class PairQuiet(msgspec.Struct, frozen=True):
    """The pair is quiet again."""


BusEvent = Joined | UnitLeft | Cloned | Full | Babbled | PairJammed | PairQuiet | SecondStation | StationAlone
