"""A hall of real processes in network namespaces and on serial lines, and whoever breaks it, from a seed."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from sqlalchemy import make_url

from base.clock import SystemClock
from demo.processes import program
from demo.shaped_line import ShapedLine
from station.enrolment.enrolments import Enrolments
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.settings import Settings
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.protocol.entry import TerminalId, orders_of, table_stream
from sync.tls.certificates import fingerprint_of_pem
from tests.postgresql import PostgreSql
from tests.rigs.hall_net import Cable, HallNet
from tests.soak.oracle import JournalView, database_view, first_difference, journal_view

PORT = 7373
SETTLE_S = 90.0
BIT_ERRORS = 1e-5
BY_NET, BY_CABLE = 4, 2
"""The number of writers of each kind."""
RATE = 40.0
"""Entries a second of each."""


@dataclass
class Writer:
    """One terminal's process. host: its namespace; the station's for one on a cable."""

    name: str
    host: str
    data: Path
    log: Path
    running: subprocess.Popen[bytes] | None = None
    starts: int = 0

    def words(self) -> list[str]:
        text = self.log.read_text(encoding="ascii") if self.log.exists() else ""
        return [line for line in text.rpartition("\n")[0].splitlines() if line[:5] in {"saved", "recei"}]

    def last(self, word: str) -> int:
        return max((int(line.split()[1]) for line in self.words() if line.startswith(word)), default=0)

    def has_begun(self) -> bool:
        return self.log.read_text(encoding="ascii").count("begun\n") >= self.starts

    def has_ended(self) -> bool:
        return self.running is None or self.running.poll() is not None

    def view(self) -> JournalView:
        """Return its disk's content, and what it was told, for the oracle."""
        terminal = self.terminal()
        return journal_view(
            self.data / "journal.db",
            table_stream(terminal),
            orders_of(terminal),
            saved=self.last("saved"),
            received=self.last("received"),
        )

    def terminal(self) -> TerminalId:
        return fingerprint_of_pem((self.data / "certificate.pem").read_text(encoding="ascii"), self.name)


class Deeds(msgspec.Struct):
    """The number of each kind of disturbance of the hall."""

    kills: int = 0
    pauses: int = 0
    partitions: int = 0
    cable_cuts: int = 0
    database_restarts: int = 0
    entries: int = 0
    packets_lost: int = 0
    line_bytes: int = 0


