"""A short run of two stations on one pair of wires, and faults that must be noticed."""

from pathlib import Path
from unittest import mock

import pytest

from sync.bus.interference import RivalWatch
from tests.soak.part_pair import two_stations
from tests.soak.world import Plan

# Where the power fails nobody closes anything.
pytestmark = [
    pytest.mark.faults,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SHORT = Plan(terminals=2, cables=0, seconds=6.0, each_s=1.0, orders_s=2.0, fault_every_s=1.0)


def test_two_stations_on_one_pair_say_so_and_nothing_is_lost(tmp_path: Path) -> None:
    ran = two_stations(0, SHORT, tmp_path)
    assert not ran.problem, f"{ran.problem}\n{ran.last}"
    assert ran.counts.events > 100
    assert ran.counts.crashes > 2


@pytest.mark.nightly
def test_stations_that_say_nothing_are_found(tmp_path: Path) -> None:
    with mock.patch.object(RivalWatch, "_hear", return_value=False):
        ran = two_stations(0, SHORT, tmp_path)
    assert "a station does not say" in ran.problem
