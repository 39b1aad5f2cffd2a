"""The chart's lines, and the moments behind them, are what a replay of the story so far shows."""

import pytest
from msgspec.structs import replace

from core.game.play.eliminations import Eliminate
from core.game.state.game import Cause, HighNoon
from core.game.timeline import LifeLine, fold, life_lines
from core.terms import Role, SeatNo
from tests.core.game.conftest import MakeGame
from tests.core.game.random_games import random_game


@pytest.mark.slow
@pytest.mark.parametrize("key", ["championship-2022", "simplified-2003"])
@pytest.mark.parametrize("seed", range(6))
def test_every_moment_is_the_replay_of_the_steps_before_it(seed: int, key: str) -> None:
    timeline = random_game(seed, 5 + seed % 3, key)
    for index, moment in enumerate(timeline.moments):
        replayed = fold(timeline.steps[: index + 1])
        assert replayed is not None
        # Whether the judge is called is no matter of the steps.
        assert replace(replayed.state, judge_called=False) == replace(moment.state, judge_called=False)


@pytest.mark.parametrize("seed", range(6))
def test_each_line_says_the_life_points_at_the_end_of_each_turn(seed: int) -> None:
    timeline = random_game(seed, 5 + seed % 3)
    lines = life_lines(timeline)
    assert lines is not None
    assert lines.turns == timeline.state.turns
    for line in lines.lines:
        for turn, points in enumerate(line.points[1:], start=1):
            seat = timeline.moments[lines.moments[turn]].state.seats[line.seat - 1]
            assert points == max(0, seat.life) <= lines.most
        seat = timeline.state.seats[line.seat - 1]
        assert line.is_out == (not seat.in_play)
        assert line.is_out or len(line.points) == lines.turns + 1


def test_a_line_ends_where_its_player_goes_out_and_high_noon_begins_where_it_began(
    make_game: MakeGame,
) -> None:
    table = make_game()
    assert life_lines(None) is None
    table.lose(2, 4)
    table.ask(Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER))
    table.end_turn()
    table.reshuffle(3)
    while table.now().high_noon is not HighNoon.ON:
        table.end_turn()
    lines = life_lines(table.timeline)
    assert lines is not None
    assert lines.lines[1] == LifeLine(SeatNo(2), (4, 0), is_out=True)
    assert lines.noon_from == table.now().turns
