"""Groups of the 2003 system on the pages: one at one table, and several."""

import re

import pytest

from core.rule_set import OptionKey, RuleSet
from core.terms import PlayerId, Role
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import ChangeWaivers, RegisterPlayers
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.table_list import read_tables
from core.tournament.state.tournament import Stage, Waivers
from station.text.i18n import Words
from tests.station.browser import Browser, proof_faults, shows
from tests.station.conftest import OPEN, Station, players, seed

BASE = f"/judge/t/{OPEN}"
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
SHOT = {**ROLES, "out-1": "1", "by-1": "2"}


def test_a_group_is_opened_with_the_number_of_games_and_without_what_it_does_not_know(
    station: Station, judge: Browser
) -> None:
    form = judge.get("/judge/new/official-2003")
    shows(form, 'name="cycles"', never=('name="rounds"', 'name="unofficial"'))
    fields = {"name": "Five", "date": "2026-11-21", "edition": "official-2003", "cycles": "2"}
    judge.send("/judge/tournaments", fields)
    (state,) = station.service.tournaments()
    assert state.waivers.cycles == 2


@pytest.mark.parametrize("cycles", ["0", "twice", "-1"])
def test_an_impossible_number_of_games_is_refused(station: Station, judge: Browser, cycles: str) -> None:
    judge.get("/judge/new/official-2003")
    fields = {"name": "Five", "date": "2026-11-21", "edition": "official-2003", "cycles": cycles}
    judge.send("/judge/tournaments", fields, 422)
    assert station.service.tournaments() == ()


def test_the_group_plays_as_many_games_as_players_and_everybody_is_sheriff_once(
    station: Station, judge: Browser
) -> None:
    station.opens(5, rules="official-2003")
    page = judge.get(BASE)
    shows(page, "<b>5</b> games", "Game 5")
    assert "Round" not in page.split("<main")[1]
    for number in range(5):
        station.plays_round(number)
    state = station.service.tournament(OPEN)
    assert state.stage is Stage.FINISHED
    assert sorted(len(entrant.sheriff_in) for entrant in state.entrants) == [1] * 5
    assert "Average" in judge.get(f"{BASE}/standings")


def test_pages_of_one_group_speak_of_games_and_never_of_rounds(station: Station, judge: Browser) -> None:
    station.opens(5, Waivers(time_limit_min=60), "official-2003")

    def read(page: str) -> str:
        main = re.sub(r"<[^>]*>", " ", judge.get(page).split("<main")[1])
        match = re.search(r".{0,60}\bround(?!ed).{0,60}", main, re.IGNORECASE)
        assert match is None, f"{page}: {match[0]}"
        return main

    assert "Then seal the draw: Game 1." in read(BASE)
    assert "60 minutes per game" in read(f"/t/{OPEN}")
    assert "No table is playing." in read(f"{BASE}/floor")
    station.does(SealDraw(seed=seed("cactus")))
    station.does(MakeDraw(hall_word="tumbleweed"))
    assert "Game 1 has been drawn." in read(BASE)
    assert "Draw Game 1 again" in read(f"{BASE}/draw")
    station.does(PublishDraw())
    drawn = station.service.tournament(OPEN).rounds[0]
    player = drawn.tables[0].players[0]
    lists = ("/", "/judge/", "/judge/seasons", BASE, f"{BASE}/floor", f"/t/{OPEN}/player/{player}")
    for page in (*lists, f"/t/{OPEN}/table/9"):
        read(page)
    station.accepts(drawn, 1)
    for page in lists:
        read(page)
    for page in ("statistics", "rounds/1/seats", "rounds/1/draw"):
        read(f"/t/{OPEN}/{page}")
    for page in ("standings", "history", "players", f"players/{player}", f"standings/{player}", "draw"):
        read(f"{BASE}/{page}")


@pytest.mark.parametrize(("language", "game"), [("en", "game"), ("it", "partita")])
def test_refusals_of_one_group_name_the_game(
    station: Station, judge: Browser, language: str, game: str
) -> None:
    station.opens(5, rules="official-2003")
    station.publishes()
    words = Words(language)

    def refusal(command: TournamentDecision) -> str:
        refused = station.service.why_not(OPEN, command)
        assert refused is not None
        return words.refusal(refused)

    assert f"{game} 1" in refusal(SealDraw(seed=seed("agave")))
    assert f"{game} 1" in refusal(MoveTables(tables=read_tables("7")))
    for command in (
        ChangeWaivers(Waivers(rounds=9), "more"),
        ChangeWaivers(Waivers(rounds=0), "none"),
        PublishRanking(),
    ):
        said = refusal(command)
        assert re.search(r"\bround|turn[oi] ", said) is None, said


def test_the_draw_shows_who_is_still_to_be_sheriff(station: Station, judge: Browser) -> None:
    station.opens(4, rules="official-2003")
    station.plays_round()
    page = judge.get(f"{BASE}/draw")
    shows(page, "Seal the draw: Game 2", "still to come")
    assert page.split("still to come")[1].count('<td class="n">1</td>') == 3


