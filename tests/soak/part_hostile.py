"""hostile peers by TCP, while an honest terminal works"""

import tempfile
import time
from pathlib import Path

from tests.faults.hostile.ground import attacked, ground
from tests.faults.hostile.peers import CutShort, Flood
from tests.soak.counts import Counts, Progress

_TIMES = 40


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run all peers in turn, repeatedly. A wrong reaction is a failure, reported with its peer and seed."""
    end = time.monotonic() + seconds
    done = Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-hostile-") as folder, ground(Path(folder)) as here:
        every = {**here.peers, "flood": Flood(), "cut short": CutShort()}
        while time.monotonic() < end:
            for name, peer in every.items():
                before = here.said
                failures: tuple[str, ...] = ()
                try:
                    attacked(here, peer, _TIMES, seed)
                except (AssertionError, TimeoutError, OSError) as error:
                    failures = (f"hostile: {name}, seed {seed}: {error!r}",)
                done += Counts(events=here.said - before, seeds=1, failures=failures)
                progress(done)
                if failures or time.monotonic() > end:
                    return done
            seed += 1
    return done