@dataclass
class RealHall:
    """Stations and writers as processes.

    server: the database of two stations that share the hall; None for one station with its own file.
    """

    folder: Path
    seed: int
    server: PostgreSql | None = None
    deeds: Deeds = field(default_factory=Deeds)

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._chance = random.Random(self.seed)
        names = [f"t{n}" for n in range(1, BY_NET + 1)]
        self._hosts = ["station"] if self.server is None else ["station", "second"]
        self._net = self._stack.enter_context(HallNet([*self._hosts, *names], seed=self.seed))
        self._stack.callback(self._end_processes)
        self._lines = {f"c{n}": self._line(n) for n in range(1, BY_CABLE + 1)}
        self._writers = [self._writer(name) for name in (*names, *self._lines)]
        self._enrol()
        self._stations: dict[str, subprocess.Popen[bytes]] = {}
        for host in self._hosts:
            self._start_station(host)
        for writer in self._writers:
            self._start(writer)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def writers(self) -> Sequence[Writer]:
        return self._writers

    def break_for(self, seconds: float) -> None:
        """One fault after the other, each mended after a moment, until the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._chance.choice(self._misdeeds())()
            self._restart_ended_stations()
            time.sleep(self._chance.uniform(0.1, 0.6))

    def settle(self) -> None:
        """Mend everything, let the writers finish and the station end. Raises TimeoutError."""
        for name in self._net.hosts:
            self._net.shape(name, Cable())
            self._net.plug(name)
        end = time.monotonic() + SETTLE_S
        for writer in self._writers:
            self._wait_until(writer.has_begun, end, writer)
            assert writer.running is not None
            writer.running.terminate()
        for writer in self._writers:
            self._wait_until(writer.has_ended, end, writer)
            if writer.running is not None and writer.running.returncode:
                raise RuntimeError(f"{writer.name} ended by itself\n{self.log_of(writer.name)}")
        for station in self._stations.values():
            station.terminate()
        for station in self._stations.values():
            station.wait(SETTLE_S)
        self.deeds.entries = sum(len(writer.view().raws) for writer in self._writers)
        self.deeds.packets_lost = self._net.lost
        self.deeds.line_bytes = sum(sum(line.bytes_carried()) for line in self._lines.values())

    def difference(self) -> str | None:
        with closing(Database(self._data_of("station").url)) as database:
            stored = database_view(database)
        return first_difference([writer.view() for writer in self._writers], stored, settled=True)

    def log_of(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-3_000:]

    def _misdeeds(self) -> list[Callable[[], None]]:
        deeds = [self._kill, self._kill, self._pause, self._part, self._cut, self._shape]
        return deeds if self.server is None else [*deeds, self._restart_database]

    def _data_of(self, host: str) -> DataFolder:
        return DataFolder(self.folder / host, None if self.server is None else make_url(self.server.url))

    def _line(self, number: int) -> ShapedLine:
        ends = (self.folder / f"line{number}-station", self.folder / f"line{number}-terminal")
        line = ShapedLine(*ends, quantum_s=0.016, flips=BIT_ERRORS, seed=self.seed * 100 + number)
        return self._stack.enter_context(line)

    def _writer(self, name: str) -> Writer:
        host = "station" if name in self._lines else name
        return Writer(name, host, self.folder / name, self.folder / f"{name}.words")

    def _enrol(self) -> None:
        folder = self._data_of("station")
        with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
            certificate = load_station_identity(folder, Settings(database))[1].read_text(encoding="ascii")
            enrolments = Enrolments(database, SystemClock().wall_ms)
            addresses = tuple(f"{self._net.hosts[host].address}:{PORT}" for host in self._hosts)
            part = StationPart(certificate=certificate, addresses=addresses)
            for writer in self._writers:
                serial = (
                    str(self.folder / f"line{writer.name[1:]}-terminal") if writer.name in self._lines else ""
                )
                text = provisioning_text(part, None, enrolments.new_token(None), serial)
                (self.folder / f"{writer.name}.toml").write_text(text, encoding="utf-8")

    def _start_station(self, host: str) -> None:
        argv = [
            program("saloon-station"),
            "serve",
            "--data",
            str(self.folder / host),
            "--tls-port",
            str(PORT),
        ]
        argv += ["--address", f"{self._net.hosts[host].address}:{PORT}"]
        if host == "station":
            for number in range(1, BY_CABLE + 1):
                argv += ["--serial", str(self.folder / f"line{number}-station")]
        if self.server is not None:
            argv += ["--name", host]
        self._stations[host] = self._begin(host, host, argv)

    def _start(self, writer: Writer) -> None:
        argv = [
            sys.executable, "-m", "tests.rigs.writer", "--data", str(writer.data),
            "--provisioning", str(self.folder / f"{writer.name}.toml"), "--rate", str(RATE),
        ]  # fmt: skip
        # A line that a kill cut short must not run into the next one.
        with writer.log.open("ab") as words:
            words.write(b"\n")
        # Killed before it could begin, it has not counted itself.
        writer.starts = writer.log.read_text(encoding="ascii").count("begun\n") + 1
        writer.running = self._begin(writer.name, writer.host, argv, words=writer.log)

    def _begin(
        self, name: str, host: str, argv: Sequence[str], *, words: Path | None = None
    ) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log, (words or Path(os.devnull)).open("ab") as out:
            return subprocess.Popen(
                self._net.hosts[host].command(argv),
                env={**os.environ, **({} if self.server is None else {"SALOON_DATABASE": self.server.url})},
                stdin=subprocess.DEVNULL,
                stdout=out if words else log,
                stderr=log,
            )

    def _end_processes(self) -> None:
        for process in (*self._stations.values(), *(writer.running for writer in self._writers)):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def _kill(self) -> None:
        """A plug pulled out: whoever it is has no time for a last word."""
        self.deeds.kills += 1
        if self._chance.random() < 0.4:
            host = self._chance.choice(self._hosts)
            self._stations[host].kill()
            self._stations[host].wait()
            self._start_station(host)
            return
        writer = self._chance.choice(self._writers)
        assert writer.running is not None
        writer.running.kill()
        writer.running.wait()
        self._start(writer)

    def _pause(self) -> None:
        """A process that stands still, as on a board that swaps or a card that thinks."""
        self.deeds.pauses += 1
        victim = self._chance.choice(
            [*self._stations.values(), *(writer.running for writer in self._writers)]
        )
        assert victim is not None
        victim.send_signal(signal.SIGSTOP)
        time.sleep(self._chance.uniform(0.2, 1.0))
        victim.send_signal(signal.SIGCONT)

    def _part(self) -> None:
        self.deeds.partitions += 1
        name = self._chance.choice(list(self._net.hosts))
        self._net.unplug(name)
        time.sleep(self._chance.uniform(0.2, 1.0))
        self._net.plug(name)

    def _restart_database(self) -> None:
        """The server's plug pulled out under load, and in again."""
        assert self.server is not None
        self.deeds.database_restarts += 1
        self.server.stop()
        time.sleep(self._chance.uniform(0.1, 0.8))
        self.server.start()

    def _cut(self) -> None:
        if not self._lines:
            return
        self.deeds.cable_cuts += 1
        line = self._chance.choice(list(self._lines.values()))
        line.cut()
        time.sleep(self._chance.uniform(0.1, 0.5))
        line.join()

    def _shape(self) -> None:
        chance = self._chance
        cable = Cable(
            delay_ms=chance.uniform(0, 60),
            jitter_ms=chance.uniform(0, 20),
            loss=chance.uniform(0, 0.2),
            doubled=chance.uniform(0, 0.05),
        )
        self._net.shape(chance.choice(list(self._net.hosts)), cable)

    def _restart_ended_stations(self) -> None:
        """Restart stations that ended by themselves, as systemd does: the database may have been away."""
        for host, station in self._stations.items():
            if station.poll():
                self._start_station(host)

    def _wait_until(self, wanted: Callable[[], bool], end: float, writer: Writer) -> None:
        while not wanted():
            self._restart_ended_stations()
            if time.monotonic() > end:
                raise TimeoutError(
                    f"{writer.name}: saved {writer.last('saved')}, received {writer.last('received')}\n"
                    f"{self.log_of(writer.name)}\nstation:\n{self.log_of('station')}"
                )
            time.sleep(0.05)
