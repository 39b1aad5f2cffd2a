"""The tables of a tournament in the hall: their numbers, and tables of 4 allowed on the page."""

import re

from core.editions.loader import rules_of
from core.game.ending.finished_game import FinishedGame
from core.game.ending.winnings import winnings
from core.terms import PlayerId
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.state.table_list import ALL_TABLES
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser, proof_faults, shows
from tests.station.conftest import OPEN, Station, seed
from tests.station.hall.test_several_tournaments import SIDE, draws_side_event

HERE = f"/judge/t/{SIDE}"


def test_a_draw_names_the_tables_that_are_not_free_and_offers_others(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    station.publishes()
    draws_side_event(station)
    page = judge.get(f"{HERE}/draw")
    assert "Another tournament is playing at these tables: 1, 2 (Open)." in page
    assert re.search(r"<button[^>]*disabled[^>]*>Publish", page)
    assert 'name="tables" required maxlength="200" value="3-"' in page
    page = judge.send(f"{HERE}/tables", {"tables": "3-"})
    shows(page, "The tournament's tables have been renumbered.", "tables 3-4 in the hall")
    shows(judge.get(f"{HERE}/draw"), "Table 3", never="Another tournament")
    assert "The draw is published." in judge.post(f"{HERE}/draw/publish")
    assert "Play at other tables" not in judge.get(HERE)


def test_a_new_tournament_begins_after_the_tables_of_the_others(judge: Browser, station: Station) -> None:
    assert 'name="tables" required maxlength="200" value="1-"' in judge.get("/judge/new/championship-2022")
    station.opens(10)
    assert 'name="tables" required maxlength="200" value="3-"' in judge.get("/judge/new/championship-2022")
    fields = {"edition": "championship-2022", "name": "Side event", "date": "2026-11-21", "tables": "0"}
    page = judge.send("/judge/tournaments", fields, 422)
    shows(page, "Tables have numbers from 1 to 999; 0 isn't possible.", 'value="0"')
    judge.send("/judge/tournaments", {**fields, "tables": "3-12, 20"})
    assert station.service.tournaments()[0].hall_tables.describe() == "3-12, 20"
    assert station.service.tournament(OPEN).hall_tables == ALL_TABLES


def test_a_word_is_no_list_of_tables(judge: Browser, station: Station) -> None:
    station.opens(10)
    page = judge.send(f"/judge/t/{OPEN}/tables", {"tables": "three"})
    assert "“three” isn't a list of tables. Type for example 1-12, 20, or 13- for all from 13." in page
    assert station.service.tournament(OPEN).hall_tables == ALL_TABLES


def test_a_round_is_drawn_to_the_tables_of_the_list_and_history_names_them(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    page = judge.send(f"/judge/t/{OPEN}/tables", {"tables": "7"})
    assert "There are fewer tables in the list than the next round needs." in page
    page = judge.post(f"/judge/t/{OPEN}/draw/seal")
    assert "The draw needs 2 tables, and this tournament has 1 (7)." in page
    judge.send(f"/judge/t/{OPEN}/tables", {"tables": "7, 4"})
    station.does(SealDraw(seed=seed("list")))
    station.does(MakeDraw(hall_word="saddle"))
    page = judge.get(f"/judge/t/{OPEN}/draw")
    assert page.index("Table 7") < page.index("Table 4")
    draft = station.service.tournament(OPEN).rounds[-1]
    mover = draft.tables[0].players[-1]
    change = {"player": mover, "table": "5", "reason": "late"}
    assert "This draw has no table 5" in judge.send(f"/judge/t/{OPEN}/draw/change", change)
    station.does(PublishDraw())
    assert "→ 7, 4" in judge.get(f"/judge/t/{OPEN}/history")
    assert [drawn.table for drawn in station.service.tournament(OPEN).rounds[-1].tables] == [7, 4]


def test_what_to_do_next_counts_the_terminals_that_are_disconnected(judge: Browser, station: Station) -> None:
    station.opens(10)
    enrolled = [station.terminal(table).id for table in (1, 2)]
    shows(judge.get(f"/judge/t/{OPEN}"), "All terminals are connected.", never="disconnected")
    for terminal in enrolled:
        station.disconnects(terminal)
    page = judge.get(f"/judge/t/{OPEN}")
    shows(page, "2 terminals are disconnected.", never="All terminals are connected.")


DRAW = f"/judge/t/{OPEN}/draw"


def with_nine(station: Station, edition: str) -> None:
    """Return a station at which nine of ten players are left after the first of three rounds."""
    station.opens(10, Waivers(rounds=2), edition)
    station.plays_round("first")
    station.does(WithdrawPlayer(PlayerId("p010"), "the last train"))


def allow(judge: Browser, **amounts: str) -> str:
    """Send the form as it is proposed, with some amounts changed."""
    page = judge.get(DRAW)
    fields = dict(re.findall(r'name="(row-\d+)" inputmode="numeric" class="amount" value="(\d+)"', page))
    assert fields
    return judge.send(f"{DRAW}/four", {**fields, **amounts, "reason": "everybody wants to play on"})


def row_of(page: str, ending: str, role: str) -> str:
    """Return the field of a row, found by the text beside it."""
    fields = re.findall(rf'name="(row-\d+)"[^>]*aria-label="{ending}, {role}"', page)
    assert len(fields) == 1, fields
    return str(fields[0])


def test_nobody_is_asked_where_the_chart_has_tables(station: Station, judge: Browser) -> None:
    station.opens(10)
    assert "Tables of 4" not in judge.get(DRAW)


def test_nine_players_go_on_at_tables_of_five_and_four(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    with_nine(station, "championship-2022")
    page = judge.get(DRAW)
    assert "9 players can't be seated" in page
    assert "Enter what tables of 4 pay" in judge.send(f"{DRAW}/four", {"reason": "all want to"})
    row = row_of(page, "The Outlaws win", "Outlaw")
    refused = allow(judge, **{row: "1.5"})
    assert (
        "1.5 isn't an amount of money. Type whole dollars, such as 1500 or 1,500; at most six digits."
        in refused
    )
    allow(judge, **{row: "1.700"})
    assert "Tables of 4" not in judge.get(DRAW)
    terminal = station.terminal(2)
    station.publishes("second")
    state = station.service.tournament(OPEN)
    (four,) = (table for table in state.rounds[-1].tables if len(table.players) == 4)
    assert four.table == 2
    game = terminal.plays()
    assert game == four.game
    (sheet,) = station.service.tournament(OPEN).rounds[-1].sheets
    assert sheet.game == game
    assert isinstance(sheet.result, FinishedGame)
    paid = winnings(sheet.result, rules_of(state.rules))
    assert sorted(set(paid)) in ([0, 1700], [0])
    rules = visitor.get(f"/t/{OPEN}/rules")
    assert (
        "The judge has allowed tables of 4, which the document doesn't provide for: "
        "everybody wants to play on"
    ) in rules
    assert "Table of 4" in rules
    assert "Tables of 4 allowed: everybody wants to play on" in judge.get(f"/judge/t/{OPEN}/history")
    assert proof_faults(station) == ()


def test_2010_proposes_its_formulas(station: Station, judge: Browser) -> None:
    with_nine(station, "championship-2010")
    page = judge.get(DRAW)
    proposed = re.findall(r'class="amount" value="(\d+)"', page)
    assert [int(one) for one in proposed if one != "0"] == [3000, 1600, 2000, 1400, 400, 5200, 400]
    assert "Deputy" not in page.partition("Tables of 4")[2].partition("</form>")[0]
    allow(judge)
    station.does(SealDraw(seed=seed("second")))


def test_a_tournament_ends_where_nobody_can_be_seated(station: Station, judge: Browser) -> None:
    with_nine(station, "championship-2022")
    assert "End after the rounds already played" in judge.get(DRAW)
    judge.send(f"{DRAW}/end", {"reason": "nine are left"})
    state = station.service.tournament(OPEN)
    assert state.rounds_planned == 1
    assert "End after the rounds" not in judge.get(DRAW)
