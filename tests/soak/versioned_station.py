"""A station's data folder, whatever version of the program serves it now."""

import contextlib
import hashlib
import random
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import msgspec

from core.game.orders import AssignTable
from core.terms import TableNo
from demo.processes import free_port
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Epoch,
    TerminalId,
    chained_hash,
    content_bytes,
    orders_of,
)
from tests.soak.oracle import StationView, station_view
from tests.soak.other_versions import Version

PATIENCE_S = 120.0


class VersionedStation:
    """A station on SQLite with its ports. Its data is in ``station`` below the folder, its log beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "station"
        self.database = self.data / "station.sqlite"
        self._port, self._http = free_port(), free_port()
        self._running: subprocess.Popen[bytes] | None = None

    def set_up(self, version: Version, tables: int) -> tuple[Path, ...]:
        """Let a version create the data, and return a provisioning file for each table."""
        self.start(version)
        self.end(kill=False)
        certificate = (self.data / "certificate.pem").read_text(encoding="ascii")
        part = StationPart(certificate, (f"127.0.0.1:{self._port}",))
        files = []
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            for table in range(1, tables + 1):
                token = f"token-t{table}"
                digest = hashlib.sha256(token.encode()).hexdigest()
                database.execute(
                    "INSERT INTO tokens (token_hash, table_no, made_ms) VALUES (?, ?, 0)", (digest, table)
                )
                file = self._folder / f"t{table}.toml"
                file.write_text(provisioning_text(part, TableNo(table), token), encoding="utf-8")
                files.append(file)
        return tuple(files)

    def start(self, version: Version) -> None:
        """Let a version serve the data. Raises TimeoutError."""
        self._begin(version)
        end = time.monotonic() + PATIENCE_S
        while not self._is_served():
            ended = self._process().poll()
            if ended is not None or time.monotonic() > end:
                raise TimeoutError(f"a station of {version.name} does not serve ({ended}): {self.log()}")
            time.sleep(0.05)

    def is_refused_by(self, version: Version) -> bool:
        """Start and end a version, and return whether it refused the data. Raises AssertionError."""
        self._begin(version)
        end = time.monotonic() + PATIENCE_S
        while not self._is_served() and self._process().poll() is None:
            assert time.monotonic() < end, f"{version.name} neither serves this data nor ends"
            time.sleep(0.05)
        is_refused = self._process().poll() is not None
        self.end(kill=True)
        return is_refused

    def end(self, *, kill: bool) -> bool:
        """End the station, and return whether it was still running when it was killed."""
        if self._running is None:
            return False
        is_hit = kill and self._running.poll() is None
        if kill:
            self._running.kill()
        else:
            self._running.terminate()
        self._running.wait(PATIENCE_S)
        self._running = None
        return is_hit

    def give_orders(self, chance: random.Random) -> None:
        """Write some orders for each terminal as a station does, while none runs."""
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            ((epoch,),) = database.execute("SELECT value FROM settings WHERE name = 'epoch'")
            for (terminal,) in database.execute("SELECT terminal FROM terminals").fetchall():
                stream = orders_of(TerminalId(terminal))
                ends = (
                    "SELECT seq, hash FROM entries WHERE stream = ? AND epoch = ? ORDER BY seq DESC LIMIT 1"
                )
                seq, digest = database.execute(ends, (stream, epoch)).fetchone() or (0, GENESIS)
                for number in range(1, chance.randint(1, 4)):
                    body = msgspec.msgpack.encode(AssignTable(TableNo(number), ""))
                    raw = content_bytes(ClockReading(0, 0, 0, trusted=True), body)
                    digest = chained_hash(bytes(digest), raw)
                    database.execute(
                        "INSERT INTO entries (stream, epoch, seq, raw, hash, received_ms)"
                        " VALUES (?, ?, ?, ?, ?, 0)",
                        (stream, epoch, seq + number, raw, digest),
                    )

    def stored(self) -> StationView:
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            ((epoch,),) = database.execute("SELECT value FROM settings WHERE name = 'epoch'")
        return station_view(self.database, Epoch(epoch))

    def log(self) -> str:
        return log_end(self._folder / "station.log")

    def _begin(self, version: Version) -> None:
        where = ["--data", str(self.data), "--http", f"127.0.0.1:{self._http}"]
        terminals = ["--tls-host", "127.0.0.1", "--tls-port", str(self._port)]
        address = ["--address", f"127.0.0.1:{self._port}"]
        command = [*version.program("saloon-station"), "serve", *where, *terminals, *address]
        with (self._folder / "station.log").open("ab") as log:
            self._running = version.start(command, log, log)

    def _process(self) -> subprocess.Popen[bytes]:
        assert self._running is not None
        return self._running

    def _is_served(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1):
                return True
        except OSError:
            return False


def log_end(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")[-1_500:] if path.exists() else ""
