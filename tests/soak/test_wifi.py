"""Some minutes of a Wi-Fi that comes and goes, and faults that must be noticed in them."""

from pathlib import Path

import msgspec
import pytest

from tests.soak.part_wifi import LONGEST_S, ComingAndGoing, hour
from tests.soak.simulation import simulated
from tests.soak.world import Plan, World

pytestmark = pytest.mark.faults

MINUTES = Plan(terminals=4, cables=0, seconds=LONGEST_S + 60, each_s=1.0, fault_every_s=20.0)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


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


def lying(world: World) -> None:
    world.station.faults.lies = True


@pytest.mark.nightly
def test_a_station_that_loses_what_it_acknowledged_is_found(keys: Path) -> None:
    plan = msgspec.structs.replace(MINUTES, fault_every_s=3.0)
    problems = (simulated(seed, plan, keys, lying, dealer=ComingAndGoing).problem for seed in range(2))
    assert any("acknowledged" in problem or "not what the station wrote" in problem for problem in problems)
