"""tables whose terminals are swapped for spares at random, at a real station with real keepers"""

import tempfile
import time
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.cuts import fast_folder, quiet
from tests.soak.spares import HallOfSpares

SWAPS = 50
LEAST = 1_000
"""Swaps in all, however short the time is."""


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Halls one after the other; a swap counts as a cut: of a terminal from its game."""
    quiet()
    end, done = time.monotonic() + seconds, Counts()
    while done.cuts < LEAST or time.monotonic() < end:
        done += swapped(seed * 1_000_000 + done.seeds, SWAPS)
        progress(done)
    return done


def swapped(seed: int, swaps: int) -> Counts:
    """The hall of a seed."""
    with tempfile.TemporaryDirectory(prefix="saloon-spares-", dir=fast_folder()) as folder:
        hall = HallOfSpares(seed, Path(folder))
        try:
            hall.suffer(swaps)
            hall.recover()
            again = f"again: tests.soak.part_spares.swapped({seed}, {swaps})"
            failures = tuple(f"{difference}; {again}" for difference in hall.differences())
            events = sum(len(one.entries) for one in hall.units)
        finally:
            hall.station.close()
    return Counts(events=events, crashes=hall.crashes, seeds=1, cuts=hall.swaps, failures=failures)
