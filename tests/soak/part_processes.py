"""Real stations and terminals that are killed, paused, parted, attacked and besieged, from a seed."""

import contextlib
import random
import tempfile
import time
from pathlib import Path

import httpx
import msgspec

from core.game.orders import AssignTable
from demo.judge import JudgeAtWork
from demo.pages import Pages, PageTrouble
from station.store.database import Database
from station.store.store import Store
from sync.protocol.entry import orders_of
from tests.faults.hostile.besiegers import SiegePlan
from tests.faults.hostile.ground import attacked, ground
from tests.faults.hostile.peers import CutShort, Flood
from tests.faults.real_hall import RealHall
from tests.faults.siege import Siege
from tests.postgresql import PostgreSql, running_postgresql
from tests.rigs.hall_net import net_problem
from tests.soak.counts import Counts, Progress, repeated
from tests.soak.oracle import StationView, first_difference, journal_view
from tests.station.hall_of_stations import PASSWORD, StationProgram, Table, stations

_ROUND_S = 30.0


def run_processes(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls of half a minute, every other one with two stations on a PostgreSQL that is restarted, too.

    It is a failure if none can be created.
    """
    if problem := net_problem():
        return Counts(failures=(problem,))
    return repeated(_round, seed, seconds, progress, least=0)


def _round(seed: int, left: float) -> Counts:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="saloon-hall-")))
        server = stack.enter_context(running_postgresql()) if seed % 2 else None
        hall = stack.enter_context(RealHall(folder, seed, server))
        hall.break_for(min(_ROUND_S, left))
        try:
            hall.settle()
            difference = hall.difference()
        except TimeoutError as error:
            difference = f"not settled: {error}"
        deeds = hall.deeds
    failures = () if difference is None else (f"hall of seed {seed}: {difference}",)
    crashes = deeds.kills + deeds.pauses + deeds.database_restarts
    cuts = deeds.partitions + deeds.cable_cuts
    return Counts(deeds.entries, crashes, 1, cuts, deeds.line_bytes, failures)


_NAMES = ("A", "B", "C")
_TABLES = 4
_HALL_S = 120.0
_QUIET_S = 60.0


def run_stations(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls one after the other, each with faults for a while, then none, and then the oracle."""
    return repeated(_one_hall, seed, seconds, progress)


def _one_hall(seed: int, left: float) -> Counts:
    with tempfile.TemporaryDirectory(prefix="saloon-soak-stations-") as place, running_postgresql() as server:
        folder = Path(place)
        with stations(folder, server.url, *_NAMES) as running, contextlib.ExitStack() as ends:
            hall = _Hall(folder, server, running, random.Random(seed))
            for table in hall.tables:
                ends.callback(table.agent.stop)
            try:
                hall.suffer(max(5.0, min(_HALL_S, left)))
                hall.recover()
                problem = hall.difference()
            except (TimeoutError, AssertionError) as error:
                problem = f"it does not recover: {error}"
            failures = (f"stations, seed {seed}: {problem}",) if problem else ()
            return Counts(events=hall.events, crashes=hall.crashes, seeds=1, failures=failures)


class _Hall:
    """Terminals that write, a judge who moves them, and faults."""

    def __init__(
        self, folder: Path, server: PostgreSql, running: list[StationProgram], chance: random.Random
    ) -> None:
        self._server, self._stations, self._chance = server, running, chance
        self._database = Database(server.url)
        self.events = self.crashes = 0
        with contextlib.closing(running[0].judge()) as judge:
            self.tables = [Table(folder / f"t{n}", judge.provisioning(n)) for n in range(1, _TABLES + 1)]
        for table in self.tables:
            table.agent.start()
        for table in self.tables:
            table.waits_for_order(AssignTable)

    def suffer(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._write()
            self._break_something()
            self._write()
            self._move_a_terminal()
            time.sleep(self._chance.random())

    def recover(self) -> None:
        """Repair everything and wait until no entries are missing."""
        for station in self._stations:
            if not station.is_begun:
                station.begin()
        for station in self._stations:
            station.ready()
        for table in self.tables:
            table.waits_until_received(len(table.bodies))

    def difference(self) -> str | None:
        """Return the oracle's finding when the last orders have arrived."""
        end = time.monotonic() + _QUIET_S
        while (difference := self._first_difference()) is not None and time.monotonic() < end:
            time.sleep(0.5)
        self._database.close()
        return difference

    def _first_difference(self) -> str | None:
        store = Store(self._database, lambda: 0)
        quarantined = tuple(bad.entry for bad in store.quarantined_entries())
        view = StationView(store.own_epoch(), tuple(one.entry for one in store.entries_after()), quarantined)
        for table in self.tables:
            table.look()
        journals = [
            journal_view(
                table.journal_file,
                table.stream,
                orders_of(table.id),
                saved=table.saved,
                received=table.received,
            )
            for table in self.tables
        ]
        return first_difference(journals, view, settled=True)

    def _write(self) -> None:
        for table in self.tables:
            bodies = [msgspec.msgpack.encode({"n": len(table.bodies) + n}) for n in range(20)]
            count = self._chance.randrange(1, 20)
            table.writes(*bodies[:count])
            self.events += count
            table.look()

    def _break_something(self) -> None:
        station = self._chance.choice(self._stations)
        what = self._chance.choice(("kill", "kill", "pause", "database", "nothing"))
        if not station.is_begun:
            station.begin()
        elif what == "kill":
            station.kill()
            self.crashes += 1
        elif what == "pause":
            station.pause()
            time.sleep(self._chance.choice((0.3, 1.0, 7.0)))
            station.go_on()
        elif what == "database":
            self._server.stop()
            time.sleep(self._chance.random())
            self._server.start()
            self.crashes += 1

    def _move_a_terminal(self) -> None:
        """Move a terminal on the pages of any station, ignoring one that does not answer now."""
        table = self._chance.choice(self.tables)
        place = self._chance.choice(("", *(str(n) for n in range(1, _TABLES + 1))))
        station = self._chance.choice(self._stations)
        with (
            contextlib.suppress(httpx.HTTPError, PageTrouble),
            contextlib.closing(Pages(station.pages)) as pages,
        ):
            JudgeAtWork(pages).log_in("Roy", PASSWORD)
            pages.send(pages.get("/judge/terminals").form(f"/{table.id}/assign"), {"table": place})


_TIMES = 40


def run_hostile(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run all peers in turn, repeatedly. A wrong reaction is a failure, reported with its peer and seed."""
    end = time.monotonic() + seconds
    done = Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-hostile-") as folder, ground(Path(folder)) as here:
        every = {**here.peers, "flood": Flood(), "cut short": CutShort()}
        while time.monotonic() < end:
            for name, peer in every.items():
                before = here.said
                failures: tuple[str, ...] = ()
                try:
                    attacked(here, peer, _TIMES, seed)
                except (AssertionError, TimeoutError, OSError) as error:
                    failures = (f"hostile: {name}, seed {seed}: {error!r}",)
                done += Counts(events=here.said - before, seeds=1, failures=failures)
                progress(done)
                if failures or time.monotonic() > end:
                    return done
            seed += 1
    return done


_SECONDS = 60.0
_PER_S = 50.0


def run_siege(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run one siege after the other, with and without TLS, from few addresses and from many."""
    return repeated(_one_siege, seed, seconds, progress, least=0)


def _one_siege(seed: int, left: float) -> Counts:
    chance = random.Random(seed)
    is_tls, addresses = chance.random() < 0.7, chance.choice([1, 4, 40, 300])
    length = max(10.0, min(_SECONDS, left))
    with (
        tempfile.TemporaryDirectory(prefix="saloon-siege-") as folder,
        Siege(Path(folder), is_tls=is_tls) as siege,
    ):
        plan = SiegePlan(siege.pages, siege.terminals, addresses=addresses, is_tls=is_tls)
        suffered = siege.suffer(plan, length, _PER_S)
    wrong = suffered.wrong(length * _PER_S)
    failures = (f"siege: seed {seed}: {wrong}",) if wrong else ()
    return Counts(events=suffered.took.entries, seeds=1, failures=failures)
