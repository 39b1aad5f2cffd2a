"""A station under a hall's load, beside brokers and databases with the same events on the same disk."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from bench.figure import Effort, Figure, Measurement, Once
from bench.hall.crowd import CrowdResult
from bench.hall.station_process import StationProcess
from bench.peers import floor
from bench.peers.rate import OUTSTANDING, TERMINALS, TOGETHER, PeerRate

_SECONDS = 5.0
_PEER_SECONDS = 4.0
_SLOW_FLUSH_MS = 20
_SLOW_RATE = 2_000
_TOGETHER = 512
"""The most entries that the station stores with one flush."""
_HALL = 1_000
_COMING_BACK = 256
_EACH = 100
_BACKLOG = 10_000
_FULL_LOAD = f"{TERMINALS} terminals, {OUTSTANDING} outstanding, TLS"
_Rate = Callable[[Path, float], PeerRate]


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of the sync over TLS, and of brokers and databases with the same events."""
    full, bottom = Once(lambda: _full(effort)), Once(lambda: _peer(floor.rate, effort))
    peers = {name: Once(_with_effort(rate, effort)) for name, rate in _PEERS.items()}
    database = peers["PostgreSQL, an event a commit"]
    return (
        Measurement("one event at a time, and a backlog", lambda: _idle(bottom(), effort)),
        *(Measurement(f"full load beside {name}", _row(full, peer)) for name, peer in peers.items()),
        Measurement("full load beside the floor", _row(full, bottom)),
        Measurement("full load, saved to received", lambda: [_ways(full(), database())]),
        Measurement("a slow disk", lambda: _slow_disk(effort)),
        Measurement("a large hall", lambda: _large_hall(effort)),
    )


class _Full(msgspec.Struct, frozen=True):
    """The results of a station at full load, with the number of flushes of its disk."""

    took: CrowdResult
    flushes: int


def _postgresql(together: int) -> _Rate:
    def rate(directory: Path, seconds: float) -> PeerRate:
        from bench.peers import postgresql

        return postgresql.rate(directory, seconds, together)

    return rate


def _redis(directory: Path, seconds: float) -> PeerRate:
    from bench.peers import redis_stream

    return redis_stream.rate(directory, seconds)


def _nats(directory: Path, seconds: float) -> PeerRate:
    from bench.peers import nats_jetstream

    return nats_jetstream.rate(directory, seconds)


def _mosquitto(qos: int) -> _Rate:
    def rate(directory: Path, seconds: float) -> PeerRate:
        from bench.peers import mosquitto

        return mosquitto.rate(directory, seconds, qos)

    return rate


# Imported when measured, so that a missing driver affects only its own row.
_PEERS: Final[Mapping[str, _Rate]] = {
    "PostgreSQL, an event a commit": _postgresql(1),
    "PostgreSQL, many events a commit": _postgresql(TOGETHER),
    "Redis": _redis,
    "NATS JetStream": _nats,
    "mosquitto, QoS 1": _mosquitto(1),
    "mosquitto, QoS 2": _mosquitto(2),
}


def _with_effort(rate: _Rate, effort: Effort) -> Callable[[], PeerRate]:
    return lambda: _peer(rate, effort)


def _peer(rate: _Rate, effort: Effort) -> PeerRate:
    with tempfile.TemporaryDirectory() as name:
        return rate(Path(name), effort.seconds(_PEER_SECONDS, 1.0))


def _row(full: Once[_Full], peer: Once[PeerRate]) -> Callable[[], Sequence[Figure]]:
    return lambda: [_beside(full(), peer())]


def _full(effort: Effort) -> _Full:
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "full", TERMINALS)
        with station:
            plan = station.plan(outstanding=OUTSTANDING, seconds=effort.seconds(_SECONDS, 1.0))
            took = station.through(plan)
        return _Full(took, station.stop())


def _idle(bottom: PeerRate, effort: Effort) -> Sequence[Figure]:
    events = effort.count(_BACKLOG, 100)
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "busy", TERMINALS)
        with station:
            idle = station.through(station.plan(1, outstanding=1, seconds=effort.seconds(_SECONDS, 1.0)))
            backlog = station.through(station.plan(1, backlog=events))
        flushes = station.stop()
    return (
        Figure(
            "saved to received, one event at a time, p99 (TLS)",
            "ms",
            idle.p99_ms,
            bottom.name,
            bottom.p99_ms,
            aim="at most 100",
            more=f"median {idle.p50_ms:.1f} ms; {flushes} flushes with the backlog",
        ),
        Figure(
            f"a backlog of {events:,} events by TLS",
            "s",
            backlog.seconds,
            "the floor's rate",
            events / bottom.events_per_s,
            aim="at most 3",
        ),
    )


def _beside(full: _Full, peer: PeerRate) -> Figure:
    return Figure(
        _FULL_LOAD,
        "durable events/s",
        full.took.rate,
        peer.name,
        peer.events_per_s,
        "more",
        "at least 60,000, and the database's own",
        f"flushes {full.flushes}, the peer's {_told(peer)}; "
        f"p99 {full.took.p99_ms:.0f} ms, the peer's {peer.p99_ms:.0f} ms",
    )


def _ways(full: _Full, database: PeerRate) -> Figure:
    return Figure(
        f"{_FULL_LOAD}: saved to received, p99",
        "ms",
        full.took.p99_ms,
        database.name,
        database.p99_ms,
        aim="at most 50",
        more=f"median {full.took.p50_ms:.0f} ms",
    )


def _slow_disk(effort: Effort) -> Sequence[Figure]:
    seconds = effort.seconds(_SECONDS, 1.0)
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "slow", TERMINALS, fsync_ms=_SLOW_FLUSH_MS)
        with station:
            full = station.through(station.plan(outstanding=OUTSTANDING, seconds=seconds))
            paced = station.through(station.plan(outstanding=OUTSTANDING, seconds=seconds, per_s=_SLOW_RATE))
    what = f"the same with {_SLOW_FLUSH_MS} ms added to each flush"
    alone = _TOGETHER / (_SLOW_FLUSH_MS / 1000)
    return (
        Figure(
            what,
            "durable events/s",
            full.rate,
            f"{_TOGETHER} events a flush and nothing else",
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


def _large_hall(effort: Effort) -> Sequence[Figure]:
    terminals, back_again = effort.count(_HALL, 20), effort.count(_COMING_BACK, 10)
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "large", terminals)
        with station:
            empty_mb, before_s = station.memory_mb(), station.processor_s()
            hall = station.through(station.plan(per_s=terminals, seconds=effort.seconds(_SECONDS, 1.0)))
            full_mb, used_s = station.memory_mb(), station.processor_s() - before_s
            back = station.through(station.plan(back_again, backlog=_EACH, at_once=True))
    what = f"{terminals:,} terminals, one event a second each"
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
            f"{back_again} terminals come back with {_EACH} events each",
            "s",
            back.seconds,
            "their handshakes, one after the other at 1 ms",
            back_again / 1000,
            aim="at most 10",
            more=_spread(back),
        ),
    )


def _told(peer: PeerRate) -> str:
    return "not known" if peer.flushes is None else str(peer.flushes)


def _spread(took: CrowdResult) -> str:
    return f"half of the events after {took.p50_ms / 1000:.1f} s"
