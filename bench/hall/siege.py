"""The throughput and page times of a station before and while thousands of connections occupy its ports."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.figure import Effort, Figure, Measurement
from tests.faults.hostile.besiegers import SiegePlan
from tests.faults.siege import Siege

_SECONDS: Final = 16.0


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return the measurement of some seconds under siege."""
    return (Measurement("a station under siege", lambda: _besieged(effort.seconds(_SECONDS, 4.0))),)


def _besieged(seconds: float) -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name, Siege(Path(name)) as siege:
        found = siege.suffer(SiegePlan(siege.pages, siege.terminals), seconds)
    idle = f"{found.opened.idle:,} silent connections, {found.opened.half:,} half handshakes"
    return (
        Figure(
            "entries under siege, p99", "ms", found.took.p99_ms, "before it", found.usual.p99_ms,
            aim="at most 1,000", more=idle,
        ),
        Figure(
            "slowest page under siege", "s", found.worst_page_s, "before it", found.usual_page_s,
            aim="at most 10", more=f"{found.pages} pages; memory grew by {found.megabytes:.0f} MB",
        ),
    )  # fmt: skip
