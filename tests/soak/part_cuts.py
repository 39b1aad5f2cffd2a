"""the power cut at every write and flush of real journals, stores and indexes of games"""

import itertools
import random
import time
from collections.abc import Iterator
from functools import partial

from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.cuts import every_cut, quiet


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    done = Counts()
    works = (
        partial(every_cut, workload, number, steps, inject=inject)
        for workload, number, steps, inject in runs(seed)
    )
    for counts in in_two_processes(works, time.monotonic() + seconds, quiet):
        # Every cut is a power cut of the machine that was recorded.
        done += counts + Counts(crashes=counts.cuts)
        progress(done)
    return done


def runs(seed: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield workload, seed, steps and injected errors: all kinds in turn, for ever."""
    chance = random.Random(f"cuts {seed}")
    for number in itertools.count(seed * 1_000_000):
        yield "journal", number, chance.choice((5, 12, 30)), ""
        yield "store", number, chance.choice((3, 6)), ""
        yield "indexed", number, chance.choice((4, 8)), ""
        first = chance.randint(3, 40)
        error = chance.choice(("EIO", "ENOSPC"))
        call = chance.choice(("fdatasync", "fdatasync", "pwrite64"))
        when = f"{first}..{first + chance.randint(0, 4)}"
        yield "saving", number, chance.choice((4, 8)), f"{call}:error={error}:when={when}"
        yield "refusing", number, chance.choice((3, 5)), f"{call}:error={error}:when={when}"
        yield "identity", number, 1, ""
