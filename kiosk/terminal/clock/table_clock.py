"""The remaining time of a table: an immutable clock, changed by time, station and judge (decision 0005)."""

from typing import Final

import msgspec
from msgspec.structs import replace

from core.game.state.game import RecordedClock
from core.terminal.orders import SetClock

_SECOND_MS: Final = 1_000


class TableClock(msgspec.Struct, frozen=True):
    """The clock of one table at a moment of a monotonic clock.

    base_ms: remaining time of the hall's clock at ``at_ms``, negative when over; it keeps running while the
    table's judge has stopped the table. pause_ms: how long that pause has lasted while the hall's clock ran.
    told: commands of the table's judge, as logged. is_rough: the terminal was off or disconnected, and the
    station hasn't confirmed the time since. answers: how many requests the station has answered.
    """

    limit_s: int
    base_ms: int
    at_ms: int
    started: bool = False
    held_by_station: bool = False
    extended_by_station_s: int = 0
    pause_ms: int = 0
    told: RecordedClock = RecordedClock()
    is_rough: bool = False

    @property
    def runs(self) -> bool:
        """Return whether the remaining time is decreasing."""
        return self._base_runs and not self.told.is_paused

    @property
    def _base_runs(self) -> bool:
        return self.started and not self.held_by_station

    def at(self, now_ms: int) -> "TableClock":
        """Return the clock at a later moment; it never goes back."""
        gone = max(0, now_ms - self.at_ms) if self._base_runs else 0
        stood = gone if self.told.is_paused else 0
        return replace(
            self,
            base_ms=self.base_ms - gone,
            pause_ms=self.pause_ms + stood,
            at_ms=max(now_ms, self.at_ms),
        )

    def remaining_ms(self, now_ms: int) -> int:
        """Return the remaining time, negative when it is over."""
        now = self.at(now_ms)
        return now.base_ms + now.pause_ms + now.told.given_s * _SECOND_MS

    def following(self, told: RecordedClock, now_ms: int) -> "TableClock":
        """Return the clock after new commands of the table's judge."""
        if told == self.told:
            return self
        now = self.at(now_ms)
        begins = told.started and not now.started
        return replace(
            now,
            told=told,
            started=now.started or told.started,
            base_ms=self.limit_s * _SECOND_MS if begins else now.base_ms,
            pause_ms=now.pause_ms if told.is_paused and now.told.is_paused else 0,
        )

    def set_by(self, order: SetClock, now_ms: int, *, trusted: bool) -> "TableClock":
        """Return the clock as set by the station, plus the table's own extensions and pauses.

        trusted: the order wasn't delayed, so its remaining time is valid now.
        """
        now = self.at(now_ms)
        begun_here = self.told.started and not order.started
        longer_ms = (order.limit_s - self.limit_s) * _SECOND_MS
        return replace(
            now,
            limit_s=order.limit_s,
            # The hall's clock doesn't include a start by the table's judge.
            base_ms=now.base_ms + longer_ms if begun_here else order.left_s * _SECOND_MS,
            started=order.started or begun_here,
            held_by_station=order.held,
            extended_by_station_s=order.extended_s,
            is_rough=not trusted and order.started and not order.held,
        )


def new_waiting_clock(limit_s: int, now_ms: int) -> TableClock:
    """Return a clock that hasn't been started."""
    return TableClock(limit_s, limit_s * _SECOND_MS, now_ms)


def new_running_clock(limit_s: int, now_ms: int) -> TableClock:
    """Return a clock that runs from now on."""
    return replace(new_waiting_clock(limit_s, now_ms), started=True)
