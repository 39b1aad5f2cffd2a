"""The console of the board while a table plays: a keyboard that somebody plugs in reaches nothing.

A program of its own, as root, beside the terminal (``saloon-console.service``):
``python -m saloon.kiosk.console lock``, or ``unlock``. Without a console it does nothing.
Source: Linux manual, ioctl_console(2).
"""

import fcntl
import sys
from pathlib import Path
from typing import Final

CONSOLE: Final = Path("/dev/tty0")
_LOCK_SWITCH: Final = 0x560B
"""VT_LOCKSWITCH: no other virtual terminal can be called to the screen."""
_UNLOCK_SWITCH: Final = 0x560C
_KEYBOARD_MODE: Final = 0x4B45
"""KDSKBMODE: where keys go."""
_OFF: Final = 0x04
_UNICODE: Final = 0x03
"""As after a start of the system."""


def set_console(*, locked: bool, console: Path = CONSOLE) -> bool:
    """Lock the console or let go of it; whether there is one that could be told."""
    try:
        with console.open("rb") as told:
            fcntl.ioctl(told, _LOCK_SWITCH if locked else _UNLOCK_SWITCH, 0)
            fcntl.ioctl(told, _KEYBOARD_MODE, _OFF if locked else _UNICODE)
    except OSError:
        return False
    return True


def main(arguments: list[str]) -> int:
    """Do what the one argument says; 2 for anything else."""
    if arguments not in (["lock"], ["unlock"]):
        return 2
    set_console(locked=arguments == ["lock"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
