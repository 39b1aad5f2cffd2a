"""stations and terminals of different versions together, and each version on the others' data"""

import math
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.mixed_hall import TERMINALS, MixedHall
from tests.soak.other_versions import NEEDS_HISTORY, Version, has_history, versions_in

_STAGE_S = 3.0


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Halls one after the other; at least as many as it takes until each version can have met each."""
    if not has_history():
        sys.stderr.write(f"versions: left out, {NEEDS_HISTORY}\n")
        return Counts()
    end, done = time.monotonic() + seconds, Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-versions-") as folder:
        versions = versions_in(Path(folder))
        fewest = math.ceil(len(versions) / TERMINALS)
        while done.seeds < fewest or time.monotonic() < end:
            done += mixed(seed + done.seeds, versions)
            progress(done)
    return done


def mixed(seed: int, versions: Sequence[Version], seconds: float = _STAGE_S) -> Counts:
    """Run the hall of a seed. Seeds in a row complete each other: other terminals meet each station."""
    with tempfile.TemporaryDirectory(prefix="saloon-mixed-") as folder:
        hall = MixedHall(seed, Path(folder))
        try:
            problem = _life(hall, seed, versions, seconds)
        except (AssertionError, TimeoutError) as error:
            problem = str(error) or repr(error)
        finally:
            hall.end()
        again = f"again: tests.soak.part_versions.mixed({seed}, versions_in(FOLDER))"
        raws = [writer.view().raws for writer in hall.writers if (writer.data / "journal.db").exists()]
    return Counts(
        events=sum(map(len, raws)),
        crashes=hall.crashes,
        seeds=1,
        cuts=hall.changes,
        octets=sum(len(raw) for of in raws for raw in of),
        failures=(f"versions, seed {seed}: {problem}; {again}",) if problem else (),
    )


def _life(hall: MixedHall, seed: int, versions: Sequence[Version], seconds: float) -> str | None:
    """Return the first problem of a hall whose station is updated from the oldest version to the newest."""
    chance = random.Random(f"life {seed}")
    hall.set_up(versions[0])
    for number, station in enumerate(versions):
        shift = number + seed * TERMINALS
        together = [versions[(shift + terminal) % len(versions)] for terminal in range(TERMINALS)]
        hall.stage(station, together, seconds)
        if problem := hall.stop():
            return f"after {station.name}: {problem}"
        if number + 2 < len(versions) and chance.random() < 0.1:
            break  # the newest takes over from here, without the versions between
    if problem := hall.settle(versions[-1]):
        return problem
    if problem := hall.go_back(chance.choice(versions[:-1])):
        return problem
    return hall.settle(versions[-1])
