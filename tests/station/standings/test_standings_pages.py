"""Pages about the standings: reasons of any dollar and rank, statistics, duels of tied players.

Reasons and statistics are secret until the ranking is public.
"""

import re

import pytest

from core.tournament.decisions import UndoSteps
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ranking import DrawLots
from core.tournament.state.tournament import Waivers
from tests.core.tournament.conftest import time_was_up
from tests.station.browser import Browser, shows, words
from tests.station.conftest import OPEN, Station
from tests.station.hall.test_duels_at_tables import begins, pairs, plays_games, state_of


@pytest.fixture
def winner(station: Station) -> str:
    """Return an Outlaw of table 1 in a tournament of one round, all of whose sheets are accepted."""
    station.opens(10, Waivers(rounds=1))
    return station.plays_round().tables[0].players[1]


def test_the_judge_sees_ending_row_and_sum_and_who_stands_beside(
    station: Station, judge: Browser, winner: str
) -> None:
    assert f"/standings/{winner}/why" in judge.get(f"/judge/t/{OPEN}/standings")
    judge.get(f"/judge/t/{OPEN}/standings/nobody/why", expected=404)
    raw = judge.get(f"/judge/t/{OPEN}/standings/{winner}/why")
    # A name from right to left must not take the amounts beside it along.
    assert re.search(r"<h3>Marogi: 450</h3><p><bdi>[^<]+</bdi> \$", raw)
    page = words(raw)
    assert "Score: $1,800" in page
    assert "The Outlaws win. The Sheriff is out." in page
    assert "Row of the winnings table Outlaw $1,800" in page
    assert "Marogi: 450" in page
    assert "= $1,800 / 4" in page
    assert "nothing yet: they are tied, and lots must be drawn" in page
    assert "Keep this secret, like the standings." in page


def test_a_lot_is_shown_with_its_seed(station: Station, judge: Browser, winner: str) -> None:
    station.does(DrawLots("ab" * 32))
    page = judge.get(f"/judge/t/{OPEN}/standings/{winner}/why")
    assert "ab" * 32 in page
    assert "drawing lots" in page


def test_everybody_sees_reasons_once_the_ranking_is_public(
    station: Station, visitor: Browser, winner: str
) -> None:
    early = visitor.status(f"/t/{OPEN}/why/{winner}")
    assert early.status_code == 404
    assert "be public until the ranking is published." in early.text
    station.publishes_ranking()
    assert f"/t/{OPEN}/why/{winner}" in visitor.get(f"/t/{OPEN}")
    page = words(visitor.get(f"/t/{OPEN}/why/{winner}"))
    shows(page, "Row of the winnings table", never="Keep this secret, like the standings.")
    assert visitor.status(f"/judge/t/{OPEN}/standings/{winner}/why").status_code in {302, 303, 307}


def test_a_ranking_that_was_taken_back_says_so(station: Station, visitor: Browser, winner: str) -> None:
    station.publishes_ranking()
    station.does(UndoSteps(1, "wrong sheet"))
    for page in f"why/{winner}", "statistics":
        answer = visitor.status(f"/t/{OPEN}/{page}")
        assert answer.status_code == 404
        assert "The ranking was public and has been withdrawn: the judge is correcting it." in answer.text
        assert "<h1>Not available</h1>" in answer.text
    assert "That player doesn&#39;t exist." in visitor.status(f"/t/{OPEN}/why/nobody").text


PAGE = f"/t/{OPEN}/statistics"


def test_statistics_are_secret_until_the_ranking_is_public(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    assert "No game has been confirmed yet." in judge.get(PAGE)
    station.plays_round()
    assert "For head judges only" in judge.get(PAGE)
    assert visitor.status(PAGE).status_code == 404
    assert PAGE not in visitor.get(f"/t/{OPEN}")
    station.publishes_ranking()
    page = visitor.get(PAGE)
    assert PAGE in visitor.get(f"/t/{OPEN}")
    assert "Wins by role" in page
    assert "Outlaw" in page
    assert "Wins by character" not in page
    assert 'aria-label="0 of 2; between 0 and 66 per cent"' in page
    assert "Ruolo" not in page
    assert "Vittorie per ruolo" in visitor.get(PAGE, "it")


def test_games_that_terminals_recorded_have_lengths_and_high_noons(station: Station, judge: Browser) -> None:
    station.opens(10)
    assert "Length of games" not in judge.get(PAGE)
    terminal = station.terminal(1)
    station.publishes()
    terminal.plays()
    page = judge.get(PAGE)
    assert "From 1 game that a terminal recorded" in page
    assert 'aria-label="0 of 1; between 0 and 79 per cent"' in page
    assert "half of them between" in page


BASE = f"/judge/t/{OPEN}"


def test_the_judge_calls_the_tied_players_from_the_standings(station: Station, judge: Browser) -> None:
    station.opens(5, rules="official-2003")
    plays_games(station)
    page = judge.get(f"{BASE}/standings")
    assert page.count("a one-on-one game instead") == 2
    first = pairs(station)[0]
    begin = f"{BASE}/standings/one-on-one/begin"
    assert "notice bad" in judge.send(begin, {"pair": " ".join(first), "kind": "poker"})
    page = judge.send(begin, {"pair": " ".join(first), "kind": "short-duel"})
    assert page.count("Call them to a table") == 1
    assert f'href="{BASE}/tables/6/1/"' in page
    game = state_of(station).tie_duels[0].tables[0].game
    page = judge.send(f"{BASE}/standings/one-on-one/call-off", {"game": game})
    assert page.count("Call them to a table") == 2
    judge.send(begin, {"pair": " ".join(first), "kind": "short-duel"})
    assert "One-on-one" in judge.get(f"{BASE}/floor")
    assert "One-on-one" in judge.get(f"{BASE}/tables/7/1/")
    sheet = f"{BASE}/tables/7/1/sheet"
    judge.get(sheet)
    score = {"how": "score", "score-1": "5", "score-2": "2"}
    judge.send(f"{sheet}/confirm", score)
    drawn = state_of(station).tie_duels[1].tables[0]
    assert state_of(station).games_of_two == ((drawn.players[0], drawn.players[1]),)
    assert "5:2" in judge.get(f"{BASE}/standings")
    assert "One-on-one" in judge.get(f"{BASE}/standings/{drawn.players[0]}/why")


def test_a_duel_whose_tie_is_gone_is_named_on_the_page(station: Station, judge: Browser) -> None:
    station.opens(5, rules="official-2003")
    plays_games(station)
    begins(station, pairs(station)[0])
    assert "no longer tied" not in judge.get(f"{BASE}/standings")
    first = state_of(station).rounds[0]
    nobody = time_was_up(first, first.tables[0])
    station.does(CorrectSheet(first.tables[0].game, nobody, "nobody had won"))
    assert "These players are no longer tied: call their game off." in judge.get(f"{BASE}/standings")
    game = state_of(station).tie_duels[0].tables[0].game
    assert "no longer tied" not in judge.send(f"{BASE}/standings/one-on-one/call-off", {"game": game})
