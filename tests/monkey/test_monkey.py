"""A share of the monkey's touches in every run; ``python -m tests.monkey`` plays the many."""

import pytest
from tests.monkey.evenings import GROUPS
from tests.monkey.run import Evening, play_evening

SHARE = 500


@pytest.mark.parametrize(("number", "group"), tuple(enumerate(GROUPS)))
def test_a_monkey_finds_no_crash_and_no_result_without_its_confirmations(number: int, group: str) -> None:
    tally = play_evening(Evening(group, number, seed=number, touches=SHARE))
    assert tally.touches >= SHARE
    assert len(tally.scenes) >= 5
