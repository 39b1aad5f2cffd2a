"""real stations and terminals in network namespaces and on serial lines, killed, paused, parted, from a seed

Each round is a hall of its own for half a minute, every other one with two stations on a PostgreSQL that
is restarted, too. At its end everything is mended, and the oracle is asked.
"""

import contextlib
import itertools
import tempfile
import time
from pathlib import Path

from tests.faults.real_hall import RealHall
from tests.postgresql import running_postgresql
from tests.rigs.hall_net import net_problem
from tests.soak.counts import Counts, Progress

_ROUND_S = 30.0


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls one after the other, each with the next seed. It is a failure if none can be created."""
    problem = net_problem()
    if problem:
        return Counts(failures=(problem,))
    counts = Counts()
    end = time.monotonic() + seconds
    for number in itertools.count(seed):
        left = end - time.monotonic()
        if left <= 0:
            return counts
        counts += _round(number, min(_ROUND_S, left))
        progress(counts)
    return counts


def _round(seed: int, seconds: float) -> Counts:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="saloon-hall-")))
        server = stack.enter_context(running_postgresql()) if seed % 2 else None
        hall = stack.enter_context(RealHall(folder, seed, server))
        hall.break_for(seconds)
        try:
            hall.settle()
            difference = hall.difference()
        except TimeoutError as error:
            difference = f"not settled: {error}"
        deeds = hall.deeds
    failures = () if difference is None else (f"hall of seed {seed}: {difference}",)
    crashes = deeds.kills + deeds.pauses + deeds.database_restarts
    cuts = deeds.partitions + deeds.cable_cuts
    return Counts(deeds.entries, crashes, 1, cuts, deeds.line_bytes, failures)
