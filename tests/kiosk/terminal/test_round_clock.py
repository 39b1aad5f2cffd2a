"""The round's clock of a terminal: display, requests and tunes, across all kinds of restarts."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.game.clock import ClockDecision, ExtendClock, PauseClock, ResumeClock, StartClock
from core.game.orders import SetClock
from core.game.state.game import RecordedClock
from core.terms import GameId, RoundNo, Seconds, TableNo, TournamentId
from core.tournament import round_clock as hall
from core.tournament.decisions import TournamentStep
from core.tournament.round_clock import ResumeRoundClock, StartRoundClock
from core.tournament.timeline import time_left
from hardware.contract import Tune
from kiosk.terminal.round_clock import SAVE_EVERY_MS, ClockFile, GameClockState, RoundClock, new_clock
from kiosk.view.intents import AskClock, ClockAsk
from kiosk.view.table_view import RoundTime
from tests.kiosk.rig.stand_ins import Drawer

GAME = GameId("g1")
LIMIT_S = Seconds(90 * 60)
WARNINGS = (10, 5, 1)


class Table:
    """A clock with its store, the game's log and the time. doubts: requests to the station."""

    def __init__(self, *, waits: bool = False, limit_s: int = LIMIT_S) -> None:
        self.drawer = Drawer()
        self.doubts: list[Seconds | None] = []
        self.now_ms = 1_000
        self.known = GameClockState(GAME, limit_s, waits=waits)
        self.clock = RoundClock(self.drawer, self.doubts.append)
        self.clock.on_connection(-1_000_000)
        self.tunes: list[Tune] = []
        self.look()

    def look(self) -> RoundTime | None:
        tune = self.clock.look(self.known, WARNINGS, self.now_ms)
        if tune is not None:
            self.tunes.append(tune)
        return self.clock.view(self.now_ms)

    @property
    def time(self) -> RoundTime:
        time = self.look()
        assert time is not None
        return time

    def after(self, seconds: float) -> RoundTime:
        """Let time pass; the clock is updated whenever it is due."""
        end = self.now_ms + int(seconds * 1_000)
        while True:
            due = self.clock.next_deadline_ms(self.now_ms)
            if due is None or due > end:
                break
            assert due > self.now_ms
            self.now_ms = due
            self.look()
        self.now_ms = end
        return self.time

    def happens(self, event: ClockDecision) -> None:
        self.known = replace(self.known, recorded=event.after(self.known.recorded))
        self.look()

    def carry_out(self, ask: ClockAsk) -> None:
        self.look()
        command = self.clock.command(AskClock(ask), self.now_ms)
        assert command is not None
        self.happens(command.accepted(self.known.recorded))

    def pause(self) -> None:
        self.carry_out(ClockAsk.PAUSE)

    def resume(self) -> None:
        self.carry_out(ClockAsk.RESUME)

    def order(self, order: SetClock) -> None:
        self.known = replace(self.known, order=order, order_no=self.known.order_no + 1)
        self.look()

    def restart(self, *, off_s: int = 0, cut: bool = False) -> None:
        """Restart the program. cut: the board restarts too, with a new monotonic clock."""
        self.now_ms = 500 if cut else self.now_ms + off_s * 1_000
        if cut:
            self.drawer.boot += "'"
        self.clock = RoundClock(self.drawer, self.doubts.append)
        self.clock.on_resume(GAME)
        self.look()


def test_without_a_station_that_starts_it_a_clock_runs_from_the_seating() -> None:
    table = Table()
    assert table.time.left_s == LIMIT_S
    assert table.after(60).left_s == LIMIT_S - 60
    assert table.after(LIMIT_S).left_s == -60
    assert table.time.is_over
    assert table.time.minutes == 0


def test_a_clock_that_waits_is_started_by_the_station() -> None:
    table = Table(waits=True)
    assert not table.after(600).is_started
    assert table.clock.next_deadline_ms(table.now_ms) is None
    table.order(SetClock(GAME, 1, LIMIT_S, Seconds(LIMIT_S)))
    assert table.after(30).left_s == LIMIT_S - 30


def test_it_wakes_the_loop_once_a_minute_and_each_second_of_the_last_minute_only() -> None:
    table = Table(limit_s=120)
    wakes: list[int] = []
    while len(wakes) < 63:
        due = table.clock.next_deadline_ms(table.now_ms)
        assert due is not None
        table.now_ms = due
        table.look()
        wakes.append(due - 1_000)
    assert wakes[0] == 60_000
    assert wakes[1:61] == [60_000 + 1_000 * n for n in range(1, 61)]
    # The end is shown for a while; then minutes are counted again.
    assert wakes[61:] == [140_000, 180_000]


def test_a_clock_that_stands_wakes_nobody() -> None:
    table = Table()
    table.pause()
    assert table.clock.next_deadline_ms(table.now_ms) is None


def test_each_warning_sounds_once_and_the_end_sounds_otherwise() -> None:
    table = Table()
    table.after(LIMIT_S + 300)
    assert table.tunes == [Tune.TIME_SHORT] * 3 + [Tune.TIME_OVER]


