"""Tables of 4 at the station: allowed on the page, played at a terminal, paid, read by everybody, proved."""

import re

import pytest

from core.editions.loader import rules_of
from core.game.ending.finished import FinishedGame
from core.game.ending.winnings import winnings
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.rule_set import RuleSet
from core.terms import PlayerId
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.state.tournament import Waivers
from tests.core.tournament.conftest import players as core_players
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, seed

DRAW = f"/judge/t/{OPEN}/draw"


def with_nine(station: Station, edition: str) -> None:
    """After the first of three rounds of 10 players, nine are left."""
    station.does(OpenTournament(OPEN, "Open", RuleSet(edition), "2026-11-21", Waivers(rounds=2)))
    station.does(RegisterPlayers(core_players(10)))
    station.plays_round("first")
    station.does(WithdrawPlayer(PlayerId("p010"), "the last train"))


def allow(judge: Browser, **amounts: str) -> str:
    """Send the form as it is proposed, with some amounts changed."""
    page = judge.get(DRAW)
    fields = dict(re.findall(r'name="(row-\d+)" inputmode="numeric" class="amount" value="(\d+)"', page))
    assert fields
    return judge.send(f"{DRAW}/four", {**fields, **amounts, "reason": "everybody wants to play on"})


def row_of(page: str, ending: str, role: str) -> str:
    """The field of a row, by what is read beside it."""
    fields = re.findall(rf'name="(row-\d+)"[^>]*aria-label="{ending}, {role}"', page)
    assert len(fields) == 1, fields
    return str(fields[0])


def test_nobody_is_asked_where_the_chart_has_tables(station: Station, judge: Browser) -> None:
    station.opens(10)
    assert "Tables of 4" not in judge.get(DRAW)


def test_nine_players_go_on_at_tables_of_five_and_four(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    with_nine(station, "championship-2022")
    page = judge.get(DRAW)
    assert "9 players can't be seated" in page
    assert "Enter what tables of 4 pay" in judge.send(f"{DRAW}/four", {"reason": "all want to"})
    row = row_of(page, "The Outlaws win", "Outlaw")
    refused = allow(judge, **{row: "1.5"})
    assert "1.5 isn't an amount. Type whole dollars, such as 1500 or 1,500; at most six digits." in refused
    assert "Tables of 4" not in allow(judge, **{row: "1.700"})
    terminal = station.terminal(2)
    station.does(SealDraw(seed=seed("second")))
    station.does(MakeDraw(hall_word=""))
    station.does(PublishDraw())
    state = station.service.tournament(OPEN)
    (four,) = (table for table in state.rounds[-1].tables if len(table.players) == 4)
    assert four.table == 2
    game = terminal.plays()
    assert game == four.game
    sheet = next(one for one in station.service.tournament(OPEN).rounds[-1].sheets if one.game == game)
    assert isinstance(sheet.result, FinishedGame)
    paid = winnings(sheet.result, rules_of(state.rules))
    assert sorted(set(paid)) in ([0, 1700], [0])
    rules = visitor.get(f"/t/{OPEN}/rules")
    assert (
        "The judge has allowed tables of 4, which the document excludes: everybody wants to play on" in rules
    )
    assert "Table of 4" in rules
    assert "Tables of 4 allowed: everybody wants to play on" in judge.get(f"/judge/t/{OPEN}/history")
    pack = read_pack(judge.status(f"/judge/t/{OPEN}/export").content.splitlines(keepends=True))
    assert verify_pack(pack).faults == ()


@pytest.mark.parametrize("edition", ["championship-2010"])
def test_2010_proposes_its_formulas(station: Station, judge: Browser, edition: str) -> None:
    with_nine(station, edition)
    page = judge.get(DRAW)
    proposed = re.findall(r'class="amount" value="(\d+)"', page)
    assert [int(one) for one in proposed if one != "0"] == [3000, 1600, 2000, 1400, 400, 5200, 400]
    assert "Deputy" not in page.partition("Tables of 4")[2].partition("</form>")[0]
    allow(judge)
    station.does(SealDraw(seed=seed("second")))


def test_a_tournament_ends_where_nobody_can_be_seated(station: Station, judge: Browser) -> None:
    with_nine(station, "championship-2022")
    page = judge.get(DRAW)
    assert "End after the rounds already played" in page
    judge.send(f"{DRAW}/end", {"reason": "nine are left"})
    state = station.service.tournament(OPEN)
    assert state.rounds_planned == 1
    assert "End after the rounds" not in judge.get(DRAW)
