"""What the station asks of the system that it runs on: a file each, which a unit of the system waits for.

The station runs as a user without rights. The system looks at nothing but these files, and what may be
written in them is a number at most.
"""

import enum
from pathlib import Path
from typing import Final

from saloon.sync.whole_file import told, write_in_memory

_LATEST_MS: Final = 4_102_444_800_000  # the year 2100


class Asked(enum.Enum):
    """What may be asked; the value is the file's name."""

    POWER_OFF = "power-off"
    RESTART = "restart"
    CLOCK = "clock"
    """Set the clock to the milliseconds since 1970 that the file holds."""


def ask(folder: Path, asked: Asked, number: int = 0) -> None:
    """Ask the system for something. Raises Unavailable."""
    path = folder / asked.value
    with told(path):
        write_in_memory(path, f"{number}\n".encode("ascii"))


def is_wall_ms(number: int, earliest_ms: int) -> bool:
    """Whether a clock may be set to this: no earlier than the program was made."""
    return earliest_ms <= number <= _LATEST_MS
