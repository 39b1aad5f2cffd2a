"""Pairs of wires in virtual time, which may be joined by mistake, and on which simultaneous bytes collide.

The real ``StationBus`` and ``BusPort`` run on them. The thread that keeps their turns is replaced by one that
the loop of this world runs (``VirtualTurns``), and their random values are replaced by the seed's
(``on_pairs``).
"""

import contextlib
import random
from collections.abc import Callable, Iterator
from unittest import mock

from base.errors import SaloonError, Unavailable
from sync.ports.bus_port import BusPort, Step
from sync.ports.port import Port
from tests.soak.virtual_loop import VirtualLoop

BAUD = 115_200
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
