"""All long pages and papers with 1,000 players and five rounds: bytes, time, and memory afterwards.

A page or paper beyond its limit fails its measurement. Time limits are multiples of a figure of the same run,
so that they are independent of the machine.
"""

import re
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import msgspec

from base.clock import SystemClock
from bench.figure import Effort, Figure, Measurement, Once
from bench.hall.crowd import Seats
from bench.hall.station_process import StationProcess
from bench.station_start import Years
from core.terms import PlayerId, TournamentId
from station.accounts.judges import Judges
from station.enrolment.sign_in_links import read_secret
from station.players.codes import PATH, PlayerCodes
from station.store.database import Database
from station.store.settings import Settings

_TABLES: Final = 200
_TIMES: Final = 5
_NAME, _PASSWORD = "Roy Bean", "law west of the pecos"
_OVER, _RUNNING = "bench-1", "bench-2"
_PUBLIC: Final[Mapping[str, float]] = {
    f"/t/{_OVER}": 80, f"/t/{_OVER}/statistics": 20, f"/t/{_OVER}/why/p0": 20, f"/t/{_RUNNING}": 60,
    f"/t/{_RUNNING}/rounds/5/draw": 60, f"/t/{_RUNNING}/rounds/5/seats": 60,
}  # fmt: skip
"""The public pages, with their limits in kilobytes on the wire."""
_JUDGES: Final[Mapping[str, float]] = {
    "": 30, "/floor?look=rows": 50, "/floor?look=cards": 50, "/players": 50, "/check-in": 50, "/history": 150,
    "/standings": 500, "/draw": 100, "/pace": 150, "/data": 30, "/print": 30, "/tables/5/1": 30,
}  # fmt: skip
"""The judges' pages of the running tournament, uncompressed, which grow with the number of players."""
_PAPERS: Final = (
    *(f"{_RUNNING}/print/{kind}" for kind in (
        "seats-by-name", "seats-by-table", "record-sheets", "table-signs", "badges", "proof")),
    *(f"{_OVER}/print/{kind}" for kind in ("results", "standings", "certificates", "ejections")),
)  # fmt: skip
_SLOWEST_PAGE: Final = 60
"""The limit as a multiple of the page that lists all tournaments."""
_SLOWEST_PAPER: Final = 60
"""The limit as a multiple of a one-line paper, which mostly takes the start of a process."""
_MOST_GROWTH_MB: Final = 120


class _Taken(msgspec.Struct, frozen=True):
    """A response: kilobytes on the wire and uncompressed, median time in milliseconds."""

    path: str
    wire_kb: float
    kb: float
    ms: float


class _Run(msgspec.Struct, frozen=True):
    """All results of one station, including that of a page picture in a preview."""

    players: int
    floor: _Taken
    public: tuple[_Taken, ...]
    judges: tuple[_Taken, ...]
    small_paper: _Taken
    papers: tuple[_Taken, ...]
    picture: _Taken
    before_mb: float
    after_mb: float


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of public and judges' pages, of papers, and of memory afterwards."""
    run = Once(lambda: _run(effort.count(_TABLES, 12), effort.count(_TIMES, 3)))
    return (
        Measurement("pages of everybody", lambda: _pages("everybody", run(), run().public)),
        Measurement("pages of judges", lambda: _pages("a judge", run(), run().judges)),
        Measurement("papers", lambda: _papers(run())),
        Measurement("memory after all papers", lambda: [_memory(run())]),
    )


def _pages(reader: str, run: _Run, pages: Sequence[_Taken]) -> Sequence[Figure]:
    limits = {**_PUBLIC, **{f"/judge/t/{_RUNNING}{path}": most for path, most in _JUDGES.items()}}
    for page in pages:
        _hold(f"{page.path}, kB", page.wire_kb, limits.get(page.path, 10))
        _hold(f"{page.path}, times the floor", page.ms / run.floor.ms, _SLOWEST_PAGE)
    slow, long = max(pages, key=lambda page: page.ms), max(pages, key=lambda page: page.wire_kb)
    of = f"page of {reader}, {run.players:,} players, five rounds"
    return (
        Figure(
            f"slowest {of}", "ms", slow.ms, "the page of all tournaments", run.floor.ms,
            aim=f"at most {_SLOWEST_PAGE} times", more=slow.path,
        ),
        Figure(
            f"longest {of}", "kB on the wire", long.wire_kb, "the same unpacked", long.kb, more=long.path
        ),
    )  # fmt: skip


