"""a station's database on a disk that writes in any order between flushes, the power cut anywhere"""

import random
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from tests.soak.counts import Counts, Progress
from tests.soak.cuts import every_cut, quiet
from tests.soak.recorded_disk import Left

_AT_ONCE = 2
_QUEUED = 3
ORDERS = (Left.REORDERED,) * 4
"""The number of crash images made at each cut."""


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Record stores one after the other; cut each before every write and flush."""
    end, chance = time.monotonic() + seconds, random.Random(f"reorder {seed}")
    done, number = Counts(), seed * 1_000_000
    running: set[Future[Counts]] = set()
    with ProcessPoolExecutor(_AT_ONCE, initializer=quiet) as pool:
        while True:
            while len(running) < _QUEUED and time.monotonic() < end:
                steps = chance.choice((4, 8, 16))
                workload = ("checkpoints", "indexed")[number % 2]
                running.add(pool.submit(every_cut, workload, number, steps, lefts=ORDERS))
                number += 1
            if not running:
                return done
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                # Every cut is a power cut of the machine that was recorded.
                counts = future.result()
                done += counts + Counts(crashes=counts.cuts)
                progress(done)
