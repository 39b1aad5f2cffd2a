"""A tournament that is over leaves the lists of the day, and can be brought back."""

import re

import pytest
from litestar.routes import HTTPRoute
from structlog.testing import capture_logs

from base.errors import Refused
from core.game.ending.judge_calls import WarnPlayer
from core.game.state.offences import Offence
from core.terms import SeatNo, TournamentId
from core.tournament.decisions import UndoSteps
from core.tournament.state.tournament import Waivers
from station.players.service import Desk
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station
from tests.station.tournaments.test_penalties import entrant

BASE = f"/judge/t/{OPEN}"
READ_ONLY = "This tournament is archived: it can be read, but not changed."
REFUSED = "This tournament is archived, so nothing in it can be changed. Reopen it first, on its page."


@pytest.fixture(autouse=True)
def _opened(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))


def listed(browser: Browser, path: str) -> tuple[bool, bool]:
    """Return whether the tournament is on the list of current ones, and on that of archived ones."""
    day, _, archived = browser.get(path).partition("<summary>Archived")
    if path == "/judge":
        archived = browser.get("/judge/archive").partition("<main")[2]
    return f"/t/{OPEN}" in day.partition("<main")[2], f"/t/{OPEN}" in archived


def test_an_archived_tournament_leaves_the_lists_and_comes_back(station: Station, judge: Browser) -> None:
    assert [listed(judge, path) for path in ("/", "/judge")] == [(True, False)] * 2
    assert "The tournament is archived." in judge.post(f"{BASE}/archive")
    assert [listed(judge, path) for path in ("/", "/judge")] == [(False, True)] * 2
    assert READ_ONLY in judge.get(BASE)
    assert "10 players" in judge.get(f"{BASE}/history")
    judge.post(f"{BASE}/archive")
    assert "back on the lists" in judge.post(f"{BASE}/reopen")
    assert [listed(judge, path) for path in ("/", "/judge")] == [(True, False)] * 2


def test_a_tournament_that_is_played_is_not_archived(station: Station, judge: Browser) -> None:
    drawn = station.publishes()
    assert "These tables are still playing: 1, 2." in judge.post(f"{BASE}/archive")
    station.accepts(drawn, 1, 2)
    assert "The tournament is archived." in judge.post(f"{BASE}/archive")


def test_an_archive_outlives_a_restart(station: Station, judge: Browser) -> None:
    judge.post(f"{BASE}/archive")
    assert station.run(type(station.service.archive)(station.service.context).ids()) == {OPEN}


def archive(station: Station) -> None:
    station.run(station.service.archive.archive(station.service.tournament(OPEN), "Roy"))


def reopen(station: Station) -> None:
    station.run(station.service.archive.reopen(station.service.tournament(OPEN), "Roy"))


def opens_self_service(judge: Browser) -> None:
    judge.post(f"{BASE}/check-in/settings", self_check_in="yes", registration="yes")


@pytest.mark.slow
def test_no_form_changes_an_archived_tournament(station: Station, judge: Browser) -> None:
    station.plays_round()
    archive(station)
    history, settings = station.service.history(OPEN), station.run(station.service.of(Desk).record(OPEN))
    forms = [
        route.path_format.replace("{player}", "p001").replace("{tournament}", OPEN)
        for route in judge.app.routes
        if isinstance(route, HTTPRoute) and "POST" in route.methods
        if route.path_format.startswith("/judge/t/{tournament}/")
    ]
    assert len(forms) > 50
    for form in forms:
        if form in {f"{BASE}/archive", f"{BASE}/reopen"}:
            continue
        assert REFUSED in judge.post(re.sub(r"\{\w+\}", "1", form), steps="1", reason="mistake"), form
    assert station.service.history(OPEN) == history
    assert station.run(station.service.of(Desk).record(OPEN)) == settings


