"""a station's database on a disk that writes in any order between flushes, the power cut anywhere"""

import itertools
import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.cuts import every_cut, quiet
from tests.soak.recorded_disk import Left

ORDERS = (Left.REORDERED,) * 4
"""The number of crash images made at each cut."""


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    done = Counts()
    for counts in in_two_processes(_works(seed), time.monotonic() + seconds, quiet):
        # Every cut is a power cut of the machine that was recorded.
        done += counts + Counts(crashes=counts.cuts)
        progress(done)
    return done


def _works(seed: int) -> Iterator[Callable[[], Counts]]:
    chance = random.Random(f"reorder {seed}")
    for number in itertools.count(seed * 1_000_000):
        workload = ("checkpoints", "indexed")[number % 2]
        yield partial(every_cut, workload, number, chance.choice((4, 8, 16)), lefts=ORDERS)
