"""two halls whose RS-485 pairs were joined by mistake: two stations talk on one bus"""

from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.halls import run_halls
from tests.soak.simulation import Ran
from tests.soak.two_stations import two_stations
from tests.soak.world import Plan

MISTAKE = Plan(terminals=4, cables=0, seconds=30.0, each_s=2.0, orders_s=2.0, fault_every_s=3.0)


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """See Part."""
    return run_halls(mistake, "tests.soak.part_pair.mistake({seed}, FOLDER)", seed, seconds, progress)


def mistake(seed: int, folder: Path) -> Ran:
    """The halls of a seed."""
    return two_stations(seed, MISTAKE, folder)
