"""The memory of a program and all its child processes, as the kernel counts it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_KB_IN_MB = 1024


def megabytes_of_all(pid: int | None = None) -> int:
    """Return the memory of a process and its descendants; shared pages count once among them (PSS)."""
    return sum(map(_proportional_kb, _with_children(os.getpid() if pid is None else pid))) // _KB_IN_MB


def processor_seconds_of_all(pid: int | None = None) -> float:
    """Return the processor time of a process and its descendants, their ended children included."""
    ticks = os.sysconf("SC_CLK_TCK")
    return sum(map(_ticks, _with_children(os.getpid() if pid is None else pid))) / ticks


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                for child in (task / "children").read_text().split():
                    yield from _with_children(int(child))


def _proportional_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def _ticks(pid: int) -> int:
    """Return the user and system time of a process and of its ended children."""
    with contextlib.suppress(OSError):
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15])
    return 0
