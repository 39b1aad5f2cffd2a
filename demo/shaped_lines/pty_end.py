"""One end of a serial line in tests: a pty that comes and goes like an adapter's plug."""

import contextlib
import fcntl
import os
import termios
import tty
from pathlib import Path


class PtyEnd:
    """One pty: its master is ours, its slave belongs to the program that opens the link's path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1
        self._slave = -1

    def join(self) -> None:
        """Plug it in: the path leads to a device."""
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        name = os.ttyname(self._slave)
        # Kept open by us, so that a slave that comes and goes never hangs the master up.
        beside = self.path.with_name(self.path.name + ".new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(name)
        beside.replace(self.path)

    def cut(self) -> None:
        """Unplug it: a program that holds the device gets an input/output error."""
        # The pty's number is free for anybody now: nobody may find another's line by our path.
        self.path.unlink(missing_ok=True)
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self.master = self._slave = -1

    def waiting(self) -> int:
        """Return the number of unread bytes in the slave's input queue."""
        buffer = bytearray(4)
        fcntl.ioctl(self._slave, termios.FIONREAD, buffer)
        return int.from_bytes(buffer, "little")
