"""Power cuts at every write and flush of a recorded run, and checks of the real files that are left."""

import functools
import itertools
import logging
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import structlog

from base.errors import SaloonError
from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.cut_workloads import MARKER, WORKLOADS
from tests.soak.recorded_disk import CALLS, Call, Left, RecordedDisk, calls_of

ROOT = Path(__file__).parents[2]
_LONGEST_S = 120


def recorded(workload: str, seed: int, steps: int, folder: Path, *, inject: str = "") -> list[Call]:
    """Return the system calls of a run, in which strace can inject an error."""
    root, log = folder / "disk", folder / "log"
    root.mkdir()
    command = ["strace", "-f", "-y", "-xx", "-s", "10000000", "-o", str(log), "-e", f"trace={CALLS}"]
    if inject:
        command += ["-e", f"inject={inject}"]
    command += [sys.executable, "-m", "tests.soak.cut_workloads", workload, str(root), str(seed), str(steps)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=_LONGEST_S, check=False)
    if ran.returncode:
        raise RuntimeError(f"{workload} {seed} {inject}: {ran.stderr.decode()[-2000:]}")
    return list(calls_of(log, MARKER))


def every_cut(
    workload: str,
    seed: int,
    steps: int,
    *,
    inject: str = "",
    lefts: Sequence[Left] = tuple(Left),
    every: int = 1,
    lost: Callable[[Call], bool] = lambda _: False,
) -> Counts:
    """Cut before each call, or every ``every``-th one, and at the end, leaving each of ``lefts``.

    ``lost`` calls are treated as not made, to test that this is noticed.
    """
    ways = f"lefts=({', '.join(map(str, lefts))},), every={every}"
    again = f"every_cut({workload!r}, {seed}, {steps}, inject={inject!r}, {ways})"
    done = Counts(seeds=1)
    with tempfile.TemporaryDirectory(prefix="saloon-cuts-", dir=fast_folder()) as name:
        folder = Path(name)
        calls = recorded(workload, seed, steps, folder, inject=inject)
        disk = RecordedDisk(folder / "disk")
        marks: list[str] = []
        seen: dict[bytes, int] = {}
        for number, call in enumerate([*calls, Call("end", str(folder / "disk"), ok=True)]):
            if call.name == "told":
                marks.extend(call.data[len(MARKER) :].decode().splitlines())
                done += Counts(events=1)
            elif number % every == 0 and call.path.startswith(str(folder / "disk")):
                for which, left in enumerate(lefts):
                    chance = random.Random(f"{seed} {number} {which} {left}")
                    files = disk.after_cut(left, chance)
                    digest = digest_of(files)
                    if seen.get(digest) == len(marks):
                        continue
                    seen[digest] = len(marks)
                    look = functools.partial(WORKLOADS[workload].problem, seed=seed, steps=steps, marks=marks)
                    problem = _looked_at(files, folder / "found", look)
                    done += Counts(cuts=1, octets=sum(map(len, files.values())))
                    if problem:
                        where = f"{workload}, cut before call {number} ({call.name}), {left.value} left"
                        done += Counts(failures=(f"{where}: {problem}; again: {again}",))
            if not lost(call):
                disk.apply(call)
    return done


def digest_of(files: dict[str, bytes]) -> bytes:
    made = sha256()
    for name, content in sorted(files.items()):
        made.update(f"{name} {len(content)} ".encode())
        made.update(content)
    return made.digest()


def _looked_at(files: dict[str, bytes], folder: Path, look: Callable[[Path], str | None]) -> str | None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        return look(folder)
    except SaloonError as error:
        return f"cannot be opened: {error}"


def fast_folder() -> str | None:
    """Return a folder in memory, since the cuts are simulated."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def quiet() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def run_cuts(seed: int, seconds: float, progress: Progress) -> Counts:
    return _cut(_works(seed), seconds, progress)


def run_reorder(seed: int, seconds: float, progress: Progress) -> Counts:
    return _cut(_works_in_any_order(seed), seconds, progress)


def _cut(works: Iterator[Callable[[], Counts]], seconds: float, progress: Progress) -> Counts:
    done = Counts()
    for counts in in_two_processes(works, time.monotonic() + seconds, quiet):
        # Every cut is a power cut of the machine that was recorded.
        done += counts + Counts(crashes=counts.cuts)
        progress(done)
    return done


def _works(seed: int) -> Iterator[Callable[[], Counts]]:
    """Yield all kinds of workloads in turn, with injected errors for some, for ever."""
    chance = random.Random(f"cuts {seed}")
    for number in itertools.count(seed * 1_000_000):
        yield partial(every_cut, "journal", number, chance.choice((5, 12, 30)))
        yield partial(every_cut, "store", number, chance.choice((3, 6)))
        yield partial(every_cut, "indexed", number, chance.choice((4, 8)))
        first = chance.randint(3, 40)
        error = chance.choice(("EIO", "ENOSPC"))
        call = chance.choice(("fdatasync", "fdatasync", "pwrite64"))
        inject = f"{call}:error={error}:when={first}..{first + chance.randint(0, 4)}"
        yield partial(every_cut, "saving", number, chance.choice((4, 8)), inject=inject)
        yield partial(every_cut, "refusing", number, chance.choice((3, 5)), inject=inject)
        yield partial(every_cut, "identity", number, 1)


ORDERS = (Left.REORDERED,) * 4
"""The number of crash images made at each cut."""


def _works_in_any_order(seed: int) -> Iterator[Callable[[], Counts]]:
    chance = random.Random(f"reorder {seed}")
    for number in itertools.count(seed * 1_000_000):
        workload = ("checkpoints", "indexed")[number % 2]
        yield partial(every_cut, workload, number, chance.choice((4, 8, 16)), lefts=ORDERS)
