"""A simulated RS-485 bus, each end of which is a pty.

Bytes sent from one end reach all others at the speed of the bus. Bytes that two ends send at the same time
arrive as garbage.

``python -m demo.shaped_bus --end PATH --end PATH …`` simulates a bus until it is stopped.
"""

import contextlib
import itertools
import os
import random
import select
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import click

from base.system import shutdown_signals
from demo.shaped_line import LineDirection, PtyEnd, Weather, collide

_TICK_S = 0.002
_IDLE_S = 0.02
_READ = 4096
_BABBLE = 32


@dataclass
class _Place:
    end: PtyEnd
    sent: LineDirection
    is_in: bool = False
    received: bytearray = field(default_factory=bytearray)
    babbles: bool = False


class ShapedBus:
    """A simulated RS-485 bus with a pty at each path.

    quantum_s: interval at which adapters deliver bytes.
    flips: probability that a bit is wrong.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        baud: int = 115_200,
        quantum_s: float = 0.0,
        flips: float = 0.0,
        seed: int = 1,
    ) -> None:
        weather = Weather(quantum_ms=quantum_s * 1000, flips=flips)
        self._chance = random.Random(seed)  # noqa: S311 (noise)
        self._places = [
            _Place(PtyEnd(path), LineDirection(baud, weather, seed + number))
            for number, path in enumerate(paths)
        ]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="shaped bus", daemon=True)

    def __enter__(self) -> Self:
        for number in range(len(self._places)):
            self.plug(number)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        for number, place in enumerate(self._places):
            self.unplug(number)
            place.end.path.unlink(missing_ok=True)

    def plug(self, number: int) -> None:
        """Connect an end to the bus, and create the device at its path."""
        with self._lock:
            place = self._places[number]
            if not place.is_in:
                place.end.join()
                place.is_in = True

    def unplug(self, number: int) -> None:
        """Disconnect an end, so that a program that has it open gets an input/output error."""
        with self._lock:
            place = self._places[number]
            place.is_in = place.babbles = False
            place.sent.clear()
            place.received.clear()
            place.end.cut()

    def babble(self, number: int, *, on: bool) -> None:
        with self._lock:
            self._places[number].babbles = on

    def _run(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                places = [place for place in self._places if place.is_in]
                is_quiet = not any(place.sent.waiting() or place.babbles for place in places)
                masters = {place.end.master: place for place in places}
            try:
                ready, _, _ = select.select(list(masters), [], [], _IDLE_S if is_quiet else 0)
            except (OSError, ValueError):
                # The end was unplugged meanwhile.
                continue
            if not is_quiet:
                time.sleep(_TICK_S)
            with self._lock:
                self._move([masters[fd] for fd in ready if masters[fd].is_in])

    def _move(self, ready: list[_Place]) -> None:
        now_ms = time.monotonic() * 1000
        for place in ready:
            with contextlib.suppress(BlockingIOError, OSError):
                place.sent.put(os.read(place.end.master, _READ), now_ms)
        places = [place for place in self._places if place.is_in]
        for place in places:
            if place.babbles and place.sent.waiting() < _BABBLE:
                place.sent.put(self._chance.randbytes(_BABBLE), now_ms)
        senders = [place for place in places if place.sent.waiting()]
        for one, other in itertools.combinations(senders, 2):
            collide(one.sent, other.sent)
        for sender in senders:
            piece = sender.sent.take(now_ms, _READ)
            for place in places:
                if place is not sender:
                    place.received += piece
        for place in places:
            if place.received:
                # A full queue loses bytes, as a UART's does.
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(place.end.master, place.received)
                place.received.clear()


@click.command()
@click.option(
    "--end",
    "ends",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="Path of an end; repeat it.",
)
@click.option("--baud", default=115_200, show_default=True)
@click.option("--quantum-ms", default=0, show_default=True, help="How long adapters hold back bytes.")
@click.option("--flips", default=0.0, show_default=True, help="Bit error rate.")
@click.option("--seed", default=1, show_default=True)
def main(ends: tuple[Path, ...], baud: int, quantum_ms: int, flips: float, seed: int) -> None:
    """Simulate a pair of wires until stopped by a signal."""
    over = threading.Event()
    bus = ShapedBus(ends, baud=baud, quantum_s=quantum_ms / 1000, flips=flips, seed=seed)
    with shutdown_signals(over.set), bus:
        over.wait()


if __name__ == "__main__":
    main()
