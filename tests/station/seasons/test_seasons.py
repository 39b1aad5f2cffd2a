"""Seasons on the pages: made by the organiser, public, and only from published rankings."""

import re

from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.season import USUAL_RULE
from core.tournament.state.tournament import Player, Waivers
from tests.station.browser import Browser, shows
from tests.station.conftest import JUDGE, OPEN, Station

SEASONS = "/judge/seasons"


def added(judge: Browser, name: str = "League", rule: str = USUAL_RULE, expected: int = 200) -> str:
    judge.get(SEASONS)
    fields = {"name": name, "rule": rule, f"tournament-{OPEN}": "yes"}
    return judge.send(SEASONS, fields, expected)


def public_address(page: str) -> str:
    return str(re.findall(r'href="(/season/\w+)"', page)[0])


def test_points_appear_with_the_publication_of_the_ranking(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    address = public_address(added(judge))
    assert address in visitor.get("/")
    shows(visitor.get(address), "Not counted yet: Open.", never="<td")
    station.plays_round()
    station.publishes_ranking()
    page = visitor.get(address)
    assert page.count('<th scope="row">') == 10
    shows(page, "<strong>26</strong>", never="Not counted yet")


def test_names_that_are_only_alike_are_asked_about(station: Station, judge: Browser) -> None:
    station.opens(10)
    other = TournamentId("other")
    opening = OpenTournament(other, "Other", RuleSet("championship-2022"), "2026-11-22", Waivers())
    station.run(station.service.decide(other, opening, JUDGE))
    for tournament, name in ((OPEN, "Anna Müller"), (other, "Mueller Anna")):
        registering = RegisterPlayers((Player(PlayerId("p900"), name),))
        station.run(station.service.decide(tournament, registering, JUDGE))
    assert "One person or two?" not in added(judge)
    fields = {"name": "Both", "rule": USUAL_RULE, f"tournament-{OPEN}": "yes", "tournament-other": "yes"}
    page = judge.send(SEASONS, fields)
    assert page.count("One person or two?") == 1
    assert "<li>Mueller Anna – Anna Müller</li>" in page


def test_a_wrong_rule_is_explained_and_nothing_typed_is_lost(station: Station, judge: Browser) -> None:
    station.opens(10)
    page = added(judge, rule="places = [3, 5]\nbest = 2", expected=422)
    assert "rule, line 1: places[1]: is 3, and the place after it gets 5" in page
    assert "best = 2" in page
    assert 'value="League"' in page
    assert " checked" in page
    assert "/season/" not in page


def test_a_season_is_changed_and_removed(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10)
    address = public_address(added(judge))
    key = address.rpartition("/")[2]
    ticked = {f"tournament-{OPEN}": "yes"}
    judge.send(f"{SEASONS}/{key}", {"name": "Cup", "rule": "places = [7]", **ticked})
    assert "Cup" in visitor.get(address)
    wrong = judge.send(f"{SEASONS}/{key}", {"name": "Empty", "rule": "places = [7]"}, 422)
    assert "Tick at least one tournament." in wrong
    assert "Empty" not in visitor.get(address)
    wrong = judge.send(f"{SEASONS}/{key}", {"name": "", "rule": "places = [7]", **ticked}, 422)
    assert "Give the season a name" in wrong
    assert "Cup" in visitor.get(address)
    judge.send(f"{SEASONS}/{key}/remove", {})
    assert visitor.status(address).status_code == 404
    assert "has been removed" in judge.send(
        f"{SEASONS}/{key}", {"name": "Cup", "rule": "places = [7]", **ticked}, 422
    )
