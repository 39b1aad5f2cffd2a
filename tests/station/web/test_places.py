"""The three places of the judges' pages and their tabs: one is marked, others' pages aren't there."""

import re

import pytest
from msgspec.structs import replace

from core.rule_set import RuleSet
from core.terms import RoundNo, TournamentId
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import Stage, TournamentState, Waivers
from station.accounts.permissions import AccountRole, permissions_of
from station.web import places
from station.web.places import Menu, Surroundings, choose_tournament, menu_of
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station
from tests.station.hall.test_several_tournaments import SIDE, draws_side_event

CUP = TournamentState(TournamentId("cup"), "Cup", RuleSet("championship-2022"), "2026-11-21", Waivers())
DUEL = replace(CUP, tournament=TournamentId("duel"), name="Duel", with_finals=True)
RUNNING = replace(
    CUP, tournament=TournamentId("running"), rounds=(Round(RoundNo(1), 1, "", "", published=True),)
)


def menu(path: str, role: AccountRole = AccountRole.HEAD_JUDGE, **around: object) -> Menu:
    return menu_of(path, replace(Surroundings(permissions_of(role).__contains__, state=CUP), **around))


def addresses(path: str, role: AccountRole = AccountRole.HEAD_JUDGE, **around: object) -> dict[str, str]:
    """Return the places with their addresses; the current one in capitals."""
    places = menu(path, role, **around).places
    return {one.icon.upper() if one.current else one.icon: one.url for one in places}


@pytest.mark.parametrize(
    ("path", "here"),
    [
        ("/judge", "TOURNAMENT"), ("/judge/t/cup", "TOURNAMENT"), ("/judge/new/x", "TOURNAMENT"),
        ("/judge/t/cup/players/p001", "TOURNAMENT"), ("/judge/t/cup/data", "TOURNAMENT"),
        ("/judge/t/cup/floor", "HALL"), ("/judge/t/cup/tables/1/2", "HALL"), ("/judge/t/cup/print/", "HALL"),
        ("/judge/messages", "HALL"), ("/judge/terminals/", "HALL"), ("/judge/calls", "HALL"),
        ("/judge/devices", "HALL"), ("/judge/t/cup/projectors", "HALL"),
        ("/judge/accounts", "STATION"), ("/judge/audit", "STATION"), ("/judge/seasons", "STATION"),
        ("/judge/updates", "STATION"), ("/judge/backups", "STATION"), ("/judge/archive", "STATION"),
    ],
)  # fmt: skip
def test_each_page_is_in_one_place(path: str, here: str) -> None:
    assert [key for key in addresses(path) if key.isupper()] == [here]


def test_own_account_and_public_pages_are_in_no_place() -> None:
    for path in ("/judge/account", "/t/open", "/guide/judge", "/"):
        assert not [key for key in addresses(path) if key.isupper()], path


def test_every_place_is_one_click_from_anywhere() -> None:
    for path in ("/judge", "/judge/t/cup/history", "/judge/messages", "/judge/audit", "/judge/account"):
        assert {one.lower(): url for one, url in addresses(path).items()} == {
            "tournament": "/judge/t/cup", "hall": "/judge/t/cup/floor", "station": "/judge/accounts"
        }  # fmt: skip
    assert addresses("/judge", state=None) == {
        "TOURNAMENT": "/judge", "hall": "/judge/calls", "station": "/judge/accounts"
    }  # fmt: skip


def test_tabs_are_in_the_order_of_the_day_and_the_current_one_is_marked() -> None:
    day = menu("/judge/t/duel/draw", state=DUEL).tabs
    expected = ["What's next", "Players", "Check-in", "Draw", "Standings", "Finals", "Prizes", "History"]
    assert [one.text for one in day] == expected
    assert [(one.text, one.current) for one in day if one.current] == [("Draw", "page")]
    assert "Finals" not in [one.text for one in menu("/judge/t/cup").tabs]
    hall = menu("/judge/t/cup/tables/1/2/sheet").tabs
    assert [(one.text, one.current) for one in hall][:2] == [("Tables", "true"), ("Calls", "")]


