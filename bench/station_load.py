"""A station under a hall's load, beside brokers and databases with the same events on the same disk."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.crowd import Took
from bench.figure import Figure
from bench.peers import floor, mosquitto, nats_jetstream, postgresql, redis_stream
from bench.peers.rate import OUTSTANDING, TERMINALS, TOGETHER, PeerRate
from bench.station_process import StationProcess

_SECONDS = 5.0
_PEER_SECONDS = 4.0
_SLOW_FLUSH_MS = 20
_SLOW_RATE = 2_000
_HALL = 1_000
_COMING_BACK = 256
_EACH = 100
_BACKLOG = 10_000


def measure() -> Sequence[Figure]:
    """The rows of the sync over TCP."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        rates = _peers(directory)
        return (*_busy(directory, rates), *_slow_disk(directory), *_large_hall(directory))


def _peers(directory: Path) -> tuple[PeerRate, ...]:
    return (
        postgresql.rate(directory, _PEER_SECONDS, 1),
        postgresql.rate(directory, _PEER_SECONDS, TOGETHER),
        redis_stream.rate(directory, _PEER_SECONDS),
        nats_jetstream.rate(directory, _PEER_SECONDS),
        mosquitto.rate(directory, _PEER_SECONDS, 1),
        mosquitto.rate(directory, _PEER_SECONDS, 2),
        floor.rate(directory, _PEER_SECONDS),
    )


def _busy(directory: Path, peers: Sequence[PeerRate]) -> Sequence[Figure]:
    station = StationProcess(directory / "busy", TERMINALS)
    with station:
        idle = station.through(station.plan(1, outstanding=1, seconds=_SECONDS))
        backlog = station.through(station.plan(1, backlog=_BACKLOG))
    quiet_flushes = station.stop()
    station = StationProcess(directory / "full", TERMINALS)
    with station:
        full = station.through(station.plan(outstanding=OUTSTANDING, seconds=_SECONDS))
    flushes = station.stop()
    what = f"{TERMINALS} terminals, {OUTSTANDING} outstanding, TLS"
    database, bottom = peers[0], peers[-1]
    return (
        Figure(
            "saved to received, one event at a time, p99 (TLS)",
            "ms",
            idle.p99_ms,
            bottom.name,
            bottom.p99_ms,
            aim="at most 100",
            more=f"median {idle.p50_ms:.1f} ms; {quiet_flushes} flushes with the backlog",
        ),
        *(
            Figure(
                what,
                "durable events/s",
                full.rate,
                peer.name,
                peer.events_per_s,
                "more",
                "at least 10,000, and the database's own",
                f"flushes {flushes}, the peer's {_told(peer)}; "
                f"p99 {full.p99_ms:.0f} ms, the peer's {peer.p99_ms:.0f} ms",
            )
            for peer in peers
        ),
        Figure(
            f"{what}: saved to received, p99",
            "ms",
            full.p99_ms,
            database.name,
            database.p99_ms,
            aim="at most 50",
            more=f"median {full.p50_ms:.0f} ms",
        ),
        Figure(
            f"a backlog of {_BACKLOG:,} events by TLS",
            "s",
            backlog.seconds,
            "the floor's rate",
            _BACKLOG / bottom.events_per_s,
            aim="at most 3",
        ),
    )


def _slow_disk(directory: Path) -> Sequence[Figure]:
    station = StationProcess(directory / "slow", TERMINALS, fsync_ms=_SLOW_FLUSH_MS)
    with station:
        full = station.through(station.plan(outstanding=OUTSTANDING, seconds=_SECONDS))
        paced = station.through(station.plan(outstanding=OUTSTANDING, seconds=_SECONDS, per_s=_SLOW_RATE))
    what = f"the same with {_SLOW_FLUSH_MS} ms added to each flush"
    alone = 256 / (_SLOW_FLUSH_MS / 1000)
    return (
        Figure(
            what,
            "durable events/s",
            full.rate,
            "256 events a flush and nothing else",
            alone,
            "more",
            "at least 2,000",
        ),
        Figure(
            f"{what}, {_SLOW_RATE:,} events/s: saved to received, p99",
            "ms",
            paced.p99_ms,
            "two such flushes",
            2.0 * _SLOW_FLUSH_MS,
            aim="at most 80",
            more=f"median {paced.p50_ms:.0f} ms",
        ),
    )


def _large_hall(directory: Path) -> Sequence[Figure]:
    station = StationProcess(directory / "large", _HALL)
    with station:
        empty_mb, before_s = station.memory_mb(), station.processor_s()
        hall = station.through(station.plan(per_s=_HALL, seconds=_SECONDS))
        full_mb, used_s = station.memory_mb(), station.processor_s() - before_s
        back = station.through(station.plan(_COMING_BACK, backlog=_EACH, at_once=True))
    what = f"{_HALL:,} terminals, one event a second each"
    return (
        Figure(
            f"{what}: saved to received, p99",
            "ms",
            hall.p99_ms,
            "one at a time, the median of this run",
            hall.p50_ms,
            aim="at most 100",
            more=f"{used_s:.1f} s of a processor with all handshakes",
        ),
        Figure(
            f"{what}: memory of the station", "MB", full_mb, "without terminals", empty_mb, aim="at most 300"
        ),
        Figure(
            f"{_COMING_BACK} terminals come back with {_EACH} events each",
            "s",
            back.seconds,
            "their handshakes, one after the other at 1 ms",
            _COMING_BACK / 1000,
            aim="at most 10",
            more=_spread(back),
        ),
    )


def _told(peer: PeerRate) -> str:
    return "not known" if peer.flushes is None else str(peer.flushes)


def _spread(took: Took) -> str:
    return f"half of the events after {took.p50_ms / 1000:.1f} s"
