"""The floor of a large hall: tables that need a judge come first, and every table can be found."""

import re
from urllib.parse import quote

import pytest

from core.game.ending.judge_calls import CallJudge
from core.game.orders import Power, PowerChanged
from core.game.play.turns import SetRecordMode
from core.game.play.wounds import LoseLife
from core.rule_set import RecordMode
from core.terms import SeatNo
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.floor.attention import TablePictures
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station, outlaws_won

BASE = f"/judge/t/{OPEN}"
MINUTE_MS = 60_000


def places(judge: Browser, look: str = "rows") -> list[tuple[int, str]]:
    """Return the tables in the order of the floor, each with what it needs."""
    page = judge.get(f"{BASE}/floor?look={look}")
    return [(int(n), needs) for n, needs in re.findall(r'id="table-(\d+)"[^>]*data-needs="([^"]+)"', page)]


def playing(station: Station, table: int) -> ScriptedTerminal:
    terminal = station.terminal(table)
    # Who put it there is known.
    station.run(station.service.problems.mark_terminal_seen(terminal.id, "Judge Roy"))
    terminal.starts(LoseLife(SeatNo(2), 1))
    return terminal


@pytest.fixture(autouse=True)
def _hall(station: Station) -> None:
    station.opens(25, Waivers(rounds=1))
    station.publishes()


def test_tables_that_need_a_judge_come_first_and_finished_ones_last(station: Station, judge: Browser) -> None:
    calling = playing(station, 3)
    playing(station, 4)
    calling.tells(CallJudge())
    drawn = station.service.tournament(OPEN).rounds[0]
    card = station.card()
    station.does(AcceptSheet(card.game_id, outlaws_won(drawn, 1), Source.PAPER))
    expected = [(3, "calls"), (4, "plays"), (2, "on-paper"), (5, "on-paper"), (1, "done")]
    assert places(judge) == expected
    assert places(judge, "cards") == expected
    judge.post(f"{BASE}/tables/1/3/answer")
    assert places(judge)[0] == (3, "coming")


def test_a_table_that_enters_nothing_for_minutes_is_named(station: Station, judge: Browser) -> None:
    playing(station, 2)
    station.clock.passed_ms += 7 * MINUTE_MS
    assert (2, "plays") in places(judge)
    station.clock.passed_ms += 2 * MINUTE_MS + MINUTE_MS // 2
    assert places(judge)[0] == (2, "silent")
    assert "nothing entered for 9 minutes" in on_floor(judge, OPEN, 2, "rows")
    assert "nothing entered for 9 minutes" in on_floor(judge, OPEN, 2, "cards")
    station.clock.passed_ms += MINUTE_MS
    assert "nothing entered for 10 minutes" in on_floor(judge, OPEN, 2, "rows")


def test_a_table_whose_battery_is_almost_empty_is_named(station: Station, judge: Browser) -> None:
    terminal = playing(station, 2)
    terminal.reports(PowerChanged(Power.BATTERY))
    assert (2, "plays") in places(judge)
    for look in ("rows", "cards"):
        assert "on battery" in on_floor(judge, OPEN, 2, look)
    terminal.reports(PowerChanged(Power.LOW))
    assert places(judge)[0] == (2, "low-battery")
    for look in ("rows", "cards", "plan"):
        assert "battery almost empty" in on_floor(judge, OPEN, 2, look)
    assert "battery almost empty" in judge.get("/judge/terminals")
    terminal.reports(PowerChanged(Power.MAINS))
    assert (2, "plays") in places(judge)
    assert "battery" not in on_floor(judge, OPEN, 2, "cards")


def test_a_light_game_may_be_silent_for_longer(station: Station, judge: Browser) -> None:
    light = playing(station, 2)
    light.tells(SetRecordMode(RecordMode.LIGHT))
    station.clock.passed_ms += 20 * MINUTE_MS
    assert (2, "plays") in places(judge)
    station.clock.passed_ms += 6 * MINUTE_MS
    assert places(judge)[0] == (2, "silent")


def test_a_table_on_paper_is_no_fault(judge: Browser) -> None:
    for look in ("rows", "cards"):
        row = on_floor(judge, OPEN, 2, look)
        assert "on paper" in row
        assert "gone" not in row
        assert 'class="badge bad"' not in row


def test_the_chosen_look_is_kept_and_a_large_hall_begins_with_rows(station: Station, judge: Browser) -> None:
    assert "table-card" in judge.get(f"{BASE}/floor")
    judge.get(f"{BASE}/floor?look=rows")
    assert "table-row" in judge.get(f"{BASE}/floor")
    assert "table-card" in judge.get(f"{BASE}/floor?look=cards")
    assert "table-card" in judge.get(f"{BASE}/floor?look=nonsense")


def test_one_changed_table_is_rendered_once_for_all_pages(station: Station, judge: Browser) -> None:
    terminal = playing(station, 2)
    pictures: TablePictures = judge.app.state.table_pictures
    judge.get(f"{BASE}/floor?look=rows")
    before = pictures.made
    for _ in range(3):
        judge.get(f"{BASE}/floor?look=rows")
    assert pictures.made == before
    terminal.tells(LoseLife(SeatNo(3), 1))
    for _ in range(3):
        judge.get(f"{BASE}/floor?look=rows")
    assert pictures.made == before + 1


def test_a_page_has_its_own_token_in_the_forms_of_shared_rows(station: Station, judge: Browser) -> None:
    terminal = playing(station, 2)
    terminal.tells(CallJudge())
    tokens = set[str]()
    for _ in range(2):
        page = judge.get(f"{BASE}/floor?look=rows")
        tokens_on_page = set(re.findall(r'name="_csrf_token" value="([^"]+)"', page))
        assert len(tokens_on_page) == 1
        assert "<!-- csrf -->" not in page
        tokens |= tokens_on_page
        judge.forget("csrftoken")
    assert len(tokens) == 2


@pytest.mark.parametrize("wanted", ["player 7", "PLÄYER 7", " PLAYER  7 "])
def test_a_player_is_found_with_every_table(station: Station, judge: Browser, wanted: str) -> None:
    seat = next(
        table.table
        for table in station.service.tournament(OPEN).rounds[0].tables
        if "p007" in [str(player) for player in table.players]
    )
    page = judge.get(f"{BASE}/find?q={quote(wanted)}")
    assert f'{BASE}/tables/1/{seat}"' in page
    assert "Player 8" not in page


def test_a_table_is_found_by_its_number(judge: Browser) -> None:
    page = judge.get(f"{BASE}/find?q=4")
    assert f'{BASE}/tables/1/4"' in page
    assert "Round 1, table 4" in page


def test_a_terminal_is_found_by_its_id(station: Station, judge: Browser) -> None:
    terminal = playing(station, 2)
    page = judge.get(f"{BASE}/find?q={terminal.id[:6]}")
    assert f"{BASE}/tables/1/2" in page
    assert terminal.id[:8] in page


def test_a_search_without_a_result_says_so(judge: Browser) -> None:
    assert "Nothing matches “nobody &lt;b&gt;”" in judge.get(f"{BASE}/find?q=nobody+<b>")