def test_an_appliance_has_its_computer_and_no_rehearsal() -> None:
    usual = [one.url for one in menu("/judge/audit").tabs]
    own = [one.url for one in menu("/judge/audit", is_appliance=True).tabs]
    assert set(usual) ^ set(own) == {"/judge/station", "/judge/rehearsal"}
    assert "/judge/rehearsal" in usual


def test_a_role_sees_no_place_without_a_page_for_it() -> None:
    assert set(addresses("/judge", AccountRole.FLOOR_JUDGE)) == {"TOURNAMENT", "hall"}
    assert addresses("/judge", AccountRole.DISPLAY) == {"TOURNAMENT": "/judge"}
    organiser = addresses("/judge", AccountRole.ORGANISER)
    assert (organiser["hall"], organiser["station"]) == ("/judge/messages", "/judge/backups")


def test_every_tab_is_a_page_with_the_permission_that_it_declares(station: Station, judge: Browser) -> None:
    station.opens(10)
    declared = judge.app.state.pages
    for _text, _icon, tabs in places._PLACES:
        for tab in tabs:
            path = tab.url.replace("{t}", "{tournament}")
            assert declared[f"GET {path}"].needs is tab.needs, path
            for other in tab.also:
                assert any(one.startswith(f"GET {other.replace('{t}', '{tournament}')}") for one in declared)


def test_several_tournaments_can_be_chosen_on_the_same_page() -> None:
    links = menu("/judge/t/duel/finals", state=DUEL, is_about=True, others=[CUP]).tournaments
    # The other one has no finals.
    assert [one.url for one in links] == ["/judge/t/duel/finals", "/judge/t/cup"]
    links = menu("/judge/t/cup/tables/1/1", is_about=True, others=[DUEL]).tournaments
    assert [one.url for one in links] == ["/judge/t/cup/floor", "/judge/t/duel/floor"]
    assert menu("/judge/messages", others=[DUEL]).tournaments == ()
    assert menu("/judge/t/cup", is_about=True).tournaments == ()


def test_the_hall_leads_to_the_tournament_that_was_open_last_or_else_a_running_one() -> None:
    assert choose_tournament([], "cup") is None
    assert choose_tournament([CUP, RUNNING, DUEL], "") is RUNNING
    assert choose_tournament([CUP, RUNNING, DUEL], "duel") is DUEL
    other = replace(RUNNING, tournament=TournamentId("other"))
    assert choose_tournament([other, RUNNING], "running") is RUNNING
    over = replace(other, stage=Stage.PUBLISHED)
    assert choose_tournament([over, CUP], "other") is over, "a printout would be of another tournament"
    assert choose_tournament([over, CUP], "") is CUP
    assert choose_tournament([over], "") is over


@pytest.mark.parametrize("came_from", [OPEN, SIDE])
def test_every_page_of_hall_and_station_keeps_the_tournament_it_was_opened_from(
    station: Station, judge: Browser, came_from: TournamentId
) -> None:
    """Follow each tab from a published and a new tournament, while another window shows the other one."""
    station.opens(10)
    station.plays_round()
    draws_side_event(station)
    other = SIDE if came_from == OPEN else OPEN
    waiting, pages = [f"/judge/t/{came_from}"], set[str]()
    while waiting:
        page = judge.get(waiting.pop())
        judge.get(f"/judge/t/{other}")
        bars = re.findall(r'<nav class="(?:main-menu|tabs)".*?</nav>', page, re.DOTALL)
        links = set(re.findall(r'href="(/judge/[^"#]+)"', "".join(bars))) - pages
        pages |= links
        waiting += links
    assert not [link for link in pages if other in link]
    wide = {link for link in pages if "?t=" in link}
    assert {"/judge/plan", "/judge/terminals", "/judge/audit"} <= {link.split("?")[0] for link in wide}
    assert {link.split("?t=")[1] for link in wide} == {came_from}


def test_the_browser_remembers_its_tournament(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.get(f"/judge/t/{OPEN}/players")
    assert judge.cookie("tournament") == OPEN
    assert f'href="/judge/t/{OPEN}/floor"' in judge.get("/judge/messages")
    station.run(station.service.archive.archive(station.service.tournament(OPEN), "Roy"))
    judge.get("/judge")
    assert f"/judge/t/{OPEN}/floor" not in judge.get("/judge/messages")
