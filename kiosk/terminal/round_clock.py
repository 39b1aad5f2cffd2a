"""The terminal's copy of the round's clock: display, warnings and storage."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from base.state_file import StateFile
from core.game.clock import ClockEvent, ExtendClock, PauseClock, ResumeClock, StartClock
from core.game.orders import SetClock
from core.game.state.game import RecordedClock
from core.terms import GameId, Seconds
from hardware.contract import Tune
from kiosk.view.intents import AskClock, ClockAsk
from kiosk.view.table_view import RoundTime

_SECOND_MS: Final = 1_000


class TableClock(msgspec.Struct, frozen=True):
    """The clock of one table at a moment of a monotonic clock.

    base_ms: remaining time of the hall's clock at ``at_ms``, negative when over; it keeps running while the
        table's judge has paused the table.
    pause_ms: how long that pause has lasted while the hall's clock ran.
    recorded: commands of the table's judge, as logged.
    is_rough: the terminal was off or disconnected, and the station hasn't confirmed the time since.
    """

    limit_s: int
    base_ms: int
    at_ms: int
    started: bool = False
    held_by_station: bool = False
    extended_by_station_s: int = 0
    pause_ms: int = 0
    recorded: RecordedClock = msgspec.field(default=RecordedClock(), name="told")
    is_rough: bool = False

    @property
    def runs(self) -> bool:
        return self._base_runs and not self.recorded.is_paused

    @property
    def _base_runs(self) -> bool:
        return self.started and not self.held_by_station

    def at(self, now_ms: int) -> "TableClock":
        """Return the clock at a later moment; it never goes back."""
        gone = max(0, now_ms - self.at_ms) if self._base_runs else 0
        stood = gone if self.recorded.is_paused else 0
        return replace(
            self,
            base_ms=self.base_ms - gone,
            pause_ms=self.pause_ms + stood,
            at_ms=max(now_ms, self.at_ms),
        )

    def remaining_ms(self, now_ms: int) -> int:
        now = self.at(now_ms)
        return now.base_ms + now.pause_ms + now.recorded.given_s * _SECOND_MS

    def following(self, recorded: RecordedClock, now_ms: int) -> "TableClock":
        """Return the clock after new commands of the table's judge."""
        if recorded == self.recorded:
            return self
        now = self.at(now_ms)
        begins = recorded.started and not now.started
        return replace(
            now,
            recorded=recorded,
            started=now.started or recorded.started,
            base_ms=self.limit_s * _SECOND_MS if begins else now.base_ms,
            pause_ms=now.pause_ms if recorded.is_paused and now.recorded.is_paused else 0,
        )

    def set_by(self, order: SetClock, now_ms: int, *, trusted: bool) -> "TableClock":
        """Return the clock as set by the station, plus the table's own extensions and pauses.

        With ``trusted``, the order wasn't delayed, so its remaining time is valid now.
        """
        now = self.at(now_ms)
        begun_here = self.recorded.started and not order.started
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


def new_clock(limit_s: int, now_ms: int, *, started: bool = False) -> TableClock:
    return TableClock(limit_s, limit_s * _SECOND_MS, now_ms, started=started)


_NAME: Final = "clock.json"
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


class SavedClock(msgspec.Struct, frozen=True):
    """The saved clock of a game.

    order: number of the station's last order that it includes.
    boot: id of the board's boot; within the same one, the monotonic clock is comparable.
    """

    game: GameId
    clock: TableClock
    order: int
    boot: str


class ClockFile(StateFile[SavedClock]):
    """The file that keeps the round's clock.

    ``data`` is None to keep nothing: after a restart, the station reports the remaining time. ``boot`` is the
    id of the board's boot; by default, the system's.
    """

    def __init__(self, data: Path | None, boot: str | None = None) -> None:
        super().__init__(
            data and data / _NAME, "round clock", lambda raw: msgspec.json.decode(raw, type=SavedClock)
        )
        self.boot = _boot() if boot is None else boot


