"""Decide whether this computer's clock can be trusted, and which times are impossible."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

_SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
_RTC: Final = Path("/sys/class/rtc/rtc0")
WAS_SET: Final = Path("/run/saloon-clock-was-set")
"""The system leaves this file when it has set the clock as the station asked."""


def build_time_ms() -> int:
    """Return the build time of this program, in milliseconds since 1970: no earlier time is possible."""
    return Path(__file__).stat().st_mtime_ns // 1_000_000


def is_clock_sure(
    wall_ms: int, earliest_ms: int, signs: Sequence[Path] = (_SYNCHRONIZED, WAS_SET, _RTC)
) -> bool:
    """Return whether a time server, a judge or a battery-backed clock has set the time since the start.

    signs: files of which one then exists. A time before the program was built is never trusted.
    """
    return wall_ms >= earliest_ms and any(path.exists() for path in signs)