def test_a_warning_is_seen_for_a_while() -> None:
    table = Table(limit_s=11 * 60)
    assert table.after(59).warns_min is None
    assert table.after(1).warns_min == 10
    assert table.after(15).warns_min == 10
    assert table.after(10).warns_min is None


def test_an_extension_after_a_warning_lets_it_be_given_again() -> None:
    table = Table(limit_s=6 * 60)
    table.after(90)
    table.happens(ExtendClock(Seconds(300)))
    table.after(300)
    assert table.tunes == [Tune.TIME_SHORT, Tune.TIME_SHORT]


def test_a_program_that_starts_anew_loses_nothing() -> None:
    table = Table()
    table.after(100)
    table.restart(off_s=20)
    assert table.time.left_s == LIMIT_S - 120
    assert not table.time.is_rough
    assert table.doubts == []


def test_after_a_power_cut_it_goes_on_from_what_was_saved_says_so_and_asks() -> None:
    table = Table()
    left = table.after(10 * 60 + 40).left_s
    table.restart(cut=True)
    assert table.time.is_rough
    assert left - 60 <= table.time.left_s <= left
    assert table.doubts == [table.time.left_s]
    table.order(SetClock(GAME, 0, LIMIT_S, Seconds(1_000), answers=1))
    assert (table.time.left_s, table.time.is_rough) == (1_000, False)


def test_a_power_cut_before_anything_was_saved_shows_nothing_rather_than_a_guess() -> None:
    table = Table()
    table.drawer.saved = None
    table.restart(cut=True)
    assert table.look() is None
    assert table.doubts == [None]


def test_an_order_that_waited_for_the_line_is_not_believed_until_the_station_says_it_again() -> None:
    table = Table(waits=True)
    table.clock.on_connection(table.now_ms)
    table.order(SetClock(GAME, 1, LIMIT_S, Seconds(LIMIT_S)))
    assert table.time.is_rough
    assert table.doubts == [LIMIT_S]
    table.after(1)
    table.order(SetClock(GAME, 1, LIMIT_S, Seconds(LIMIT_S - 500), answers=1))
    assert (table.time.left_s, table.time.is_rough) == (LIMIT_S - 500, False)


def test_what_the_tables_judge_gave_comes_on_top_of_what_the_station_says() -> None:
    table = Table()
    table.happens(ExtendClock(Seconds(120)))
    table.pause()
    table.after(60)
    table.resume()
    table.order(SetClock(GAME, 1, LIMIT_S, Seconds(1_000)))
    assert table.time.left_s == 1_000 + 120 + 60


def test_the_table_stands_while_either_has_stopped_it_and_a_pause_counts_once() -> None:
    table = Table()
    table.pause()
    table.after(100)
    table.order(SetClock(GAME, 1, LIMIT_S, Seconds(LIMIT_S - 100), held=True))
    left = table.after(100).left_s
    table.resume()
    assert table.after(100).left_s == left == LIMIT_S
    table.order(SetClock(GAME, 2, LIMIT_S, Seconds(LIMIT_S - 100)))
    assert table.after(10).left_s == LIMIT_S - 10


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("pass"), st.integers(0, 1_200)),
        st.tuples(st.just("extend"), st.integers(1, 600)),
        st.tuples(st.sampled_from(["pause", "resume", "restart", "cut"]), st.integers(0, 90)),
    ),
    max_size=30,
)


@given(MOVES)
def test_left_never_grows_but_by_an_extension_and_the_sum_is_right(moves: list[tuple[str, int]]) -> None:
    table = Table(limit_s=1_800)
    ran = given_s = lost_s = 0
    for move, number in moves:
        before, is_paused = table.time, table.known.recorded.is_paused
        match move:
            case "pass":
                table.after(number)
                ran += 0 if is_paused else number
            case "extend":
                table.happens(ExtendClock(Seconds(number)))
                given_s += number
            case "pause" if not is_paused:
                table.pause()
            case "resume" if is_paused:
                table.resume()
            case "restart":
                table.restart(off_s=number)
                ran += 0 if is_paused else number
            case "cut":
                table.restart(cut=True)
                lost_s += before.left_s - table.time.left_s
                assert 0 <= before.left_s - table.time.left_s <= SAVE_EVERY_MS // 1_000
            case _:
                pass
        given_now = number if move == "extend" else 0
        assert table.time.left_s <= before.left_s + given_now
        assert table.time.minutes >= 0
    assert table.time.left_s == 1_800 + given_s - ran - lost_s


@given(MOVES)
def test_a_log_told_again_gives_the_same(moves: list[tuple[str, int]]) -> None:
    table, known = Table(), RecordedClock()
    for move, number in moves:
        is_paused = table.known.recorded.is_paused
        if move == "extend":
            event: ClockDecision = ExtendClock(Seconds(number + 1))
        elif move in {"pause", "resume"}:
            event = ResumeClock(Seconds(number)) if is_paused else PauseClock(Seconds(number))
        else:
            continue
        table.happens(event)
        known = event.after(known)
    assert known == table.known.recorded


