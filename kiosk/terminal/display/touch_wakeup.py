"""Waking the loop by a touch, so that it can sleep until then.

SDL keeps its touch devices private and has to be polled. The kernel notifies every reader of a device, so a
second reader, which discards the data, knows when polling is worthwhile.
"""

import contextlib
import os
import select
from pathlib import Path
from typing import Final

import structlog

_log = structlog.get_logger()
DEVICES: Final = Path("/dev/input")
TELLS: Final = Path("/sys/class/input")
LOOK_MS: Final = 5_000
"""The interval of looking for new devices, as a panel may become ready later than the board."""
_MULTITOUCH: Final = 0x35
"""Linux's ABS_MT_POSITION_X: only touch panels have it."""
_TOUCH: Final = 0x14A
"""Linux's BTN_TOUCH, of single-touch panels."""
_LEFT: Final = 0x110
"""Linux's BTN_LEFT, of mice."""
_READ: Final = 65536


class TouchWakeup:
    """The touch panels and mice of this machine, as a descriptor to wait for."""

    def __init__(self, devices: Path = DEVICES, tells: Path = TELLS) -> None:
        self._devices = devices
        self._tells = tells
        self._epoll = select.epoll()
        self._wired: dict[str, int] = {}
        self._next_look_ms: int | None = None

    def fileno(self) -> int:
        """Return a descriptor that becomes readable after a touch."""
        return self._epoll.fileno()

    def is_wired(self) -> bool:
        """Return whether any device wakes the loop; without one, SDL must be polled."""
        return bool(self._wired)

    def look(self, now_ms: int) -> None:
        """Open new devices; call this in every turn, as it only looks now and then."""
        if self._next_look_ms is not None and now_ms < self._next_look_ms:
            return
        self._next_look_ms = now_ms + LOOK_MS
        with contextlib.suppress(OSError):
            for tell in self._tells.glob("event*"):
                if tell.name not in self._wired and _can_touch(tell / "device" / "capabilities"):
                    self._wire(tell.name)

    def settle(self) -> None:
        """Discard pending data, and close devices that were unplugged."""
        for name, device in tuple(self._wired.items()):
            try:
                while chunk := os.read(device, _READ):
                    if len(chunk) < _READ:
                        break
                else:
                    self._unwire(name)
            except BlockingIOError:
                continue
            except OSError:
                self._unwire(name)

    def close(self) -> None:
        """Close all devices."""
        for name in tuple(self._wired):
            self._unwire(name)
        self._epoll.close()

    def _wire(self, name: str) -> None:
        try:
            device = os.open(self._devices / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            _log.warning("no permission to read a touch panel", device=name, problem=str(error))
            return
        self._wired[name] = device
        self._epoll.register(device, select.EPOLLIN)
        _log.info("touch", device=name)

    def _unwire(self, name: str) -> None:
        device = self._wired.pop(name)
        with contextlib.suppress(OSError):
            self._epoll.unregister(device)
        os.close(device)


def _can_touch(capabilities: Path) -> bool:
    """Return whether a device is a touch panel or a mouse, by its capabilities in sysfs."""
    axes, keys = _bits(capabilities / "abs"), _bits(capabilities / "key")
    return bool(axes >> _MULTITOUCH & 1 or keys >> _TOUCH & 1 or keys >> _LEFT & 1)


def _bits(file: Path) -> int:
    """Read a bit mask in sysfs: hexadecimal words of 64 bits, the highest first."""
    bits = 0
    with contextlib.suppress(OSError, ValueError):
        for word in file.read_text(encoding="ascii").split():
            bits = bits << 64 | int(word, 16)
    return bits
