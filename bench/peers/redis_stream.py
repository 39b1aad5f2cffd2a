"""Redis: one stream for eight terminals, with appendfsync always."""

import subprocess
import threading
import time
from pathlib import Path

import redis

from bench.figure import percentile
from bench.peers.rate import TOGETHER, WRITERS, PeerRate, counted, event, flushes, wait_for
from demo.processes import free_port

_PATIENCE_S = 10.0


def rate(directory: Path, seconds: float) -> PeerRate:
    """Measure a separate server on the same file system."""
    folder, port = directory / "redis", free_port()
    folder.mkdir()
    settings = {
        "port": str(port),
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
    }
    words = [word for name, value in settings.items() for word in (f"--{name}", value)]
    server = subprocess.Popen(
        [*counted(directory / "redis-flushes"), "redis-server", *words], stdout=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        writers = [_Writer(port, number, seconds) for number in range(WRITERS)]
        begun = time.perf_counter()
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        took = time.perf_counter() - begun
        with redis.Redis(port=port) as client:
            client.shutdown(nosave=True)
    finally:
        server.wait(_PATIENCE_S)
    taken = [one for writer in writers for one in writer.taken_ms]
    count = flushes(directory / "redis-flushes")
    name = f"Redis stream, appendfsync always, {WRITERS} connections"
    return PeerRate(name, len(taken) * TOGETHER / took, percentile(taken, 99), count)


class _Writer(threading.Thread):
    def __init__(self, port: int, number: int, seconds: float) -> None:
        super().__init__()
        self._port, self._number, self._seconds = port, number, seconds
        self.taken_ms: list[float] = []

    def run(self) -> None:
        seq = 0
        with redis.Redis(port=self._port) as client:
            end = time.perf_counter() + self._seconds
            while (start := time.perf_counter()) < end:
                pipeline = client.pipeline(transaction=False)
                for n in range(TOGETHER):
                    # Use a new id for each event, as a repeated id is refused instead of deduplicated.
                    pipeline.xadd(f"table-{self._number}", {"raw": event(seq + n)}, id=f"0-{seq + n + 1}")
                pipeline.execute()
                seq += TOGETHER
                self.taken_ms.append((time.perf_counter() - start) * 1000)
