"""The pace of a round, computed from the tables' reports, and its pages."""

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game.clock import PauseClock, ResumeClock
from core.game.play.eliminations import Eliminate
from core.game.play.turns import SetRecordMode
from core.game.state.game import Cause
from core.rule_set import RecordMode
from core.terms import Role, RoundNo, SeatNo, Seconds, TableNo
from core.tournament.round_clock import PauseRoundClock, ResumeRoundClock, StartRoundClock
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.pace import service as services_pace
from station.pace.page import pace_chart
from station.pace.service import ExpectedEnd, LivePace, RoundPace, TablePace
from station.projections.game_logs import GameLogs
from sync.protocol.entry import ClockReading
from tests.station.browser import Browser
from tests.station.conftest import OPEN, WALL_MS, Station, outlaws_won, present
from tests.station.kept import KeptTerminal

MINUTE_MS = 60_000


class TimedTerminal(KeptTerminal):
    """A terminal whose clock runs ``ahead_ms`` ahead of the station's."""

    ahead_ms = 0

    def _reads_clock(self, _seq: int) -> ClockReading:
        wall_ms = self.station.clock.wall_ms() + self.ahead_ms
        return ClockReading(1, wall_ms - WALL_MS, wall_ms, trusted=False)

    def plays(self, turns: int, minutes: float) -> None:
        """End these turns, each after the same time."""
        for _ in range(turns):
            passes(self.station, minutes / turns)
            self.plays_turns()

    def eliminates_sheriff(self) -> None:
        for _ in range(self.game.seats[0].life):
            self.hits(1)
        self.tells(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))


Pair = tuple[TimedTerminal, TimedTerminal]


def passes(station: Station, minutes: float) -> None:
    station.clock.passed_ms += int(minutes * MINUTE_MS)


def unit(station: Station, table: int | None, name: str = "") -> TimedTerminal:
    return TimedTerminal(station, station.terminal(table, name).id)


def pace_now(station: Station) -> RoundPace | None:
    return station.service.of(LivePace).of(station.service.tournament(OPEN))


def pace(station: Station) -> RoundPace:
    return present(pace_now(station))


def at_table(station: Station, table: int) -> TablePace:
    return present(pace(station).table(TableNo(table)))


def minutes_left(station: Station, table: int) -> float:
    return (at_table(station, table).end.middle_ms - station.clock.wall_ms()) / MINUTE_MS


def width(station: Station, table: int) -> float:
    end = at_table(station, table).end
    return (end.late_ms - end.early_ms) / MINUTE_MS


def table_one(station: Station, waivers: Waivers | None = None) -> TimedTerminal:
    """The terminal of table 1 at the start of its first turn; table 2 is on paper."""
    station.opens(10, waivers)
    terminal = unit(station, 1)
    station.publishes()
    terminal.starts()
    return terminal


@pytest.fixture
def two(station: Station) -> Pair:
    """Two tables of five at the start of their first turns."""
    station.opens(10, Waivers(rounds=2))
    terminals = unit(station, 1), unit(station, 2)
    station.publishes()
    for terminal in terminals:
        terminal.starts()
    return terminals


def test_before_a_round_nothing_is_expected(station: Station) -> None:
    station.opens(10)
    assert pace_now(station) is None


def test_a_table_that_needs_twice_as_long_is_likely_to_be_last(station: Station, two: Pair) -> None:
    quick, slow = two
    for _ in range(8):
        quick.ends_turns(2)
        slow.ends_turns(1)
        passes(station, 2)
    quick.sends()
    slow.sends()
    current = pace(station)
    assert current.tables[0].table == 2
    assert current.is_likely
    assert minutes_left(station, 2) > 1.4 * minutes_left(station, 1)
    assert station.clock.wall_ms() < current.end.early_ms < current.end.middle_ms < current.end.late_ms
    assert current.end.middle_ms >= current.tables[0].end.middle_ms - MINUTE_MS


def test_a_finished_table_is_not_waited_for_and_the_last_ends_the_round(station: Station, two: Pair) -> None:
    one, other = two
    one.plays(10, 6.0)
    other.ends_turns(10)
    other.sends()
    one.eliminates_sheriff()
    assert [table.table for table in pace(station).tables] == [2]
    other.eliminates_sheriff()
    passes(station, 1)
    assert pace_now(station) is None


def test_a_table_on_paper_is_known_by_the_start_of_the_round_alone(station: Station) -> None:
    terminal = table_one(station)
    terminal.plays(25, 14.0)
    assert at_table(station, 1).is_known
    assert not at_table(station, 2).is_known
    assert width(station, 1) < width(station, 2)


