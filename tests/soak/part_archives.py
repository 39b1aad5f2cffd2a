"""whole tournaments that earlier versions play, opened and verified by every newer one"""

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.soak.archives import read_by, start_playing, wait_until_played
from tests.soak.counts import Counts, Progress
from tests.soak.other_versions import NEEDS_HISTORY, Version, has_history, versions_in

_AT_ONCE = 2


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Tournaments of all earlier versions, in an order from the seed; two at least."""
    if not has_history():
        sys.stderr.write(f"archives: left out, {NEEDS_HISTORY}\n")
        return Counts()
    end, done = time.monotonic() + seconds, Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-archives-") as folder:
        versions = versions_in(Path(folder) / "versions")
        waiting = list(versions[:-1])
        random.Random(f"archives {seed}").shuffle(waiting)
        while waiting and (not done.seeds or time.monotonic() < end):
            chosen, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for found in _played(chosen, versions, Path(folder)):
                done += found
                progress(done)
    return done


def _played(chosen: Sequence[Version], versions: Sequence[Version], folder: Path) -> list[Counts]:
    places = [folder / f"archive-{version.made}" for version in chosen]
    playing = [start_playing(version, place) for version, place in zip(chosen, places, strict=True)]
    found = []
    for version, place, process in zip(chosen, places, playing, strict=True):
        if problem := wait_until_played(process, place):
            found.append(Counts(failures=(f"archives: the tournament of {version.name} {problem}",)))
            continue
        for reader in versions[versions.index(version) + 1 :]:
            read = read_by(reader, place)
            said = tuple(f"archives: a tournament of {version.name}, {one}" for one in read.failures)
            found.append(Counts(read.events, read.crashes, read.seeds, read.cuts, read.octets, said))
    return found
