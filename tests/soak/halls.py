"""Simulated halls one after the other, in two processes, for a part of the soak."""

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran

_AT_ONCE = 2
_QUEUED = 4

Hall = Callable[[int, Path], Ran]
"""Runs the hall of a seed, with its keys in a folder. A function of a module, as processes need it."""


def run_halls(hall: Hall, again: str, seed: int, seconds: float, progress: Progress) -> Counts:
    """Seed after seed, from ``seed`` times a million on. again: the command that runs one of them again."""
    end = time.monotonic() + seconds
    done = Counts()
    seeds = itertools.count(seed * 1_000_000)
    with (
        tempfile.TemporaryDirectory(prefix="saloon-sim-") as folder,
        ProcessPoolExecutor(_AT_ONCE) as pool,
    ):
        # Keys are the same in every world: made here once, not by two processes at once.
        done += counted(hall(next(seeds), Path(folder)), again)
        for ran in _ran(pool, hall, seeds, Path(folder), end):
            done += counted(ran, again)
            progress(done)
    return done


def _ran(
    pool: ProcessPoolExecutor, hall: Hall, seeds: Iterator[int], folder: Path, end: float
) -> Iterator[Ran]:
    running: set[Future[Ran]] = set()
    while True:
        while len(running) < _QUEUED and time.monotonic() < end:
            running.add(pool.submit(hall, next(seeds), folder))
        if not running:
            return
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()


def counted(ran: Ran, again: str) -> Counts:
    """Return the counts of one simulated hall; its failure, if any, with the command that repeats it."""
    if not ran.problem:
        return ran.counts
    return ran.counts + Counts(failures=(f"{ran.problem}\n{ran.last}\nagain: {again.format(seed=ran.seed)}",))
