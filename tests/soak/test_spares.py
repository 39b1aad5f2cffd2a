"""Dozens of swaps, a stolen terminal, and faults that must be noticed in them."""

import pytest

from station.hall import authoritative_log
from station.store.store import Store
from tests.soak import part_spares as spares
from tests.soak.counts import Counts
from tests.soak.part_forgery import run_forgery
from tests.soak.part_spares import swapped

pytestmark = pytest.mark.faults


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (1, 2))])
def test_whoever_is_swapped_nothing_is_lost_or_counted_twice(seed: int) -> None:
    done = swapped(seed, 20)
    assert done.failures == ()
    assert done.events > 200
    assert done.crashes > 5


def test_a_step_that_counts_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = authoritative_log.steps_with_origins
    monkeypatch.setattr(spares, "steps_with_origins", lambda track: (*whole(track), whole(track)[-1]))
    assert any("counts twice" in said for said in swapped(0, 20).failures)


def test_a_terminal_that_keeps_its_late_steps_to_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "late_steps", lambda *_: ())
    assert any(
        "neither counts nor is shown" in said for seed in range(3) for said in swapped(seed, 20).failures
    )


def test_an_entry_that_the_station_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Store.entries_after
    monkeypatch.setattr(Store, "entries_after", lambda store, after=0: list(whole(store, after))[:-1])
    assert swapped(0, 20).failures


def test_a_stolen_terminal_forges_no_table_before_the_draw_before_it_is_on_or_in_play() -> None:
    progress: list[Counts] = []
    done = run_forgery(1, 0, progress.append)
    assert done.failures == ()
    assert done.seeds == 1
    assert done.events > 100
    assert progress == [done]
