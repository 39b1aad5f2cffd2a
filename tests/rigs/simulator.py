"""A serial line and its two ends without a real clock: simulating seconds at 115200 baud takes milliseconds.

The ends are ``LinkPort``s over ports of this line, so that everything is tested that runs over a real line,
except the kernel. The same seed gives the same run.
"""

from collections.abc import Callable

from base.errors import Unavailable
from demo.shaped_line import LineDirection, Weather, collide
from sync.ports.link_port import LinkPort

BAUD = 115_200
_QUEUE = 4096
"""Bytes that a port buffers for its line, as a kernel does."""
_READ = 4096


class SimulatedPort:
    """One end of a simulated line, as a raw port."""

    def __init__(self, out: LineDirection, come: LineDirection, line: "SimulatedLine") -> None:
        self._out = out
        self._come = come
        self._line = line
        self._is_open = False

    def open(self) -> None:
        if self._line.is_cut:
            raise Unavailable("the simulated line is cut")
        self._is_open = True

    def close(self) -> None:
        self._is_open = False

    def fileno(self) -> int:
        raise Unavailable("a simulated line has no descriptor")

    def read(self) -> bytes:
        self._hold()
        return self._come.take(self._line.now_ms, _READ)

    def write(self, data: bytes) -> int:
        self._hold()
        taken = data[: max(0, _QUEUE - self._out.waiting())]
        self._out.put(taken, self._line.now_ms)
        if self._line.weather.half_duplex:
            collide(self._out, self._come)
        return len(taken)

    def wants_write(self) -> bool:
        return False

    def _hold(self) -> None:
        if self._line.is_cut or not self._is_open:
            raise Unavailable("the simulated line is gone")


class SimulatedLine:
    """Two ports and their common clock, in whole milliseconds.

    ``real_baud`` is the speed of the line, which its ends assume to be 115200.
    """

    def __init__(self, weather: Weather, seed: int, real_baud: int = BAUD) -> None:
        self.weather = weather
        self.now_ms = 0
        self.is_cut = False
        self.ways = (LineDirection(real_baud, weather, seed), LineDirection(real_baud, weather, seed + 1))
        self.ports = (
            SimulatedPort(self.ways[0], self.ways[1], self),
            SimulatedPort(self.ways[1], self.ways[0], self),
        )

    def clock_ms(self) -> int:
        return self.now_ms

    def linked(self, end: int, session: int) -> LinkPort:
        port = LinkPort(self.ports[end], self.clock_ms, baud=BAUD, sessions=_one_after_another(session))
        port.open()
        return port

    def cut(self) -> None:
        self.is_cut = True
        for way in self.ways:
            way.clear()

    def join(self) -> None:
        self.is_cut = False


class LinkedPair:
    """Two links on a simulated line, and the bytes that they have to send."""

    def __init__(
        self,
        weather: Weather = Weather(),  # noqa: B008 (frozen)
        seed: int = 1,
        real_baud: int = BAUD,
    ) -> None:
        self.line = SimulatedLine(weather, seed, real_baud)
        self.ends = (self.line.linked(0, 1_000 + seed), self.line.linked(1, 30_000 + seed))
        self.to_say = [bytearray(), bytearray()]
        self.received = [bytearray(), bytearray()]
        self.resets = [0, 0]

    def step(self) -> None:
        """Let a millisecond pass, or more if nothing is in transit and nothing is due."""
        line = self.line
        line.now_ms += 1
        for i, end in enumerate(self.ends):
            if self.to_say[i]:
                del self.to_say[i][: end.write(bytes(self.to_say[i][:4096]))]
            end.advance(line.now_ms)
            self.received[i] += end.read()
            self.resets[i] += end.was_reset()

    def until(self, wanted: Callable[[], bool], patience_ms: int) -> int:
        """Let time pass until a condition holds, and return the milliseconds. Raises TimeoutError."""
        begun_ms = self.line.now_ms
        while not wanted():
            if self.line.now_ms - begun_ms >= patience_ms:
                raise TimeoutError([end.counters() for end in self.ends])
            self.step()
        return self.line.now_ms - begun_ms

    def pass_time(self, span_ms: int) -> None:
        for _ in range(span_ms):
            self.step()

    def until_up(self) -> None:
        self.until(lambda: all(end.counters().is_up for end in self.ends), 60_000)


def linked(weather: Weather = Weather(), seed: int = 1, real_baud: int = BAUD) -> LinkedPair:  # noqa: B008 (frozen)
    """Return two links that have come up."""
    pair = LinkedPair(weather, seed, real_baud)
    pair.until_up()
    return pair


def _one_after_another(first: int) -> Callable[[], int]:
    left = iter(range(first, 0xFFFF))
    return lambda: next(left)