def _boot() -> str:
    """Return an id of the board's boot, or an empty string if unknown, which never equals another boot."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


SAVE_EVERY_MS: Final = 60_000
_MINUTE_MS: Final = 60_000
_LIVE_AFTER_MS: Final = 10_000
"""The time after a connection in which orders may be old ones that had been waiting."""
_WARNS_FOR_MS: Final = 20_000


class GameClockState(msgspec.Struct, frozen=True):
    """The facts about the clock in a game's log. ``limit_s`` is the round's limit, or None.

    waits: the station starts the clock; otherwise it runs from the seating.
    has_moved: the game began at another terminal.
    """

    game: GameId | None = None
    limit_s: int | None = None
    waits: bool = False
    recorded: RecordedClock = RecordedClock()
    order: SetClock | None = None
    order_no: int = 0
    has_moved: bool = False


class RoundClock:
    """The round's clock of a terminal. ``ask_station`` is called with requests to the station."""

    def __init__(self, store: ClockFile, ask_station: Callable[[Seconds | None], None]) -> None:
        self._store = store
        self._ask_station = ask_station
        self._game: GameId | None = None
        self._clock: TableClock | None = None
        self._order_no = 0
        self._saved_ms = 0
        self._resumes: GameId | None = None
        self._connected_ms: int | None = None
        self._has_asked = False
        self._last_left_ms: int | None = None
        self._warned: tuple[int, int] | None = None

    def on_resume(self, game: GameId | None) -> None:
        self._resumes = game

    def on_connection(self, now_ms: int) -> None:
        self._connected_ms, self._has_asked = now_ms, False

    def look(self, table: GameClockState, warnings_min: Sequence[int], now_ms: int) -> Tune | None:
        """Update the clock, and return the tune to play now, or None."""
        if table.game is None or table.limit_s is None:
            self._game, self._clock, self._last_left_ms, self._warned = table.game, None, None, None
            return None
        before = self._clock
        if table.game != self._game:
            self._begin(table, now_ms)
        if table.order is not None and table.order_no > self._order_no:
            self._obey(table.order, table.order_no, table.limit_s, now_ms)
        if self._clock is not None:
            self._clock = self._clock.following(table.recorded, now_ms)
            if self._clock is not before or now_ms - self._saved_ms >= SAVE_EVERY_MS:
                self._save(self._clock, now_ms)
        self._resumes = None
        return self._find_warning(warnings_min, now_ms)

    def view(self, now_ms: int) -> RoundTime | None:
        """Return the time for the screen, or None if there is no limit or the time is unknown."""
        clock = self._clock
        if clock is None:
            return None
        warned = self._warned if self._warned and now_ms - self._warned[1] < _WARNS_FOR_MS else None
        extended = clock.extended_by_station_s + sum(clock.recorded.extensions)
        return RoundTime(
            left_s=-(-clock.remaining_ms(now_ms) // _SECOND_MS),
            limit_s=clock.limit_s,
            is_started=clock.started,
            is_held_by_station=clock.held_by_station,
            is_held_here=clock.recorded.is_paused,
            extended_s=extended,
            is_rough=clock.is_rough,
            warns_min=None if warned is None else warned[0],
        )

    def command(self, request: AskClock, now_ms: int) -> ClockEvent | None:
        """Return the judge's command with the clock's current time, or None if that is unknown."""
        if self._clock is None:
            return None
        clock = self._clock.at(now_ms)
        match request.ask:
            case ClockAsk.START:
                return StartClock()
            case ClockAsk.PAUSE:
                return PauseClock(Seconds(-(-clock.remaining_ms(now_ms) // _SECOND_MS)))
            case ClockAsk.RESUME:
                return ResumeClock(Seconds(clock.pause_ms // _SECOND_MS))
            case ClockAsk.EXTEND:
                return ExtendClock(Seconds(request.minutes * 60))
            case _:
                assert_never(request.ask)

    def resume_command(self, table: GameClockState, now_ms: int) -> ResumeClock | None:
        """Return the command that ends a pause which the station has ended, or None.

        The order contains the pause's number, so that a late one never ends another pause.
        """
        recorded = table.recorded
        if table.order is None or self._clock is None or not recorded.is_paused:
            return None
        if table.order.ends_pause != recorded.pauses:
            return None
        return ResumeClock(Seconds(self._clock.at(now_ms).pause_ms // _SECOND_MS))

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the time of the next change: each minute, or each second in the last minute."""
        clock = self._clock
        if clock is None or not clock.runs:
            return None
        left = clock.remaining_ms(now_ms)
        if left <= 0:
            # Time is up: minutes are still counted, but there are no more tunes.
            due = now_ms + _MINUTE_MS - (-left) % _MINUTE_MS
        elif left <= _MINUTE_MS:
            due = now_ms + (left - 1) % _SECOND_MS + 1
        else:
            due = now_ms + (left - 1) % _MINUTE_MS + 1
        if self._warned is not None and now_ms - self._warned[1] < _WARNS_FOR_MS:
            due = min(due, self._warned[1] + _WARNS_FOR_MS)
        return due

    def _begin(self, table: GameClockState, now_ms: int) -> None:
        assert table.game is not None  # the caller checks this
        assert table.limit_s is not None
        self._game, self._order_no = table.game, 0
        self._last_left_ms = self._warned = None
        is_resumed = self._resumes == table.game
        saved = self._store.read() if is_resumed else None
        if saved is not None and saved.game == table.game:
            self._order_no = saved.order
            is_same_boot = bool(saved.boot) and saved.boot == self._store.boot
            self._clock = _restore(saved.clock, now_ms, is_same_boot=is_same_boot)
            if not is_same_boot and self._clock.runs:
                self._ask(now_ms)
        elif is_resumed or table.has_moved:
            # Only the previous terminal, or this one before its restart, knew when it began.
            self._clock = None
            self._ask(now_ms)
        else:
            self._clock = new_clock(table.limit_s, now_ms, started=not table.waits)

    def _obey(self, order: SetClock, number: int, limit_s: int, now_ms: int) -> None:
        is_fresh = self._connected_ms is not None and now_ms - self._connected_ms < _LIVE_AFTER_MS
        may_be_old = (is_fresh or self._resumes == self._game) and not self._has_asked
        self._order_no = number
        clock = self._clock or new_clock(limit_s, now_ms)
        self._clock = clock.set_by(order, now_ms, trusted=not may_be_old)
        self._last_left_ms = None
        if self._clock.is_rough:
            self._ask(now_ms)

    def _ask(self, now_ms: int) -> None:
        self._has_asked = True
        left = None if self._clock is None else Seconds(self._clock.remaining_ms(now_ms) // _SECOND_MS)
        self._ask_station(left)

    def _save(self, clock: TableClock, now_ms: int) -> None:
        assert self._game is not None  # a clock belongs to a game
        self._saved_ms = now_ms
        self._store.keep(SavedClock(self._game, clock.at(now_ms), self._order_no, self._store.boot))

    def _find_warning(self, warnings_min: Sequence[int], now_ms: int) -> Tune | None:
        clock, before = self._clock, self._last_left_ms
        left = None if clock is None else clock.remaining_ms(now_ms)
        self._last_left_ms = left
        if left is None or before is None or clock is None or not clock.runs:
            return None
        for minutes in sorted({0, *warnings_min}):
            if left <= minutes * _MINUTE_MS < before:
                self._warned = minutes, now_ms
                return Tune.TIME_SHORT if minutes else Tune.TIME_OVER
        return None


def _restore(clock: TableClock, now_ms: int, *, is_same_boot: bool) -> TableClock:
    """Resume a saved clock; after a power cut, with the time that would have been left at the next save."""
    if is_same_boot and now_ms >= clock.at_ms:
        return clock.at(now_ms)
    late = clock.at(clock.at_ms + SAVE_EVERY_MS)
    return msgspec.structs.replace(late, at_ms=now_ms, is_rough=clock.runs or clock.is_rough)
