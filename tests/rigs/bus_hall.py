"""A shared pair of wires in virtual time, with a station, many terminals, noise and collisions.

It needs one process and no real clock: simulating a minute takes about a second, and the same seed gives the
same results.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from base.errors import PeerFault
from sync.bus.frame import BusFrameKind, frame_of

_CHUNK_US = 2_000
_KEPT_US = 100_000
_MEETING = frozenset({BusFrameKind.HERE, BusFrameKind.WANT})


class Voice(Protocol):
    """A participant on the pair of wires."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Process bytes from the line."""

    def to_line(self, now_ms: int) -> bytes:
        """Return the bytes to send now."""


class HallNoise(msgspec.Struct, frozen=True):
    """The quality of the wires.

    flips, drops: probabilities of a wrong bit and of a lost byte.
    hold_ms: how long adapters hold bytes back.
    late_ms: how late programs are.
    """

    flips: float = 0.0
    drops: float = 0.0
    hold_ms: int = 1
    late_ms: int = 3


@dataclass
class Plug:
    """One end of the pair, with its received bytes, and the time at which its machine must run next."""

    name: str
    voice: Voice
    deadline: Callable[[int], int | None]
    is_in: bool = True
    inbox: bytearray = field(default_factory=bytearray)
    wake_us: int | None = None
    busy_until_us: int = 0
    spoken: int = 0


class _Speech(msgspec.Struct, frozen=True):
    plug: str
    from_us: int
    to_us: int
    kinds: frozenset[BusFrameKind | None]


class BusHall:
    """The pair and all its ends. ``clashes`` are unexpected collisions of transmissions."""

    def __init__(self, baud: int, noise: HallNoise, seed: int) -> None:
        self._byte_us = 10_000_000 / baud
        self.noise = noise
        self._chance = random.Random(seed)
        self._plugs: dict[str, Plug] = {}
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self.now_us = 0
        self._speeches: list[_Speech] = []
        self.clashes: list[tuple[int, str, str]] = []

    @property
    def now_ms(self) -> int:
        return self.now_us // 1000

    def plug(self, name: str, voice: Voice, deadline: Callable[[int], int | None]) -> Plug:
        """Connect an end to the pair."""
        plug = Plug(name, voice, deadline)
        self._plugs[name] = plug
        self.wake(plug)
        return plug

    def pull(self, name: str) -> None:
        self._plugs.pop(name).is_in = False

    def wake(self, plug: Plug, after_us: int = 0) -> None:
        """Let an end's machine run, as after its owner gave it data to send."""
        at = self.now_us + after_us
        if plug.wake_us is None or at < plug.wake_us:
            plug.wake_us = at
            self._at(at, lambda: self._run(plug, at))

    def run_ms(self, span_ms: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass until ``until`` holds, and return whether it did."""
        end_us = self.now_us + span_ms * 1000
        while self._events and self._events[0][0] <= end_us:
            self.now_us, _, action = heapq.heappop(self._events)
            action()
            if until():
                return True
        self.now_us = end_us
        return until()

    def _at(self, at_us: int, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (at_us, self._count, action))

    def _run(self, plug: Plug, at_us: int) -> None:
        if plug.wake_us != at_us or not plug.is_in:
            return
        plug.wake_us = None
        if plug.inbox:
            data = bytes(plug.inbox)
            plug.inbox.clear()
            plug.voice.receive(data, self.now_ms)
        said = plug.voice.to_line(self.now_ms)
        if said:
            self._speak(plug, said)
        deadline = plug.deadline(self.now_ms)
        if deadline is not None:
            # Deadlines are in whole milliseconds, and one that is now means the next.
            self.wake(plug, max(deadline * 1000 - self.now_us, 1000 - self.now_us % 1000))

    def _speak(self, plug: Plug, said: bytes) -> None:
        start = max(self.now_us, plug.busy_until_us)
        end = start + round(len(said) * self._byte_us)
        plug.busy_until_us = end
        plug.spoken += len(said)
        speech = _Speech(plug.name, start, end, _kinds(said))
        for other in self._speeches:
            may_meet = speech.kinds <= _MEETING and other.kinds <= _MEETING
            if other.plug != plug.name and other.to_us > start and other.from_us < end and not may_meet:
                self.clashes.append((self.now_ms, other.plug, plug.name))
        self._speeches = [s for s in self._speeches if s.to_us > self.now_us - _KEPT_US]
        self._speeches.append(speech)
        size = max(1, int(_CHUNK_US / self._byte_us))
        for i in range(0, len(said), size):
            piece = said[i : i + size]
            first = start + round(i * self._byte_us)
            last = first + round(len(piece) * self._byte_us)
            self._at(last, lambda piece=piece, first=first, last=last: self._carry(plug, piece, first, last))  # type: ignore[misc]

    def _carry(self, plug: Plug, piece: bytes, first_us: int, last_us: int) -> None:
        if not plug.is_in:
            return
        met = any(s.plug != plug.name and s.to_us > first_us and s.from_us < last_us for s in self._speeches)
        for other in self._plugs.values():
            if other is not plug:
                other.inbox += self._worn(piece, is_garbled=met)
                self.wake(other, self._lateness_us())

    def _worn(self, piece: bytes, *, is_garbled: bool) -> bytes:
        if is_garbled:
            return self._chance.randbytes(len(piece))
        noise = self.noise
        if not (noise.flips or noise.drops):
            return piece
        out = bytearray()
        for byte in piece:
            if noise.drops and self._chance.random() < noise.drops:
                continue
            is_hit = self._chance.random() < noise.flips * 8
            out.append(byte ^ 1 << self._chance.randrange(8) if is_hit else byte)
        return bytes(out)

    def _lateness_us(self) -> int:
        noise = self.noise
        held = self._chance.randrange(noise.hold_ms * 1000 + 1)
        return held + self._chance.randrange(noise.late_ms * 1000 + 1)


def _kinds(said: bytes) -> frozenset[BusFrameKind | None]:
    kinds: set[BusFrameKind | None] = set()
    for piece in said.split(b"\0"):
        if piece:
            try:
                kinds.add(frame_of(piece).kind)
            except PeerFault:
                kinds.add(None)
    return frozenset(kinds)
