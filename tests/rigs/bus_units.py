"""A station and terminals on a simulated bus, which record all data for the oracle."""

import random
from collections import Counter
from dataclasses import dataclass, field

from sync.bus.frame import BusFrameKind, BusFrameReader
from sync.bus.master import BusMaster
from sync.bus.members import BusEvent, Joined, UnitLeft
from sync.bus.slave import BusSlave
from sync.bus.timing import BusTiming
from tests.rigs.bus_hall import BusHall, HallNoise, Plug

_PATIENCE_MS = 120_000


@dataclass
class TerminalTraffic:
    """The bytes sent and received in one life of a terminal."""

    said: bytearray = field(default_factory=bytearray)
    received: bytearray = field(default_factory=bytearray)


@dataclass
class LeaseTraffic:
    """The bytes sent and received by the station on a lease."""

    unit: bytes
    said: bytearray = field(default_factory=bytearray)
    received: bytearray = field(default_factory=bytearray)
    is_over: bool = False


class RigTerminal:
    """A slave that begins a new life when the station restarts, as a port does."""

    def __init__(self, hall: BusHall, unit: bytes, baud: int, seed: int) -> None:
        chance = random.Random(seed)
        self.unit = unit
        self.name = unit.hex()
        self._hall = hall
        self._chance = chance
        self.slave = BusSlave(unit, chance.getrandbits(32), baud=baud, chance=chance.randrange)
        self.lives = [TerminalTraffic()]
        self.plug: Plug | None = None

    def plug_in(self) -> None:
        """Connect the terminal to the pair, as a newly started program."""
        self._begin()
        self.plug = self._hall.plug(self.name, self, self.deadline_ms)

    def deadline_ms(self, now_ms: int) -> int | None:
        del now_ms
        return self.slave.next_deadline_ms()

    def pull(self) -> None:
        if self.plug is not None:
            self._hall.pull(self.name)
            self.plug = None

    def say(self, data: bytes) -> None:
        self.lives[-1].said += data[: self.slave.send(data)]
        if self.plug is not None:
            self._hall.wake(self.plug)

    def receive(self, data: bytes, now_ms: int) -> None:
        self.slave.receive(data, now_ms)
        self.lives[-1].received += self.slave.take_received()

    def to_line(self, now_ms: int) -> bytes:
        if self.slave.is_over:
            self._begin()
        return self.slave.to_line(now_ms)

    def _begin(self) -> None:
        self.slave.begin(self._chance.getrandbits(32))
        self.lives.append(TerminalTraffic())


class RigStation:
    """A master that records the bytes of each lease."""

    name = "station"

    def __init__(self, hall: BusHall, timing: BusTiming, seed: int) -> None:
        self._hall = hall
        self._timing = timing
        self._chance = random.Random(seed)
        self.leases: dict[int, LeaseTraffic] = {}
        self.former: list[LeaseTraffic] = []
        self.events: list[BusEvent] = []
        self.frames: Counter[BusFrameKind] = Counter()
        self._reader = BusFrameReader()
        self._start()

    def restart(self) -> None:
        """Restart the program, which forgets all leases."""
        self._hall.pull(self.name)
        self.former += self.leases.values()
        self.leases = {}
        self._start()

    def _start(self) -> None:
        self.master = BusMaster(1 + self._chance.randrange(0xFFFF), self._timing, self._chance.randrange)
        self.plug = self._hall.plug(self.name, self, self.master.next_deadline_ms)

    def lease_of(self, unit: bytes) -> int | None:
        leases = (lease for lease, lent in self.leases.items() if lent.unit == unit and not lent.is_over)
        return next(leases, None)

    def say(self, unit: bytes, data: bytes) -> None:
        """Send bytes to a terminal if it is connected."""
        lease = self.lease_of(unit)
        if lease is not None:
            self.leases[lease].said += data[: self.master.send(lease, data)]
            self._hall.wake(self.plug)

    def receive(self, data: bytes, now_ms: int) -> None:
        self.master.receive(data, now_ms)
        self._look()

    def to_line(self, now_ms: int) -> bytes:
        said = self.master.to_line(now_ms)
        self.frames.update(frame.kind for frame in self._reader.feed(said))
        self._look()
        return said

    def _look(self) -> None:
        for event in self.master.events():
            self.events.append(event)
            if isinstance(event, Joined):
                self.leases[event.lease] = LeaseTraffic(event.unit)
            elif isinstance(event, UnitLeft):
                self.leases[event.lease].is_over = True
        for lease, lent in self.leases.items():
            if not lent.is_over:
                lent.received += self.master.take_received(lease)


class RigHall:
    """A station and its terminals, all connected."""

    def __init__(self, count: int, noise: HallNoise | None = None, *, seed: int = 1) -> None:
        noise = noise or HallNoise()
        self.timing = BusTiming(hold_ms=noise.hold_ms)
        self.hall = BusHall(self.timing.baud, noise, seed)
        self.station = RigStation(self.hall, self.timing, seed)
        self.terminals = [
            RigTerminal(self.hall, b"unit" + bytes([i]), self.timing.baud, seed * 1000 + i)
            for i in range(count)
        ]
        for terminal in self.terminals:
            terminal.plug_in()

    def joined(self) -> int:
        return sum(self.station.lease_of(terminal.unit) is not None for terminal in self.terminals)

    def wait_joined(self) -> int:
        """Wait until all connected terminals have a stream, and return the time (ms). Raises TimeoutError."""
        start = self.hall.now_ms
        wanted = [terminal for terminal in self.terminals if terminal.plug is not None]
        here = lambda: all(self.station.lease_of(t.unit) is not None for t in wanted)  # noqa: E731
        if not self.hall.run_ms(_PATIENCE_MS, here):
            raise TimeoutError(f"{self.joined()} of {len(wanted)} after {_PATIENCE_MS} ms")
        return self.hall.now_ms - start


def joined_hall(count: int, noise: HallNoise | None = None, *, seed: int = 1) -> RigHall:
    """Return a hall whose terminals all have a stream."""
    rig = RigHall(count, noise, seed=seed)
    rig.wait_joined()
    return rig
