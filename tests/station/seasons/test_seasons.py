"""Seasons on the pages: made by the organiser, public, and only from published rankings."""

import asyncio
import re
from pathlib import Path

import pytest

from core.editions.loader import edition
from core.game.state.offences import Offence
from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.penalties import EjectPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.season import USUAL_RULE
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Player, Waivers
from tests.core.cli.conftest import pack_of
from tests.core.tournament.conftest import Judge as TournamentJudge
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station

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


def other_club(folder: Path, *people: str, ejected: str = "") -> bytes:
    """The proof pack of a tournament of ten at another station, with these people among them."""
    judge = TournamentJudge(edition("championship-2022"))
    rules = RuleSet("championship-2022")
    opening = OpenTournament(TournamentId("open"), "Club night", rules, "2026-10-02", Waivers(rounds=1))
    judge.does(opening)
    names = (*people, *(f"Guest {n}" for n in range(len(people), 10)))
    judge.does(
        RegisterPlayers(tuple(Player(PlayerId(f"x{n}"), name, "Roma") for n, name in enumerate(names)))
    )
    judge.plays_round()
    if ejected:
        judge.does(EjectPlayer(PlayerId("x0"), ejected, offence=Offence.CHEATING))
    judge.draws_lots()
    judge.does(PublishRanking())
    return pack_of(judge).written(folder / "pack.jsonl").read_bytes()


def uploaded(station: Station, judge: Browser, key: str, content: bytes, name: str = "pack.jsonl") -> str:
    judge.send_file(f"{SEASONS}/{key}/packs", "file", name, content)
    station.settle()
    return judge.get(f"{SEASONS}/{key}")


def test_packs_are_verified_aside_and_nothing_moves_on_the_season_page_meanwhile(
    station: Station, judge: Browser, tmp_path: Path
) -> None:
    key, pack = key_of(added(judge)), other_club(tmp_path, "Player 1")
    judge.get(f"{SEASONS}/{key}")
    judge.app.state.site.tasks.patience_s = 0.0
    sent = judge.sending_file(f"{SEASONS}/{key}/packs", {"file": ("pack.jsonl", pack)})
    task = station.run(sent).headers["location"]
    shows(judge.get(task), "Proof packs · League", "Cancel")
    shows(judge.get(f"{SEASONS}/{key}"), f'href="{task}"', never=("hx-select", "Club night"))
    (running,) = judge.app.state.site.tasks.news_for("Roy")
    station.run(asyncio.wait({running.running}))
    shows(judge.get(task), "<h2>Tournaments of other stations</h2>", "Club night")


def key_of(page: str) -> str:
    return public_address(page).rpartition("/")[2]


