"""The page of statistics: everybody's with the ranking, a head judge's before."""

from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, seed

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
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
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
