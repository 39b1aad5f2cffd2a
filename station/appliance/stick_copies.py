"""Name the copies on a stick, and choose the old ones to delete.

Copies are identified and ordered by a number, as the clock of a small computer may be wrong. The time in a
name is only for people.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

_NAME: Final = re.compile(r"saloon-([0-9a-f]{8})-([0-9]{6})-([0-9]{8}-[0-9]{6})\.backup")
_TIME: Final = "%Y%m%d-%H%M%S"
_LAST: Final = 999_999
_ALL_OF: Final = 12
"""The number of newest copies that are all kept: two hours, at one every ten minutes."""
_SOME_OF: Final = 144
_MANY_OF: Final = 48 * 30
_SOME: Final = 6
_FEW: Final = 48


class Copy(msgspec.Struct, frozen=True):
    """A copy on a stick.

    mark: the station's mark, 8 hexadecimal digits.
    number: counts up from 1.
    time: the time in the hall when it was written, by the station's clock.
    """

    mark: str
    number: int
    time: dt.datetime

    @property
    def name(self) -> str:
        return f"saloon-{self.mark}-{self.number:06}-{self.time.strftime(_TIME)}.backup"


def copies_of(names: Iterable[str]) -> tuple[Copy, ...]:
    """Return the copies among file names, of all stations, each station's newest first."""
    copies = [copy for copy in map(_copy_of, names) if copy is not None]
    return tuple(sorted(copies, key=lambda copy: (copy.mark, -copy.number)))


def next_copy(copies: Sequence[Copy], mark: str, time: dt.datetime) -> Copy:
    """Return the next copy to write, after those that exist."""
    numbers = [copy.number for copy in copies if copy.mark == mark]
    return Copy(mark, min(_LAST, max(numbers, default=0) + 1), time)


def stale_copies(copies: Sequence[Copy], mark: str) -> tuple[Copy, ...]:
    """Return the copies of one station that can be deleted, oldest first.

    Kept are the newest 12, every 6th of the newest 144 and every 48th of the newest 1,400 or so. This covers
    two hours completely, a day hourly and ten days with three a day.
    """
    own = sorted((copy for copy in copies if copy.mark == mark), key=lambda copy: copy.number)
    newest = own[-1].number if own else 0
    return tuple(copy for copy in own if not _stays(copy.number, newest))


def deletable_copies(copies: Sequence[Copy], mark: str, kept: int) -> tuple[Copy, ...]:
    """Return the copies of one station to delete for space, oldest first, sparing the newest ``kept``."""
    own = sorted((copy for copy in copies if copy.mark == mark), key=lambda copy: copy.number)
    return tuple(own[: max(0, len(own) - kept)])


def _stays(number: int, newest: int) -> bool:
    age = newest - number
    if age < _ALL_OF:
        return True
    return number % _SOME == 0 if age < _SOME_OF else number % _FEW == 0 and age < _MANY_OF


def _copy_of(name: str) -> Copy | None:
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    try:
        time = dt.datetime.strptime(match[3], _TIME)  # noqa: DTZ007 (the hall's time, for people)
    except ValueError:
        return None
    return Copy(match[1], int(match[2]), time)
