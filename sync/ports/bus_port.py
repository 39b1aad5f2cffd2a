"""A terminal's end of a shared pair of wires, as a stream: silent unless polled, on its own thread."""

import secrets
import threading
from collections.abc import Callable

from base.errors import Unavailable
from sync.bus.slave import BusSlave
from sync.link.counters import Counters
from sync.ports.findings import Finding, NotReached
from sync.ports.port import Port
from sync.ports.turns import TurnThread
from sync.ports.wakeup import Wakeup

QUEUED = 4_096
"""Bytes that a kernel should buffer for the wires: a whole turn, so that it has no gaps."""
_FULL_LOOK_MS = 20
"""Milliseconds until a stream that accepted only part of the bytes is tried again."""


class BusPort:
    """A ``StreamPort`` over a raw port shared with others.

    ``unit`` consists of 4 to 8 bytes that identify this terminal. Opening begins a new life on the bus. If
    the station restarts, ``read`` raises Unavailable.
    """

    def __init__(self, port: Port, unit: bytes, clock_ms: Callable[[], int], *, baud: int) -> None:
        self._port = port
        self._clock_ms = clock_ms
        self._slave = BusSlave(unit, _life(), baud=baud, chance=secrets.randbelow)
        self._lock = threading.Lock()
        self._thread: TurnThread | None = None
        self._wakeup: Wakeup | None = None
        self._is_full = False

    def open(self) -> None:
        """Open the wires and wait for an invitation. Raises Unavailable."""
        self._slave.begin(_life())
        thread = TurnThread(self._port, self._clock_ms, self._step, self._poke, name="bus")
        thread.start()
        self._wakeup = Wakeup()
        self._thread = thread

    def close(self) -> None:
        """Release the wires; harmless if they are not open."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        thread.stop()
        if self._wakeup is not None:
            self._wakeup.close()

    def fileno(self) -> int:
        """Return a file that is readable on new bytes, or when the stream has ended. Raises Unavailable."""
        self._require_thread()
        assert self._wakeup is not None, "made with the thread"
        return self._wakeup.fileno()

    def read(self) -> bytes:
        """Return the bytes of the stream received in order. Raises Unavailable."""
        thread = self._require_thread()
        if self._wakeup is not None:
            self._wakeup.clear()
        with self._lock:
            data = self._slave.take_received()
            is_over = self._slave.is_over
            is_shared = self._slave.hears_two_stations(self._clock_ms())
        if not data and thread.error is not None:
            raise thread.error
        if not data and is_over:
            if is_shared:
                raise NotReached(Finding.TWO_STATIONS, "bus: two stations are on this pair of wires")
            raise Unavailable("bus: the station restarted")
        return data

    def write(self, data: bytes) -> int:
        """Queue bytes of the stream, and return how many were accepted.

        They are sent when the station polls.
        """
        self._require_thread()
        with self._lock:
            taken = 0 if self._slave.is_over else self._slave.send(data)
        self._is_full = taken < len(data)
        return taken

    def wants_write(self) -> bool:
        """Return False: writing is timed instead."""
        return False

    def advance(self, now_ms: int) -> None:
        """Do nothing: the thread runs the timers."""

    def next_deadline_ms(self) -> int | None:
        """Return when to try again, or None until something arrives."""
        return self._clock_ms() + _FULL_LOOK_MS if self._is_full else None

    def was_reset(self) -> bool:
        """Return False: ``read`` raises Unavailable instead."""
        return False

    def counters(self) -> Counters:
        """Return the counters of the pair since this port was created."""
        with self._lock:
            return self._slave.counters()

    def _require_thread(self) -> TurnThread:
        if self._thread is None:
            raise Unavailable("bus: not open")
        return self._thread

    def _step(self, data: bytes, now_ms: int) -> tuple[bytes, int | None]:
        with self._lock:
            self._slave.receive(data, now_ms)
            said = self._slave.to_line(now_ms)
            deadline_ms = self._slave.next_deadline_ms()
            has_news = self._slave.is_over or self._slave.has_received()
        if has_news:
            self._poke()
        return said, deadline_ms

    def _poke(self) -> None:
        if self._wakeup is not None:
            self._wakeup.wake()


def _life() -> int:
    return secrets.randbits(32)
