"""The ceremony on screens in the hall: places appear one by one, and none before the judge wants it."""

import re

from core.terms import TournamentId
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Waivers
from station.projectors.service import Projectors
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, present
from tests.station.projectors.test_projector import SCREENS, added, pinned, screens


def test_the_ranking_is_revealed_from_below(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    station.plays_round()
    key = link.rpartition("/")[2]
    judge.post(f"{SCREENS}/{key}/reveal", do="begin")
    page = visitor.get(f"{link}/pages")
    assert "The ranking is about to be revealed." in page
    assert not re.search(r"\$|Player", page)
    assert "Publish the ranking" in judge.get(SCREENS)
    station.publishes_ranking()
    names = [f"Player {int(row.player[1:])}" for row in station.service.standings(OPEN).rows]
    assert not re.search(r"\$|Player", visitor.get(f"{link}/pages"))
    for _twice in range(2):
        judge.post(f"{SCREENS}/{key}/reveal", do="place-10")
        page = visitor.get(f"{link}/pages")
        assert f"<strong>{names[9]}</strong>" in page
        assert names[8] not in page
    assert f"Shown now: place 10, {names[9]}" in judge.get(SCREENS)
    judge.post(f"{SCREENS}/{key}/reveal", do="place-9")
    page = visitor.get(f"{link}/pages")
    assert f"<strong>{names[8]}</strong>" in page
    assert f"<span>{names[9]}</span>" in page
    judge.post(f"{SCREENS}/{key}/reveal", do="podium")
    page = visitor.get(f"{link}/pages")
    assert all(name in page for name in names[:3])
    assert screens(visitor, link) == ["podium"]
    judge.post(f"{SCREENS}/{key}/reveal", do="all")
    assert screens(visitor, link) == ["podium", "ranking"]


def test_a_reveal_begins_at_the_place_that_the_judge_chooses(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    station.plays_round()
    station.publishes_ranking()
    names = [f"Player {int(row.player[1:])}" for row in station.service.standings(OPEN).rows]
    judge.send(f"{SCREENS}/reveal", {"do": "begin", "from": "3"})
    for place in (3, 2, 1):
        assert f"Reveal place {place}" in judge.get(SCREENS)
        judge.post(f"{SCREENS}/reveal", do=f"place-{place}")
        page = visitor.get(f"{link}/pages")
        assert [name for name in names if f">{name}<" in page] == names[place - 1 : 3]
    page = judge.get(SCREENS)
    assert "Reveal place" not in page
    assert "Show the podium" in page


def test_the_public_ranking_is_on_the_screens_unless_a_judge_is_revealing_it(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    link = added(station, judge)
    station.plays_round()
    station.breaks_ties()
    assert not {"ranking", "podium"} & set(screens(visitor, link))
    reveal = f"{SCREENS}/{link.rpartition('/')[2]}/reveal"
    assert f'action="{reveal}"' in judge.get(SCREENS)
    judge.post(reveal, do="begin")
    station.does(PublishRanking())
    page = visitor.get(f"{link}/pages")
    assert "about to be revealed" in page
    assert "$" not in page
    judge.get(SCREENS)
    pinned(judge, link, "")
    assert screens(visitor, link) == ["podium", "ranking"]
    page = visitor.get(f"{link}/pages")
    assert page.count('<p class="line">') == 10
    assert "Round" not in page


def test_one_click_reveals_on_all_screens_of_this_tournament(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    links = [added(station, judge), added(station, judge)]
    other = station.run(station.service.of(Projectors).add(TournamentId("other"), "Elsewhere", "en"))
    station.plays_round()
    station.publishes_ranking()
    judge.post(f"{SCREENS}/reveal", do="begin")
    assert [screens(visitor, link) for link in links] == [["ranking"]] * 2
    assert all("about to be revealed" in visitor.get(f"{link}/pages") for link in links)
    judge.post(f"{SCREENS}/reveal", do="place-10")
    assert all(visitor.get(f"{link}/pages").count("<strong>Player") == 1 for link in links)
    judge.post(f"{SCREENS}/reveal", do="all")
    assert [screens(visitor, link) for link in links] == [["podium", "ranking"]] * 2
    assert present(station.run(station.service.of(Projectors).find(other.key))).pinned is None
    assert "alert" in judge.post(f"{SCREENS}/reveal", do="nothing")
