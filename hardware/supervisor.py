"""What the system that started a program is told: it is ready, it is alive, it ends.

The protocol of systemd's ``sd_notify``: one datagram for each word, to the socket that the
environment names. Nobody listens where it names none, and then nothing is said.
Source: systemd's manual, sd_notify(3), "Standalone Implementations".
"""

import contextlib
import math
import os
import socket
from collections.abc import Mapping
from typing import Final

_PETS: Final = 3
"""How often within its patience the watchdog hears of us: one word that comes late is no hang."""
SETTLING_MS: Final = 60_000
"""So long after the first picture a slow board still loads what is needed later, and is given time."""
_SETTLING_PATIENCE_USEC: Final = 30_000_000
_USEC_IN_MS: Final = 1_000
_MS_IN_S: Final = 1_000


class Supervisor:
    """Tells the system how a program fares. environment: of the process, as systemd sets it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = _address_of(environment.get("NOTIFY_SOCKET", ""))
        patience_ms = _patience_ms(environment)
        self._patience_usec = patience_ms * _USEC_IN_MS
        self._pet_every_ms = patience_ms // _PETS
        self._pet_ms: int | None = None
        self._settled_ms: int | None = None
        self._socket: socket.socket | None = None

    def ready(self, now_ms: int) -> None:
        """The program does what it is there for: a picture is on the screen, a page answers. Said once."""
        if self._socket is None and self._address:
            with contextlib.suppress(OSError):
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self._socket.setblocking(False)
            self._say("READY=1\nSTATUS=It works.")
            self._pet_ms = now_ms
            if 0 < self._patience_usec < _SETTLING_PATIENCE_USEC:
                self._say(f"WATCHDOG_USEC={_SETTLING_PATIENCE_USEC}")
                self._settled_ms = now_ms + SETTLING_MS

    def turned(self, now_ms: int) -> None:
        """The loop has gone round: it lives. Said as often as the watchdog wants to hear it."""
        if self._pet_ms is not None and self._pet_every_ms and now_ms - self._pet_ms >= self._pet_every_ms:
            self._pet_ms = now_ms
            if self._settled_ms is not None and now_ms >= self._settled_ms:
                self._settled_ms = None
                self._say(f"WATCHDOG_USEC={self._patience_usec}")
            self._say("WATCHDOG=1")

    def patience_s(self, now_ms: int) -> float:
        """How long the loop may sleep before it must go round again, even if nothing happens."""
        if self._pet_ms is None or not self._pet_every_ms:
            return math.inf
        return max(0, self._pet_ms + self._pet_every_ms - now_ms) / _MS_IN_S

    def ends(self) -> None:
        """The program was told to end, and does."""
        self._say("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _say(self, words: str) -> None:
        if self._socket is not None:
            # A system that cannot listen now must not stop the table.
            with contextlib.suppress(OSError):
                self._socket.sendto(words.encode("ascii"), self._address)


def _address_of(name: str) -> str:
    """The address as the kernel takes it; an abstract one begins with a zero, not with an at sign."""
    return "\0" + name[1:] if name.startswith("@") else name


def _patience_ms(environment: Mapping[str, str]) -> int:
    """How long the watchdog waits for a word of this process; 0 for no watchdog."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return 0
    usec = environment.get("WATCHDOG_USEC", "0")
    return int(usec) // _USEC_IN_MS if usec.isdigit() else 0
