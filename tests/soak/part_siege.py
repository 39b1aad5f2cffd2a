"""a station whose ports are held by thousands of connections, while its tables play"""

import random
import tempfile
import time
from pathlib import Path

from tests.faults.hostile.besiegers import SiegePlan
from tests.faults.siege import Siege
from tests.soak.counts import Counts, Progress

_SECONDS = 60.0
_PER_S = 50.0


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run one siege after the other, with and without TLS, from few addresses and from many."""
    end = time.monotonic() + seconds
    done = Counts()
    while time.monotonic() < end and not done.failures:
        chance = random.Random(seed)
        is_tls, addresses = chance.random() < 0.7, chance.choice([1, 4, 40, 300])
        length = max(10.0, min(_SECONDS, end - time.monotonic()))
        with (
            tempfile.TemporaryDirectory(prefix="saloon-siege-") as folder,
            Siege(Path(folder), is_tls=is_tls) as siege,
        ):
            plan = SiegePlan(siege.pages, siege.terminals, addresses=addresses, is_tls=is_tls)
            suffered = siege.suffer(plan, length, _PER_S)
        wrong = suffered.wrong(length * _PER_S)
        failures = (f"siege: seed {seed}: {wrong}",) if wrong else ()
        done += Counts(events=suffered.took.entries, seeds=1, failures=failures)
        progress(done)
        seed += 1
    return done
