"""Slow readings, asked for on a thread of their own; they wait in a queue until the owner takes them."""

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from saloon.hardware.power import GaugeFault
from saloon.hardware.readings import Reading

EVERY_S: Final = 5.0
_WAITING: Final = 64
_LAST_ANSWER_S: Final = 2.5


class Told(msgspec.Struct, frozen=True):
    """What a gauge told: a reading, or why it has none."""

    gauge: str
    reading: Reading | None
    problem: str = ""


class Gauges:
    """Asks each gauge in turn, and again after every_s. wake: called on the thread when something changed."""

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
        self._told: dict[str, Told] = {}
        self._news: queue.Queue[Told] = queue.Queue(_WAITING)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gauges", daemon=True)

    def start(self) -> None:
        """Begin to ask; nothing to ask, no thread."""
        if self._gauges:
            self._thread.start()

    def look(self) -> None:
        """Ask all of them once; what differs from last time waits to be taken."""
        for name, read in self._gauges.items():
            told = self._asked(name, read)
            if told != self._told.get(name) and not self._news.full():
                self._told[name] = told
                self._news.put(told)
                self._wake()

    def take(self) -> tuple[Told, ...]:
        """What changed since the last time."""
        found = []
        while not self._news.empty():
            found.append(self._news.get())
        return tuple(found)

    def close(self) -> None:
        """Ask no more; one that is being asked is not waited for longer than its answer may take."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join(timeout=_LAST_ANSWER_S)

    def _run(self) -> None:
        while not self._ends.is_set():
            self.look()
            self._ends.wait(self._every_s)

    def _asked(self, name: str, read: Callable[[], Reading]) -> Told:
        try:
            return Told(name, read())
        except GaugeFault as fault:
            return Told(name, None, str(fault))
