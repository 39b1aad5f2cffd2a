"""A hall of 999 tables with judges and players' phones, for one station, and for three with a load balancer.

The three stations share one PostgreSQL. Browsers reach them through HAProxy; terminals know all stations from
their provisioning files.
"""

import contextlib
import math
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self

import msgspec
import psutil

from bench.figure import Effort, Figure, Measurement, percentile
from bench.hall.crowd import RAWS, CrowdResult, Member, Seats
from bench.hall.open_floors import TOURNAMENT, Watch, delays_of, seat_hall
from bench.hall.phones import EVERY_S, Phones
from bench.hall.station_process import StationProcess
from bench.peers.rate import wait_for
from core.terms import PlayerId
from demo.processes import free_port
from station.enrolment.sign_in_links import read_secret
from station.players.codes import PlayerCodes
from station.store.database import Database
from station.store.settings import Settings
from tests.postgresql import running_postgresql

_TABLES: Final = 999
"""The number of tables, which is the highest with three digits."""
_JUDGES: Final = 20
_PHONES: Final = 2_000
_STATIONS: Final = 3
_PER_TABLE_S: Final = 0.2
_BURST: Final = 10
_SECONDS: Final = 40.0
_QUIET_S: Final = 2.0
_LOOK_S: Final = 0.5
_LATE_MS: Final = 100
_APART_S: Final = 1.5
_WHOLE_GAME: Final = 0.7
"""The share of a game's entries written when measuring the fastest pace."""
_BALANCER: Final = "127.0.0.1"
_HAPROXY: Final = """\
global
    maxconn 3000
defaults
    mode http
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    option http-no-delay
frontend pages
    bind {address}:{port} backlog 4096
    option forwardfor
    default_backend stations
backend stations
    balance leastconn
    option httpchk GET /health
{stations}
"""


class _Hall(msgspec.Struct, frozen=True):
    """The load of a run: entries a second of each table, and measured seconds."""

    tables: int
    judges: int
    phones: int
    per_table_s: float = _PER_TABLE_S
    seconds: float = _SECONDS

    def __str__(self) -> str:
        return f"{self.tables} tables, {self.judges} open floors, {self.phones} players' phones"


class _Site(msgspec.Struct, frozen=True):
    """The stations of a run, the URL of their pages, the terminals with their tables, and badge codes."""

    stations: tuple[StationProcess, ...]
    pages: str
    codes: tuple[str, ...]
    seats: tuple[Seats, ...]
    members: tuple[Member, ...]


