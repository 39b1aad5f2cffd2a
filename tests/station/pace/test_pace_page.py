"""The pace on the pages: a line on the floor and on What's next, one of a table, a bar for each table."""

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tournament.state.tournament import Waivers
from station.pace.page import pace_chart
from station.pace.service import ExpectedEnd, LivePace
from station.pace.text import show_end, show_pace
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station
from tests.station.pace.test_pace import TimedTerminal, begins, passes, unit

BASE = f"/judge/t/{OPEN}"
TIME = r"\d\d:\d\d"
MINUTE_MS = 60_000


@pytest.fixture
def terminal(station: Station) -> TimedTerminal:
    """Table 1 in its game, table 2 on paper."""
    station.opens(10, Waivers(rounds=1))
    terminal = unit(station, 1)
    station.publishes()
    begins(terminal)
    terminal.plays(30, 16.0)
    return terminal


def test_the_floor_and_whats_next_say_when_the_round_will_end_and_which_table_is_last(
    terminal: TimedTerminal, judge: Browser
) -> None:
    for page in ("/floor", "", "/pace/line"):
        text = judge.get(BASE + page)
        assert re.search(rf"Round 1 will probably end at {TIME} \({TIME} to {TIME}\)\.", text)
        assert re.search(r"Table \d (is likely to|may) be last\.", text)


def test_a_table_page_has_its_own_line_and_says_what_it_does_not_know(
    terminal: TimedTerminal, judge: Browser
) -> None:
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
    pace = show_pace(station.service.of(LivePace).of(station.service.tournament(OPEN)))
    assert pace is not None
    chart = pace_chart(pace)
    assert [bar.table for bar in chart.bars] == [table.table for table in pace.tables]
    for bar in chart.bars:
        assert 0 <= bar.begin <= bar.middle <= bar.begin + bar.width + 0.01 <= 100.02
    assert chart.bars[0].table == int(re.findall(r">Table (\d)</a>", text)[-2])
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
    times = show_end(ExpectedEnd(middle, early, late), now)
    shown_middle, shown_early, shown_late = times.moments
    assert now - MINUTE_MS < shown_early <= early + 1
    assert shown_early <= shown_middle <= shown_late
    assert shown_late >= late - 1
    assert abs(shown_middle - middle) <= 5 * MINUTE_MS
    assert re.fullmatch(TIME, times.middle)
