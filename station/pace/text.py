"""Expected ends for people: in whole minutes, or steps of five minutes for wide ranges."""

import datetime as dt
from typing import Final

import msgspec

from core.terms import TableNo
from station.pace.service import ExpectedEnd, RoundPace
from station.text.times import time_of_day

_MINUTE_MS: Final = 60_000
_WIDE_MS: Final = 20 * _MINUTE_MS


class ShownEnd(msgspec.Struct, frozen=True):
    """The end of a game or round.

    middle, early, late: as ``15:40``.
    moments: the same in milliseconds.
    """

    middle: str
    early: str
    late: str
    moments: tuple[float, float, float]


class ShownTable(msgspec.Struct, frozen=True):
    """A table still playing. ``is_known`` is True if its terminal is reporting progress.

    Otherwise only the round's start is known.
    """

    table: TableNo
    end: ShownEnd
    is_known: bool


class ShownPace(msgspec.Struct, frozen=True):
    """The pace of the running round.

    ``tables`` lists the last one to finish first; the rest is as in ``RoundPace``.
    """

    round: int
    end: ShownEnd
    tables: tuple[ShownTable, ...]
    is_likely: bool
    is_stopped: bool
    now_ms: float

    def table(self, number: TableNo) -> ShownTable | None:
        """Return a table that is still playing, or None for others."""
        return next((one for one in self.tables if one.table == number), None)


def show_pace(pace: RoundPace | None) -> ShownPace | None:
    """Return the pace of a round for its pages, or None if no game is running."""
    if pace is None:
        return None
    tables = (ShownTable(one.table, show_end(one.end, pace.now_ms), one.is_known) for one in pace.tables)
    end = show_end(pace.end, pace.now_ms)
    return ShownPace(pace.round, end, tuple(tables), pace.is_likely, pace.is_stopped, pace.now_ms)


def show_end(end: ExpectedEnd, now_ms: float) -> ShownEnd:
    """Round an expected end to the minute, or to five minutes if its range is wide.

    The range is rounded outwards, but never starts in the past.
    """
    step = _MINUTE_MS * (5 if end.late_ms - end.early_ms >= _WIDE_MS else 1)
    now = now_ms // _MINUTE_MS * _MINUTE_MS
    early = max(now, end.early_ms // step * step)
    late = -(-end.late_ms // step) * step
    middle = min(late, max(early, (end.middle_ms + step / 2) // step * step))
    return ShownEnd(_time(middle), _time(early), _time(late), (middle, early, late))


def _time(milliseconds: float) -> str:
    return time_of_day(dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC))
