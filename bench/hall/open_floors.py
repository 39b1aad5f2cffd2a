"""Judges with open floor pages in a large hall: the delay of updates, loading time and memory."""

import asyncio
import bisect
import contextlib
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self

import httpx
import psutil
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from base.clock import SystemClock
from bench.figure import Effort, Figure, Measurement, percentile
from bench.hall.crowd import CrowdResult, Seats
from bench.hall.station_process import StationProcess
from core.editions.loader import edition
from core.rule_set import RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.state.tournament import Player, Waivers
from station.accounts.judges import Judges
from station.enrolment.enrolments import Enrolments
from station.hall.station_context import StationContext, StationParts
from station.hall.tournaments import decide
from station.store.database import Database
from station.store.settings import CERTIFICATE, Settings
from station.store.store import Store
from tests.postgresql import running_postgresql

_TABLES: Final = 999
"""The number of tables, which is the highest with three digits."""
_JUDGES: Final = 20
_SEATS: Final = 5
_PER_TABLE_S: Final = 0.2
_BURST: Final = 10
_SECONDS: Final = 30.0
_QUIET_S: Final = 2.0
_BEFORE_S: Final = 0.02
_LAST_S: Final = 0.5
_NAME, _PASSWORD = "judge", "high-noon-bench"
TOURNAMENT: Final = TournamentId("bench")
_TOKEN: Final = re.compile(r'name="_csrf_token" value="([^"]+)"')
_TABLE: Final = re.compile(rb"event: table-(\d+)")
_STAMPS: Final = """() => {
    window.stamps = [];
    document.body.addEventListener("htmx:sseMessage", ({detail}) => {
        const note = () => window.stamps.push([detail.type, performance.timeOrigin + performance.now()]);
        if (detail.type.startsWith("table-")) requestAnimationFrame(note);
    });
}"""
"""A script that notes when each row was painted, in milliseconds since 1970."""


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of 20 floor pages of 999 tables, on both databases and in one real browser."""
    return (
        Measurement("open floors on SQLite", lambda: _open_floors(effort, "SQLite")),
        Measurement("open floors on PostgreSQL", lambda: _on_postgresql(effort)),
        Measurement("a floor in Chromium", lambda: _one_chromium(effort)),
    )


def seat_hall(database: Database, tables: int) -> tuple[Seats, ...]:
    """Open a tournament in an empty database and publish its first round; return its tables."""
    database.open()
    Judges(database, SystemClock().wall_ms).add(_NAME, _PASSWORD)
    return asyncio.run(_published(database, tables))


async def _published(database: Database, tables: int) -> tuple[Seats, ...]:
    clock = SystemClock()
    settings = Settings(database)
    parts = StationParts(
        store=Store(database, clock.wall_ms),
        enrolments=Enrolments(database, clock.wall_ms),
        settings=settings,
        clock=clock,
        certificate=settings.get(CERTIFICATE) or "",
    )
    context = StationContext(parts)
    await context.open()
    names = {PlayerId(f"p{number:05}"): f"Player {number}" for number in range(1, tables * _SEATS + 1)}
    rules = RuleSet(edition("championship-2022").key)
    first = OpenTournament(TOURNAMENT, "Bench", rules, "2026-11-26", Waivers())
    state = await decide(context, TOURNAMENT, first, _NAME)
    commands: tuple[TournamentDecision, ...] = (
        RegisterPlayers(tuple(Player(player, name) for player, name in names.items())),
        SealDraw(seed="ab" * 32),
        MakeDraw(hall_word="hall"),
        PublishDraw(),
    )
    for command in commands:
        state = await decide(context, TOURNAMENT, command, _NAME)
    await context.close()
    return tuple(
        Seats(drawn.game, drawn.table, tuple((player, names[player]) for player in drawn.players))
        for drawn in state.published_rounds[0].tables
    )


class Watch:
    """Open floor pages of several judges, on a background thread.

    ``seen`` contains, for each judge, when each table was updated.
    """

    def __init__(self, pages: str, judges: int) -> None:
        self._pages = pages
        self._judges = judges
        self.seen: list[dict[int, list[float]]] = [{} for _ in range(judges)]
        self._ready = threading.Semaphore(0)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_until_complete, args=(self._run(),), daemon=True
        )
        self._over = asyncio.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        for _ in range(self._judges):
            if not self._ready.acquire(timeout=60):
                raise RuntimeError("a judge's floor did not open")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)
        self._loop.close()

    async def _run(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            reading = []
            for seen in self.seen:
                client = await stack.enter_async_context(
                    httpx.AsyncClient(base_url=self._pages, timeout=60.0)
                )
                await _log_in(client)
                (await client.get(f"/judge/t/{TOURNAMENT}/floor?look=rows")).raise_for_status()
                reading.append(asyncio.create_task(self._read(client, seen)))
            await self._over.wait()
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)

    async def _read(self, client: httpx.AsyncClient, seen: dict[int, list[float]]) -> None:
        url = f"/judge/t/{TOURNAMENT}/floor/events?look=rows"
        async with client.stream("GET", url, timeout=None) as answer:
            answer.raise_for_status()
            self._ready.release()
            held = b""
            async for piece in answer.aiter_raw():
                now = time.perf_counter()
                # A chunk may end in the middle of a line.
                whole, _, held = (held + piece).rpartition(b"\n")
                for number in _TABLE.findall(whole):
                    seen.setdefault(int(number), []).append(now)


async def _log_in(client: httpx.AsyncClient) -> None:
    token = _TOKEN.findall((await client.get("/login")).text)[0]
    typed = {"_csrf_token": token, "name": _NAME, "password": _PASSWORD}
    answer = await client.post("/login", data=typed)
    if answer.headers.get("location", "").startswith("/login"):
        raise RuntimeError("the judge cannot log in")


def _open_floors(effort: Effort, database: str, url: str = "") -> Sequence[Figure]:
    tables, judges = effort.count(_TABLES, 20), effort.count(_JUDGES, 2)
    # Use smaller bursts in a short run, which would end before large ones.
    burst = effort.count(_BURST, 2)
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(
            Path(name) / "floors", tables, url=url, prepare=lambda found: seat_hall(found, tables)
        )
        with station, Watch(station.pages, judges) as watch:
            plan = station.plan(
                per_s=tables * _PER_TABLE_S,
                burst=burst,
                outstanding=64,
                seconds=effort.seconds(_SECONDS, 3.0),
            )
            busy, began = psutil.Process().cpu_times().user, time.monotonic()
            station_s = station.processor_s()
            took = station.through(plan)
            time.sleep(effort.seconds(_QUIET_S, 1.0))
            lasted = time.monotonic() - began
            share = (psutil.Process().cpu_times().user - busy) / lasted
            used, memory_mb = (station.processor_s() - station_s) / lasted, station.memory_mb()
        delays = [delay for seen in watch.seen for delay in delays_of(took, seen)]
    load = f"{tables} tables, {_PER_TABLE_S} entries/s each in bursts of {burst}"
    what = f"{load}, {judges} open floors, {database}"
    cores = f"station {used:.2f} cores, the judges' pages {share:.2f}"
    return (
        Figure(
            f"{what}: entry received to page updated, p99",
            "ms",
            percentile(delays, 99),
            "saved to received, p99 of this run",
            took.p99_ms,
            aim="at most 100",
            more=f"median {percentile(delays, 50):.0f} ms; {cores}",
        ),
        Figure(f"{what}: memory of the station", "MB", memory_mb, "the aim", 400, aim="at most 400"),
    )


def _one_chromium(effort: Effort) -> Sequence[Figure]:
    """Measure the delay from an entry's receipt to the painted row in one judge's Chromium."""
    tables, burst = effort.count(_TABLES, 20), effort.count(_BURST, 2)
    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "floor", tables, prepare=lambda found: seat_hall(found, tables))
        # Playwright runs an event loop on its thread, which excludes another one.
        with station, ThreadPoolExecutor(1) as thread:
            driver, browser, page = thread.submit(_open_chromium, station.pages).result()
            busy, began = _chromium_s(), time.monotonic()
            plan = station.plan(
                per_s=tables * _PER_TABLE_S,
                burst=burst,
                outstanding=64,
                seconds=effort.seconds(_SECONDS, 3.0),
            )
            took = station.through(plan)
            time.sleep(effort.seconds(_QUIET_S, 1.0))
            share = (_chromium_s() - busy) / (time.monotonic() - began)
            memory_mb = sum(process.memory_full_info().pss for process in _chromium()) / 1e6
            stamps: list[tuple[str, float]] = thread.submit(page.evaluate, "window.stamps").result()
            thread.submit(browser.close).result()
            thread.submit(driver.stop).result()
    wall = time.time() - time.perf_counter()
    seen: dict[int, list[float]] = {}
    for event, at_ms in stamps:
        seen.setdefault(int(event.removeprefix("table-")), []).append(at_ms / 1000 - wall)
    delays = list(delays_of(took, seen))
    return (
        Figure(
            f"{tables} tables, {_PER_TABLE_S} entries/s each in bursts of {burst}, "
            "one Chromium: entry received to row painted, p99",
            "ms",
            percentile(delays, 99),
            "saved to received, p99 of this run",
            took.p99_ms,
            aim="at most 100",
            more=f"median {percentile(delays, 50):.0f} ms; Chromium {share:.2f} cores and {memory_mb:.0f} MB",
        ),
    )


def _open_chromium(pages: str) -> tuple[Playwright, Browser, Page]:
    """Return a browser with the floor page, which notes when each row is painted."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise FileNotFoundError("Chromium is missing: apt install chromium")
    driver = sync_playwright().start()
    browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
    page = browser.new_page(base_url=pages)
    page.goto("/login")
    page.locator("input[name=name]").fill(_NAME)
    page.locator("input[name=password]").fill(_PASSWORD)
    page.locator("main button").first.click()
    page.goto(f"/judge/t/{TOURNAMENT}/floor?look=rows")
    page.evaluate(_STAMPS)
    return driver, browser, page


def _chromium() -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if "chrom" in one.name()]


def _chromium_s() -> float:
    return sum(one.cpu_times().user + one.cpu_times().system for one in _chromium())


def delays_of(took: CrowdResult, seen: dict[int, list[float]]) -> Iterator[float]:
    """Yield the milliseconds from the acknowledgement of each burst's end to the table's next update."""
    received: dict[int, list[float]] = {}
    for table, at in took.received:
        received.setdefault(table, []).append(at)
    # At the end the crowd disconnects, and pages load the whole hall again.
    over = max(at for _, at in took.received) - _LAST_S
    for table, moments in received.items():
        ends = [
            at for at, after in zip(moments, [*moments[1:], float("inf")], strict=True) if after - at > 1.0
        ]
        pictures = seen.get(table, [])
        for end in (end for end in ends if end < over):
            # An update may arrive slightly before the acknowledgement.
            first = bisect.bisect_left(pictures, end - _BEFORE_S)
            if first == len(pictures):
                raise RuntimeError(f"an open floor page never showed table {table}")
            yield max(0.0, (pictures[first] - end) * 1000)


def _on_postgresql(effort: Effort) -> Sequence[Figure]:
    with running_postgresql() as server:
        return _open_floors(effort, "PostgreSQL", server.url)
