"""a stolen terminal that writes whole games of other tables, at a real station over real TLS"""

import contextlib
import random
import tempfile
import time
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.forgery import ForgedHall
from tests.station.hall_of_stations import stations


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Halls one after the other; each is attacked at every table and then played to its end."""
    begun, done = time.monotonic(), Counts()
    while not done.seeds or time.monotonic() - begun < seconds:
        done += _one_hall(seed + done.seeds)
        progress(done)
    return done


def _one_hall(seed: int) -> Counts:
    with tempfile.TemporaryDirectory(prefix="saloon-soak-forgery-") as place:
        folder = Path(place)
        with stations(folder, "", "Hall") as (station,), contextlib.ExitStack() as ends:
            hall = ForgedHall(folder, station, random.Random(seed), ends)
            failures: tuple[str, ...] = ()
            try:
                hall.suffer()
                hall.end()
            except (AssertionError, TimeoutError) as error:
                failures = (f"forgery, seed {seed}: {error!r}",)
            return Counts(events=hall.events, seeds=1, failures=failures)