def test_a_pack_of_another_station_counts_and_a_forged_one_is_named(
    station: Station, judge: Browser, visitor: Browser, tmp_path: Path
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    key, pack = key_of(added(judge)), other_club(tmp_path, "Player 1")
    shows(uploaded(station, judge, key, pack), "Club night", never="left out")
    forged = uploaded(station, judge, key, pack.replace(b"Guest 7", b"Guest 8", 1), "forged.jsonl")
    shows(forged, "<strong>forged.jsonl</strong>", "it was changed after it was written")
    assert uploaded(station, judge, key, pack).count("/remove") == 1
    page = visitor.get(f"/season/{key}")
    assert page.count('<th scope="row">') == 19
    (digest,) = re.findall(r"packs/(\w+)/remove", judge.get(f"{SEASONS}/{key}"))
    judge.send(f"{SEASONS}/{key}/packs/{digest}/remove", {})
    assert visitor.get(f"/season/{key}").count('<th scope="row">') == 10


def test_an_own_tournament_is_not_counted_again_from_its_pack(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    pack = b"".join(station.service.export(OPEN))
    page = uploaded(station, judge, key_of(added(judge)), pack)
    shows(page, "Open is a tournament of this station; tick it instead")


def test_people_are_joined_parted_and_asked_about(
    station: Station, judge: Browser, visitor: Browser, tmp_path: Path
) -> None:
    station.does(OpenTournament(OPEN, "Open", RuleSet("championship-2022"), "2026-11-21", Waivers(rounds=1)))
    names = ("Anna Müller", "Bob", *(f"Own {n}" for n in range(8)))
    people = tuple(Player(PlayerId(f"p{n:03}"), name) for n, name in enumerate(names))
    station.does(RegisterPlayers(people))
    station.plays_round()
    station.publishes_ranking()
    key = key_of(added(judge))
    page = uploaded(station, judge, key, other_club(tmp_path, "Mueller Anna", "bob"))
    shows(page, "One person or two?", "Mueller Anna", "(Club night)")

    def rows() -> int:
        return visitor.get(f"/season/{key}").count('<th scope="row">')

    assert rows() == 19
    people_url = f"{SEASONS}/{key}/people"
    pair = {"first": "Anna Müller · ", "second": "Mueller Anna · Roma"}
    page = judge.send(people_url, {**pair, "answer": "same"})
    shows(page, "Your answers", never="One person or two?")
    assert rows() == 18
    (undo,) = re.findall(r"people/(\w+)/undo", page)
    judge.send(f"{people_url}/{undo}/undo", {})
    assert rows() == 19
    part = r'value="bob · Roma"><input type="hidden" name="tournament" value="(\w+)"'
    (tournament,) = set(re.findall(part, page))
    other = {"first": "bob · Roma", "second": "bob · Roma", "tournament": tournament, "answer": "other"}
    judge.send(people_url, other)
    assert rows() == 20
    one_night = {"first": "Guest 3 · Roma", "second": "Guest 4 · Roma", "answer": "same"}
    shows(judge.send(people_url, one_night), "they played in the same tournament")
    shows(judge.send(people_url, {"first": "Guest 3 · Roma"}), "Choose two players from the list.")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_qualifiers_are_imported_into_the_final_as_they_are(
    kind: str, station: Station, judge: Browser, tmp_path: Path
) -> None:
    station.opens(10)
    key = key_of(added(judge))
    uploaded(station, judge, key, other_club(tmp_path, "=Sum", "Niccolò D’Angelo"))
    answer = judge.status(f"{SEASONS}/{key}/qualifiers?places=8&kind={kind}")
    page = judge.send_file(f"/judge/t/{OPEN}/players/import", "file", f"final.{kind}", answer.content)
    shows(page, "Register 8 players", never='class="card bad"')


def test_an_ejection_elsewhere_is_shown_to_judges_only_and_refuses_nobody(
    station: Station, judge: Browser, visitor: Browser, tmp_path: Path
) -> None:
    station.opens(10)
    key = key_of(added(judge))
    uploaded(station, judge, key, other_club(tmp_path, "Anna Müller", ejected="marked cards"))
    page = judge.post(f"/judge/t/{OPEN}/players", name="Mueller Anna", club="")
    shows(page, "Ejected from another tournament", "Club night", "marked cards")
    shows(judge.get(f"/judge/t/{OPEN}/players/p011"), "marked cards")
    assert "marked cards" not in visitor.get(f"/season/{key}") + visitor.get(f"/t/{OPEN}")
    rows = b"name,club\nAnna Muller,Roma\n"
    shows(judge.send_file(f"/judge/t/{OPEN}/players/import", "file", "a.csv", rows), "marked cards")


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
    wrong = judge.send(f"{SEASONS}/{key}", {"name": "", "rule": "places = [7]", **ticked}, 422)
    assert "Give the season a name" in wrong
    assert "Cup" in visitor.get(address)
    judge.send(f"{SEASONS}/{key}/remove", {})
    assert visitor.status(address).status_code == 404
    assert "has been removed" in judge.send(
        f"{SEASONS}/{key}", {"name": "Cup", "rule": "places = [7]", **ticked}, 422
    )
