"""The clock of the round on the floor page."""

import pytest

from core.game.clock import PauseClock as PauseHere
from core.game.clock import ResumeClock as ResumeHere
from core.game.orders import SetClock
from core.terms import Seconds
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station

BASE = f"/judge/t/{OPEN}"


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    terminal = station.terminal(1)
    terminal.seats()
    terminal.sends()
    return terminal


def test_the_judge_starts_stops_and_gives_time_from_the_floor(
    station: Station, judge: Browser, terminal: ScriptedTerminal
) -> None:
    assert "60 minutes, not started" in judge.get(f"{BASE}/floor")
    page = judge.send(f"{BASE}/clock", {"do": "start"})
    assert "Stop all clocks" in page
    station.clock.passed_ms += 600_000
    assert "50 min left" in on_floor(judge, OPEN, 1)
    page = judge.send(f"{BASE}/clock", {"do": "give", "table": "1", "minutes": "5", "reason": "a quarrel"})
    assert "+5 min" in page
    assert "stopped, 50 min left" in judge.send(f"{BASE}/clock", {"do": "stop"})
    judge.send(f"{BASE}/clock", {"do": "run"})
    judge.send(f"{BASE}/clock", {"do": "stop", "table": "1"})
    assert "this table's clock is stopped" in on_floor(judge, OPEN, 1)
    assert len(terminal.ordered(SetClock)) == 5
    history = judge.get(f"{BASE}/history")
    assert "5 more minutes: table 1 (a quarrel)" in history
    assert "Clock resumed: all tables" in history


def test_what_the_tables_judge_did_is_seen_with_its_story(judge: Browser, terminal: ScriptedTerminal) -> None:
    judge.get(f"{BASE}/floor")
    judge.send(f"{BASE}/clock", {"do": "start"})
    terminal.ask(PauseHere(Seconds(1_205)))
    terminal.sends()
    assert "stopped at the table" in on_floor(judge, OPEN, 1)
    assert "The clock was stopped at the table: 20:05 left" in judge.get(f"{BASE}/tables/1/1/")


def test_the_judge_ends_a_pause_of_the_table_from_the_floor(
    station: Station, judge: Browser, terminal: ScriptedTerminal
) -> None:
    judge.get(f"{BASE}/floor")
    judge.send(f"{BASE}/clock", {"do": "start"})
    terminal.ask(PauseHere(Seconds(1_205)))
    terminal.sends()
    card = on_floor(judge, OPEN, 1)
    assert 'name="pause" value="1"' in card
    assert "Resume" in card
    judge.send(f"{BASE}/clock", {"do": "run", "table": "1", "pause": "1", "reason": "they play on"})
    assert terminal.ordered(SetClock)[-1].ends_pause == 1
    card = on_floor(judge, OPEN, 1)
    assert "asked to resume, no reply yet" in card
    assert "Resume" not in card
    assert "Clock resumed: table 1 (they play on)" in judge.get(f"{BASE}/history")
    again = judge.send(f"{BASE}/clock", {"do": "run", "table": "1", "pause": "1"})
    assert "is already running" in again
    terminal.ask(ResumeHere(Seconds(30)))
    terminal.sends()
    card = on_floor(judge, OPEN, 1)
    assert "min left" in card
    assert "stopped" not in card


def test_nonsense_is_refused_in_words(judge: Browser, terminal: ScriptedTerminal) -> None:
    judge.get(f"{BASE}/floor")
    assert "That action doesn't exist." in judge.send(f"{BASE}/clock", {"do": "turn back"})
    assert "The clock hasn't been started yet." in judge.send(f"{BASE}/clock", {"do": "stop"})
    judge.send(f"{BASE}/clock", {"do": "start"})
    assert "Table 77 isn't playing" in judge.send(f"{BASE}/clock", {"do": "stop", "table": "77"})
    assert "1 to 60 minutes" in judge.send(f"{BASE}/clock", {"do": "give", "minutes": "0"})
    assert len(terminal.ordered(SetClock)) == 1
