"""A thread that runs one end of a shared pair of wires.

Answers are due within milliseconds, whatever the disk, a page or the screen are doing.
"""

import select
import threading
from collections.abc import Callable

from base.errors import OurFault, SaloonError, Unavailable
from sync.ports.port import Port
from sync.ports.wakeup import Wakeup

_LONGEST_WAIT_MS = 1_000
_FULL_LOOK_MS = 2
"""Milliseconds until a device that accepted only part of the bytes is tried again."""

Step = Callable[[bytes, int], tuple[bytes, int | None]]
"""A function from received bytes and time (ms) to bytes to send and the next deadline (ms)."""


class TurnThread:
    """A thread that moves bytes between a port and a state machine until the port is gone or stopped.

    step: the machine; called on the thread.
    over: called on the thread when the port is gone.
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
        """Wake the thread to send something new."""
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
            self.error = OurFault(f"keeping turns: {error!r}")
        if self.error is not None:
            self._over()

    def _turn(self) -> int:
        """Do everything that can be done now, and return the time (ms) until which to wait."""
        data = b""
        while more := self._port.read():
            data += more
        said, deadline_ms = self._step(data, self._clock_ms())
        self._unsent += said
        if self._unsent:
            self._unsent = self._unsent[self._port.write(self._unsent) :]
        now_ms = self._clock_ms()
        if self._unsent:
            return now_ms + _FULL_LOOK_MS
        latest = now_ms + _LONGEST_WAIT_MS
        return latest if deadline_ms is None else min(latest, deadline_ms)

    def _wait(self, until_ms: int) -> None:
        waiting = max(0, until_ms - self._clock_ms()) / 1000
        assert self._wakeup is not None, "the thread runs after start only"
        poked = self._wakeup.fileno()
        readable, _, _ = select.select([self._port.fileno(), poked], [], [], waiting)
        if poked in readable:
            self._wakeup.clear()
