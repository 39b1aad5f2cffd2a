"""The judge calls two tied players to a table from the page of the standings."""

from core.tournament.sheets import CorrectSheet
from tests.core.tournament.conftest import time_was_up
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station
from tests.station.hall.test_tied_duels import begins, pairs, plays_five_games, state_of

BASE = f"/judge/t/{OPEN}"


def test_the_judge_calls_the_tied_players_from_the_standings(station: Station, judge: Browser) -> None:
    station.opens(5, rules="official-2003")
    plays_five_games(station)
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
    plays_five_games(station)
    begins(station, pairs(station)[0])
    assert "no longer tied" not in judge.get(f"{BASE}/standings")
    first = state_of(station).rounds[0]
    nobody = time_was_up(first, first.tables[0])
    station.does(CorrectSheet(first.tables[0].game, nobody, "nobody had won"))
    page = judge.get(f"{BASE}/standings")
    assert "These players are no longer tied: call their game off." in page
    game = state_of(station).tie_duels[0].tables[0].game
    assert "no longer tied" not in judge.send(f"{BASE}/standings/one-on-one/call-off", {"game": game})
