"""A serial port through pyserial: raw bytes, never blocking, opened exclusively.

On systems that can't wait for a device and a socket together, two threads serve the device.
"""

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from base.errors import Unavailable
from base.system import CAN_WAIT_FOR_DEVICES
from sync.ports.findings import Finding, NotReached
from sync.ports.port import Port

if TYPE_CHECKING:
    import serial
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from base.wakeup import Wakeup

if TYPE_CHECKING:
    import serial


_READ_S: Final = 0.2
"""The longest time (s) that a read blocks, and so the longest that closing takes."""
_MOST: Final = 64 * 1024
"""The most bytes to receive ahead; the rest stays in the system's buffer."""
_FULL_S: Final = 0.01


class _SerialThreads:
    """Two threads that read and write an open blocking device.

    ``ahead`` is the size of the send buffer in bytes. ``fileno`` belongs to a socket, because Windows can
    wait only for sockets.
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
        return self._wakeup.fileno()

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises the device's error once there are none left."""
        self._wakeup.clear()
        with self._changed:
            data = bytes(self._received)
            self._received.clear()
            if not data and self._error is not None:
                raise self._error
        return data

    def write(self, data: bytes) -> int:
        """Queue bytes and return how many were accepted. Raises the device's error."""
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


BAUD = 115_200
_READ = 4096
_GROUP = "dialout"
"""The group that may use serial devices on Debian."""
_AHEAD = 512
"""Bytes to buffer in the kernel: about 45 ms on the line, so that acks and repeats don't wait long."""


class SerialPort(Port):
    """A serial device, such as ``/dev/ttyUSB0`` or ``COM3``: 8 data bits, no parity, one stop bit.

    ahead: bytes to buffer in the kernel.
    drives_direction: the kernel switches an RS-485 transceiver by RTS; most adapters switch by themselves.
    """

    def __init__(
        self,
        device: str,
        baud: int = BAUD,
        *,
        ahead: int = _AHEAD,
        drives_direction: bool = False,
        by_threads: bool = not CAN_WAIT_FOR_DEVICES,
    ) -> None:
        self._device = device
        self._baud = baud
        self._ahead = ahead
        self._drives_direction = drives_direction
        self._by_threads = by_threads
        self._serial: serial.Serial | _SerialThreads | None = None

    def open(self) -> None:
        """Open the device. Raises Unavailable if it is missing or in use by another program."""
        # Imported here: a station without cables need not load it.
        import serial
        from serial.rs485 import RS485Settings

        waits = (_READ_S, None) if self._by_threads else (0, 0)
        try:
            port = serial.Serial(
                self._device, self._baud, timeout=waits[0], write_timeout=waits[1], exclusive=True
            )
            if self._drives_direction:
                port.rs485_mode = RS485Settings()
            self._serial = _SerialThreads(port, self._ahead) if self._by_threads else port
        except (OSError, ValueError) as error:
            raise NotReached(
                _finding(error), f"serial {self._device}: {error}", device=self._device, group=_GROUP
            ) from error

    def close(self) -> None:
        """Release the device; harmless if it is not open."""
        if self._serial is not None:
            # An unplugged device can't be closed properly, which doesn't matter.
            with contextlib.suppress(OSError):
                self._serial.close()
            self._serial = None

    def fileno(self) -> int:
        descriptor: int = self._open().fileno()
        return descriptor

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable if the device was unplugged."""
        try:
            port = self._open()
            data: bytes = port.read() if isinstance(port, _SerialThreads) else port.read(_READ)
        except OSError as error:
            raise Unavailable(f"serial {self._device}: {error}") from error
        return data

    def write(self, data: bytes) -> int:
        """Write bytes while the line's queue is short, and return how many were accepted."""
        port = self._open()
        try:
            if isinstance(port, _SerialThreads):
                return port.write(data)
            room = self._ahead - port.out_waiting
            if room <= 0:
                return 0
            # Without pyserial, which retries for ever while the queue is full.
            return os.write(port.fileno(), data[:room])
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Unavailable(f"serial {self._device}: {error}") from error

    def _open(self) -> "serial.Serial | _SerialThreads":
        if self._serial is None:
            raise Unavailable(f"serial {self._device}: not open")
        return self._serial


def serial_devices() -> tuple[str, ...]:
    """Return the names of this computer's serial devices."""
    from serial.tools import list_ports

    return tuple(sorted(port.device for port in list_ports.comports()))


def _finding(error: Exception) -> Finding:
    code = getattr(error, "errno", None)
    if code in {errno.EACCES, errno.EPERM}:
        return Finding.NO_PERMISSION
    if code in {errno.EBUSY, errno.EWOULDBLOCK} or "exclusively lock" in str(error):
        return Finding.PORT_BUSY
    return Finding.NO_DEVICE
