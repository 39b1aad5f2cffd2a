"""a Wi-Fi that comes and goes every few seconds for an hour, in a simulated hall"""

from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.halls import run_halls
from tests.soak.simulation import Ran, simulated
from tests.soak.wifi import ComingAndGoing
from tests.soak.world import Plan

HOUR = Plan(terminals=8, cables=0, seconds=3600.0, each_s=1.0, fault_every_s=20.0)


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """See Part. Each hall lasts an hour of its own time."""
    return run_halls(hour, "tests.soak.part_wifi.hour({seed}, FOLDER)", seed, seconds, progress)


def hour(seed: int, folder: Path, plan: Plan = HOUR) -> Ran:
    """The hall of a seed."""
    return simulated(seed, plan, folder, dealer=ComingAndGoing)
