"""PostgreSQL: INSERT … ON CONFLICT DO NOTHING, one connection for eight terminals, every commit flushed."""

import threading
import time
from pathlib import Path

import psycopg

from bench.figure import percentile
from bench.peers.rate import WRITERS, PeerRate, event
from tests.postgresql import running_postgresql

_TABLE = "CREATE TABLE entries (stream int, seq bigint, raw bytea, PRIMARY KEY (stream, seq))"
_INSERT = "INSERT INTO entries VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


def rate(directory: Path, seconds: float, together: int) -> PeerRate:
    """Measure a separate server on the same file system, with ``together`` events in a commit."""
    with running_postgresql(directory) as server:
        uri = server.url.replace("postgresql+psycopg://", "postgresql://", 1)
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute(_TABLE)
            _check(connection)
            before = _flushes(connection)
            writers = [_Writer(uri, number, seconds, together) for number in range(WRITERS)]
            begun = time.perf_counter()
            for writer in writers:
                writer.start()
            for writer in writers:
                writer.join()
            took = time.perf_counter() - begun
            after = _flushes(connection)
    taken = [one for writer in writers for one in writer.taken_ms]
    how = "one event a commit" if together == 1 else f"{together} events a commit"
    name = f"PostgreSQL, {WRITERS} connections, INSERT … ON CONFLICT DO NOTHING, {how}"
    return PeerRate(name, len(taken) * together / took, percentile(taken, 99), after - before)


class _Writer(threading.Thread):
    def __init__(self, uri: str, number: int, seconds: float, together: int) -> None:
        super().__init__()
        self._uri, self._number, self._seconds, self._together = uri, number, seconds, together
        self.taken_ms: list[float] = []

    def run(self) -> None:
        seq = 0
        with psycopg.connect(self._uri) as connection:
            end = time.perf_counter() + self._seconds
            while (start := time.perf_counter()) < end:
                rows = [(self._number, seq + n, event(seq + n)) for n in range(self._together)]
                with connection.cursor() as cursor:
                    cursor.executemany(_INSERT, rows)
                connection.commit()
                seq += self._together
                self.taken_ms.append((time.perf_counter() - start) * 1000)


def _check(connection: psycopg.Connection) -> None:
    for setting in ("fsync", "synchronous_commit"):
        row = connection.execute(f"SHOW {setting}").fetchone()
        if row != ("on",):
            raise RuntimeError(f"PostgreSQL's {setting} is {row}: no equal durability")


def _flushes(connection: psycopg.Connection) -> int:
    connection.execute("SELECT pg_stat_force_next_flush()")
    row = connection.execute("SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'").fetchone()
    assert row is not None
    return int(row[0])