def test_a_sheet_from_paper_ends_its_table(station: Station) -> None:
    station.opens(10)
    station.publishes()
    assert len(pace(station).tables) == 2
    station.accepts_paper(1)
    assert [table.table for table in pace(station).tables] == [2]


def test_a_terminal_that_has_not_dealt_yet_has_its_whole_game_before_it(station: Station) -> None:
    station.opens(10)
    terminal = unit(station, 1)
    station.publishes()
    terminal.obeys()
    terminal.sends()
    passes(station, 30)
    before = minutes_left(station, 1)
    assert at_table(station, 1).is_known
    terminal.starts()
    terminal.plays(8, 4.0)
    assert minutes_left(station, 1) < before


def test_a_pause_of_the_hall_moves_the_end_and_does_not_make_turns_slower(station: Station) -> None:
    terminal = table_one(station, Waivers(rounds=1, time_limit_min=300))
    station.does(StartRoundClock())
    terminal.plays(20, 10.0)
    before = minutes_left(station, 1)
    station.does(PauseRoundClock())
    passes(station, 30)
    assert pace(station).is_stopped
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)
    station.does(ResumeRoundClock())
    assert not pace(station).is_stopped
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_a_pause_at_the_table_counts_no_more_than_one_of_the_hall(station: Station) -> None:
    terminal = table_one(station, Waivers(rounds=1, time_limit_min=300))
    station.does(StartRoundClock())
    terminal.plays(20, 10.0)
    before = minutes_left(station, 1)
    terminal.tells(PauseClock(Seconds(17_000)))
    passes(station, 20)
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)
    terminal.tells(ResumeClock(Seconds(1_200)))
    passes(station, 0.1)
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_no_table_is_expected_to_play_longer_than_its_time(station: Station) -> None:
    table_one(station, Waivers(rounds=1, time_limit_min=20))
    passes(station, 10)
    station.does(StartRoundClock())
    passes(station, 5)
    limit_ms = station.clock.wall_ms() + 15 * MINUTE_MS
    current = pace(station)
    assert current.end.late_ms <= limit_ms
    assert all(table.end.late_ms <= limit_ms for table in current.tables)


def test_the_second_round_has_learnt_from_the_first(station: Station, two: Pair) -> None:
    for terminal in two:
        terminal.plays(50, 100.0)
        terminal.eliminates_sheriff()
    first = station.service.tournament(OPEN).rounds[0]
    for table in (1, 2):
        station.does(AcceptSheet(first.tables[table - 1].game, outlaws_won(first, table), Source.PAPER))
    station.publishes("cactus 2")
    learnt = at_table(station, 1).end.middle_ms - station.clock.wall_ms()
    newcomer = services_pace.LivePace(station.context)
    station.context.projections.games = GameLogs(lambda _: None)
    unlearnt = present(newcomer.of(station.service.tournament(OPEN)))
    fresh = present(unlearnt.table(TableNo(1)))
    assert learnt > 1.5 * (fresh.end.middle_ms - station.clock.wall_ms())


@pytest.mark.parametrize("ahead_ms", [-365 * 24 * 3_600_000, 3_600_000])
def test_a_terminal_whose_clock_is_wrong_ends_like_the_others(station: Station, ahead_ms: int) -> None:
    station.opens(10)
    right, wrong = unit(station, 1), unit(station, 2)
    wrong.ahead_ms = ahead_ms
    station.publishes()
    right.starts()
    wrong.starts()
    for _ in range(20):
        passes(station, 0.5)
        right.ends_turns(1)
        wrong.ends_turns(1)
    right.sends()
    wrong.sends()
    assert minutes_left(station, 2) == pytest.approx(minutes_left(station, 1), rel=0.1)


def test_a_spare_that_copied_a_game_knows_when_its_turns_were_played(station: Station, two: Pair) -> None:
    broken = two[0]
    broken.plays(20, 10.0)
    before = minutes_left(station, 1)
    spare = unit(station, None, "spare")
    station.assigns(spare.id, 1)
    spare.meets()
    passes(station, 0.1)
    assert spare.game.turns == 21
    assert minutes_left(station, 1) == pytest.approx(before, abs=0.5)


def test_a_light_game_is_forecast_by_its_time_and_its_eliminations(station: Station, two: Pair) -> None:
    light = two[0]
    light.asks(SetRecordMode(RecordMode.LIGHT))
    passes(station, 15)
    light.sends()
    before = minutes_left(station, 1)
    light.tells(Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER))
    passes(station, 0.1)
    assert minutes_left(station, 1) < before
    assert at_table(station, 1).is_known


