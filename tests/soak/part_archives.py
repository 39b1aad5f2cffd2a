"""whole tournaments that versions play alone and with this one, opened and verified by every newer one"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.soak.archives import read_by, start_playing, wait_until_played
from tests.soak.counts import Counts, Progress
from tests.soak.other_versions import NEEDS_HISTORY, Version, has_history, versions_in

_AT_ONCE = 2
_Pair = tuple[Version, Version]
"""The station's version and the terminals'."""


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Tournaments of all earlier versions, in an order from the seed; two at least."""
    if not has_history():
        sys.stderr.write(f"archives: left out, {NEEDS_HISTORY}\n")
        return Counts()
    end, done = time.monotonic() + seconds, Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-archives-") as folder:
        versions = versions_in(Path(folder) / "versions")
        *earlier, this = versions
        waiting = [pair for one in earlier for pair in ((this, one), (one, this), (one, one))]
        random.Random(f"archives {seed}").shuffle(waiting)
        while waiting and (not done.seeds or time.monotonic() < end):
            chosen, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for counts in _played(chosen, versions, Path(folder)):
                done += counts
                progress(done)
    return done


def _played(chosen: Sequence[_Pair], versions: Sequence[Version], folder: Path) -> Iterator[Counts]:
    """Let pairs of station and terminals play at once, and all newer versions read what they leave."""
    places = [folder / f"archive-{station.made}-{terminal.made}" for station, terminal in chosen]
    playing = [start_playing(*pair, place) for pair, place in zip(chosen, places, strict=True)]
    for pair, place, process in zip(chosen, places, playing, strict=True):
        what = " with terminals of ".join(version.name for version in pair)
        if problem := wait_until_played(process, place):
            yield Counts(failures=(f"archives: the tournament of {what} {problem}",))
            continue
        for reader in versions[max(map(versions.index, pair)) :]:
            read = read_by(reader, place)
            said = tuple(f"archives: a tournament of {what}, {one}" for one in read.failures)
            yield Counts(read.events, read.crashes, read.seeds, read.cuts, read.octets, said)