def _papers(run: _Run) -> Sequence[Figure]:
    for paper in run.papers:
        _hold(f"{paper.path}, times the floor", paper.ms / run.small_paper.ms, _SLOWEST_PAPER)
    _hold("a picture of a shown preview, times the floor", run.picture.ms / run.floor.ms, _SLOWEST_PAGE)
    slow = max(run.papers, key=lambda paper: paper.ms)
    of = f", {run.players:,} players, five rounds"
    return (
        Figure(
            f"slowest paper{of}", "ms", slow.ms, "an empty one", run.small_paper.ms,
            aim=f"at most {_SLOWEST_PAPER} times", more=slow.path,
        ),
        Figure(
            f"a picture of a preview of badges{of}", "ms", run.picture.ms, "the page of all tournaments",
            run.floor.ms,
        ),
    )  # fmt: skip


def _memory(run: _Run) -> Figure:
    _hold("the station after all papers, MB more", run.after_mb - run.before_mb, _MOST_GROWTH_MB)
    return Figure(
        f"memory of a station after all papers, {run.players:,} players, five rounds", "MB", run.after_mb,
        "after all pages", run.before_mb, aim=f"at most {_MOST_GROWTH_MB} MB more",
    )  # fmt: skip


def _hold(what: str, measured: float, most: float) -> None:
    if measured > most:
        raise RuntimeError(f"{what}: {measured:.1f}, at most {most:g}")


def _run(tables: int, times: int) -> _Run:
    with tempfile.TemporaryDirectory() as name, _station(Path(name), tables) as (station, client, own_page):
        floor = _take(client, "/", times)
        public = tuple(_take(client, path, times) for path in (*_PUBLIC, own_page))
        judges = tuple(_take(client, f"/judge/t/{_RUNNING}{path}", times) for path in _JUDGES)
        terminals = _take(client, "/judge/terminals", times)
        _hold("/judge/terminals, kB", terminals.wire_kb, 700)
        before = station.memory_mb()
        small = _take(client, f"/judge/t/{_RUNNING}/print/ejections/file", 1)
        papers = tuple(_take(client, f"/judge/t/{path}/file", 1) for path in _PAPERS)
        client.get(f"/judge/t/{_RUNNING}/print", params={"paper": "badges"})
        picture = _take(client, f"/judge/t/{_RUNNING}/print/badges/pages/1", times)
        return _Run(tables * 5, floor, public, judges, small, papers, picture, before, station.memory_mb())


@contextmanager
def _station(directory: Path, tables: int) -> Iterator[tuple[StationProcess, httpx.Client, str]]:
    """Yield a station with a finished and a running tournament, a judge, and the path of a player's page."""
    codes: list[str] = []

    def _write(database: Database) -> tuple[Seats, ...]:
        Years(2, tables, runs=True).write(database, [member.terminal for member in station.members])
        Judges(database, SystemClock().wall_ms).add(_NAME, _PASSWORD)
        secret = read_secret(Settings(database))
        codes.append(PlayerCodes(secret).badge(TournamentId(_RUNNING), PlayerId("p0")))
        return tuple(Seats("", table, ()) for table in range(1, tables + 1))

    station = StationProcess(directory, tables, counts_flushes=False, prepare=_write)
    with station, httpx.Client(base_url=station.pages, timeout=300.0, follow_redirects=True) as client:
        form = re.search(r'name="_csrf_token" value="([^"]+)"', client.get("/login").text)
        assert form is not None
        client.post("/login", data={"name": _NAME, "password": _PASSWORD, "_csrf_token": form[1]})
        yield station, client, f"{PATH}{codes[0]}"


def _take(client: httpx.Client, path: str, times: int) -> _Taken:
    answers = [client.get(path) for _ in range(times)]
    for answer in answers:
        if not answer.is_success or answer.url.path == "/login":
            raise RuntimeError(f"{path}: {answer.status_code}\n{answer.text[:500]}")
    wire, unpacked = answers[-1].num_bytes_downloaded, len(answers[-1].content)
    taken_s = statistics.median(answer.elapsed.total_seconds() for answer in answers)
    return _Taken(path, wire / 1000, unpacked / 1000, taken_s * 1000)