ROUND, TABLE = RoundNo(1), TableNo(1)
LIMIT = Seconds(3_600)
AT = dt.datetime(2026, 11, 21, 14, 0, tzinfo=dt.UTC)


class Line:
    """A station and a table whose messages wait until they are delivered."""

    def __init__(self) -> None:
        self.now_s = 0
        self.history: list[TournamentStep] = []
        self.clock_at_station = RecordedClock()
        self.unsent: list[ClockDecision] = []
        self.known = GameClockState(GAME, LIMIT, waits=True)
        self.clock = RoundClock(ClockFile(None, ""), lambda _: None)
        self.look()
        self.decides(StartRoundClock(ROUND, "Roy"))
        self.carry_down()

    @property
    def now_ms(self) -> int:
        return 1_000_000 + self.now_s * 1_000

    def look(self) -> None:
        self.clock.look(self.known, (), self.now_ms)
        ended = self.clock.resume_command(self.known, self.now_ms)
        if ended is not None:
            self.happens(ended.accepted(self.known.recorded))

    def happens(self, event: ClockDecision) -> None:
        self.unsent.append(event)
        self.known = replace(self.known, recorded=event.after(self.known.recorded))
        self.look()

    def asks(self, ask: ClockAsk) -> None:
        command = self.clock.command(AskClock(ask), self.now_ms)
        assert command is not None
        self.happens(command.accepted(self.known.recorded))

    def decides(self, event: hall.ClockDecision) -> None:
        at = AT + dt.timedelta(seconds=self.now_s)
        self.history.append(TournamentStep(TournamentId("t"), (event,), at.isoformat()))

    def lets_run(self) -> None:
        """End the pause that the station knows of, as the judge's button does."""
        if self.clock_at_station.is_paused:
            self.decides(ResumeRoundClock(ROUND, "Roy", TABLE, pause=self.clock_at_station.pauses))

    def carry_up(self) -> None:
        for event in self.unsent:
            self.clock_at_station = event.after(self.clock_at_station)
        self.unsent = []

    def carry_down(self) -> None:
        now = AT + dt.timedelta(seconds=self.now_s)
        left = time_left(self.history, ROUND, TABLE, LIMIT, now)
        clock = left.clock
        ended = clock.ended_pause_of(TABLE)
        order = SetClock(GAME, clock.changes_of(TABLE), LIMIT, left.left_s, ends_pause=ended)
        self.known = replace(self.known, order=order, order_no=self.known.order_no + 1)
        self.look()

    def left_at_table(self) -> int:
        clock = self.clock.view(self.now_ms)
        assert clock is not None
        return clock.left_s

    def left_at_station(self) -> int:
        if self.clock_at_station.paused_at_s is not None:
            return self.clock_at_station.paused_at_s
        now = AT + dt.timedelta(seconds=self.now_s)
        return time_left(self.history, ROUND, TABLE, LIMIT, now).left_s + self.clock_at_station.given_s


DELIVERIES = st.lists(
    st.tuples(st.sampled_from(["pause", "resume", "let run", "up", "down"]), st.integers(0, 600)), max_size=30
)


@given(DELIVERIES)
def test_table_and_station_agree_in_whatever_order_they_hear_of_each_other(
    moves: list[tuple[str, int]],
) -> None:
    line, stood = Line(), 0
    for move, seconds in moves:
        is_paused = line.known.recorded.is_paused
        match move:
            case "pause" if not is_paused:
                line.asks(ClockAsk.PAUSE)
            case "resume" if is_paused:
                line.asks(ClockAsk.RESUME)
            case "let run":
                line.lets_run()
            case "up":
                line.carry_up()
            case "down":
                line.carry_down()
            case _:
                pass
        stood += seconds if line.known.recorded.is_paused else 0
        line.now_s += seconds
        line.look()
    line.carry_down()
    line.carry_up()
    assert line.left_at_table() == line.left_at_station() == LIMIT - line.now_s + stood


def test_an_order_that_comes_late_ends_only_the_pause_that_the_judge_saw() -> None:
    line = Line()
    line.asks(ClockAsk.PAUSE)
    line.carry_up()
    line.lets_run()
    line.asks(ClockAsk.RESUME)
    line.now_s += 60
    line.asks(ClockAsk.PAUSE)
    line.carry_down()
    assert line.known.recorded.paused_at_s is not None
    line.carry_up()
    line.lets_run()
    line.now_s += 40
    line.carry_down()
    assert line.left_at_table() == LIMIT - 60
    line.now_s += 10
    assert line.left_at_table() == LIMIT - 70


def test_what_the_table_started_itself_goes_on_when_the_station_ends_a_pause() -> None:
    begun = new_clock(LIMIT, 0).following(StartClock().after(RecordedClock()), 0)
    order = SetClock(GAME, 1, Seconds(LIMIT + 600), Seconds(LIMIT + 600), started=False, ends_pause=1)
    later = begun.set_by(order, 100_000, trusted=True)
    assert later.runs
    assert later.remaining_ms(100_000) == (LIMIT + 600 - 100) * 1_000
