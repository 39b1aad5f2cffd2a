"""The line after an action: it says what was done, with names, and can undo it while that is simple."""

import re

from core.terms import PlayerId
from core.tournament.registration import RegisterPlayers
from core.tournament.state.tournament import Player, Waivers
from tests.station.browser import Browser, words
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"


def undo(judge: Browser, page: str) -> str:
    """Press Undo in the line of a page."""
    form = page.partition('<form id="undo"')[2].partition("</form>")[0]
    (action,) = re.findall('action="([^"]+)"', form)
    (seen,) = re.findall('name="seen" value="([^"]+)"', form)
    return judge.send(action, {"seen": seen})


def names(station: Station) -> list[str]:
    return [one.name for one in station.service.tournament(OPEN).entrants]


def test_a_registered_player_is_named_and_taken_back_at_once(station: Station, judge: Browser) -> None:
    station.opens(10)
    page = judge.send(f"{HERE}/players", {"name": "Zoe Zorn"})
    assert "1 player registered: Zoe Zorn" in words(page)
    page = undo(judge, page)
    assert "Undone: " in page
    assert 'id="undo"' not in page, "an undo is not undone by the line"
    assert "Zoe Zorn" not in names(station)


def test_undo_is_refused_once_something_else_was_decided(station: Station, judge: Browser) -> None:
    station.opens(10)
    page = judge.send(f"{HERE}/players", {"name": "Zoe Zorn"})
    station.does(RegisterPlayers((Player(PlayerId("late"), "Yves Young"),)))
    assert 'role="alert"' in undo(judge, page)
    assert {"Zoe Zorn", "Yves Young"} <= set(names(station))


def test_a_confirmed_sheet_is_taken_back_by_the_line(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    sheet = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
    page = judge.send(f"{HERE}/tables/1/1/sheet/confirm", {**sheet, "out-1": "1", "by-1": "2"})
    assert "The record sheet has been confirmed." in words(page)
    assert len(station.service.tournament(OPEN).missing_sheets) == 1
    undo(judge, page)
    assert len(station.service.tournament(OPEN).missing_sheets) == 2


def test_a_refusal_offers_no_undo_of_the_step_before(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.send(f"{HERE}/players", {"name": "Zoe Zorn"})
    assert 'id="undo"' not in judge.send(f"{HERE}/waivers", {"rounds": "1", "reason": ""})


def test_history_says_what_changed_from_what(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.send(f"{HERE}/waivers", {"rounds": "2", "time_limit_min": "60", "reason": "hall closes"})
    judge.send(f"{HERE}/waivers", {"rounds": "1", "time_limit_min": "60", "reason": "storm"})
    judge.send(f"{HERE}/players/p004/rename", {"name": "Bruno Bassi", "club": ""})
    page = words(judge.get(f"{HERE}/history"))
    assert "rounds: – → 2, time limit in minutes: – → 60 (reason: hall closes)" in page
    assert "rounds: 2 → 1 (reason: storm)" in page
    assert "Player 4 is now called Bruno Bassi" in page
