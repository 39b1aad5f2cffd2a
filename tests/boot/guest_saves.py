"""Entries written one by one to a journal on the card, by the image's own program. Runs in the guest.

Prints the median and the 99th percentile of the milliseconds until an entry is durable.
"""

import statistics
import time
from pathlib import Path

from sync.protocol.entry import ClockReading, StreamId, content_bytes
from sync.protocol.journal import Journal

ENTRIES = 200
PAUSE_S = 0.02
path = Path("/data/trial.db")
taken_ms = []
with Journal(path, StreamId("table/trial"), StreamId("orders/trial"), "trial") as journal:
    for number in range(ENTRIES):
        raw = content_bytes(ClockReading(1, number, 1_700_000_000_000, trusted=True), b"\xc4\x60" + bytes(96))
        begun = time.perf_counter()
        journal.append((raw,))
        taken_ms.append((time.perf_counter() - begun) * 1000)
        time.sleep(PAUSE_S)
for left in path.parent.glob("trial.db*"):
    left.unlink()
print(statistics.median(taken_ms), statistics.quantiles(taken_ms, n=100)[-1])
