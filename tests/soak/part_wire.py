"""an update of each version to each newer one, over the wire from a station of any version"""

import itertools
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.other_versions import NEEDS_HISTORY, Version, has_history, versions_in
from tests.soak.part_updates import ending_of
from tests.soak.update_card import Ending
from tests.soak.wired_update import PAYLOAD, WiredUpdate

_AT_ONCE = 4
"""Updates at once: a terminal waits for half a minute without touches before it asks for a version."""


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """All pairs of an older and a newer version on one base, at least once each, each from some station."""
    if not has_history():
        sys.stderr.write(f"wire: left out, {NEEDS_HISTORY}\n")
        return Counts()
    end, done = time.monotonic() + seconds, Counts()
    with (
        tempfile.TemporaryDirectory(prefix="saloon-wire-") as folder,
        ThreadPoolExecutor(_AT_ONCE) as threads,
    ):
        versions = versions_in(Path(folder))
        pairs, rounds = _pairs(versions), itertools.count()
        while (number := next(rounds)) == 0 or time.monotonic() < end:
            chance = random.Random(f"wire {seed} {number}")
            chance.shuffle(pairs)
            updates = [
                threads.submit(wired, chance.choice(versions), former, new, chance.randrange(1 << 32))
                for former, new in pairs
            ]
            for update in as_completed(updates):
                done += update.result()
                progress(done)
    return done


def wired(station: Version, former: Version, new: Version, seed: int) -> Counts:
    """Update a terminal of one version to another by a station of a third; the seed chooses the kills."""
    with tempfile.TemporaryDirectory(prefix="saloon-wired-") as folder:
        update = WiredUpdate(Path(folder), station, former, new, seed)
        failures: tuple[str, ...] = ()
        try:
            update.run()
        except (AssertionError, TimeoutError) as error:
            names = f"{former.name} → {new.name} by a station of {station.name}, seed {seed}"
            failures = (f"wire, {names}: {error}",)
        return Counts(update.events, update.crashes, seeds=1, octets=PAYLOAD, failures=failures)


def _pairs(versions: Sequence[Version]) -> list[tuple[Version, Version]]:
    """Return all pairs of an older and a newer version that may follow it."""
    return [
        (former, new)
        for former in versions
        for new in versions
        if former is not new and Ending.KEPT in ending_of(former, new)
    ]
