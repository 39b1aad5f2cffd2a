"""A simulated serial line between two ptys, as slow, delayed and noisy as a real one.

Each direction carries ``baud / 10`` bytes a second with the given disturbances: delays of USB adapters, wrong
bits, losses, bursts of noise, half duplex. The same seed gives the same noise. A line can be cut and joined
again; while it is cut, a program that has an end open gets an input/output error, as from an unplugged
adapter.

``python -m demo.shaped_lines.line --a PATH --b PATH`` simulates a line until it is stopped; SIGUSR1
unplugs the cable, SIGUSR2 plugs it in.
"""

import contextlib
import fcntl
import os
import select
import signal
import termios
import threading
import time
import tty
from pathlib import Path
from typing import Self

import click

from demo.shaped_lines.direction import LineDirection, Weather, collide


class PtyEnd:
    """One pty: this process has the master; another program opens the slave by its path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1
        self._slave = -1

    def join(self) -> None:
        """Plug this end in: create a pty and link the path to it."""
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        name = os.ttyname(self._slave)
        # Keep the slave open, so that the master isn't hung up whenever the program closes it.
        beside = self.path.with_name(self.path.name + ".new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(name)
        beside.replace(self.path)

    def cut(self) -> None:
        """Unplug this end: a program that has the device open gets an input/output error."""
        # Remove the path, as another program may get the same pty number now.
        self.path.unlink(missing_ok=True)
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self.master = self._slave = -1

    def waiting(self) -> int:
        """Return the number of unread bytes in the slave's input queue."""
        buffer = bytearray(4)
        fcntl.ioctl(self._slave, termios.FIONREAD, buffer)
        return int.from_bytes(buffer, "little")


_TICK_S = 0.001
_QUEUE = 1024
_READ = 256


class ShapedLine:
    """A line between two ends at the paths a and b.

    quantum_s, flips: shorthand for a Weather with only these.
    weather: its times are relative to the start.
    """

    def __init__(
        self,
        a: Path,
        b: Path,
        *,
        baud: int = 115_200,
        quantum_s: float = 0.0,
        flips: float = 0.0,
        seed: int = 1,
        weather: Weather | None = None,
    ) -> None:
        self._weather = weather or Weather(quantum_ms=quantum_s * 1000, flips=flips)
        self._ends = (PtyEnd(a), PtyEnd(b))
        self._ways = (LineDirection(baud, self._weather, seed), LineDirection(baud, self._weather, seed + 1))
        self._begun = time.monotonic()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._joined = False
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)

    def __enter__(self) -> Self:
        self.join()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.cut()
        for end in self._ends:
            end.path.unlink(missing_ok=True)

    def join(self) -> None:
        """Plug the cable in; both paths lead to devices again."""
        with self._lock:
            for end in self._ends:
                end.join()
            self._joined = True

    def cut(self) -> None:
        """Unplug the cable; undelivered data is lost."""
        with self._lock:
            for end in self._ends:
                end.cut()
            for way in self._ways:
                way.clear()
            self._joined = False

    def bytes_carried(self) -> tuple[int, int]:
        """Return the number of bytes delivered from a to b, and from b to a."""
        return self._ways[0].carried, self._ways[1].carried

    def now_ms(self) -> float:
        """Return the current time of the weather's clock in milliseconds."""
        return (time.monotonic() - self._begun) * 1000

    def _run(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                if self._joined:
                    self._move()
            time.sleep(_TICK_S)

    def _move(self) -> None:
        now_ms = self.now_ms()
        a, b = self._ends
        readable, _, _ = select.select([a.master, b.master], [], [], 0)
        for source, target, way in ((a, b, self._ways[0]), (b, a, self._ways[1])):
            while source.master in readable and way.waiting() < _QUEUE - _READ:
                try:
                    data = os.read(source.master, _READ)
                except (BlockingIOError, OSError):
                    break
                way.put(data, now_ms)
            # As with a UART, bytes wait on the line while the receiver's queue is full.
            room = _READ * 8 - target.waiting()
            ready = way.take(now_ms, max(0, room))
            if ready:
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(target.master, ready)
        if self._weather.half_duplex:
            collide(*self._ways)


@click.command()
@click.option("--a", "a", required=True, type=click.Path(path_type=Path), help="Path of one end.")
@click.option("--b", "b", required=True, type=click.Path(path_type=Path), help="Path of the other end.")
@click.option("--baud", default=115_200, show_default=True)
@click.option("--flips", default=0.0, show_default=True, help="Bit error rate.")
@click.option("--quantum-ms", default=0.0, show_default=True, help="Deliver bytes only at multiples of it.")
@click.option("--losses", default=0.0, show_default=True, help="Byte loss rate.")
@click.option("--half-duplex", is_flag=True, help="Turn bytes of both ends at once into noise.")
@click.option("--seed", default=1, show_default=True)
def main(
    a: Path,
    b: Path,
    *,
    baud: int,
    flips: float,
    quantum_ms: float,
    losses: float,
    half_duplex: bool,
    seed: int,
) -> None:
    """Simulate a serial line until stopped by a signal."""
    over = threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: over.set())
    weather = Weather(quantum_ms=quantum_ms, flips=flips, losses=losses, half_duplex=half_duplex)
    with ShapedLine(a, b, baud=baud, weather=weather, seed=seed) as line:
        signal.signal(signal.SIGUSR1, lambda *_: line.cut())
        signal.signal(signal.SIGUSR2, lambda *_: line.join())
        over.wait()


if __name__ == "__main__":
    main()
