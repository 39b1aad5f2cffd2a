"""The judge chooses the tables of a tournament, and sees which of them are not free."""

import re

from tests.station.conftest import OPEN, Station
from tests.station.test_several_tournaments import SIDE, draws_side_event
from tests.station.web.conftest import Browser

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
    assert 'name="first_table" type="number" min="1" max="900" required value="3"' in page
    page = judge.send(f"{HERE}/tables", {"first_table": "3"})
    assert "The tournament's tables have been renumbered." in page
    assert "tables 3 to 4 in the hall" in page
    page = judge.get(f"{HERE}/draw")
    assert "Table 3" in page
    assert "Another tournament" not in page
    assert "The round has started." in judge.post(f"{HERE}/draw/publish")
    assert "Play at other tables" not in judge.get(HERE)


def test_a_new_tournament_begins_after_the_tables_of_the_others(judge: Browser, station: Station) -> None:
    assert 'name="first_table" type="number" min="1" max="900" required value="1"' in judge.get(
        "/judge/new/championship-2022"
    )
    station.opens(10)
    page = judge.get("/judge/new/championship-2022")
    assert 'required value="3"' in page
    fields = {"edition": "championship-2022", "name": "Side event", "date": "2026-11-21", "first_table": "0"}
    page = judge.send("/judge/tournaments", fields, 422)
    assert "Choose a first table from 1 to 900; 0 isn't possible." in page
    judge.send("/judge/tournaments", {**fields, "first_table": "3"})
    assert station.service.tournaments()[0].first_table == 3
    assert station.service.tournament(OPEN).first_table == 1


def test_what_is_no_number_is_refused(judge: Browser, station: Station) -> None:
    station.opens(10)
    judge.get(f"/judge/t/{OPEN}")
    assert "isn't a whole number" in judge.send(f"/judge/t/{OPEN}/tables", {"first_table": "three"})
    assert station.service.tournament(OPEN).first_table == 1
