"""Tied players stand in the order of their names, and in a proof pack in the order of their numbers."""

from itertools import groupby

import pytest

from core.editions.loader import edition
from core.proof.lines import published_rows
from core.terms import PlayerId
from core.tournament.draw.draw_algorithm import lot_order
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.standings.ledger import accepted_results, contenders
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import rounds_standings, standings, standings_of
from core.tournament.state.tournament import Player
from tests.core.tournament.conftest import Judge, seed, time_was_up

NAMES = ("zoe", "Øyvind", "Émile", "D’Angelo", "Bea", "adam", "Åsa", "Carlo", "ida", "Fiona")
ALPHABETICAL = ("adam", "Åsa", "Bea", "Carlo", "D’Angelo", "Émile", "Fiona", "ida", "Øyvind", "zoe")


@pytest.fixture
def ten() -> Judge:
    judge = Judge(edition("championship-2022")).opens()
    people = tuple(Player(PlayerId(f"p{number:03}"), name) for number, name in enumerate(NAMES, 1))
    judge.does(RegisterPlayers(people))
    return judge


def names(judge: Judge, players: tuple[PlayerId, ...]) -> list[str]:
    by_id = {entrant.player: entrant.name for entrant in judge.state.entrants}
    return [by_id[player] for player in players]


def test_before_a_game_everybody_stands_by_name(ten: Judge) -> None:
    ranking = standings_of(ten.state, ten.rules)
    assert names(ten, tuple(row.player for row in ranking.rows)) == list(ALPHABETICAL)
    assert ranking.draw_groups == (tuple(row.player for row in ranking.rows),)


def test_ties_after_a_game_and_players_who_left_stand_by_name(ten: Judge) -> None:
    ten.plays_round()
    for player in ("p001", "p006"):
        ten.does(WithdrawPlayer(PlayerId(player), "went home"))
    ranking = rounds_standings(ten.state, ten.rules)
    ties = [tuple(row.player for row in tie) for _, tie in groupby(ranking.rows, lambda row: row.rank)]
    assert max(map(len, ties)) > 1
    for tie in ranking.draw_groups:
        assert names(ten, tie) == sorted(names(ten, tie), key=ALPHABETICAL.index)
        assert tie in ties


def test_proof_packs_keep_the_order_that_older_packs_have(ten: Judge) -> None:
    ten.plays_round()
    ten.does(WithdrawPlayer(PlayerId("p001"), "went home"))
    older = standings(accepted_results(ten.state, ten.rules), contenders(ten.state), ten.rules)
    current = standings_of(ten.state, ten.rules)
    assert older.rows != current.rows
    assert published_rows(current) == published_rows(older)
    assert [row.player for row in published_rows(older)] == [row.player for row in older.rows]


def test_the_lot_does_not_depend_on_names(ten: Judge) -> None:
    for _ in range(3):
        ten.plays_round(time_was_up)
    by_number = [sorted(group) for group in standings_of(ten.state, ten.rules).draw_groups]
    (drawn,) = ten.does(DrawLots(seed("lots")))
    assert isinstance(drawn, DrawLots)
    assert drawn.groups == lot_order(seed("lots"), by_number)
