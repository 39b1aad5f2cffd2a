"""A lower bound: append to one file with fdatasync, in groups as large as the station's commits."""

import os
import time
from pathlib import Path

from bench.figure import percentile
from bench.peers.rate import PeerRate, event

_TOGETHER = 256


def rate(directory: Path, seconds: float) -> PeerRate:
    """Measure the lower bound: no peer with this grouping can be faster on this disk."""
    taken: list[float] = []
    written = 0
    begun = time.perf_counter()
    with (directory / "floor").open("ab", buffering=0) as out:
        while time.perf_counter() - begun < seconds:
            start = time.perf_counter()
            out.write(b"".join(event(written + n) for n in range(_TOGETHER)))
            os.fdatasync(out.fileno())
            written += _TOGETHER
            taken.append((time.perf_counter() - start) * 1000)
    name = f"one file, append and fdatasync every {_TOGETHER}"
    return PeerRate(name, written / (time.perf_counter() - begun), percentile(taken, 99), len(taken))
