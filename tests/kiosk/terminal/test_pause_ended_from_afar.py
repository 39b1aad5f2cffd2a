"""A pause made at a table is ended by the station: by its number, with matching sums."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.game.clock.clock import ClockDecision, StartClock
from core.game.state.game import RecordedClock
from core.terminal.orders import SetClock
from core.terms import GameId, RoundNo, Seconds, TableNo, TournamentId
from core.tournament import round_clock as hall
from core.tournament.clock_history import time_left
from core.tournament.decisions import TournamentStep
from core.tournament.round_clock import ResumeRoundClock, StartRoundClock
from kiosk.terminal.round_clock import ClockFile, GameClockState, RoundClock, new_clock
from kiosk.view.intents import AskClock, ClockAsk

GAME, ROUND, TABLE = GameId("g1"), RoundNo(1), TableNo(1)
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


MOVES = st.lists(
    st.tuples(st.sampled_from(["pause", "resume", "let run", "up", "down"]), st.integers(0, 600)), max_size=30
)


@given(MOVES)
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
