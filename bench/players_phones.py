"""Players' phones on their own pages while a hall plays and judges watch its floor."""

import asyncio
import contextlib
import multiprocessing
import random
import re
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, Self

import httpx

from bench.crowd import Seats
from bench.figure import Effort, Figure, Measurement, percentile
from bench.open_floors import TOURNAMENT, Watch, delays_of, seat_hall
from bench.station_process import StationProcess
from saloon.core.terms import PlayerId
from saloon.station.services.players.player_codes import PATH, PlayerCodes
from saloon.station.services.tables.sign_in_links import read_secret
from saloon.station.store.database import Database
from saloon.station.store.settings import Settings

_TABLES: Final = 200
_JUDGES: Final = 20
_PHONES: Final = 2_000
_EVERY_S: Final = 15.0
"""As the page asks."""
_PHONES_AN_ADDRESS: Final = 10
_PER_TABLE_S: Final = 0.2
_BURST: Final = 10
_SECONDS: Final = 45.0
_QUIET_S: Final = 2.0
_SEEN: Final = re.compile(r"seen=(\w+)")


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Measure 2,000 players' pages and 20 floors over 200 tables."""
    return (Measurement("players' phones beside open floors", lambda: _phones(effort)),)


class _Phones:
    """Phones in a process of their own, each with its own connection: they must not hold up the judges'."""

    def __init__(self, pages: str, codes: Sequence[str], phones: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        chosen = [codes[number % len(codes)] for number in range(phones)]
        self._process = context.Process(target=_follow_all, args=(pages, chosen, there), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        if not self._here.poll(180) or self._here.recv() != "open":
            raise RuntimeError("the players' pages did not open")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def answers(self) -> tuple[list[float], int, float]:
        """Return the milliseconds of each answer, the number of failures, and the seconds of processor."""
        self._here.send("over")
        took, failed, used_s = self._here.recv()
        return took, failed, used_s


def _follow_all(pages: str, codes: Sequence[str], pipe: Connection) -> None:
    asyncio.run(_Crowd(pages, codes, pipe).run())


class _Crowd:
    """The phones, in their process."""

    def __init__(self, pages: str, codes: Sequence[str], pipe: Connection) -> None:
        self._pages, self._codes, self._pipe = pages, codes, pipe
        self._took: list[float] = []
        self._failed = 0
        self._waiting = len(codes)
        self._all_open = asyncio.Event()

    async def run(self) -> None:
        """Open all pages, tell so, and follow them until told to stop."""
        async with contextlib.AsyncExitStack() as stack:
            tasks = []
            for number, code in enumerate(self._codes):
                address = number // _PHONES_AN_ADDRESS
                source = f"127.1.{address // 200}.{address % 200 + 1}"
                transport = httpx.AsyncHTTPTransport(local_address=source)
                client = httpx.AsyncClient(base_url=self._pages, timeout=30.0, transport=transport)
                await stack.enter_async_context(client)
                tasks.append(asyncio.create_task(self._follow(client, code)))
            await self._all_open.wait()
            self._took.clear()
            began_s = time.process_time()
            self._pipe.send("open")
            await asyncio.to_thread(self._pipe.poll, None)
            self._pipe.send((self._took, self._failed, time.process_time() - began_s))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, client: httpx.AsyncClient, code: str) -> None:
        await asyncio.sleep(random.uniform(0, _EVERY_S))
        url, seen = f"{PATH}{code}", ""
        while True:
            began = time.perf_counter()
            try:
                answer = await client.get(f"{url}?seen={seen}" if seen else url)
                self._took.append((time.perf_counter() - began) * 1000)
                if answer.status_code == httpx.codes.OK:
                    self._waiting -= not seen
                    if not self._waiting:
                        self._all_open.set()
                    seen = _SEEN.findall(answer.text)[0]
                elif answer.status_code != httpx.codes.NO_CONTENT:
                    self._failed += 1
            except httpx.HTTPError:
                self._failed += 1
            await asyncio.sleep(_EVERY_S)


def _phones(effort: Effort) -> Sequence[Figure]:
    tables, judges = effort.count(_TABLES, 20), effort.count(_JUDGES, 2)
    phones = effort.count(_PHONES, 40)
    codes: list[str] = []

    def _prepare(database: Database) -> tuple[Seats, ...]:
        seats = seat_hall(database, tables)
        known = PlayerCodes(read_secret(Settings(database)))
        codes.extend(
            known.badge(TOURNAMENT, PlayerId(player)) for table in seats for player, _ in table.players
        )
        return seats

    with tempfile.TemporaryDirectory() as name:
        station = StationProcess(Path(name) / "phones", tables, prepare=_prepare)
        with station, Watch(station.pages, judges) as watch, _Phones(station.pages, codes, phones) as players:
            plan = station.plan(
                per_s=tables * _PER_TABLE_S,
                burst=_BURST,
                outstanding=64,
                seconds=effort.seconds(_SECONDS, 8.0),
            )
            used_s, began = station.processor_s(), time.monotonic()
            took = station.through(plan)
            time.sleep(_QUIET_S)
            lasted = time.monotonic() - began
            used = (station.processor_s() - used_s) / lasted
            memory_mb, (answers, failed, phones_s) = station.memory_mb(), players.answers()
        delays = [delay for seen in watch.seen for delay in delays_of(took, seen)]
    if failed:
        raise RuntimeError(f"{failed} answers to phones failed")
    what = f"{tables} tables, {judges} open floors, {phones} players' phones"
    return (
        Figure(
            f"{what}: entry received to page updated, p99",
            "ms",
            percentile(delays, 99),
            "saved to received, p99 of this run",
            took.p99_ms,
            aim="at most 100",
            more=f"median {percentile(delays, 50):.0f} ms; station {used:.2f} cores, {memory_mb:.0f} MB; "
            f"{len(answers):,} answers to phones, median {percentile(answers, 50):.1f} ms, "
            f"in a process of {phones_s / lasted:.2f} cores",
        ),
    )