def test_too_few_for_a_table_are_refused_with_the_sizes(station: Station, judge: Browser) -> None:
    station.opens(3, rules="official-2003")
    page = judge.get(f"{BASE}/draw")
    shows(page, "3 players can't form groups of 4, 5, 6, 7, 8", 'class="main big" disabled')


def test_nine_players_play_with_the_rebel(station: Station, judge: Browser) -> None:
    station.opens(9, rules=RuleSet("official-2003", (OptionKey.REBEL,)))
    station.publishes()
    shows(judge.get(f"{BASE}/tables/1/1/sheet"), f'value="{Role.REBEL.value}"', 'name="turn-1"')


def test_a_sheet_of_2003_asks_who_eliminated_the_sheriff_and_for_turns(
    station: Station, judge: Browser
) -> None:
    station.opens(5, rules="official-2003")
    station.publishes()
    sheet = f"{BASE}/tables/1/1/sheet"
    shows(judge.get(sheet), 'name="turns-1"', never=("not recorded", 'name="price-1"'))
    turns = {f"turns-{seat}": str(seat) for seat in range(1, 6)}
    deputy = {**SHOT, "by-1": "3"}
    assert "-$5,000" in judge.send(sheet, deputy | turns)
    assert "Elimination 1: say by whom" in judge.send(sheet, {**SHOT, "by-1": "unknown"}, 422)
    assert "Seat 2: few isn't a whole number." in judge.send(sheet, SHOT | turns | {"turns-2": "few"}, 422)
    judge.send(f"{sheet}/confirm", SHOT | turns)
    assert station.service.tournament(OPEN).rounds[0].sheets[0].result.turns_played == (1, 2, 3, 4, 5)


def test_a_tie_of_two_may_be_broken_by_a_game_of_two(station: Station, judge: Browser) -> None:
    station.opens(4, rules="official-2003")
    for number in range(4):
        station.plays_round(number)
    groups = station.service.standings(OPEN).draw_groups
    page = judge.get(f"{BASE}/standings")
    pairs = [group for group in groups if len(group) == 2]
    assert page.count("a one-on-one game instead") == len(pairs)
    for pair in pairs:
        judge.send(f"{BASE}/standings/one-on-one", {"pair": " ".join(pair), "winner": pair[1]})
        rows = [row.player for row in station.service.standings(OPEN).rows]
        assert rows.index(pair[1]) < rows.index(pair[0])
    assert "notice bad" in judge.send(f"{BASE}/standings/one-on-one", {"pair": "", "winner": "nobody"})


def test_a_group_cannot_take_late_players_and_says_so(station: Station, judge: Browser) -> None:
    station.opens(5, rules="official-2003")
    station.plays_round()
    assert "accept anyone once it has begun" in judge.send(f"{BASE}/players", {"name": "Late", "club": ""})
    assert station.service.why_not(OPEN, RegisterPlayers(players(6)[5:])) is not None


def test_who_leaves_takes_along_the_games_as_sheriff(station: Station, judge: Browser) -> None:
    station.opens(5, rules="official-2003")
    station.plays_round()
    state = station.service.tournament(OPEN)
    leaver = next(entrant for entrant in state.entrants if not entrant.sheriff_in)
    judge.send(f"{BASE}/players/{leaver.player}/withdraw", {"reason": "unwell"})
    assert station.service.tournament(OPEN).rounds_planned == 4
    assert "Game 5" not in judge.get(BASE)


def test_two_groups_share_one_ranking(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10, Waivers(cycles=2), rules="official-2003")
    shows(judge.get(BASE), "<b>10</b> games", "5, 5")
    first = station.publishes("first")
    assert [len(table.players) for table in first.tables] == [5, 5]
    for table in (1, 2):
        preview = judge.send(f"{BASE}/tables/1/{table}/sheet", {**SHOT, "turn-1": "2"})
        kept = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', preview))
        judge.send(f"{BASE}/tables/1/{table}/sheet/confirm", kept)
    assert station.service.tournament(OPEN).stage is Stage.BETWEEN
    while station.service.tournament(OPEN).stage is not Stage.FINISHED:
        station.plays_round(len(station.service.tournament(OPEN).rounds))
    station.publishes_ranking()
    assert visitor.get(f"/t/{OPEN}").count("Player ") >= 10
    assert proof_faults(station) == ()
    assert "form groups that differ by at most one" in visitor.get(f"/t/{OPEN}/rules")


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
    assert "Seal the draw: Game 5" in judge.get(f"{BASE}/draw")
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
        judge.post(f"{player}/withdraw/what-if", reason="the last train")
        judge.post(f"{player}/withdraw", reason="the last train")
        for page in ("", "/draw", "/standings", "/floor"):
            judge.get(f"{BASE}{page}")
    assert station.service.tournament(OPEN).contenders == ()
    assert station.service.tournament(OPEN).stage is Stage.FINISHED