class _Run(msgspec.Struct, frozen=True):
    """The results of a run.

    delays_ms: times from an entry's receipt to the updated page.
    cores: processor cores used by each station.
    answers_ms, answers_before_ms: response times of phones while the tables play, and while terminals
        connect.
    """

    crowd: CrowdResult
    delays_ms: tuple[float, ...]
    answers_ms: tuple[float, ...]
    answers_before_ms: tuple[float, ...]
    cores: tuple[float, ...]
    others: str
    memory_mb: tuple[float, ...]


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of one station on SQLite, its load per table and phone, and three on PostgreSQL."""
    return (
        Measurement("a large hall on SQLite", lambda: _on_sqlite(effort)),
        Measurement("the fastest play of a large hall on SQLite", lambda: [_fastest(effort)]),
        Measurement("a large hall on three stations", lambda: _on_three(effort)),
    )


def _hall(effort: Effort) -> _Hall:
    return _Hall(effort.count(_TABLES, 20), effort.count(_JUDGES, 2), effort.count(_PHONES, 40))


def _on_sqlite(effort: Effort) -> Sequence[Figure]:
    whole = _hall(effort)
    fewer_tables = msgspec.structs.replace(whole, tables=whole.tables // 2)
    no_phones = msgspec.structs.replace(whole, phones=0)
    run, half, alone = (_one_station(hall, effort) for hall in (whole, fewer_tables, no_phones))
    tables, phones = whole.tables - fewer_tables.tables, whole.phones
    return (
        *_figures(f"{whole}, SQLite", run),
        Figure(
            "one more table on a station: processor",
            "ms a second",
            max(0.0, run.cores[0] - half.cores[0]) * 1000 / tables,
            "the whole station, for each of its tables",
            run.cores[0] * 1000 / whole.tables,
            more=f"{(run.memory_mb[0] - half.memory_mb[0]) * 1000 / tables:.0f} kB more memory",
        ),
        Figure(
            "one more player's phone on a station: processor",
            "ms a second",
            max(0.0, run.cores[0] - alone.cores[0]) * 1000 / phones,
            "the whole station, for each of its phones",
            run.cores[0] * 1000 / phones,
            more=f"{(run.memory_mb[0] - alone.memory_mb[0]) * 1000 / phones:.0f} kB more memory",
        ),
    )


def _fastest(effort: Effort) -> Figure:
    """Double the pace of all tables, from eight times the normal one, until pages are updated late."""
    hall = _hall(effort)
    held, late = _PER_TABLE_S, ""
    more = "not eight times as fast"
    for faster in (8, 16, 32):
        pace = _PER_TABLE_S * faster
        # No game may end within the measured time.
        seconds = min(_SECONDS, _WHOLE_GAME * len(RAWS) / pace)
        run = _one_station(msgspec.structs.replace(hall, per_table_s=pace, seconds=seconds), effort)
        p99_ms = percentile(run.delays_ms, 99)
        found = f"{p99_ms:.0f} ms p99, station {run.cores[0]:.2f} cores, {run.others}"
        if p99_ms > _LATE_MS:
            late = f"; {faster} times the usual pace: {found}"
            break
        held, more = pace, found
    return Figure(
        f"{hall}, SQLite: the fastest play with pages updated within {_LATE_MS} ms",
        "entries/s",
        hall.tables * held,
        "the usual pace",
        hall.tables * _PER_TABLE_S,
        "more",
        more=f"{more}{late}",
    )


def _one_station(hall: _Hall, effort: Effort) -> _Run:
    codes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(
            Path(name) / "hall",
            hall.tables,
            counts_flushes=False,
            prepare=lambda found: _prepare(found, hall.tables, codes),
        )
        with station:
            site = _Site((station,), station.pages, tuple(codes), station.seats, station.members)
            return _measured(hall, effort, site)


def _on_three(effort: Effort) -> Sequence[Figure]:
    hall = _hall(effort)
    codes: list[str] = []
    proxy = ("--trusted-proxy", _BALANCER)
    with running_postgresql() as server, contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        first = StationProcess(
            place / "1",
            hall.tables,
            url=server.url,
            options=proxy,
            counts_flushes=False,
            prepare=lambda found: _prepare(found, hall.tables, codes),
        )
        others = [
            StationProcess(place / str(number), 0, url=server.url, options=proxy, counts_flushes=False)
            for number in range(2, _STATIONS + 1)
        ]
        stations = [stack.enter_context(station) for station in (first, *others)]
        pages = stack.enter_context(_balancer(place, stations))
        site = _Site(tuple(stations), pages, tuple(codes), first.seats, first.members)
        run = _measured(hall, effort, site)
    return _figures(f"{hall}, {_STATIONS} stations behind one address, PostgreSQL", run)


def _prepare(database: Database, tables: int, codes: list[str]) -> tuple[Seats, ...]:
    seats = seat_hall(database, tables)
    known = PlayerCodes(read_secret(Settings(database)))
    codes.extend(known.badge(TOURNAMENT, PlayerId(player)) for table in seats for player, _ in table.players)
    return seats


@contextlib.contextmanager
def _balancer(place: Path, stations: Sequence[StationProcess]) -> Iterator[str]:
    """Run HAProxy as a load balancer for the stations' pages; yield its URL."""
    port, file = free_port(), place / "haproxy.cfg"
    servers = (
        f"    server s{number} {station.pages.removeprefix('http://')} check"
        for number, station in enumerate(stations)
    )
    config = _HAPROXY.format(address=_BALANCER, port=port, stations="\n".join(servers))
    file.write_text(config, encoding="ascii")
    process = subprocess.Popen(["haproxy", "-db", "-f", str(file)], stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://{_BALANCER}:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _measured(hall: _Hall, effort: Effort, site: _Site) -> _Run:
    """Let tables, judges' pages and phones run, and return the results."""
    stations = site.stations
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(Watch(site.pages, hall.judges))
        phones = None
        if hall.phones:
            every_s = effort.seconds(EVERY_S, 2.0)
            phones = stack.enter_context(Phones(site.pages, site.codes, hall.phones, every_s))
        plans = [
            station.plan(
                members=msgspec.to_builtins(site.members[at :: len(stations)]),
                seats=msgspec.to_builtins(site.seats[at :: len(stations)]),
                per_s=hall.tables * hall.per_table_s / len(stations),
                # Use smaller bursts in a short run, which would end before large ones. A page's delay counts
                # for bursts that nothing follows for a second.
                burst=max(effort.count(_BURST, 2), math.ceil(_APART_S * hall.per_table_s)),
                outstanding=64,
                seconds=effort.seconds(hall.seconds, min(6.0, hall.seconds)),
            )
            for at, station in enumerate(stations)
        ]
        with ThreadPoolExecutor(len(stations)) as threads, _Processors(stations) as processors:
            crowds = list(threads.map(lambda one: one[0].through(one[1]), zip(stations, plans, strict=True)))
        time.sleep(_QUIET_S)
        memory_mb = tuple(station.memory_mb() for station in stations)
        answers, failed, _ = ([], 0, 0.0) if phones is None else phones.answers()
    if failed:
        raise RuntimeError(f"{failed} answers to phones failed")
    crowd = _together(crowds)
    *cores, busy = processors.cores(crowd.begun_s, crowd.begun_s + crowd.seconds)
    delays = tuple(delay for seen in watch.seen for delay in delays_of(crowd, seen))
    others = f"all of the machine {busy:.2f} cores, tables, browsers and database included"
    playing, before = (
        tuple(answer.took_ms for answer in answers if (answer.asked_s >= crowd.begun_s) is is_playing)
        for is_playing in (True, False)
    )
    return _Run(crowd, delays, playing, before, tuple(cores), others, memory_mb)


class _Processors:
    """Samples of the processor time of stations and of the machine within a ``with`` block."""

    def __init__(self, stations: Sequence[StationProcess]) -> None:
        self._stations = stations
        self._seen: list[tuple[float, ...]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def cores(self, begun_s: float, ended_s: float) -> tuple[float, ...]:
        """Return the cores used by each station and by the machine between two times (perf_counter)."""
        first = max((seen for seen in self._seen if seen[0] <= begun_s), default=self._seen[0])
        last = min((seen for seen in self._seen if seen[0] >= ended_s), default=self._seen[-1])
        lasted = max(_LOOK_S, last[0] - first[0])
        return tuple((after - before) / lasted for before, after in zip(first[1:], last[1:], strict=True))

    def _look(self) -> None:
        while True:
            whole = psutil.cpu_times()
            used = (*(station.processor_s() for station in self._stations), whole.user + whole.system)
            self._seen.append((time.perf_counter(), *used))
            if self._is_over.wait(_LOOK_S):
                return


def _together(crowds: Sequence[CrowdResult]) -> CrowdResult:
    received = tuple(one for crowd in crowds for one in crowd.received)
    return CrowdResult(
        entries=sum(crowd.entries for crowd in crowds),
        seconds=max(crowd.seconds for crowd in crowds),
        p50_ms=max(crowd.p50_ms for crowd in crowds),
        p99_ms=max(crowd.p99_ms for crowd in crowds),
        received=tuple(sorted(received, key=lambda one: one[1])),
        begun_s=max(crowd.begun_s for crowd in crowds),
    )


def _p99(values_ms: tuple[float, ...]) -> str:
    return f"{percentile(values_ms, 99):,.0f} ms" if values_ms else "unknown"


def _figures(what: str, run: _Run) -> Sequence[Figure]:
    cores = ", ".join(f"{one:.2f}" for one in run.cores)
    return (
        Figure(
            f"{what}: entry received to page updated, p99",
            "ms",
            percentile(run.delays_ms, 99),
            "saved to received, p99 of this run",
            run.crowd.p99_ms,
            aim="at most 100",
            more=f"median {percentile(run.delays_ms, 50):.0f} ms; stations {cores} cores; {run.others}",
        ),
        Figure(
            f"{what}: answer to a phone, p99",
            "ms",
            percentile(run.answers_ms, 99),
            "entry received to page updated, median of this run",
            percentile(run.delays_ms, 50),
            more=f"median {percentile(run.answers_ms, 50):.1f} ms of {len(run.answers_ms):,}; "
            f"while terminals connect, 64 at a time, p99 {_p99(run.answers_before_ms)}",
        ),
        Figure(f"{what}: memory of a station", "MB", max(run.memory_mb), "the aim", 400, aim="at most 400"),
    )
