"""One hall with a stolen terminal. ``make soak`` plays as many as there is time for."""

import pytest

from tests.soak.counts import Counts
from tests.soak.part_forgery import run

pytestmark = pytest.mark.faults


def test_a_stolen_terminal_forges_no_table_before_the_draw_before_it_is_on_or_in_play() -> None:
    progress: list[Counts] = []
    done = run(1, 0, progress.append)
    assert done.failures == ()
    assert done.seeds == 1
    assert done.events > 100
    assert progress == [done]
