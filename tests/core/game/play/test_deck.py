"""The turns that a deck lasts at the least."""

import pytest

from core.editions.loader import edition
from core.game.play.reshuffles import Reshuffle, fewest_deck_turns, turns_since_reshuffle
from core.game.play.turns import EndTurn
from core.terms import Role
from tests.scenarios.moments import Table

BASE = edition("official-2003")


@pytest.mark.parametrize(("seats", "turns"), [(4, 6), (5, 5), (6, 3), (7, 2), (8, 1)])
def test_a_discard_pile_lasts_as_long_as_hands_and_cards_in_front_leave_of_it(seats: int, turns: int) -> None:
    assert fewest_deck_turns(Table(seats, BASE).begun().state, BASE) == turns


def test_it_lasts_longer_the_fewer_players_and_life_points_are_left() -> None:
    table = Table(7, BASE).begun()
    fewest = [fewest_deck_turns(table.state, BASE)]
    for seat in (2, 3, 4):
        table.kill(seat, 1, Role.OUTLAW if seat < 4 else Role.RENEGADE)
        fewest.append(fewest_deck_turns(table.wound(5, 1).state, BASE))
    assert fewest == sorted(set(fewest))


def test_turns_are_counted_from_the_reshuffle_on() -> None:
    table = Table(5, BASE).begun().do(EndTurn(), Reshuffle())
    assert turns_since_reshuffle(table.state) == 0
    assert turns_since_reshuffle(table.do(EndTurn(), EndTurn()).state) == 2
