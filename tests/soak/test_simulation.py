"""Dozens of simulated halls, and every seed that once failed. ``make soak`` runs thousands."""

from pathlib import Path

import pytest

from tests.soak.simulation import SHORT, Ran, simulated
from tests.soak.world import World

pytestmark = pytest.mark.faults

SEEDS, DAILY = range(16), range(2)
"""The seeds of all runs, and those of `make test`."""
FORMERLY = {
    11: "a hello that was long on its way was told to the judge as a cloned card",
}
"""Seeds that failed once, and the cause."""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


def said(ran: Ran) -> str:
    return f"{ran.problem}\n{ran.last}\nagain: python -m tests.soak.simulation {ran.seed} --short"


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, marks=() if seed in {*DAILY, *FORMERLY} else pytest.mark.nightly)
        for seed in sorted({*SEEDS, *FORMERLY})
    ],
)
def test_whatever_befalls_a_hall_the_promise_is_kept(seed: int, keys: Path) -> None:
    ran = simulated(seed, SHORT, keys)
    assert not ran.problem, said(ran)
    assert ran.counts.crashes > 5
    assert ran.counts.events > 100


def test_the_same_seed_is_the_same_hall(keys: Path) -> None:
    first, again, other = (simulated(seed, SHORT, keys) for seed in (3, 3, 4))
    assert first.digest == again.digest
    assert first.digest != other.digest


def lying(world: World) -> None:
    world.station.faults.lies = True


def test_a_station_whose_disk_lies_about_flushing_is_found(keys: Path) -> None:
    """Such a disk may lose data, but the oracle must notice."""
    problems = (simulated(seed, SHORT, keys, lying).problem for seed in range(6))
    assert any("were acknowledged, the station has" in problem for problem in problems)


def forgetful(world: World) -> None:
    """Let terminals show entries as saved that are not committed yet."""
    for terminal in world.terminals:
        terminal.shows_early = True


def test_a_terminal_that_shows_saved_too_early_is_found(keys: Path) -> None:
    problems = (simulated(seed, SHORT, keys, forgetful).problem for seed in range(3))
    assert any("shown as saved" in problem for problem in problems)
