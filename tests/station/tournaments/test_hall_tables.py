"""The judge chooses the tables of a tournament, and sees which of them are not free."""

import re

from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.state.table_list import ALL_TABLES
from sync.protocol.entry import TerminalId
from tests.station.browser import Browser
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
    assert "The tournament's tables have been renumbered." in page
    assert "tables 3-4 in the hall" in page
    page = judge.get(f"{HERE}/draw")
    assert "Table 3" in page
    assert "Another tournament" not in page
    assert "The draw is published." in judge.post(f"{HERE}/draw/publish")
    assert "Play at other tables" not in judge.get(HERE)


def test_a_new_tournament_begins_after_the_tables_of_the_others(judge: Browser, station: Station) -> None:
    assert 'name="tables" required maxlength="200" value="1-"' in judge.get("/judge/new/championship-2022")
    station.opens(10)
    page = judge.get("/judge/new/championship-2022")
    assert 'name="tables" required maxlength="200" value="3-"' in page
    fields = {"edition": "championship-2022", "name": "Side event", "date": "2026-11-21", "tables": "0"}
    page = judge.send("/judge/tournaments", fields, 422)
    assert "Tables have numbers from 1 to 999; 0 isn't possible." in page
    assert 'value="0"' in page
    judge.send("/judge/tournaments", {**fields, "tables": "3-12, 20"})
    assert station.service.tournaments()[0].hall_tables.describe() == "3-12, 20"
    assert station.service.tournament(OPEN).hall_tables == ALL_TABLES


def test_a_word_is_no_list_of_tables(judge: Browser, station: Station) -> None:
    station.opens(10)
    judge.get(f"/judge/t/{OPEN}")
    page = judge.send(f"/judge/t/{OPEN}/tables", {"tables": "three"})
    assert "“three” isn't a list of tables. Type for example 1-12, 20, or 13- for all from 13." in page
    assert station.service.tournament(OPEN).hall_tables == ALL_TABLES


def test_a_round_is_drawn_to_the_tables_of_the_list_and_history_names_them(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    judge.get(f"/judge/t/{OPEN}")
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
    assert "Tables in the hall: 7, 4" in judge.get(f"/judge/t/{OPEN}/history")
    assert [drawn.table for drawn in station.service.tournament(OPEN).rounds[-1].tables] == [7, 4]


def test_what_to_do_next_counts_the_terminals_that_are_disconnected(judge: Browser, station: Station) -> None:
    station.opens(10)
    enrolled = [station.terminal(table).id for table in (1, 2)]
    page = judge.get(f"/judge/t/{OPEN}")
    assert "All terminals are connected." in page
    assert "disconnected" not in page
    for terminal in enrolled:
        station.run(_cut(station, terminal))
    page = judge.get(f"/judge/t/{OPEN}")
    assert "2 terminals are disconnected." in page
    assert "All terminals are connected." not in page


async def _cut(station: Station, terminal: TerminalId) -> None:
    station.switchboard.link_changed(terminal, wire=None)
