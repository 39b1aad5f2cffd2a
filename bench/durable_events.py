"""Events a second from terminals over TLS to the station's disk, beside a bare append and fsync."""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.figure import Figure
from bench.hall import BenchStation, BenchTerminal
from saloon.core.game.events import GameStep, LifeLost
from saloon.core.terms import GameId, SeatNo

TERMINALS = 8
EVENTS = 2_500
BATCH = 64
LATENCY_TAPS = 50

BODY = msgspec.msgpack.encode(GameStep(GameId("0123456789ab-r1-t1-a1"), (LifeLost(SeatNo(3)),)))


def measure() -> Sequence[Figure]:
    """Throughput of several terminals at once, and the way of a single event."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        rate, latency_ms = _through_the_station(directory)
        floor = _appends(directory / "floor", BODY, TERMINALS * EVENTS)
        return (
            Figure(
                f"durable events of {TERMINALS} terminals over TLS", "events/s", rate,
                f"one file, append and fdatasync every {BATCH}", floor, "more",
            ),
            Figure(
                "one event, saved to received (TLS, idle), median", "ms", latency_ms,
                "two appends with fdatasync, one after the other", 2 * _one_append_ms(directory / "single"),
            ),
        )  # fmt: skip


def _through_the_station(directory: Path) -> tuple[float, float]:
    with BenchStation(directory / "station") as station:
        terminals = [BenchTerminal(directory / f"t{n}", station) for n in range(TERMINALS)]
        for terminal in terminals:
            terminal.append(BODY, 1)
            terminal.wait_received()
        start = time.perf_counter()
        for terminal in terminals:
            terminal.append(BODY, EVENTS)
        for terminal in terminals:
            terminal.wait_received()
        rate = TERMINALS * EVENTS / (time.perf_counter() - start)
        ways = []
        for _ in range(LATENCY_TAPS):
            begun = time.perf_counter()
            terminals[0].append(BODY, 1)
            terminals[0].wait_received()
            ways.append((time.perf_counter() - begun) * 1000)
        for terminal in terminals:
            terminal.stop()
    return rate, sorted(ways)[len(ways) // 2]


def _appends(file: Path, body: bytes, count: int) -> float:
    start = time.perf_counter()
    with file.open("ab", buffering=0) as out:
        for first in range(0, count, BATCH):
            out.write(body * min(BATCH, count - first))
            os.fdatasync(out.fileno())
    return count / (time.perf_counter() - start)


def _one_append_ms(file: Path) -> float:
    taken = []
    with file.open("ab", buffering=0) as out:
        for _ in range(LATENCY_TAPS):
            start = time.perf_counter()
            out.write(BODY)
            os.fdatasync(out.fileno())
            taken.append((time.perf_counter() - start) * 1000)
    return sorted(taken)[len(taken) // 2]
