"""Waking up a thread that waits for sockets."""

import contextlib
import socket


class Wakeup:
    """A socket that any thread can make readable for the thread that waits on it."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)

    def fileno(self) -> int:
        return self._ours.fileno()

    def wake(self) -> None:
        with contextlib.suppress(OSError):
            self._theirs.send(b"!")

    def clear(self) -> None:
        """Make the socket unreadable until the next ``wake``."""
        with contextlib.suppress(OSError):
            while self._ours.recv(4096):
                pass

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()
