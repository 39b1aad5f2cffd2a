"""Pages for everybody show what is public and nothing more."""

import re

import pytest

from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, SealDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.paper.results import ranking
from station.players.service import codes_of
from station.text.i18n import Words
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, outlaws_won, seed

PUBLIC = f"/t/{OPEN}"


def played(station: Station) -> None:
    """Return a tournament of one round with all sheets accepted, whose ranking is not public yet."""
    station.opens(10, Waivers(rounds=1))
    round_ = station.publishes()
    for table in round_.tables:
        station.does(AcceptSheet(table.game, outlaws_won(round_, table.table), Source.PAPER))


def main_of(page: str) -> str:
    return page.split("<main", 1)[1]


def test_no_dollar_is_public_before_the_ranking(station: Station, visitor: Browser) -> None:
    played(station)
    for path in (PUBLIC, f"{PUBLIC}/rounds/1/draw", f"{PUBLIC}/rounds/1/seats", "/"):
        assert "$" not in main_of(visitor.get(path)), path


def test_the_ranking_is_public_once_it_is_published(station: Station, visitor: Browser) -> None:
    played(station)
    if station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    page = visitor.get(PUBLIC)
    assert page.count("data-rank=") == 10
    assert len(re.findall(r'class="place-\d"', page)) == 4
    assert "$1,900" in page
    assert "including $100 bonus" in page


def test_who_left_before_any_table_is_in_no_ranking_and_who_left_later_is(
    station: Station, visitor: Browser
) -> None:
    station.opens(12, Waivers(rounds=1))
    twice, quitter = station.service.tournament(OPEN).entrants[:2]
    station.does(WithdrawPlayer(twice.player, "entered twice"))
    round_ = station.publishes()
    for table in round_.tables:
        station.does(AcceptSheet(table.game, outlaws_won(round_, table.table), Source.PAPER))
    station.does(WithdrawPlayer(quitter.player, "went home"))
    if station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    page, state = visitor.get(PUBLIC), station.service.tournament(OPEN)
    assert "11 players" in page
    assert f'data-name="{quitter.name}"' in page
    assert f'data-name="{twice.name}"' not in page
    printed = ranking(state, station.service.rules(OPEN), Words("en"))
    assert twice.name not in {row[1] for row in printed.rows}
    assert len(printed.rows) == 11


def test_each_player_finds_the_own_place_once_it_is_public(station: Station, visitor: Browser) -> None:
    played(station)
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    best = station.service.standings(OPEN).rows[0].player
    pages = f"{PUBLIC}/player/{best}", f"/me/{station.service.of(codes_of).badge(OPEN, best)}"
    for page in pages:
        assert "Place" not in main_of(visitor.get(page))
    station.does(PublishRanking())
    for page in pages:
        assert re.search(r"Place <b>1</b>", visitor.get(page)), page


def test_a_ranking_that_was_taken_back_is_said_to_be_until_it_is_public_again(
    station: Station, visitor: Browser
) -> None:
    played(station)
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    assert "has been withdrawn" not in visitor.get(PUBLIC)
    station.does(PublishRanking())
    station.does(UndoSteps(1, "a sheet was wrong"))
    assert "has been withdrawn" in visitor.get(PUBLIC)
    station.does(PublishRanking())
    assert "has been withdrawn" not in visitor.get(PUBLIC)


def test_neither_seed_nor_tables_are_public_before_they_are_published(
    station: Station, visitor: Browser
) -> None:
    station.opens()
    station.does(SealDraw(seed=seed("cactus")))
    station.does(MakeDraw(hall_word="tumbleweed"))
    text = visitor.get(PUBLIC) + visitor.get(f"{PUBLIC}/rounds/1/draw")
    assert seed("cactus") not in text
    assert "tumbleweed" not in text
    assert '<section class="seats">' not in text
    assert visitor.status(f"{PUBLIC}/rounds/1/seats").status_code == 404


def test_a_draw_can_be_checked_from_its_page(station: Station, visitor: Browser) -> None:
    station.opens(11)
    station.publishes("cactus")
    page = visitor.get(f"{PUBLIC}/rounds/1/draw")
    assert f"printf %s {seed('cactus')} | sha256sum" in page
    assert f"{seed('cactus')}:tumbleweed:1/1:c" in page
    listed = page.split("order of registration:")[1].split("</li>")[0]
    assert re.findall(r"Player (\d+)", listed) == [str(n) for n in range(1, 12)]


def test_players_who_left_before_a_draw_are_not_listed_among_its_players(
    station: Station, visitor: Browser
) -> None:
    station.opens(11)
    station.does(WithdrawPlayer(station.service.tournament(OPEN).entrants[4].player, "ill"))
    station.publishes()
    listed = visitor.get(f"{PUBLIC}/rounds/1/draw").split("order of registration:")[1].split("</li>")[0]
    assert "Player 5" not in listed


def test_seats_are_listed_by_name(station: Station, visitor: Browser) -> None:
    station.opens()
    station.publishes()
    page = visitor.get(f"{PUBLIC}/rounds/1/seats").split("By name")[1]
    names = re.findall(r"<td>(Player \d+)", page)
    assert names == sorted(names)
    assert len(names) == 10


def test_the_rules_are_shown_in_words(visitor: Browser) -> None:
    page = visitor.get("/rules/championship-2022")
    assert "10 to 14 players play 3 rounds." in page
    assert "1. Marogi: the average score of all opponents faced; higher is better." in page
    assert visitor.status("/rules/nobodys").status_code == 404


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_says_that_it_is_unofficial(station: Station, visitor: Browser, language: str) -> None:
    station.opens()
    station.publishes()
    for path in ("/", "/login", PUBLIC, f"{PUBLIC}/rounds/1/draw", "/rules/championship-2022"):
        page = visitor.get(path, language)
        assert f'<html lang="{language}">' in page
        assert "BANG!" in page.split('<footer class="foot">')[1]


def test_no_page_loads_anything_from_elsewhere(station: Station, visitor: Browser) -> None:
    station.opens()
    for path in ("/", PUBLIC, "/login"):
        assert re.findall(r'(?:src|href|action)="(?:https?:)?//', visitor.get(path)) == []


def test_a_name_with_a_tag_stays_a_name(station: Station, judge: Browser) -> None:
    station.opens()
    judge.get(f"/judge/t/{OPEN}/players")
    judge.post(f"/judge/t/{OPEN}/players", name="<b>Bob</b>", club='"><script>')
    for page in (judge.get(f"/judge/t/{OPEN}/players"), judge.get(PUBLIC)):
        assert "<b>Bob" not in page
        assert '"><script>' not in page
        assert "&lt;b&gt;Bob" in page


def test_the_printed_seating_has_its_headings_in_order(station: Station, visitor: Browser) -> None:
    station.opens(10)
    station.publishes()
    levels = re.findall(r"<h(\d)", visitor.get(f"/t/{OPEN}/rounds/1/seats"))
    assert levels == ["1", "2", "3", "3", "2"]
