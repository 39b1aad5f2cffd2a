"""A share of the monkey's touches in every run; ``python -m tests.monkey`` plays the many."""

import random
from typing import get_args

import pytest

from core.game.orders import Order, SeatGame, TakeGame
from tests.monkey.evenings import GROUPS, any_order
from tests.monkey.monkey import Evening, play_evening
from tests.scenarios.moments import Table

pytestmark = pytest.mark.slow

SHARE = 500
_EACH_DAY = ("championship",)


@pytest.mark.parametrize(
    ("number", "group"),
    [
        pytest.param(number, group, marks=() if group in _EACH_DAY else pytest.mark.nightly)
        for number, group in enumerate(GROUPS)
    ],
)
def test_a_monkey_finds_no_crash_and_no_result_without_its_confirmations(number: int, group: str) -> None:
    tally = play_evening(Evening(group, number, seed=number, touches=SHARE))
    assert tally.touches >= SHARE
    assert len(tally.scenes) >= 5


def test_a_monkey_hears_every_kind_of_order() -> None:
    """A new kind needs its place in ``any_order``. Games are seated elsewhere; none is taken over."""
    game = Table(5).begun().state
    kinds = {type(any_order(random.Random(seed), game)) for seed in range(2_000)}
    assert kinds == {*get_args(Order)} - {SeatGame, TakeGame}
