"""The players of a rehearsal play as people do: hundreds of whole games on the rules alone."""

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.loader import edition
from core.terms import Ending
from tests.examples import examples
from tools.rehearsal_statistics import PlayedGame, games_of, play_game, share, table, tenths

pytestmark = pytest.mark.slow

RULES = "championship-2022"


@functools.cache
def games(seats: int) -> tuple[PlayedGame, ...]:
    return games_of(seats, 60, RULES, seed=7)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [5, 6, 7])
def test_half_of_the_games_last_25_to_50_minutes_or_less_than_ten_minutes_off(seats: int) -> None:
    early, median, late = tenths(games(seats), lambda game: game.seconds / 60)
    assert 25 <= median <= 50
    assert early >= 10
    assert late <= 60


@pytest.mark.parametrize("seats", [5, 6, 7])
def test_turns_wounds_and_reshuffles_are_those_of_people(seats: int) -> None:
    played = games(seats)
    assert 35 <= tenths(played, lambda game: game.turns)[1] <= 90
    assert 0.3 <= sum(g.lost for g in played) / sum(g.turns for g in played) <= 0.6
    assert 1 <= tenths(played, lambda game: game.reshuffles)[1] <= 3
    assert all(1 <= game.eliminations < seats for game in played)


def test_high_noon_comes_in_some_games_and_not_in_all() -> None:
    everybody = games(5) + games(6) + games(7)
    assert 0.15 <= share(everybody, lambda game: game.high_noon) <= 0.7


def test_each_side_wins_sometimes_and_none_always() -> None:
    everybody = games(5) + games(6) + games(7)
    assert 0.3 <= share(everybody, lambda game: game.ending is Ending.LAW_WINS) <= 0.6
    assert 0.3 <= share(everybody, lambda game: game.ending is Ending.OUTLAWS_WIN) <= 0.65
    assert 0.01 <= share(everybody, lambda game: game.ending is Ending.RENEGADE_WINS) <= 0.2


def test_fingers_slip_now_and_then_and_the_slip_is_undone() -> None:
    assert 0.15 <= share(games(6), lambda game: game.undone > 0) <= 0.75


@settings(max_examples=examples(10), deadline=None)
@given(seats=st.integers(4, 7), seed=st.integers(0, 2**32))
def test_any_seed_brings_a_game_to_its_end_and_the_same_one_twice(seats: int, seed: int) -> None:
    game = play_game(seats, edition(RULES), seed)
    assert game.ending is not None
    assert game == play_game(seats, edition(RULES), seed)


def test_the_table_for_the_page_has_a_column_for_each_size() -> None:
    rows = table({5: games(5), 6: games(6)}).splitlines()
    assert rows[0] == "|  | 5 players | 6 players |"
    assert {row.count("|") for row in rows} == {4}