def test_pages_of_an_archived_tournament_offer_to_reopen_it_and_no_change(
    station: Station, judge: Browser
) -> None:
    station.plays_round()
    archive(station)
    for page in ("", "/players", "/check-in", "/draw", "/floor", "/standings", "/history", "/tables/1/1"):
        text = judge.get(f"{BASE}{page}")
        assert READ_ONLY in text, page
        shows(text, f'action="{BASE}/reopen"', '<main id="main" class="read-only">')
    assert "Undo" not in judge.get(f"{BASE}/history")
    assert "What to do next" not in judge.get(BASE)
    judge.post(f"{BASE}/reopen")
    assert "Undo this step" in judge.get(f"{BASE}/history")
    assert "read-only" not in judge.get(f"{BASE}/history")


def test_nothing_else_at_the_station_changes_an_archived_tournament(station: Station) -> None:
    station.plays_round()
    archive(station)
    with pytest.raises(Refused, match="nothing in it can be changed"):
        station.does(UndoSteps(1, "mistake"))


def test_what_a_terminal_sends_late_counts_once_the_tournament_is_reopened(station: Station) -> None:
    terminal, drawn = station.terminal(1), station.publishes()
    terminal.seats()
    terminal.ask(WarnPlayer(SeatNo(2), Offence.SLOW_PLAY, "five minutes a turn"))
    station.accepts(drawn, 1, 2)
    archive(station)
    with capture_logs() as logs:
        terminal.sends()
        station.settle()
    player = drawn.tables[0].players[1]
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == []
    assert entrant(station, player).warnings == ()
    reopen(station)
    station.settle()
    assert [warning.reason for warning in entrant(station, player).warnings] == ["five minutes a turn"]


def test_players_are_offered_nothing_that_an_archived_tournament_refuses(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    opens_self_service(judge)
    own = station.own_page()
    assert all(offer in visitor.get(own) for offer in ("I'm here", "Leave the tournament"))
    assert "Apply to play" in visitor.get(f"/t/{OPEN}")
    archive(station)
    assert "Apply to play" not in visitor.get(f"/t/{OPEN}")
    page = visitor.get(own)
    assert "<form" not in page.split("<main")[1].replace('action="/language"', "")
    assert "Leave the tournament" not in page
    assert "Registration is closed." in visitor.get(f"/t/{OPEN}/register")
    reopen(station)
    assert "I'm here" in visitor.get(own)
    assert "Apply to play" in visitor.get(f"/t/{OPEN}")


def test_players_change_nothing_in_an_archived_tournament(station: Station, judge: Browser) -> None:
    opens_self_service(judge)
    archive(station)
    own = station.own_page()
    for path in (own, f"/t/{OPEN}/register"):
        judge.get(path)
        form = {own: f"{own}/here"}.get(path, path)
        assert REFUSED in judge.post(form, name="Zoe", agreed="yes")
    assert REFUSED in judge.post(f"{own}/leave", leaving="yes")
    assert not station.run(station.service.of(Desk).record(OPEN)).applications


def opened_by_mistake(station: Station, judge: Browser) -> TournamentId:
    fields = {"edition": "championship-2022", "name": "By mistake", "date": "2026-11-21"}
    judge.send("/judge/tournaments", fields)
    return next(one.tournament for one in station.service.tournaments() if one.name == "By mistake")


def test_a_tournament_without_players_but_with_applications_is_archived_and_stays_in_sight(
    station: Station, judge: Browser
) -> None:
    waiting = opened_by_mistake(station, judge)
    judge.post(f"/judge/t/{waiting}/check-in/settings", registration="yes")
    judge.post(f"/t/{waiting}/register", name="Zoe", agreed="yes")
    assert "Archive By mistake" in judge.get(f"/judge/t/{waiting}")
    assert "The tournament is archived." in judge.post(f"/judge/t/{waiting}/archive")
    assert "By mistake" in judge.get("/judge/archive")


def test_an_empty_tournament_can_be_removed(station: Station, judge: Browser) -> None:
    mistake = opened_by_mistake(station, judge)
    assert "Remove By mistake" in judge.get(f"/judge/t/{mistake}")
    assert "The empty tournament has been removed." in judge.post(f"/judge/t/{mistake}/archive")
    for path in ("/", "/judge"):
        assert "By mistake" not in judge.get(path)
    assert "Remove Open" not in judge.get(BASE)
