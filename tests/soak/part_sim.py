"""seeded simulations of a whole hall: clock, network, disks, crashes"""

from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran, plan_of, run_halls, simulated


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    return run_halls(_hall, "python -m tests.soak.simulation {seed}", seed, seconds, progress)


def _hall(seed: int, folder: Path) -> Ran:
    return simulated(seed, plan_of(seed), folder)
