"""The page of reasons: rule, row and sum of any dollar and rank; secret until the ranking is public."""

import re

import pytest

from core.tournament.decisions import UndoSteps
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, outlaws_won


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.fixture
def winner(station: Station) -> str:
    """An Outlaw of table 1 in a tournament of one round, all sheets accepted."""
    station.opens(10, Waivers(rounds=1))
    round_ = station.publishes()
    for table in round_.tables:
        station.does(AcceptSheet(table.game, outlaws_won(round_, table.table), Source.PAPER))
    return round_.tables[0].players[1]


def test_the_judge_sees_ending_row_and_sum_and_who_stands_beside(
    station: Station, judge: Browser, winner: str
) -> None:
    assert f"/standings/{winner}/why" in judge.get(f"/judge/t/{OPEN}/standings")
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
    assert "This is public once the ranking is published." in early.text
    station.does(DrawLots("ab" * 32))
    station.does(PublishRanking())
    assert f"/t/{OPEN}/why/{winner}" in visitor.get(f"/t/{OPEN}")
    page = words(visitor.get(f"/t/{OPEN}/why/{winner}"))
    assert "Row of the winnings table" in page
    assert "Keep this secret, like the standings." not in page
    assert visitor.status(f"/judge/t/{OPEN}/standings/{winner}/why").status_code in {302, 303, 307}


def test_nobody_has_no_reasons(station: Station, judge: Browser, winner: str) -> None:
    assert winner
    assert judge.status(f"/judge/t/{OPEN}/standings/nobody/why").status_code == 404


def test_a_ranking_that_was_taken_back_says_so(station: Station, visitor: Browser, winner: str) -> None:
    station.does(DrawLots("ab" * 32))
    station.does(PublishRanking())
    station.does(UndoSteps(1, "wrong sheet"))
    for page in f"why/{winner}", "statistics":
        answer = visitor.status(f"/t/{OPEN}/{page}")
        assert answer.status_code == 404
        assert "The ranking was public and has been withdrawn: the judge is correcting it." in answer.text
        assert "<h1>Not available</h1>" in answer.text
    assert "That player doesn&#39;t exist." in visitor.status(f"/t/{OPEN}/why/nobody").text
