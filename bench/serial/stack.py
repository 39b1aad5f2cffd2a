"""The whole path over a serial line: journal, session, TLS, link, and the station's disk."""

import contextlib
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.figure import Effort, percentile
from bench.hall.one_process import BenchStation, BenchTerminal
from bench.serial.rig import Rig, elapsed_s, linked

BACKLOG = 10_000
BODY = msgspec.msgpack.encode("one event of a game, as long as most are")
_TAPS = 100
_REPLUGS = 3
_AWAY_S = 3.0


@contextlib.contextmanager
def hall(quantum_ms: float) -> Iterator[tuple[Rig, BenchTerminal]]:
    """Yield a line, and a terminal that is enrolled with a station at its other end."""
    with (
        tempfile.TemporaryDirectory() as name,
        Rig(Path(name) / "rig", quantum_ms=quantum_ms) as rig,
        BenchStation(Path(name) / "station", [("line", lambda: linked(rig.b))]) as station,
    ):
        terminal = BenchTerminal(Path(name) / "terminal", station, linked(rig.a))
        try:
            one(terminal)
            yield rig, terminal
        finally:
            terminal.stop()


def one(terminal: BenchTerminal) -> None:
    """Send one event and wait until it is received."""
    terminal.append(BODY, 1)
    terminal.wait_received()


def idle_ms(quantum_ms: float, effort: Effort) -> float:
    """Return the 99th percentile of the time until a single event is received, in milliseconds."""
    chance = random.Random(1)
    with hall(quantum_ms) as (_, terminal):
        ways = []
        for _ in range(effort.count(_TAPS, 3)):
            time.sleep(chance.uniform(0, 0.05))
            ways.append(1000 * elapsed_s(lambda: one(terminal)))
        return percentile(ways, 99)


def backlog_s(quantum_ms: float, entries: int) -> float:
    """Return the seconds until a number of entries, appended at once, are received."""

    def all_of_them(terminal: BenchTerminal) -> None:
        terminal.append(BODY, entries)
        terminal.wait_received()

    with hall(quantum_ms) as (_, terminal):
        return elapsed_s(lambda: all_of_them(terminal))


def replugged_s(effort: Effort) -> float:
    """Return the longest of several times from plugging the cable in to receiving a waiting event."""
    with hall(16.0) as (rig, terminal):
        times = []
        for _ in range(effort.count(_REPLUGS)):
            rig.cut()
            terminal.append(BODY, 1)
            time.sleep(effort.seconds(_AWAY_S, 1.0))
            rig.join()
            times.append(elapsed_s(terminal.wait_received))
        return max(times)
