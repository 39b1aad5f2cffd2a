"""A simulated serial line in a separate process, so that it doesn't slow the programs at its ends."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from sync.ports.link_port import LinkPort
from sync.ports.serial import SerialPort

BAUD = 115_200
BYTES_A_S = BAUD / 10
_PATIENCE_S = 10.0


class Rig:
    """The two ends of a line, a and b, in a directory.

    flips: probability of a wrong bit.
    quantum_ms: bytes are delivered at multiples of it, as by USB adapters.
    """

    def __init__(self, directory: Path, *, flips: float = 0.0, quantum_ms: float = 0.0) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.a, self.b = directory / "a", directory / "b"
        ends = ["--a", str(self.a), "--b", str(self.b), "--baud", str(BAUD)]
        weather = ["--flips", str(flips), "--quantum-ms", str(quantum_ms)]
        self._process = subprocess.Popen([sys.executable, "-m", "demo.shaped_line", *ends, *weather])

    def __enter__(self) -> Self:
        _until(lambda: self.a.exists() and self.b.exists())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def cut(self) -> None:
        self._process.send_signal(signal.SIGUSR1)
        _until(lambda: not self.a.exists())

    def join(self) -> None:
        self._process.send_signal(signal.SIGUSR2)
        _until(self.a.exists)

    def linked(self) -> tuple[LinkPort, LinkPort]:
        """Return an open and connected link at each end."""
        ends = linked(self.a), linked(self.b)
        for end in ends:
            end.open()
        while not all(end.counters().is_up for end in ends):
            pump(ends)
        return ends


def linked(path: Path) -> LinkPort:
    return LinkPort(SerialPort(str(path), BAUD), now_ms, baud=BAUD)


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def pump(ends: tuple[LinkPort, LinkPort]) -> None:
    """Let both ends do what is due."""
    for end in ends:
        end.advance(now_ms())
    time.sleep(0.001)


def pumped(ends: tuple[LinkPort, LinkPort], data: bytes) -> None:
    """Transfer bytes from the first end to the second. Raises ValueError if they arrive damaged."""
    left, arrived = data, bytearray()
    while len(arrived) < len(data):
        if left:
            left = left[ends[0].write(left[:8192]) :]
        pump(ends)
        arrived += ends[1].read()
    if arrived != data:
        raise ValueError("the data arrived damaged")


def elapsed_s(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


def _until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not wanted():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.01)
