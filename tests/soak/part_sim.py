"""seeded simulations of a whole hall: clock, network, disks, crashes"""

import itertools
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran, plan_of, simulated

_AT_ONCE = 2
_QUEUED = 4


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Seed after seed, from ``seed`` times a million on."""
    end = time.monotonic() + seconds
    done = Counts()
    seeds = itertools.count(seed * 1_000_000)
    with tempfile.TemporaryDirectory(prefix="saloon-sim-") as folder:
        # Keys are the same in every world: made here once, not by two processes at once.
        done += counted(simulated(1, plan_of(1), Path(folder)))
        with ProcessPoolExecutor(_AT_ONCE) as pool:
            for ran in _ran(pool, seeds, Path(folder), end):
                done += counted(ran)
                progress(done)
    return done


def _ran(pool: ProcessPoolExecutor, seeds: Iterator[int], folder: Path, end: float) -> Iterator[Ran]:
    running: set[Future[Ran]] = set()
    while True:
        while len(running) < _QUEUED and time.monotonic() < end:
            seed = next(seeds)
            running.add(pool.submit(simulated, seed, plan_of(seed), folder))
        if not running:
            return
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()


def counted(ran: Ran) -> Counts:
    """What a world tried; its failure with how to see it again."""
    if not ran.problem:
        return ran.counts
    return ran.counts + Counts(
        failures=(f"{ran.problem}\n{ran.last}\nagain: python -m tests.soak.simulation {ran.seed}",)
    )
