"""Requests of the station to its operating system: one file each, which a systemd unit waits for.

The station runs as an unprivileged user. The system reads only these files, and they contain at most a
number.
"""

import enum
from pathlib import Path
from typing import Final

from saloon.base.whole_file import told, write_in_memory

_LATEST_MS: Final = 4_102_444_800_000  # the year 2100


class Asked(enum.Enum):
    """The possible requests; the value is the file's name."""

    POWER_OFF = "power-off"
    RESTART = "restart"
    CLOCK = "clock"
    """Set the clock to the milliseconds since 1970 in the file."""


def ask(folder: Path, asked: Asked, number: int = 0) -> None:
    """Send a request to the system. Raises Unavailable."""
    path = folder / asked.value
    with told(path):
        write_in_memory(path, f"{number}\n".encode("ascii"))


def is_wall_ms(number: int, earliest_ms: int) -> bool:
    """Return whether a clock may be set to this time: not before the program was built."""
    return earliest_ms <= number <= _LATEST_MS
