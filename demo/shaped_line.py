"""A simulated serial line between two ptys, as slow and noisy as a real one.

``python -m demo.shaped_line --a PATH --b PATH`` simulates a line until it is stopped. SIGUSR1 unplugs the
cable, and SIGUSR2 plugs it in.
"""

import contextlib
import fcntl
import math
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
from typing import Self

import click
import msgspec

from base.system import shutdown_signals

_BITS_A_BYTE = 10
_DATA_BITS = 8
_NEVER = 1e-15


class Weather(msgspec.Struct, frozen=True):
    """The disturbances of a line. Times are in milliseconds of the caller's clock.

    delay_ms: latency of every byte.
    quantum_ms: interval at which bytes are delivered, as by USB adapters.
    flips: probability that a bit is wrong.
    losses, doubles: probability that a byte is lost or doubled.
    bursts: spans (from, to) in which bytes become noise.
    drops: spans in which bytes are lost.
    stalls: spans in which bytes wait.
    half_duplex: whether bytes sent by both ends at once become noise.
    """

    delay_ms: float = 0.0
    quantum_ms: float = 0.0
    flips: float = 0.0
    losses: float = 0.0
    doubles: float = 0.0
    bursts: tuple[tuple[float, float], ...] = ()
    drops: tuple[tuple[float, float], ...] = ()
    half_duplex: bool = False
    stalls: tuple[tuple[float, float], ...] = ()


