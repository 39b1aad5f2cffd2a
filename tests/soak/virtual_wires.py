"""The wires of simulated worlds: serial cables, and pairs that may be joined by mistake.

Noise on a cable is drawn frame by frame, so that the same seed makes the same noise although TLS draws other
bytes each time. The real ``StationBus`` and ``BusPort`` run on pairs, on which simultaneous bytes collide.
The thread that keeps their turns is replaced by one that the loop runs (``VirtualTurns``), and their random
values by the seed's (``on_pairs``).
"""

import contextlib
import random
from collections.abc import Callable, Iterator
from unittest import mock

from base.errors import PeerFault, SaloonError, Unavailable
from sync.link.frame import cobs_decode
from sync.ports.bus_port import BusPort, Step
from sync.ports.port import Port
from tests.soak.virtual_loop import VirtualLoop

BAUD = 115_200
_BITS_A_BYTE = 10
_HEADER = 9
_END = b"\0"


class Cable:
    """A cable between the station (end 0) and a terminal (end 1). ``errors`` is the share of wrong bits."""

    def __init__(self, loop: VirtualLoop, chance: random.Random, number: int, errors: float) -> None:
        self.loop = loop
        self.chance = chance
        self.number = number
        self.errors = errors
        self.is_plugged = True
        self.octets = 0
        self.ends: dict[int, RawEnd] = {}
        self._busy_until_s = [0.0, 0.0]

    def carry(self, frame: bytes, sender: "RawEnd") -> None:
        """Put a frame, including its closing zero, on the line."""
        size = _plain_size(frame)
        side = sender.side
        begins = max(self.loop.time(), self._busy_until_s[side])
        arrives = begins + size * _BITS_A_BYTE / BAUD
        self._busy_until_s[side] = arrives
        arriving = self._with_noise(frame, size)
        self.loop.call_at(arrives + self.chance.choice((0.0, 0.001, 0.016)), self._arrive, 1 - side, arriving)

    def _arrive(self, side: int, data: bytes) -> None:
        end = self.ends.get(side)
        if end is not None and self.is_plugged and data:
            self.octets += len(data)
            end.came(data)

    def _with_noise(self, frame: bytes, size: int) -> bytes:
        if self.chance.random() >= 1 - (1 - self.errors) ** (8 * size):
            return frame
        match self.chance.randrange(5):
            case 0:
                return b""
            case 1:
                return frame[: self.chance.randrange(_HEADER)] + _END
            case 2:
                # The end is hit: this frame and the next become one that is neither.
                return frame[:-1]
            case 3:
                return b"\x55" * self.chance.randint(1, 2000) + frame
            case _:
                hit = bytearray(frame)
                # A zero for safety before a frame is a frame of nothing.
                place = min(len(hit) - 1, self.chance.randrange(1, _HEADER))
                hit[place] ^= 1 << self.chance.randrange(8)
                return bytes(hit)


class RawEnd:
    """One end of a cable, as a raw port. ``woken`` is called when bytes have arrived."""

    def __init__(self, cable: Cable, side: int, woken: Callable[[], None]) -> None:
        self._cable = cable
        self.side = side
        self._woken = woken
        self._arrived = bytearray()
        self._begun = bytearray()

    def open(self) -> None:
        """Open the device. Raises Unavailable if it is not plugged in."""
        if not self._cable.is_plugged:
            raise Unavailable("serial: no such device")
        self._arrived.clear()
        self._begun.clear()
        self._cable.ends[self.side] = self

    def close(self) -> None:
        if self._cable.ends.get(self.side) is self:
            del self._cable.ends[self.side]

    def fileno(self) -> int:
        if self._cable.ends.get(self.side) is not self:
            raise Unavailable("serial: not open")
        return 1_000 + self._cable.number

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable if the device was unplugged."""
        self._check()
        data = bytes(self._arrived)
        self._arrived.clear()
        return data

    def write(self, data: bytes) -> int:
        """Put bytes on the line. Raises Unavailable if the device was unplugged."""
        self._check()
        self._begun += data
        *frames, rest = self._begun.split(_END)
        self._begun = rest
        for frame in frames:
            self._cable.carry(bytes(frame) + _END, self)
        return len(data)

    def wants_write(self) -> bool:
        return False

    def came(self, data: bytes) -> None:
        self._arrived += data
        self._woken()

    def _check(self) -> None:
        if not self._cable.is_plugged or self._cable.ends.get(self.side) is not self:
            raise Unavailable("serial: unplugged")


def _plain_size(frame: bytes) -> int:
    """Return a frame's length before stuffing, which depends on what TLS drew."""
    try:
        return len(cobs_decode(frame[:-1])) + 3
    except PeerFault:
        return len(frame)


_BYTE_S = 10 / BAUD
_CHUNK = 23
"""The number of bytes sent in two milliseconds."""
_KEPT_S = 0.5
_LATEST_S = 0.003
_LONGEST_WAIT_S = 1.0


