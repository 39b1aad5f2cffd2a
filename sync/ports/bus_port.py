"""A shared pair of wires, served by a thread, and a terminal's end of it as a stream.

Answers are due within milliseconds, whatever the disk, a page or the screen are doing.
"""

import secrets
import select
import threading
from collections.abc import Callable

from base.errors import OurFault, SaloonError, Unavailable
from base.wakeup import Wakeup
from sync.bus.slave import BusSlave
from sync.link.counters import Counters
from sync.ports.findings import Finding, NotReached
from sync.ports.port import Port, StreamPort

_LONGEST_WAIT_MS = 1_000
_DEVICE_FULL_MS = 2
"""The time (ms) until a device that accepted only some of the bytes is tried again."""

Step = Callable[[bytes, int], tuple[bytes, int | None]]
"""A function from received bytes and the time (ms) to bytes to send and the next deadline (ms)."""


class TurnThread:
    """A thread that moves bytes between a port and a state machine until it is stopped or the port fails.

    It calls ``step`` to run the machine, and ``over`` when the port has failed.
    """

    def __init__(
        self, port: Port, clock_ms: Callable[[], int], step: Step, over: Callable[[], None], *, name: str
    ) -> None:
        self._port = port
        self._clock_ms = clock_ms
        self._step = step
        self._over = over
        self._unsent = b""
        self._stopping = False
        self._wakeup: Wakeup | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.error: SaloonError | None = None

    def start(self) -> None:
        """Open the port and start the thread. Raises Unavailable."""
        self._port.open()
        self._wakeup = Wakeup()
        self._thread.start()

    def poke(self) -> None:
        """Make the thread call ``step`` now."""
        if self._wakeup is not None:
            self._wakeup.wake()

    def stop(self) -> None:
        """Stop the thread and release the port."""
        self._stopping = True
        self.poke()
        if self._thread.ident is not None:
            self._thread.join()
        self._port.close()
        if self._wakeup is not None:
            self._wakeup.close()

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._wait(self._turn())
        except Unavailable as error:
            self.error = error
        except Exception as error:  # noqa: BLE001
            # A caller who waits for this thread must be notified if it ends for any reason.
            self.error = OurFault(f"the thread of the bus failed: {error!r}")
        if self.error is not None:
            self._over()

    def _turn(self) -> int:
        """Do one step and return the time (ms) until which to wait."""
        data = b""
        while more := self._port.read():
            data += more
        to_send, deadline_ms = self._step(data, self._clock_ms())
        self._unsent += to_send
        if self._unsent:
            self._unsent = self._unsent[self._port.write(self._unsent) :]
        now_ms = self._clock_ms()
        if self._unsent:
            return now_ms + _DEVICE_FULL_MS
        latest = now_ms + _LONGEST_WAIT_MS
        return latest if deadline_ms is None else min(latest, deadline_ms)

    def _wait(self, until_ms: int) -> None:
        waiting = max(0, until_ms - self._clock_ms()) / 1000
        assert self._wakeup is not None, "the thread runs after start only"
        poked = self._wakeup.fileno()
        readable, _, _ = select.select([self._port.fileno(), poked], [], [], waiting)
        if poked in readable:
            self._wakeup.clear()


QUEUED = 4_096
"""Bytes that a kernel should buffer for the wires: a whole turn, so that it is sent without gaps."""
_STREAM_FULL_MS = 20
"""The time (ms) until a stream that accepted only some of the bytes is tried again."""


class BusPort(StreamPort):
    """A terminal's stream over a shared pair of wires. Its thread runs the timers.

    ``unit`` is 4 to 8 bytes that identify this terminal. Opening begins a new life on the bus. If the station
    restarts, ``read`` raises Unavailable.
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
        """Return a descriptor that is readable when bytes have arrived or the stream has ended.

        Raises Unavailable.
        """
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
        """Queue bytes until the station polls, and return how many were accepted."""
        self._require_thread()
        with self._lock:
            taken = 0 if self._slave.is_over else self._slave.send(data)
        self._is_full = taken < len(data)
        return taken

    def next_deadline_ms(self) -> int | None:
        """Return when to write again if the stream was full, else None."""
        return self._clock_ms() + _STREAM_FULL_MS if self._is_full else None

    def counters(self) -> Counters:
        with self._lock:
            return self._slave.counters()

    def _require_thread(self) -> TurnThread:
        if self._thread is None:
            raise Unavailable("bus: not open")
        return self._thread

    def _step(self, data: bytes, now_ms: int) -> tuple[bytes, int | None]:
        with self._lock:
            self._slave.receive(data, now_ms)
            to_send = self._slave.to_line(now_ms)
            deadline_ms = self._slave.next_deadline_ms()
            has_news = self._slave.is_over or self._slave.has_received()
        if has_news:
            self._poke()
        return to_send, deadline_ms

    def _poke(self) -> None:
        if self._wakeup is not None:
            self._wakeup.wake()


def _life() -> int:
    return secrets.randbits(32)
