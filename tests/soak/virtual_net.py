"""TCP between simulated machines: ordered bytes, late and in pieces, resets, silence, half-open ends.

Loss is delay, as with TCP. Machines that are partitioned, or that have no power, hear nothing of each other.
An end notices after 15 s (TCP_USER_TIMEOUT and keep-alive, as our ports set them), or at once when the other
machine is back and doesn't know the connection. Programs see asyncio's transport or a terminal's port.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Protocol

import msgspec

from base.errors import Unavailable
from sync.ports.port import StreamPort
from tests.soak.virtual_loop import Host, VirtualLoop

DEAD_AFTER_S = 15.0
_KEEPALIVE_S = 5.0
_LONGEST_RTO_S = 3.0
_ROOM = 64 * 1024


class Receiver(Protocol):
    """The owner of one end of a connection."""

    def came(self, data: bytes) -> None:
        """Process bytes, which arrive in order."""

    def ended(self, error: str) -> None:
        """Handle the end of the connection. ``error`` is empty if the other end has closed."""

    def may_write(self) -> None:
        """Write again, as there is room."""


class Weather(msgspec.Struct, frozen=True):
    """The condition of a network.

    delay_s: the delay of a segment.
    loss: the share of segments that TCP must send again.
    """

    delay_s: float = 0.002
    loss: float = 0.0
    piece: float = 0.1
    """The share of deliveries that are cut at any byte."""
    segment: int = 16 * 1024
    """The most bytes that arrive at once."""


class Network:
    """The network and its machines, of which some are partitioned (``parted``) or have no power."""

    def __init__(self, loop: VirtualLoop, chance: random.Random, weather: Weather) -> None:
        self.loop = loop
        self.chance = chance
        self.weather = weather
        self.parted: set[str] = set()
        self.unpowered: set[str] = set()
        self.octets = 0
        self.cut_after: int | None = None
        """After so many more bytes, of all connections and both ways, one is broken, for once."""
        self.accept: Callable[[End], None] | None = None
        """The station's listening program; None while there is none."""

    def connect(self, name: str, receiver: Receiver) -> "End":
        """Connect a machine to the station later, or call ``ended`` with the reason why not."""
        ours, theirs = End(self, name), End(self, "station")
        ours.peer, theirs.peer = theirs, ours
        ours.receiver = receiver
        self.loop.call_later(self.delay_s(), self._knock, ours, theirs, self.loop.time())
        return ours

    def is_silent(self, end: "End") -> bool:
        """Return whether nothing from this end reaches the other."""
        here, there = end.machine, end.peer.machine
        return bool(self.parted & {here, there} or self.unpowered & {here, there})

    def delay_s(self) -> float:
        late = self.weather.delay_s * self.chance.uniform(0.5, 1.5)
        while self.chance.random() < self.weather.loss:
            late += 0.2
        return late

    def _knock(self, ours: "End", theirs: "End", since_s: float) -> None:
        if ours.is_over:
            return
        if self.is_silent(ours):
            if self.loop.time() - since_s > DEAD_AFTER_S:
                ours.end("connection timed out")
                return
            self.loop.call_later(1.0, self._knock, ours, theirs, since_s)
        elif self.accept is None:
            ours.end("connection refused")
        else:
            ours.is_up = theirs.is_up = True
            self.accept(theirs)
            ours.watch()
            theirs.watch()
            if ours.receiver is not None:
                ours.receiver.may_write()


class End:
    """One end of a connection in its kernel. ``receiver`` is None when its program has ended."""

    def __init__(self, network: Network, machine: str) -> None:
        self._network = network
        self.machine = machine
        self.peer = self
        self.receiver: Receiver | None = None
        self.is_up = False
        self.is_over = False
        self.paused = False
        self._queue = bytearray()
        self._closing = False
        self._running = False
        self._silent_since_s: float | None = None
        self._rto_s = 0.2

    def send(self, data: bytes) -> int:
        """Accept bytes as far as there is room, and return how many."""
        if not self.is_up or self.is_over or self._closing:
            return 0
        taken = data[: max(0, _ROOM - len(self._queue))]
        self._queue += taken
        self._run()
        return len(taken)

    def close(self) -> None:
        """Send the rest and then the end, as the program closes or ends."""
        self.receiver = None
        self._closing = True
        if not self.is_up:
            self.is_over = True
        else:
            self._run()

    def vanish(self) -> None:
        """Drop the connection silently, as the machine has lost its power."""
        self.receiver = None
        self.is_over = True
        self._queue.clear()

    def end(self, error: str) -> None:
        """Give up the connection, as the kernel does."""
        if self.is_over:
            return
        self.is_over = True
        self._queue.clear()
        receiver, self.receiver = self.receiver, None
        if receiver is not None:
            receiver.ended(error)

    def resume(self) -> None:
        self.paused = False
        self.peer._run()

    def watch(self) -> None:
        """Check regularly whether the other end is there (keep-alive)."""
        if self.is_over:
            return
        loop = self._network.loop
        if self._network.is_silent(self):
            self._note_silence()
        elif self.peer.is_over and not self.peer._closing:
            self.end("connection reset by peer")
        else:
            self._silent_since_s = None
        if not self.is_over:
            loop.call_later(_KEEPALIVE_S, self.watch)

    def _note_silence(self) -> None:
        now_s = self._network.loop.time()
        if self._silent_since_s is None:
            self._silent_since_s = now_s
        elif now_s - self._silent_since_s >= DEAD_AFTER_S:
            self.end("connection timed out")

    def _run(self) -> None:
        if not self._running and (self._queue or self._closing) and not self.is_over:
            self._running = True
            self._network.loop.call_later(self._network.delay_s(), self._deliver)

    def _deliver(self) -> None:
        self._running = False
        network = self._network
        if self.is_over:
            return
        if network.is_silent(self):
            self._note_silence()
            if not self.is_over:
                self._running = True
                self._rto_s = min(_LONGEST_RTO_S, self._rto_s * 2)
                network.loop.call_later(self._rto_s, self._deliver)
            return
        self._silent_since_s, self._rto_s = None, 0.2
        other = self.peer
        if other.is_over or (other.receiver is None and self._queue):
            # Nobody is there to take it: the other kernel says so.
            other.is_over = True
            self.end("connection reset by peer")
        elif self._queue and not other.paused:
            self._hand_over(other)
        elif not self._queue and self._closing:
            self.is_over = True
            receiver = other.receiver
            if receiver is not None:
                receiver.ended("")

    def _hand_over(self, other: "End") -> None:
        size = min(len(self._queue), self._network.weather.segment)
        if self._network.chance.random() < self._network.weather.piece:
            size = self._network.chance.randint(1, size)
        cut_after = self._network.cut_after
        if cut_after is not None:
            size = min(size, cut_after)
            self._network.cut_after = cut_after - size
        data = bytes(self._queue[:size])
        was_full = len(self._queue) >= _ROOM
        del self._queue[:size]
        self._network.octets += size
        if other.receiver is not None and data:
            other.receiver.came(data)
        if self._network.cut_after == 0:
            self._network.cut_after = None
            self.end("connection reset by peer")
            other.end("connection reset by peer")
        if was_full and self.receiver is not None:
            self.receiver.may_write()
        self._run()