class Pairs:
    """Two pairs of wires, of which one may be plugged into the other."""

    def __init__(self, loop: VirtualLoop, chance: random.Random) -> None:
        self.loop = loop
        self.chance = chance
        self.are_joined = False
        self.octets = 0
        self.collisions = 0
        self._ends: list[PairEnd] = []
        self._speeches: list[tuple[PairEnd, float, float]] = []

    def plug(self, end: "PairEnd") -> None:
        if end not in self._ends:
            self._ends.append(end)

    def pull(self, end: "PairEnd") -> None:
        if end in self._ends:
            self._ends.remove(end)

    def speak(self, end: "PairEnd", said: bytes) -> None:
        """Carry bytes piece by piece to all ends that hear this one."""
        now_s = self.loop.time()
        start = max(now_s, end.busy_until_s)
        end.busy_until_s = start + len(said) * _BYTE_S
        self._speeches = [speech for speech in self._speeches if speech[2] > now_s - _KEPT_S]
        self._speeches.append((end, start, end.busy_until_s))
        for at in range(0, len(said), _CHUNK):
            piece = said[at : at + _CHUNK]
            first, last = start + at * _BYTE_S, start + (at + len(piece)) * _BYTE_S
            self.loop.call_at(last, self._carry, end, piece, first, last)

    def _carry(self, end: "PairEnd", piece: bytes, first_s: float, last_s: float) -> None:
        if end not in self._ends:
            return
        hearers = [other for other in self._ends if other is not end and self._hears(end, other)]
        if any(
            other is not end and self._hears(end, other) and begun < last_s and over > first_s
            for other, begun, over in self._speeches
        ):
            self.collisions += 1
            piece = self.chance.randbytes(len(piece))
        self.octets += len(piece)
        for other in hearers:
            other.came(piece)

    def _hears(self, one: "PairEnd", other: "PairEnd") -> bool:
        return self.are_joined or one.side == other.side


class PairEnd:
    """One end, as a port of one of the two pairs."""

    def __init__(self, pairs: Pairs, side: str) -> None:
        self.pairs = pairs
        self.side = side
        self.busy_until_s = 0.0
        self.turns: VirtualTurns | None = None
        self._arrived = bytearray()

    def open(self) -> None:
        self._arrived.clear()
        self.pairs.plug(self)

    def close(self) -> None:
        self.turns = None
        self.pairs.pull(self)

    def fileno(self) -> int:
        raise Unavailable("a virtual pair has no descriptor")

    def read(self) -> bytes:
        data = bytes(self._arrived)
        self._arrived.clear()
        return data

    def write(self, data: bytes) -> int:
        self.pairs.speak(self, data)
        return len(data)

    def wants_write(self) -> bool:
        return False

    def came(self, data: bytes) -> None:
        self._arrived += data
        if self.turns is not None:
            self.turns.poke()


class VirtualTurns:
    """A ``TurnThread`` that is run by the loop of this world, a little late as programs are."""

    def __init__(
        self, port: Port, clock_ms: Callable[[], int], step: Step, over: Callable[[], None], *, name: str
    ) -> None:
        del over, name
        assert isinstance(port, PairEnd)
        self._port = port
        self._clock_ms = clock_ms
        self._step = step
        self._loop = port.pairs.loop
        self._runs_at_s: float | None = None
        self.error: SaloonError | None = None

    def start(self) -> None:
        self._port.open()
        self._port.turns = self
        self.poke()

    def poke(self) -> None:
        self._run_in(self._port.pairs.chance.uniform(0, _LATEST_S))

    def stop(self) -> None:
        if self._port.turns is self:
            self._port.close()

    def _run_in(self, seconds: float) -> None:
        at_s = self._loop.time() + seconds
        if self._runs_at_s is None or at_s < self._runs_at_s:
            self._runs_at_s = at_s
            self._loop.call_at(at_s, self._run, at_s)

    def _run(self, at_s: float) -> None:
        if self._port.turns is not self or at_s != self._runs_at_s:
            return
        self._runs_at_s = None
        said, deadline_ms = self._step(self._port.read(), self._clock_ms())
        if said:
            self._port.write(said)
        wait_ms = _LONGEST_WAIT_S * 1000 if deadline_ms is None else deadline_ms - self._clock_ms()
        # Deadlines are in whole milliseconds, and one that is now means the next.
        self._run_in(max(0.001, min(_LONGEST_WAIT_S, wait_ms / 1000)))


class WakingBusPort(BusPort):
    """A terminal's port that wakes its terminal when there is something to read."""

    def __init__(
        self, end: PairEnd, unit: bytes, clock_ms: Callable[[], int], woken: Callable[[], None]
    ) -> None:
        super().__init__(end, unit, clock_ms, baud=BAUD)
        self._woken = woken

    def _poke(self) -> None:
        super()._poke()
        self._woken()


class _Drawn:
    """Random values in place of the module ``secrets``."""

    def __init__(self, chance: random.Random) -> None:
        self.randbelow = chance.randrange
        self.randbits = chance.getrandbits


@contextlib.contextmanager
def on_pairs(seed: int) -> Iterator[None]:
    """Run the block's stations and terminals on virtual pairs."""
    drawn = _Drawn(random.Random(f"pairs {seed}"))
    with contextlib.ExitStack() as stack:
        for module in ("station.bus", "ports.bus_port"):
            stack.enter_context(mock.patch(f"sync.{module}.TurnThread", VirtualTurns))
            stack.enter_context(mock.patch(f"sync.{module}.secrets", drawn))
        yield