def test_pages_that_ask_together_share_one_forecast(station: Station, two: Pair) -> None:
    current = pace(station)
    two[0].ends_turns(1)
    two[0].sends()
    assert pace(station) is current
    passes(station, 0.05)
    assert pace(station) is not current
    again = pace(station)
    passes(station, 0.1)
    assert pace(station) is again
    passes(station, 0.2)
    assert pace(station).now_ms > again.now_ms


def test_the_finals_have_no_pace(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    assert pace_now(station) is None
    assert RoundNo(1) == station.service.tournament(OPEN).published_rounds[-1].round


BASE = f"/judge/t/{OPEN}"
TIME = r"\d\d:\d\d"


@pytest.fixture
def terminal(station: Station) -> TimedTerminal:
    """The terminal of table 1 during its game; table 2 is on paper."""
    terminal = table_one(station, Waivers(rounds=1))
    terminal.plays(30, 16.0)
    return terminal


def test_the_floor_and_whats_next_say_when_the_round_will_end_and_which_table_is_last(
    terminal: TimedTerminal, judge: Browser
) -> None:
    for page in ("/floor", "", "/pace/line"):
        text = judge.get(BASE + page)
        assert re.search(rf"Round 1 will probably end at {TIME} \({TIME} to {TIME}\)\.", text)
        assert re.search(r"Table \d (is likely to|may) be last\.", text)


def test_a_table_page_has_its_line_and_what_it_does_not_know(terminal: TimedTerminal, judge: Browser) -> None:
    playing, paper = judge.get(f"{BASE}/tables/1/1/"), judge.get(f"{BASE}/tables/1/2/")
    for text in (playing, paper):
        assert re.search(rf"This game will probably end at {TIME} \({TIME} to {TIME}\)\.", text)
    assert "only the start of the round is known" in paper
    assert "only the start of the round is known" not in playing


def test_the_pace_page_has_a_bar_for_each_table_and_the_last_one_first(
    station: Station, terminal: TimedTerminal, judge: Browser
) -> None:
    text = judge.get(f"{BASE}/pace")
    assert len(re.findall(r"<rect ", text)) == 2
    pace = present(station.service.of(LivePace).rounded_pace(station.service.tournament(OPEN)))
    chart = pace_chart(pace)
    assert [bar.table for bar in chart.bars] == list(pace.tables)
    for bar in chart.bars:
        assert 0 <= bar.begin <= bar.middle <= bar.begin + bar.width + 0.01 <= 100.02
    assert chart.bars[0].table.table == int(re.findall(r">Table (\d)</a>", text)[-2])
    assert "on paper" in text


def test_when_one_table_is_left_it_is_named_and_when_none_is_nothing_is_said(
    station: Station, terminal: TimedTerminal, judge: Browser
) -> None:
    terminal.eliminates_sheriff()
    passes(station, 0.1)
    assert "Only table 2 is still playing." in judge.get(f"{BASE}/floor")
    assert "This game will probably end" not in judge.get(f"{BASE}/tables/1/1/")


def test_between_rounds_the_pace_page_says_that_nothing_is_played(station: Station, judge: Browser) -> None:
    station.opens(10)
    assert "No game is being played." in judge.get(f"{BASE}/pace")
    assert "probably" not in judge.get(f"{BASE}/pace/line")


def test_the_line_is_read_in_italian(terminal: TimedTerminal, judge: Browser) -> None:
    assert "fine probabile alle" in judge.get(f"{BASE}/pace/line", language="it")


@given(st.floats(0, 300), st.floats(0, 300), st.floats(0, 300), st.floats(0, 59_999))
def test_shown_times_only_widen_the_range_and_never_begin_before_now(
    one: float, two: float, three: float, within_ms: float
) -> None:
    now = dt.datetime(2026, 11, 21, 14, 30, tzinfo=dt.UTC).timestamp() * 1000 + within_ms
    early, middle, late = (now + minutes * MINUTE_MS for minutes in sorted((one, two, three)))
    times = ExpectedEnd(middle, early, late).rounded(now)
    assert now - MINUTE_MS < times.early_ms <= early + 1
    assert times.early_ms <= times.middle_ms <= times.late_ms
    assert times.late_ms >= late - 1
    assert abs(times.middle_ms - middle) <= 5 * MINUTE_MS
    assert re.fullmatch(TIME, times.middle)
