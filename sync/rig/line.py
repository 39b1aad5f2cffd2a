"""A serial line between two real ptys, as slow, late and noisy as a real one.

Each direction carries ``baud / 10`` bytes a second, may deliver in quanta (USB adapters do), and
may flip bits, from a seed. A line can be cut and joined again: while it is cut, whoever holds an
end gets an input/output error, as from an unplugged adapter.

``python -m saloon.sync.rig.line --a PATH --b PATH`` keeps a line until it is told to stop.
"""

import contextlib
import fcntl
import os
import random
import select
import signal
import termios
import threading
import time
import tty
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Self

import click

_BITS_A_BYTE = 10
_TICK_S = 0.004
_QUEUE = 1024
_READ = 256


class _End:
    """One pty: its master is ours, its slave belongs to whoever opens the link's path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1
        self._slave = -1

    def join(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        name = os.ttyname(self._slave)
        # Kept open by us, so that a slave that comes and goes never hangs the master up.
        beside = self.path.with_name(self.path.name + ".new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(name)
        beside.replace(self.path)

    def cut(self) -> None:
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self.master = self._slave = -1

    def waiting(self) -> int:
        """Bytes that lie in the slave's input queue, not yet read."""
        buffer = bytearray(4)
        fcntl.ioctl(self._slave, termios.FIONREAD, buffer)
        return int.from_bytes(buffer, "little")


class _Direction:
    """Bytes on their way from one end to the other, paced."""

    def __init__(self, bytes_per_s: float, quantum_s: float, flips: float, seed: int) -> None:
        self._rate = bytes_per_s
        self._quantum_s = quantum_s
        self._flips = flips
        self._chance = random.Random(seed)  # noqa: S311 (noise)
        self._way: deque[tuple[float, int]] = deque()
        self._free_at = 0.0
        self.carried = 0
        self.flipped = 0

    def room(self) -> int:
        return max(0, _QUEUE - len(self._way))

    def put(self, data: bytes, now: float) -> None:
        self._free_at = max(self._free_at, now)
        for byte in data:
            self._free_at += 1 / self._rate
            due = self._free_at
            if self._quantum_s:
                due = (due // self._quantum_s + 1) * self._quantum_s
            self._way.append((due, self._noisy(byte)))

    def take(self, now: float, most: int) -> bytes:
        out = bytearray()
        while self._way and self._way[0][0] <= now and len(out) < most:
            out.append(self._way.popleft()[1])
        self.carried += len(out)
        return bytes(out)

    def clear(self) -> None:
        self._way.clear()

    def _noisy(self, byte: int) -> int:
        if self._flips and self._chance.random() < self._flips * 8:
            self.flipped += 1
            return byte ^ (1 << self._chance.randrange(8))
        return byte


class ShapedLine:
    """A line whose ends are the paths a and b. flips: chance of a wrong bit (1e-5, say)."""

    def __init__(
        self,
        a: Path,
        b: Path,
        *,
        baud: int = 115_200,
        quantum_s: float = 0.0,
        flips: float = 0.0,
        seed: int = 1,
    ) -> None:
        rate = baud / _BITS_A_BYTE
        self._ends = (_End(a), _End(b))
        self._ways = (_Direction(rate, quantum_s, flips, seed), _Direction(rate, quantum_s, flips, seed + 1))
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._joined = False
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)

    def __enter__(self) -> Self:
        self.join()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        """Pull the cable out; what was on the way is gone."""
        with self._lock:
            for end in self._ends:
                end.cut()
            for way in self._ways:
                way.clear()
            self._joined = False

    def carried(self) -> tuple[int, int]:
        """Bytes delivered from a to b and from b to a."""
        return self._ways[0].carried, self._ways[1].carried

    def _run(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                if self._joined:
                    self._move()
            time.sleep(_TICK_S)

    def _move(self) -> None:
        now = time.monotonic()
        a, b = self._ends
        readable, _, _ = select.select([a.master, b.master], [], [], 0)
        for source, target, way in ((a, b, self._ways[0]), (b, a, self._ways[1])):
            while source.master in readable and way.room() > _READ:
                try:
                    data = os.read(source.master, _READ)
                except (BlockingIOError, OSError):
                    break
                way.put(data, now)
            # A UART has no more room than its queue: what nobody reads waits on the line.
            room = _READ * 8 - target.waiting()
            ready = way.take(now, max(0, room))
            if ready:
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(target.master, ready)


@click.command()
@click.option("--a", "a", required=True, type=click.Path(path_type=Path), help="Path of one end.")
@click.option("--b", "b", required=True, type=click.Path(path_type=Path), help="Path of the other end.")
@click.option("--baud", default=115_200, show_default=True)
@click.option("--flips", default=0.0, show_default=True, help="Chance of a wrong bit.")
@click.option("--seed", default=1, show_default=True)
def main(a: Path, b: Path, baud: int, flips: float, seed: int) -> None:
    """Keep a line until told to stop."""
    over = threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: over.set())
    with ShapedLine(a, b, baud=baud, flips=flips, seed=seed):
        over.wait()


if __name__ == "__main__":
    main()
