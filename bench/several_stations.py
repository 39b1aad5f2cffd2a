"""The entries a second that several stations store in one PostgreSQL, and the cost of their locks.

Each station is a separate process with the real store; batches are as large as in a full group commit. The
peer is a plain INSERT … ON CONFLICT DO NOTHING with as many connections and the same batches.
"""

import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from multiprocessing.synchronize import Barrier

from sqlalchemy import create_engine, text

from bench.figure import Effort, Figure, Measurement
from station.store.database import Database
from station.store.store import Store
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash
from tests.postgresql import running_postgresql

_BATCH = 256
_BATCHES = 60
_BODY = b"x" * 61
_STATIONS = 3
_BARE = text(
    "INSERT INTO bare (stream, epoch, seq, raw, hash) SELECT * FROM unnest(CAST(:streams AS text[]),"
    " CAST(:epochs AS text[]), CAST(:seqs AS bigint[]), CAST(:raws AS bytea[]), CAST(:hashes AS bytea[]))"
    " ON CONFLICT DO NOTHING"
)
_TABLE = (
    "CREATE TABLE bare (arrival bigserial PRIMARY KEY, stream text, epoch text, seq bigint, raw bytea,"
    " hash bytea, UNIQUE (stream, epoch, seq))"
)


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of one and of three stations, each beside as many plain writers."""
    batches = effort.count(_BATCHES)
    return (
        Measurement("one station on PostgreSQL", lambda: [_stored(1, batches)]),
        Measurement("several stations on one PostgreSQL", lambda: [_stored(_STATIONS, batches)]),
    )


def _stored(count: int, batches: int) -> Figure:
    with running_postgresql() as server:
        with closing(Database(server.url)) as database:
            database.open()
        engine = create_engine(server.url)
        with engine.begin() as connection:
            connection.exec_driver_sql(_TABLE)
        engine.dispose()
        ours = _rate(_store, server.url, count, batches)
        bare = _rate(_insert, server.url, count, batches)
    return Figure(
        what=f"entries of {count} station{'s' if count > 1 else ''} into one PostgreSQL, durable",
        unit="entries/s",
        better="more",
        ours=ours,
        aim=">= 10,000",
        peer_name=f"{count} bare insert{'s' if count > 1 else ''} of the same batches",
        peer=bare,
        more=f"batches of {_BATCH}, hashes checked, heads read, in the order of commits",
    )


def _rate(work: Callable[[str, int, int, Barrier], None], url: str, count: int, batches: int) -> float:
    """Return the total entries a second of ``count`` processes."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(count + 1)
    writers = [context.Process(target=work, args=(url, number, batches, ready)) for number in range(count)]
    for writer in writers:
        writer.start()
    ready.wait()
    began = time.perf_counter()
    for writer in writers:
        writer.join()
    return count * _BATCH * batches / (time.perf_counter() - began)


def _batches(writer: str, number: int, count: int) -> list[list[Entry]]:
    seq, digest, made = 0, GENESIS, []
    for _ in range(count):
        batch = []
        for _ in range(_BATCH):
            seq, digest = seq + 1, chained_hash(digest, _BODY)
            batch.append(Entry(StreamId(f"table/{writer}{number}"), Epoch("e" * 16), seq, _BODY, digest))
        made.append(batch)
    return made


def _store(url: str, number: int, count: int, ready: Barrier) -> None:
    store, batches = Store(Database(url), lambda: 0), _batches("store", number, count)
    store.own_epoch()
    ready.wait()
    for batch in batches:
        store.insert_remote(batch)


def _insert(url: str, number: int, count: int, ready: Barrier) -> None:
    engine, batches = create_engine(url), _batches("bare", number, count)
    with engine.connect():
        ready.wait()
    for batch in batches:
        given = {
            "streams": [entry.stream for entry in batch],
            "epochs": [entry.epoch for entry in batch],
            "seqs": [entry.seq for entry in batch],
            "raws": [entry.raw for entry in batch],
            "hashes": [entry.hash for entry in batch],
        }
        with engine.begin() as connection:
            connection.execute(_BARE, given)
