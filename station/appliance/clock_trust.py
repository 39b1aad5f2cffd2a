"""Whether the time of this computer may be believed, and what it must not be set to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

_SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
_RTC: Final = Path("/sys/class/rtc/rtc0")
WAS_SET: Final = Path("/run/saloon-clock-was-set")
"""The system leaves this file when it has set the clock as the station asked."""


def made_ms() -> int:
    """When this program was made, milliseconds since 1970: no earlier time can be now."""
    return Path(__file__).stat().st_mtime_ns // 1_000_000


def is_clock_sure(
    wall_ms: int, earliest_ms: int, signs: Sequence[Path] = (_SYNCHRONIZED, WAS_SET, _RTC)
) -> bool:
    """Whether somebody who knows has set it since the start: a time server, a judge, a clock with a battery.

    signs: files of which one is there then. A time before the program was made is never sure.
    """
    return wall_ms >= earliest_ms and any(path.exists() for path in signs)
