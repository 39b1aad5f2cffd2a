"""The recovery of a serial line after noise, or after losing the last frame."""

import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figure import Effort
from bench.serial.rig import linked, pump
from demo.shaped_line import ShapedLine, Weather
from sync.ports.link_port import LinkPort

BURST_MS = 100
_TIMES = 9
_TAIL_MS = 40


def _moments(count: int, length_ms: int) -> tuple[tuple[float, float], ...]:
    """Return ``count`` disturbances (begin, end) about a second apart, in milliseconds."""
    return tuple((1_500.0 + 1_007.0 * i, 1_500.0 + 1_007.0 * i + length_ms) for i in range(count))


@contextlib.contextmanager
def line_in(weather: Weather) -> Iterator[tuple[ShapedLine, tuple[LinkPort, LinkPort]]]:
    """Yield a disturbed line and a link at each end."""
    with tempfile.TemporaryDirectory() as name:
        a, b = Path(name) / "a", Path(name) / "b"
        with ShapedLine(a, b, weather=weather) as line:
            ends = linked(a), linked(b)
            for end in ends:
                end.open()
            yield line, ends
            for end in ends:
                end.close()


def after_bursts_ms(quantum_ms: float, effort: Effort) -> float:
    """Return the median time from the end of a burst of noise to the next byte in order."""
    bursts = _moments(effort.count(_TIMES), BURST_MS)
    weather = Weather(quantum_ms=quantum_ms, bursts=bursts)
    waits = []
    with line_in(weather) as (line, ends):
        for _, over_ms in bursts:
            while line.now_ms() < over_ms:
                ends[0].write(bytes(1024))
                pump(ends)
                ends[1].read()
            while not ends[1].read():
                ends[0].write(bytes(1024))
                pump(ends)
            waits.append(line.now_ms() - over_ms)
    return statistics.median(waits)


def after_tails_ms(quantum_ms: float, effort: Effort) -> float:
    """Return the median time to deliver a message whose first copy is lost."""
    tails = _moments(effort.count(_TIMES), _TAIL_MS)
    weather = Weather(quantum_ms=quantum_ms, drops=tails)
    ways = []
    with line_in(weather) as (line, ends):
        for at_ms, _ in tails:
            # Let the links measure the round trip first.
            while line.now_ms() < at_ms - 500:
                pump(ends)
                time.sleep(0.01)
            for _ in range(5):
                ends[0].write(bytes(60))
                while not ends[1].read():
                    pump(ends)
            while line.now_ms() < at_ms:
                pump(ends)
            ends[0].write(bytes(60))
            while not ends[1].read():
                pump(ends)
            ways.append(line.now_ms() - at_ms)
    return statistics.median(ways)
