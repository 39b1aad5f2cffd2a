"""Pages for everybody show what is public and nothing more."""

import re

import pytest

from core.tournament.decisions import UndoSteps
from core.tournament.draw.draw_algorithm import seal_of
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Waivers
from station.paper.results import ranking
from station.text.i18n import Words
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station, seed

PUBLIC = f"/t/{OPEN}"


def main_of(page: str) -> str:
    return page.split("<main", 1)[1]


def test_the_ranking_is_public_once_it_is_published(station: Station, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    page = visitor.get(PUBLIC)
    assert page.count("data-rank=") == 10
    assert len(re.findall(r'class="place-\d"', page)) == 4
    shows(page, "$1,900", "including $100 bonus")


def test_who_left_before_any_table_is_in_no_ranking_and_who_left_later_is(
    station: Station, visitor: Browser
) -> None:
    station.opens(12, Waivers(rounds=1))
    twice, quitter = station.service.tournament(OPEN).entrants[:2]
    station.does(WithdrawPlayer(twice.player, "entered twice"))
    station.plays_round()
    station.does(WithdrawPlayer(quitter.player, "went home"))
    station.publishes_ranking()
    page, state = visitor.get(PUBLIC), station.service.tournament(OPEN)
    shows(page, "11 players", f'data-name="{quitter.name}"', never=f'data-name="{twice.name}"')
    printed = ranking(state, station.service.rules(OPEN), Words("en"))
    assert twice.name not in {row[1] for row in printed.rows}
    assert len(printed.rows) == 11


def test_each_player_finds_the_own_place_once_it_is_public(station: Station, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.breaks_ties()
    best = station.service.standings(OPEN).rows[0].player
    pages = f"{PUBLIC}/player/{best}", station.own_page(best)
    for page in pages:
        assert "Place" not in main_of(visitor.get(page))
    station.does(PublishRanking())
    for page in pages:
        assert re.search(r"Place <b>1</b>", visitor.get(page)), page


def test_a_ranking_that_was_taken_back_is_said_to_be_until_it_is_public_again(
    station: Station, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.breaks_ties()
    assert "has been withdrawn" not in visitor.get(PUBLIC)
    station.does(PublishRanking())
    station.does(UndoSteps(1, "a sheet was wrong"))
    assert "has been withdrawn" in visitor.get(PUBLIC)
    station.does(PublishRanking())
    assert "has been withdrawn" not in visitor.get(PUBLIC)


def test_a_draw_is_public_and_can_be_checked_once_it_is_published(station: Station, visitor: Browser) -> None:
    station.opens(12)
    station.does(WithdrawPlayer(station.service.tournament(OPEN).entrants[4].player, "ill"))
    station.does(SealDraw(seed=seed("cactus")))
    shows(visitor.get(PUBLIC), "sealed", never="Table 1")
    station.does(MakeDraw(hall_word="tumbleweed"))
    draw = f"{PUBLIC}/rounds/1/draw"
    text = visitor.get(PUBLIC) + visitor.get(draw)
    shows(text, never=(seed("cactus"), "tumbleweed", "Table 1", '<section class="seats">'))
    assert visitor.status(f"{PUBLIC}/rounds/1/seats").status_code == 404
    station.does(PublishDraw())
    assert "Table 1" in visitor.get(PUBLIC)
    page = visitor.get(draw)
    shows(page, f"printf %s {seed('cactus')} | sha256sum", seal_of(seed("cactus")))
    assert f"{seed('cactus')}:tumbleweed:1/1:c" in page
    listed = page.split("order of registration:")[1].split("</li>")[0]
    assert re.findall(r"Player (\d+)", listed) == [str(n) for n in range(1, 13) if n != 5]


def test_seats_are_listed_by_name(station: Station, visitor: Browser) -> None:
    station.opens()
    station.publishes()
    page = visitor.get(f"{PUBLIC}/rounds/1/seats")
    assert re.findall(r"<h(\d)", page) == ["1", "2", "3", "3", "2"]
    names = re.findall(r"<td>(Player \d+)", page.split("By name")[1])
    assert names == sorted(names)
    assert len(names) == 10


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_is_unofficial_and_loads_nothing_from_elsewhere(
    station: Station, visitor: Browser, language: str
) -> None:
    station.opens()
    station.publishes()
    for path in ("/", "/login", PUBLIC, f"{PUBLIC}/rounds/1/draw", "/rules/championship-2022"):
        page = visitor.get(path, language)
        assert f'<html lang="{language}">' in page
        assert "BANG!" in page.split('<footer class="foot">')[1]
        assert re.findall(r'(?:src|href|action)="(?:https?:)?//', page) == []
        assert "script-src 'self'" in visitor.status(path).headers["content-security-policy"]
