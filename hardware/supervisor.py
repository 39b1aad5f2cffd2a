"""Status messages to systemd: ready, alive and stopping.

As in ``sd_notify``, each message is a datagram to the socket that the environment names. Without a socket,
nothing is sent.
Source: systemd's manual, sd_notify(3), "Standalone Implementations".
"""

import contextlib
import math
import os
import socket
from collections.abc import Mapping
from typing import Final

_PETS: Final = 3
"""Messages sent within the watchdog's timeout, several in case one is late."""
SETTLING_MS: Final = 60_000
"""Milliseconds after the first frame in which a slow board is still loading, and gets a longer timeout."""
_SETTLING_PATIENCE_USEC: Final = 30_000_000
_USEC_IN_MS: Final = 1_000
_MS_IN_S: Final = 1_000


class Supervisor:
    """A sender of this program's status to systemd, configured by the process's environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        # For the kernel, an abstract address starts with a zero instead of an at sign.
        self._address = "\0" + name[1:] if name.startswith("@") else name
        patience_ms = _patience_ms(environment)
        self._patience_usec = patience_ms * _USEC_IN_MS
        self._pet_every_ms = patience_ms // _PETS
        self._pet_ms: int | None = None
        self._settled_ms: int | None = None
        self._socket: socket.socket | None = None

    def ready(self, now_ms: int) -> None:
        """Report that the program works, the first time that this is called."""
        if self._socket is None and self._address:
            with contextlib.suppress(OSError):
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self._socket.setblocking(False)
            self._say("READY=1\nSTATUS=It works.")
            self._pet_ms = now_ms
            if 0 < self._patience_usec < _SETTLING_PATIENCE_USEC:
                self._say(f"WATCHDOG_USEC={_SETTLING_PATIENCE_USEC}")
                self._settled_ms = now_ms + SETTLING_MS

    def on_turn(self, now_ms: int) -> None:
        """Report that the loop is running, as often as the watchdog requires."""
        if self._pet_ms is not None and self._pet_every_ms and now_ms - self._pet_ms >= self._pet_every_ms:
            self._pet_ms = now_ms
            if self._settled_ms is not None and now_ms >= self._settled_ms:
                self._settled_ms = None
                self._say(f"WATCHDOG_USEC={self._patience_usec}")
            self._say("WATCHDOG=1")

    def patience_s(self, now_ms: int) -> float:
        """Return the longest time that the loop may sleep, in seconds."""
        if self._pet_ms is None or not self._pet_every_ms:
            return math.inf
        return max(0, self._pet_ms + self._pet_every_ms - now_ms) / _MS_IN_S

    def ends(self) -> None:
        """Report that the program is stopping as intended."""
        self._say("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _say(self, words: str) -> None:
        if self._socket is not None:
            # A failure to notify the system must not stop the terminal.
            with contextlib.suppress(OSError):
                self._socket.sendto(words.encode("ascii"), self._address)


def _patience_ms(environment: Mapping[str, str]) -> int:
    """Return the watchdog's timeout for this process in milliseconds, or 0 without a watchdog."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return 0
    usec = environment.get("WATCHDOG_USEC", "0")
    return int(usec) // _USEC_IN_MS if usec.isdigit() else 0
