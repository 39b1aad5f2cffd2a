"""The kernel's counters of a process and its children: memory, processor time and wake-ups."""

import contextlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

_KB_IN_MB: Final = 1024
_NS_IN_S: Final = 1_000_000_000
_PSS: Final = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_RSS: Final = re.compile(r"^Rss:\s+(\d+) kB", re.MULTILINE)
_SLEPT: Final = re.compile(r"^voluntary_ctxt_switches:\s+(\d+)", re.MULTILINE)
"""Each sleep ends in a wake-up; a preempted thread didn't sleep."""


@dataclass(frozen=True)
class Rest:
    """The load without touches: the percentage of one core, and wake-ups per second."""

    percent: float
    wakes: float


def pss_mb(pid: int) -> float:
    """Return the memory of a process and its children in megabytes, counting shared pages once (PSS)."""
    return sum(_megabytes(one, _PSS) for one in _family(pid))


def rss_mb(pid: int) -> float:
    return _megabytes(pid, _RSS)


def cpu_s(pid: int) -> float:
    return sum(_counted(pid)[0].values()) / _NS_IN_S


def at_rest(pid: int, seconds: float) -> Rest:
    """Measure the load of a process and its children while nobody touches the screen."""
    before, began = _counted(pid), time.monotonic()
    time.sleep(seconds)
    after, took = _counted(pid), time.monotonic() - began
    ran, woke = (sum(after[at].values()) - sum(before[at].values()) for at in (0, 1))
    return Rest(100 * ran / _NS_IN_S / took, woke / took)


def _counted(pid: int) -> tuple[dict[Path, int], dict[Path, int]]:
    """Return the nanoseconds on a processor and the number of wake-ups of each thread."""
    ran, woke = {}, {}
    for task in _tasks(pid):
        with contextlib.suppress(OSError):
            ran[task] = int((task / "schedstat").read_text(encoding="ascii").split()[0])
            woke[task] = sum(map(int, _SLEPT.findall((task / "status").read_text(encoding="ascii"))))
    return ran, woke


def _tasks(pid: int) -> Iterator[Path]:
    for one in _family(pid):
        with contextlib.suppress(OSError):
            yield from Path(f"/proc/{one}/task").iterdir()


def _family(pid: int) -> list[int]:
    return [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]


def _megabytes(pid: int, figure: re.Pattern[str]) -> float:
    with contextlib.suppress(OSError):
        found = figure.search(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"))
        if found is not None:
            return int(found[1]) / _KB_IN_MB
    return 0.0
