"""A station as a separate process with an enrolled crowd, counted flushes and measured memory."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil
from sqlalchemy import insert
from sqlalchemy.engine import make_url

from bench.hall.crowd import CrowdResult, Member, Plan, Seats
from bench.peers.rate import counted, flushes
from demo.processes import free_port, program
from station.store import schema
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.settings import Settings
from sync.tls.certificates import fingerprint_of_pem, own_identity

_PATIENCE_S = 120.0
_MB = 1_000_000


class StationProcess:
    """A running ``saloon-station serve``.

    crowd: the number of terminals to enrol, at tables if seats are given.
    fsync_ms: delay added to each flush.
    url: the database, if it isn't SQLite.
    options: further options of the command.
    counts_flushes: count flushes by tracing, which costs a busy station a third of its time.
    prepare: fills the database before the start.
    """

    def __init__(
        self,
        directory: Path,
        crowd: int,
        *,
        fsync_ms: int = 0,
        url: str = "",
        options: Sequence[str] = (),
        counts_flushes: bool = True,
        prepare: Callable[[Database], tuple[Seats, ...]] = lambda _: (),
    ) -> None:
        self._directory = directory
        self._fsync_ms = fsync_ms
        self._counted = directory / "flushes"
        self._folder = DataFolder(directory / "station", make_url(url) if url else None)
        # Keep the database's password out of the process list.
        self._environment = {**os.environ, "SALOON_DATABASE": url} if url else dict(os.environ)
        self._options = options
        self._is_traced = counts_flushes or fsync_ms > 0
        self._prepare = prepare
        self.seats: tuple[Seats, ...] = ()
        self.start_s = 0.0
        directory.mkdir(parents=True, exist_ok=True)
        self._port, self._pages = free_port(), free_port()
        self.members = tuple(_member(directory / "crowd" / str(n)) for n in range(crowd))

    def __enter__(self) -> Self:
        with self._folder.exclusive_lock(), closing(Database(self._folder.url)) as database:
            self._certificate = load_station_identity(self._folder, Settings(database))[1].read_text(
                encoding="ascii"
            )
            self.seats = self._prepare(database)
            tables: list[int | None] = [seats.table for seats in self.seats]
            rows = [_row(member, table) for member, table in itertools.zip_longest(self.members, tables)]
            with database.transaction() as connection:
                if rows:
                    connection.execute(insert(schema.terminals), rows)
        trace = counted(self._counted) if self._is_traced else []
        if self._fsync_ms:
            # Delay only the thread that flushes, as a slow card does.
            trace += ["-e", f"inject=fsync,fdatasync:delay_exit={self._fsync_ms * 1000}"]
        log = (self._directory / "station.log").open("ab")
        begun = time.monotonic()
        with log:
            self._process = subprocess.Popen(
                [
                    *trace,
                    sys.executable,
                    program("saloon-station"),
                    "serve",
                    "--data",
                    str(self._folder.path),
                    "--http",
                    f"127.0.0.1:{self._pages}",
                    "--tls-host",
                    "127.0.0.1",
                    "--tls-port",
                    str(self._port),
                    *self._options,
                ],
                stdout=log,
                stderr=log,
                env=self._environment,
            )
        self._wait_until_it_answers()
        self.start_s = time.monotonic() - begun
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> int:
        """Stop the station, and return the number of flushes since its start."""
        if self._process.poll() is None:
            self._station().send_signal(signal.SIGTERM)
            self._process.wait(_PATIENCE_S)
        return flushes(self._counted) if self._is_traced else 0

    @property
    def pages(self) -> str:
        return f"http://127.0.0.1:{self._pages}"

    def memory_mb(self) -> float:
        return float(self._station().memory_info().rss) / _MB

    def processor_s(self) -> float:
        times = self._station().cpu_times()
        return float(times.user + times.system)

    def plan(self, terminals: int | None = None, **what: object) -> Plan:
        """Return a plan for the first ``terminals`` of the crowd, by default for all."""
        return msgspec.convert(
            {
                "host": "127.0.0.1",
                "port": self._port,
                "station_certificate": self._certificate,
                "members": msgspec.to_builtins(self.members[:terminals]),
                "seats": msgspec.to_builtins(self.seats[:terminals]),
                **what,
            },
            Plan,
        )

    def through(self, plan: Plan) -> CrowdResult:
        """Let the crowd carry out a plan, in a separate process."""
        file = self._directory / "plan.json"
        file.write_bytes(msgspec.json.encode(plan))
        done = subprocess.run(
            [sys.executable, "-m", "bench.hall.crowd", str(file)],
            capture_output=True,
            check=False,
            timeout=_PATIENCE_S * 5,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        return msgspec.json.decode(done.stdout, type=CrowdResult)

    def _station(self) -> psutil.Process:
        process = psutil.Process(self._process.pid)
        return process.children()[0] if self._is_traced else process

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + _PATIENCE_S
        while f"port {self._port}" not in (self._directory / "station.log").read_text(encoding="utf-8"):
            if time.monotonic() > end or self._process.poll() is not None:
                raise RuntimeError((self._directory / "station.log").read_text(encoding="utf-8"))
            time.sleep(0.05)


def _member(directory: Path) -> Member:
    key, certificate = own_identity(directory, "crowd")
    terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), str(certificate))
    return Member(terminal, str(key), str(certificate))


def _row(member: Member, table: int | None) -> dict[str, object]:
    return {
        "terminal": member.terminal,
        "certificate": Path(member.certificate).read_text(encoding="ascii"),
        "table_no": table,
        "enrolled_ms": 0,
        "revoked": False,
    }
