"""Several groups of the 2003 system on the pages: opened, drawn, played at terminals and on paper, proved."""

import re

import pytest

from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import PlayerId
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.tournament import Stage, Waivers
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, seed

BASE = f"/judge/t/{OPEN}"


def test_two_groups_share_one_ranking(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10, Waivers(cycles=2), rules="official-2003")
    page = judge.get(BASE)
    assert "<b>10</b> games" in page
    assert "5, 5" in page
    first = station.publishes("first")
    assert [len(table.players) for table in first.tables] == [5, 5]
    for table in (1, 2):
        judge.get(f"{BASE}/tables/1/{table}/sheet")
        sheet = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
        preview = judge.send(
            f"{BASE}/tables/1/{table}/sheet", {**sheet, "out-1": "1", "by-1": "2", "turn-1": "2"}
        )
        kept = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', preview))
        judge.send(f"{BASE}/tables/1/{table}/sheet/confirm", kept)
    assert station.service.tournament(OPEN).stage is Stage.BETWEEN
    while station.service.tournament(OPEN).stage is not Stage.FINISHED:
        station.plays_round(len(station.service.tournament(OPEN).rounds))
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed(len(station.service.tournament(OPEN).lots))))
    station.does(PublishRanking())
    assert visitor.get(f"/t/{OPEN}").count("Player ") >= 10
    pack = read_pack(judge.status(f"{BASE}/export").content.splitlines(keepends=True))
    assert verify_pack(pack).faults == ()
    rules = visitor.get(f"/t/{OPEN}/rules")
    assert "form groups that differ by at most one" in rules


def test_eleven_players_are_drawn_to_groups_of_six_and_five(station: Station, judge: Browser) -> None:
    station.opens(11, rules="official-2003")
    assert "can't form groups" not in judge.get(f"{BASE}/draw")
    assert [len(table.players) for table in station.plays_round("first").tables] == [6, 5]


def test_a_group_that_waits_is_no_missing_table(station: Station, judge: Browser) -> None:
    station.opens(10, rules="official-2003")
    two = station.plays_round("first").tables[1].players
    station.does(WithdrawPlayer(PlayerId(two[1]), "the last train"))
    for number in range(3):
        station.plays_round(number)
    page = judge.get(f"{BASE}/draw")
    assert "Seal the draw: Game 5" in page
    last = station.plays_round("last")
    assert len(last.tables) == 1
    assert station.service.tournament(OPEN).stage is Stage.FINISHED
    assert "Average" in judge.get(f"{BASE}/standings")


@pytest.mark.slow
def test_so_many_leave_that_no_group_is_left(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(cycles=2), rules="official-2003")
    station.plays_round("first")
    for entrant in station.service.tournament(OPEN).contenders:
        player = f"{BASE}/players/{entrant.player}"
        judge.get(player)
        judge.post(f"{player}/withdraw/what-if", reason="the last train")
        judge.post(f"{player}/withdraw", reason="the last train")
        for page in ("", "/draw", "/standings", "/floor"):
            judge.get(f"{BASE}{page}")
    assert station.service.tournament(OPEN).contenders == ()
    assert station.service.tournament(OPEN).stage is Stage.FINISHED