class LineDirection:
    """One direction of a line. The same seed gives the same noise."""

    def __init__(self, baud: int, weather: Weather, seed: int) -> None:
        self._byte_ms = _BITS_A_BYTE * 1000 / baud
        self._weather = weather
        self._chance = random.Random(seed)  # noqa: S311 (noise)
        self._way: deque[tuple[float, bytearray]] = deque()
        self._free_at_ms = 0.0
        self._to_flip = self._gap(weather.flips)
        self._to_lose = self._gap(weather.losses)
        self._to_double = self._gap(weather.doubles)
        self.carried = 0
        self.flipped = 0

    def waiting(self) -> int:
        """Return the number of undelivered bytes."""
        return sum(len(data) for _, data in self._way)

    def put(self, data: bytes, now_ms: float) -> None:
        """Send bytes."""
        if not data:
            return
        begin_ms = max(self._free_at_ms, now_ms)
        begin_ms = max(
            [begin_ms, *(to_ms for from_ms, to_ms in self._weather.stalls if from_ms <= begin_ms < to_ms)]
        )
        self._free_at_ms = begin_ms + len(data) * self._byte_ms
        self._way.append((begin_ms, self._flip_bits(data)))
        for from_ms, to_ms in self._weather.bursts:
            if begin_ms < to_ms and from_ms < self._free_at_ms:
                self.spoil(max(from_ms, begin_ms), to_ms)

    def spans(self) -> tuple[tuple[float, float], ...]:
        """Return the spans (from, to) in milliseconds in which undelivered bytes are transmitted."""
        return tuple((begin_ms, begin_ms + len(data) * self._byte_ms) for begin_ms, data in self._way)

    def spoil(self, from_ms: float, to_ms: float) -> None:
        """Turn undelivered bytes that are transmitted within a span into noise."""
        for begin_ms, data in self._way:
            first, last = self._between(data, begin_ms, from_ms, to_ms)
            data[first:last] = self._chance.randbytes(last - first)

    def take(self, now_ms: float, most: int) -> bytes:
        """Return up to ``most`` bytes that have arrived by now."""
        quantum = self._weather.quantum_ms
        seen_ms = math.floor(now_ms / quantum) * quantum if quantum else now_ms
        seen_ms -= self._weather.delay_ms
        out = bytearray()
        while self._way and len(out) < most:
            begin_ms, data = self._way[0]
            count = min(int((seen_ms - begin_ms) / self._byte_ms + 1e-6), len(data), most - len(out))
            if count <= 0:
                break
            out += self._drop_and_double(data[:count], begin_ms)
            self.carried += count
            del data[:count]
            if data:
                self._way[0] = (begin_ms + count * self._byte_ms, data)
            else:
                self._way.popleft()
        return bytes(out)

    def clear(self) -> None:
        self._way.clear()

    def _gap(self, chance: float) -> int:
        """Return the number of undisturbed items before the next disturbed one, or -1 if there is none."""
        if chance < _NEVER:
            return -1
        return int(math.log(1.0 - self._chance.random()) / math.log1p(-chance)) if chance < 1 else 0

    def _flip_bits(self, data: bytes) -> bytearray:
        out = bytearray(data)
        if self._to_flip < 0:
            return out
        bits = len(out) * _DATA_BITS
        while self._to_flip < bits:
            out[self._to_flip // _DATA_BITS] ^= 1 << self._to_flip % _DATA_BITS
            self.flipped += 1
            self._to_flip += 1 + self._gap(self._weather.flips)
        self._to_flip -= bits
        return out

    def _between(self, data: bytearray, begin_ms: float, from_ms: float, to_ms: float) -> tuple[int, int]:
        first = max(0, math.ceil((from_ms - begin_ms) / self._byte_ms))
        return first, max(first, min(len(data), math.ceil((to_ms - begin_ms) / self._byte_ms)))

    def _drop_and_double(self, data: bytearray, begin_ms: float) -> bytearray:
        for from_ms, to_ms in sorted(self._weather.drops, reverse=True):
            first, last = self._between(data, begin_ms, from_ms, to_ms)
            del data[first:last]
        if self._to_lose < 0 and self._to_double < 0:
            return data
        out = bytearray()
        for byte in data:
            is_lost, self._to_lose = self._next(self._to_lose, self._weather.losses)
            is_double, self._to_double = self._next(self._to_double, self._weather.doubles)
            if not is_lost:
                out += bytes([byte]) * (2 if is_double else 1)
        return out

    def _next(self, left: int, chance: float) -> tuple[bool, int]:
        return (True, self._gap(chance)) if left == 0 else (False, left - 1 if left > 0 else left)


def collide(one: LineDirection, other: LineDirection) -> None:
    """Turn bytes that both directions transmit at the same time into noise, as on one pair of wires."""
    for begin_ms, end_ms in one.spans():
        for other_begin_ms, other_end_ms in other.spans():
            from_ms, to_ms = max(begin_ms, other_begin_ms), min(end_ms, other_end_ms)
            if from_ms < to_ms:
                one.spoil(from_ms, to_ms)
                other.spoil(from_ms, to_ms)


class PtyEnd:
    """A pty whose slave another program opens by a path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1
        self._slave = -1

    def join(self) -> None:
        """Plug this end in: create the pty and link the path to it."""
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
        """Unplug this end, so that a program that has the device open gets an input/output error."""
        # Remove the path, as another program may get the same pty number now.
        self.path.unlink(missing_ok=True)
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self.master = self._slave = -1

    def waiting(self) -> int:
        """Return the number of bytes that the other program hasn't read."""
        buffer = bytearray(4)
        fcntl.ioctl(self._slave, termios.FIONREAD, buffer)
        return int.from_bytes(buffer, "little")


_TICK_S = 0.001
_QUEUE = 1024
_READ = 256


class ShapedLine:
    """A line between two devices.

    quantum_s, flips: the disturbances, unless ``weather`` has them.
    weather: the disturbances, with times relative to the start.
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
        """Plug the cable in: create the devices at both paths."""
        with self._lock:
            for end in self._ends:
                end.join()
            self._joined = True

    def cut(self) -> None:
        """Unplug the cable. Undelivered bytes are lost."""
        with self._lock:
            for end in self._ends:
                end.cut()
            for way in self._ways:
                way.clear()
            self._joined = False

    def bytes_carried(self) -> tuple[int, int]:
        return self._ways[0].carried, self._ways[1].carried

    def now_ms(self) -> float:
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
    weather = Weather(quantum_ms=quantum_ms, flips=flips, losses=losses, half_duplex=half_duplex)
    with shutdown_signals(over.set), ShapedLine(a, b, baud=baud, weather=weather, seed=seed) as line:
        signal.signal(signal.SIGUSR1, lambda *_: line.cut())
        signal.signal(signal.SIGUSR2, lambda *_: line.join())
        over.wait()


if __name__ == "__main__":
    main()
