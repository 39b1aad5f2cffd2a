"""The clock of a round, from the floor page to the tables and back."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.game.clock import ExtendClock as ExtendHere
from core.game.clock import PauseClock as PauseHere
from core.game.clock import RequestTimeLeft
from core.game.clock import ResumeClock as ResumeHere
from core.game.orders import SeatGame, SetClock
from core.terms import RoundNo, Seconds, TableNo, TournamentId
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.registration import ChangeWaivers
from core.tournament.round_clock import (
    ClockDecision,
    ExtendRoundClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Waivers
from core.tournament.timeline import time_left
from station.projections.cards import TableTime
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station, present

LIMIT_S = 3_600
BASE = f"/judge/t/{OPEN}"


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    return station.begun(1)


def passes(station: Station, seconds: int) -> None:
    station.clock.passed_ms += seconds * 1_000


def time_of(station: Station, table: int = 1) -> TableTime:
    return present(station.card(table).time)


def test_a_clock_waits_for_the_judge_and_then_runs(station: Station, terminal: ScriptedTerminal) -> None:
    assert terminal.ordered(SeatGame)[-1].clock_waits
    assert terminal.ordered(SetClock) == []
    passes(station, 300)
    assert not time_of(station).is_started
    station.does(StartRoundClock())
    passes(station, 100)
    assert [(o.left_s, o.started, o.held) for o in terminal.ordered(SetClock)] == [(LIMIT_S, True, False)]
    assert time_of(station).left_s == time_of(station, 2).left_s == LIMIT_S - 100


def test_one_table_is_given_time_and_only_it_is_told(station: Station, terminal: ScriptedTerminal) -> None:
    other = station.terminal(2)
    station.does(StartRoundClock())
    station.does(ExtendRoundClock(seconds=Seconds(300), table=TableNo(1), reason="a card was missing"))
    assert (time_of(station).left_s, time_of(station).given_s, time_of(station, 2).left_s) == (
        3_900,
        300,
        LIMIT_S,
    )
    assert len(terminal.ordered(SetClock)) == 2
    assert len(other.ordered(SetClock)) == 1
    event = station.service.history(OPEN)[-1].events[0]
    assert isinstance(event, ExtendRoundClock)
    assert (event.by, event.reason, event.table) == ("Judge Roy", "a card was missing", 1)


def test_a_hall_that_stands_loses_no_time(station: Station, terminal: ScriptedTerminal) -> None:
    station.does(StartRoundClock())
    passes(station, 60)
    station.does(PauseRoundClock())
    passes(station, 600)
    assert time_of(station).left_s == LIMIT_S - 60
    station.does(ResumeRoundClock())
    passes(station, 40)
    assert time_of(station).left_s == LIMIT_S - 100
    assert [o.held for o in terminal.ordered(SetClock)] == [False, True, False]


def test_a_table_that_was_stopped_by_itself_stands_until_it_is_let_run(station: Station) -> None:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    station.does(StartRoundClock())
    station.does(PauseRoundClock(table=TableNo(2)))
    station.does(PauseRoundClock())
    station.does(ResumeRoundClock())
    passes(station, 100)
    assert (time_of(station, 1).left_s, time_of(station, 2).left_s) == (LIMIT_S - 100, LIMIT_S)
    with pytest.raises(Refused) as refusal:
        station.does(PauseRoundClock(table=TableNo(2)))
    assert refusal.value.reason is TournamentReason.CLOCK_STANDS


def test_what_the_tables_judge_did_counts_however_late(station: Station, terminal: ScriptedTerminal) -> None:
    station.does(StartRoundClock())
    passes(station, 100)
    terminal.ask(PauseHere(Seconds(LIMIT_S - 10)), ResumeHere(Seconds(50)), ExtendHere(Seconds(120)))
    assert time_of(station).left_s == LIMIT_S - 100
    terminal.sends()
    assert (time_of(station).left_s, time_of(station).given_s) == (LIMIT_S - 100 + 50 + 120, 120)
    terminal.tells(PauseHere(Seconds(1_234)))
    passes(station, 500)
    assert (time_of(station).left_s, time_of(station).runs) == (1_234, False)


def test_a_terminal_that_doubts_its_clock_is_told_once(station: Station, terminal: ScriptedTerminal) -> None:
    station.does(StartRoundClock())
    passes(station, 200)
    terminal.tells(RequestTimeLeft(Seconds(LIMIT_S)))
    last = terminal.ordered(SetClock)[-1]
    assert (last.left_s, last.answers) == (LIMIT_S - 200, 1)
    terminal.tells(ExtendHere(Seconds(60)))
    assert terminal.ordered(SetClock)[-1] == last


def test_a_spare_that_takes_over_is_told_the_clock(station: Station, terminal: ScriptedTerminal) -> None:
    station.does(StartRoundClock())
    passes(station, 200)
    station.assigns(terminal.id, None)
    spare = station.terminal(1, "spare")
    assert spare.ordered(SetClock)[-1].left_s == LIMIT_S - 200


def test_undo_leaves_the_clock_as_it_is_and_is_not_spent_on_it(station: Station) -> None:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    before = station.service.tournament(OPEN)
    station.does(StartRoundClock())
    state = station.service.tournament(OPEN)
    assert (state.steps, state.clock.is_started) == (before.steps, True)
    undone = station.does(UndoSteps(1, "the wrong seed"))
    assert undone.running_round is None
    assert station.refuses(PauseRoundClock()).reason is TournamentReason.NO_CLOCK


def test_a_limit_that_is_set_in_the_middle_of_a_round_reaches_the_tables(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    terminal = station.begun(1)
    station.does(ChangeWaivers(Waivers(rounds=1, time_limit_min=45), "the hall closes"))
    assert [(o.limit_s, o.started) for o in terminal.ordered(SetClock)] == [(2_700, False)]
    station.does(StartRoundClock())
    station.does(ChangeWaivers(Waivers(rounds=1, time_limit_min=50), "it closes later"))
    assert [(o.limit_s, o.left_s) for o in terminal.ordered(SetClock)][1:] == [(2_700, 2_700), (3_000, 3_000)]


def test_nothing_runs_without_a_limit_and_nothing_is_given_in_vain(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    for command, reason in (
        (StartRoundClock(), TournamentReason.NO_CLOCK),
        (ResumeRoundClock(), TournamentReason.NO_CLOCK),
    ):
        assert station.refuses(command).reason is reason
    assert station.card().time is None


AT = dt.datetime(2026, 11, 21, 14, 0, tzinfo=dt.UTC)
EVENTS = st.lists(
    st.tuples(
        st.integers(0, 900),
        st.sampled_from(["pause", "resume", "extend"]),
        st.sampled_from([None, 1, 2]),
        st.integers(1, 3_600),
    ),
    max_size=12,
)


@given(EVENTS, st.integers(0, 9_000))
def test_what_is_left_is_the_limit_and_what_was_given_less_what_ran(
    events: list[tuple[int, str, int | None, int]], after: int
) -> None:
    now, ran, given_s, all_held, held = AT, 0, 0, False, False
    history = [_step(AT, StartRoundClock(RoundNo(1), "Roy"))]
    for wait, kind, number, seconds in events:
        now += dt.timedelta(seconds=wait)
        ran += 0 if all_held or held else wait
        table = None if number is None else TableNo(number)
        if kind == "extend":
            history.append(
                _step(
                    now, ExtendRoundClock(round=RoundNo(1), seconds=Seconds(seconds), by="Roy", table=table)
                )
            )
            given_s += seconds if number in {None, 1} else 0
            continue
        made = PauseRoundClock if kind == "pause" else ResumeRoundClock
        history.append(_step(now, made(RoundNo(1), "Roy", table)))
        all_held = kind == "pause" if number is None else all_held
        held = kind == "pause" if number == 1 else held
    now += dt.timedelta(seconds=after)
    ran += 0 if all_held or held else after
    left = time_left(history, RoundNo(1), TableNo(1), Seconds(LIMIT_S), now)
    assert left.left_s == LIMIT_S + given_s - ran


def _step(at: dt.datetime, event: ClockDecision) -> TournamentStep:
    return TournamentStep(TournamentId("t"), (event,), at.isoformat())


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
    terminal.tells(PauseHere(Seconds(1_205)))
    assert "stopped at the table" in on_floor(judge, OPEN, 1)
    assert "The clock was stopped at the table: 20:05 left" in judge.get(f"{BASE}/tables/1/1/")


def test_the_judge_ends_a_pause_of_the_table_from_the_floor(
    station: Station, judge: Browser, terminal: ScriptedTerminal
) -> None:
    judge.get(f"{BASE}/floor")
    judge.send(f"{BASE}/clock", {"do": "start"})
    terminal.tells(PauseHere(Seconds(1_205)))
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
    terminal.tells(ResumeHere(Seconds(30)))
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
