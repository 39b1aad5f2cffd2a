"""A serial device served by two threads, for systems that can't wait for a device and a socket together."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sync.ports.wakeup import Wakeup

if TYPE_CHECKING:
    import serial

READ_S: Final = 0.2
"""Seconds that a read may block, and so the longest time that closing takes."""
_MOST: Final = 64 * 1024
"""Size limit of the receive buffer in bytes; the rest stays in the system's."""
_FULL_S: Final = 0.01


class SerialThreads:
    """Reads and writes an open blocking device.

    ``ahead`` is the size limit of the send buffer in bytes. ``fileno`` belongs to a socket, because Windows
    can wait only for sockets.
    """

    def __init__(self, device: "serial.Serial", ahead: int) -> None:
        self._device = device
        self._ahead = ahead
        self._received, self._pending = bytearray(), bytearray()
        self._changed = threading.Condition()
        self._error: Exception | None = None
        self._is_closing = False
        self._wakeup = Wakeup()
        self._threads = [
            threading.Thread(target=self._run, args=(work,), name="serial", daemon=True)
            for work in (self._read_on, self._write_on)
        ]
        for thread in self._threads:
            thread.start()

    def fileno(self) -> int:
        """Return a descriptor that is readable when bytes have arrived, or the device is gone."""
        return self._wakeup.fileno()

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises the device's error once all of them are read."""
        self._wakeup.clear()
        with self._changed:
            data = bytes(self._received)
            self._received.clear()
            if not data and self._error is not None:
                raise self._error
        return data

    def write(self, data: bytes) -> int:
        """Queue bytes as far as there is room, and return how many. Raises the device's error."""
        with self._changed:
            if self._error is not None:
                raise self._error
            taken = data[: max(0, self._ahead - len(self._pending))]
            self._pending += taken
            self._changed.notify_all()
        return len(taken)

    def close(self) -> None:
        """Stop both threads and close the device."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        # Data for an unplugged device is lost anyway.
        with contextlib.suppress(Exception):
            self._device.cancel_write()
        for thread in self._threads:
            thread.join()
        self._wakeup.close()
        self._device.close()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            while not self._is_closing:
                work()
        except Exception as error:  # noqa: BLE001
            # Any error must be reported to the next caller of ``read`` or ``write``.
            with self._changed:
                self._error = error
        self._wakeup.wake()

    def _read_on(self) -> None:
        data = self._device.read(self._device.in_waiting or 1)
        with self._changed:
            self._received += data
        if data:
            self._wakeup.wake()
        while len(self._received) > _MOST and not self._is_closing:
            time.sleep(_FULL_S)

    def _write_on(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._is_closing)
            data = bytes(self._pending)
        self._device.write(data)
        with self._changed:
            del self._pending[: len(data)]
