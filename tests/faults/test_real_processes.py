"""Real programs in a real network that loses, delays and parts; kills and pauses; then nothing is missing."""

from pathlib import Path

import pytest

from tests.faults.real_hall import RealHall
from tests.postgresql import running_postgresql
from tests.rigs.hall_net import net_problem

pytestmark = [
    pytest.mark.faults,
    pytest.mark.hil,
    pytest.mark.skipif(bool(net_problem()), reason=net_problem()),
]

BREAK_S = 8.0


def test_what_was_saved_is_received_once_whatever_is_killed_paused_or_parted(tmp_path: Path) -> None:
    with RealHall(tmp_path, seed=11) as hall:
        hall.break_for(BREAK_S)
        hall.settle()
        assert hall.deeds.kills
        assert hall.deeds.entries > 100
        assert hall.difference() is None


@pytest.mark.nightly
def test_two_stations_on_one_database_lose_nothing_when_one_is_killed_or_the_server_restarts(
    tmp_path: Path,
) -> None:
    with running_postgresql() as server, RealHall(tmp_path, seed=5, server=server) as hall:
        hall.break_for(BREAK_S)
        hall.settle()
        assert hall.deeds.kills
        assert hall.deeds.entries > 100
        assert hall.difference() is None
