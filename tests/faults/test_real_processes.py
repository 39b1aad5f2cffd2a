"""Real programs in a real network that loses, delays and parts; kills and pauses; then nothing is missing."""

from contextlib import nullcontext
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


@pytest.mark.parametrize(
    "shared", [pytest.param(False, id="one station"), pytest.param(True, id="two", marks=pytest.mark.nightly)]
)
def test_what_was_saved_is_received_once_whatever_is_killed_paused_or_parted(
    tmp_path: Path, *, shared: bool
) -> None:
    with (
        running_postgresql() if shared else nullcontext() as server,
        RealHall(tmp_path, seed=5 if shared else 11, server=server) as hall,
    ):
        hall.break_for(BREAK_S)
        hall.settle()
        assert hall.deeds.kills + hall.deeds.database_restarts
        assert hall.deeds.entries > 100
        assert hall.difference() is None
