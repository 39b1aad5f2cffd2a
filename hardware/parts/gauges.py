"""Slow readings, taken on a thread of their own; they wait in a queue until the owner fetches them."""

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from saloon.hardware.parts.power import GaugeFault
from saloon.hardware.parts.readings import Reading

EVERY_S: Final = 5.0
_WAITING: Final = 64
_LAST_ANSWER_S: Final = 2.5


class GaugeReading(msgspec.Struct, frozen=True):
    """The answer of a gauge: a reading, or the reason there is none."""

    gauge: str
    reading: Reading | None
    problem: str = ""


class Gauges:
    """A thread that reads each gauge in turn, every every_s. wake: called on the thread after a change."""

    def __init__(
        self,
        gauges: Mapping[str, Callable[[], Reading]],
        wake: Callable[[], None],
        *,
        every_s: float = EVERY_S,
    ) -> None:
        self._gauges = gauges
        self._wake = wake
        self._every_s = every_s
        self._told: dict[str, GaugeReading] = {}
        self._news: queue.Queue[GaugeReading] = queue.Queue(_WAITING)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gauges", daemon=True)

    def start(self) -> None:
        """Start the thread, unless there are no gauges."""
        if self._gauges:
            self._thread.start()

    def look(self) -> None:
        """Read all gauges once, queueing the changes."""
        for name, read in self._gauges.items():
            told = self._read_gauge(name, read)
            if told != self._told.get(name) and not self._news.full():
                self._told[name] = told
                self._news.put(told)
                self._wake()

    def take(self) -> tuple[GaugeReading, ...]:
        """Return the changes since the last call."""
        found = []
        while not self._news.empty():
            found.append(self._news.get())
        return tuple(found)

    def close(self) -> None:
        """Stop reading, waiting for a pending reading no longer than it may take."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join(timeout=_LAST_ANSWER_S)

    def _run(self) -> None:
        while not self._ends.is_set():
            self.look()
            self._ends.wait(self._every_s)

    def _read_gauge(self, name: str, read: Callable[[], Reading]) -> GaugeReading:
        try:
            return GaugeReading(name, read())
        except GaugeFault as fault:
            return GaugeReading(name, None, str(fault))
