"""A simulated RS-485 bus, each end of which is a pty.

Bytes sent from one end reach all others at the speed of the bus. Bytes that two ends send at the same time
arrive as garbage.

``python -m demo.shaped_bus --end PATH --end PATH …`` simulates a bus until it is stopped.
"""

import contextlib
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
from demo.shaped_line import PtyEnd

_BITS_A_BYTE = 10
_TICK_S = 0.002
_IDLE_S = 0.02
_READ = 4096
_BABBLE = 32


@dataclass
class _Place:
    """One end of the bus.

    saying, next_at: bytes to send, and the time at which the first of them starts.
    hearing, hear_at: received bytes, and the time at which to deliver them.
    """

    end: PtyEnd
    is_in: bool = False
    saying: bytearray = field(default_factory=bytearray)
    next_at: float = 0.0
    hearing: bytearray = field(default_factory=bytearray)
    hear_at: float = 0.0
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
        self._byte_s = _BITS_A_BYTE / baud
        self._quantum_s = quantum_s
        self._flips = flips
        self._chance = random.Random(seed)  # noqa: S311 (noise)
        self._places = [_Place(PtyEnd(path)) for path in paths]
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
            place.saying.clear()
            place.hearing.clear()
            place.end.cut()

    def babble(self, number: int, *, on: bool) -> None:
        with self._lock:
            self._places[number].babbles = on

    def _run(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                places = [place for place in self._places if place.is_in]
                is_quiet = not any(place.saying or place.hearing or place.babbles for place in places)
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
        now = time.monotonic()
        for place in ready:
            with contextlib.suppress(BlockingIOError, OSError):
                said = os.read(place.end.master, _READ)
                if said and not place.saying:
                    place.next_at = max(place.next_at, now)
                place.saying += said
        for place in self._places:
            if place.is_in and place.babbles and len(place.saying) < _BABBLE:
                place.next_at = max(place.next_at, now) if not place.saying else place.next_at
                place.saying += self._chance.randbytes(_BABBLE)
        speaking = [place for place in self._places if place.is_in and place.saying]
        for place, piece in self._due(speaking, now):
            self._tell_others(place, piece, now)
        for place in self._places:
            if place.is_in and place.hearing and now >= place.hear_at:
                # A full queue loses bytes, as a UART's does.
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(place.end.master, bytes(place.hearing))
                place.hearing.clear()

    def _due(self, speaking: list[_Place], now: float) -> list[tuple[_Place, bytes]]:
        """Return the bytes that each end has sent by now, as garbage if another end was sending."""
        spans = {}
        for place in speaking:
            count = min(len(place.saying), max(0, int((now - place.next_at) / self._byte_s)))
            spans[id(place)] = (place.next_at, place.next_at + len(place.saying) * self._byte_s, count)
        out = []
        for place in speaking:
            start, _, count = spans[id(place)]
            if not count:
                continue
            end = start + count * self._byte_s
            met = any(
                other is not place and spans[id(other)][0] < end and spans[id(other)][1] > start
                for other in speaking
            )
            piece = bytes(place.saying[:count])
            del place.saying[:count]
            place.next_at = end
            out.append((place, self._chance.randbytes(count) if met else self._noisy(piece)))
        return out

    def _tell_others(self, speaker: _Place, piece: bytes, now: float) -> None:
        for place in self._places:
            if place.is_in and place is not speaker:
                if not place.hearing:
                    place.hear_at = now
                    if self._quantum_s:
                        place.hear_at = (now // self._quantum_s + 1) * self._quantum_s
                place.hearing += piece

    def _noisy(self, piece: bytes) -> bytes:
        if not self._flips:
            return piece
        return bytes(
            byte ^ (1 << self._chance.randrange(8)) if self._chance.random() < self._flips * 8 else byte
            for byte in piece
        )


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
