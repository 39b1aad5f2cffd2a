"""Dozens of simulated halls, and every seed that once failed. ``make soak`` runs thousands."""

from pathlib import Path
from unittest import mock

import msgspec
import pytest

from sync.bus.interference import RivalWatch
from tests.soak.part_halls import LONGEST_S, ComingAndGoing, hour, two_stations
from tests.soak.simulation import SHORT, Ran, plan_of, simulated
from tests.soak.world import Plan, World

# Where the power fails nobody closes anything.
pytestmark = [
    pytest.mark.faults,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SEEDS, DAILY = range(16), range(2)
"""The seeds of all runs, and those of `make test`."""
FORMERLY = {
    11: "a hello that was long on its way was told to the judge as a cloned card",
}
"""Seeds of short plans that failed once, and the cause."""
FORMERLY_LONG = {
    53000007: "a terminal's farewell was lost, as it closed while the station was still sending",
    54000113: "a station that was stopped just before or in a failing commit never ended",
}
"""Seeds of long plans that failed once, and the cause."""


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


@pytest.mark.parametrize("seed", FORMERLY_LONG)
def test_a_long_hall_that_failed_once_keeps_the_promise(seed: int, keys: Path) -> None:
    ran = simulated(seed, plan_of(seed), keys)
    assert not ran.problem, f"{ran.problem}\n{ran.last}"


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


MINUTES = Plan(terminals=4, cables=0, seconds=LONGEST_S + 60, each_s=1.0, fault_every_s=20.0)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_while_the_wifi_comes_and_goes_the_promise_is_kept_and_everybody_is_heard(
    seed: int, keys: Path
) -> None:
    ran = hour(seed, keys, MINUTES)
    assert not ran.problem, f"{ran.problem}\n{ran.last}"
    assert ran.counts.events > 500
    assert ran.dealt["away"] > 20


def turned_away(world: World) -> None:
    world.station.known.pop(world.terminals[0].identity.id, None)
    world.station.tokens.clear()


@pytest.mark.nightly
def test_a_terminal_that_is_never_heard_is_found(keys: Path) -> None:
    ran = simulated(1, MINUTES, keys, turned_away, dealer=ComingAndGoing)
    assert "t0: nothing was received for" in ran.problem


@pytest.mark.nightly
def test_a_station_that_loses_what_it_acknowledged_is_found(keys: Path) -> None:
    plan = msgspec.structs.replace(MINUTES, fault_every_s=3.0)
    problems = (simulated(seed, plan, keys, lying, dealer=ComingAndGoing).problem for seed in range(2))
    assert any("acknowledged" in problem or "not what the station wrote" in problem for problem in problems)


PAIR = Plan(terminals=2, cables=0, seconds=6.0, each_s=1.0, orders_s=2.0, fault_every_s=1.0)


def test_two_stations_on_one_pair_say_so_and_nothing_is_lost(tmp_path: Path) -> None:
    ran = two_stations(0, PAIR, tmp_path)
    assert not ran.problem, f"{ran.problem}\n{ran.last}"
    assert ran.counts.events > 100
    assert ran.counts.crashes > 2


@pytest.mark.nightly
def test_stations_that_say_nothing_are_found(tmp_path: Path) -> None:
    with mock.patch.object(RivalWatch, "_hear", return_value=False):
        ran = two_stations(0, PAIR, tmp_path)
    assert "a station does not say" in ran.problem