_READ = 64 * 1024
_HIGH = 64 * 1024


class _Socket:
    """The methods that ``ports.tcp.prepare`` calls on a socket."""

    def setsockopt(self, *_: int) -> None:
        """Do nothing, as the simulated network has these timers anyway."""


class VirtualTransport(asyncio.Transport):
    """The station's end of a connection, on which asyncio's own streams run."""

    def __init__(self, loop: VirtualLoop, host: Host, end: End, protocol: asyncio.Protocol) -> None:
        super().__init__({"peername": (end.peer.machine, 1), "socket": _Socket()})
        self._loop = loop
        self._host = host
        self._end = end
        self._protocol = protocol
        self._unsent = bytearray()
        self._closing = False
        self._paused_writing = False
        end.receiver = self
        with loop.on(host):
            protocol.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing or self._end.is_over:
            return
        self._unsent += data
        self._flush()
        if len(self._unsent) > _HIGH and not self._paused_writing:
            self._paused_writing = True
            self._protocol.pause_writing()

    def close(self) -> None:
        """Send the rest and close."""
        if self._closing:
            return
        self._closing = True
        self._end.close()
        self._loop.call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        self.close()

    def is_closing(self) -> bool:
        return self._closing

    def pause_reading(self) -> None:
        self._end.paused = True

    def resume_reading(self) -> None:
        self._end.resume()

    def get_write_buffer_size(self) -> int:
        return len(self._unsent)

    def can_write_eof(self) -> bool:
        return False

    def came(self, data: bytes) -> None:
        if self._host.is_up and not self._closing:
            with self._loop.on(self._host):
                self._protocol.data_received(data)

    def ended(self, error: str) -> None:
        if not self._host.is_up or self._closing:
            return
        with self._loop.on(self._host):
            if error:
                self._closing = True
                self._protocol.connection_lost(OSError(error))
            else:
                self._protocol.eof_received()

    def may_write(self) -> None:
        if not self._host.is_up:
            return
        self._flush()
        if self._paused_writing and len(self._unsent) <= _HIGH // 4:
            self._paused_writing = False
            self._protocol.resume_writing()

    def _flush(self) -> None:
        del self._unsent[: self._end.send(bytes(self._unsent))]


class VirtualPort(StreamPort):
    """A terminal's end of a connection to the station. ``woken`` is called when there is something to do."""

    def __init__(self, network: Network, name: str, woken: Callable[[], None]) -> None:
        self._network = network
        self._name = name
        self._woken = woken
        self._end: End | None = None
        self._arrived = bytearray()
        self._problem: str | None = None

    def open(self) -> None:
        self._arrived.clear()
        self._problem = None
        self._end = self._network.connect(self._name, self)

    def close(self) -> None:
        if self._end is not None:
            self._end.close()
            self._end = None

    def vanish(self) -> None:
        """Drop the connection, as the terminal's power has failed."""
        if self._end is not None:
            self._end.vanish()
            self._end = None

    def fileno(self) -> int:
        return 0

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable at the end."""
        if self._end is None:
            raise Unavailable("tcp: not connected")
        data = bytes(self._arrived[:_READ])
        del self._arrived[:_READ]
        if not data and self._problem is not None:
            raise Unavailable(f"tcp: {self._problem or 'the other end has closed'}")
        return data

    def write(self, data: bytes) -> int:
        if self._end is None or self._problem:
            raise Unavailable(f"tcp: {self._problem or 'not connected'}")
        return self._end.send(data)

    def came(self, data: bytes) -> None:
        self._arrived += data
        self._woken()

    def ended(self, error: str) -> None:
        self._problem = error
        self._woken()

    def may_write(self) -> None:
        self._woken()
