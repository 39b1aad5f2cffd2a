"""A hall whose station and terminals run different versions, and change them on the same data, from a seed.

Stations only go forward, as their databases do; terminals go forward and back, as an update that failed
does. Processes are killed at any moment. The data is checked by this version's oracle.
"""

import contextlib
import functools
import hashlib
import random
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from tests.faults.real_hall import Writer
from tests.soak.oracle import StationView, first_difference
from tests.soak.other_versions import Version
from tests.soak.views import station_view
from tests.station.hall_of_stations import free_port

from saloon.core.orders import AssignTable
from saloon.core.terms import TableNo
from saloon.sync.enrolment.provisioning import StationPart, provisioning_text
from saloon.sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Epoch,
    TerminalId,
    chained_hash,
    content_bytes,
    orders_of,
)

TERMINALS = 4
PATIENCE_S = 120.0
_RATE = 200
_MAX_WAIT_S = 0.6


class MixedHall:
    """One station's data folder and some terminals' folders, whatever version uses them now."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._folder = folder
        self._chance = random.Random(f"versions {seed}")
        self._data = folder / "station"
        self._database = self._data / "station.sqlite"
        self._port, self._http = free_port(), free_port()
        self._station: subprocess.Popen[bytes] | None = None
        self._runs: dict[str, Version] = {}
        self._before: dict[str, Version] = {}
        self.writers = [
            Writer(f"t{n}", "", folder / f"t{n}", folder / f"t{n}.words") for n in range(1, TERMINALS + 1)
        ]
        self.crashes = 0
        self.changes = 0
        self.pairs: set[tuple[str, str]] = set()

    def found(self, version: Version) -> None:
        """Let a version make the station's data, and a provisioning file for each terminal."""
        self._start_station(version)
        self._end_station(kill=False)
        certificate = (self._data / "certificate.pem").read_text(encoding="ascii")
        part = StationPart(certificate, (f"127.0.0.1:{self._port}",))
        with contextlib.closing(sqlite3.connect(self._database)) as database, database:
            for table, writer in enumerate(self.writers, 1):
                token = f"token-{writer.name}"
                digest = hashlib.sha256(token.encode()).hexdigest()
                database.execute(
                    "INSERT INTO tokens (token_hash, table_no, made_ms) VALUES (?, ?, 0)", (digest, table)
                )
                text = provisioning_text(part, TableNo(table), token)
                (self._folder / f"{writer.name}.toml").write_text(text, encoding="utf-8")

    def stage(self, station: Version, terminals: Sequence[Version], seconds: float) -> None:
        """Let these versions work together and be killed; each terminal must be heard by the station."""
        self._give_orders()
        self._start_station(station)
        had = [writer.last("received") for writer in self.writers]
        for writer, version in zip(self.writers, terminals, strict=True):
            self._start(writer, version)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self._chance.uniform(0.1, _MAX_WAIT_S))
            if self._chance.random() < 0.3:
                self._end_station(kill=True)
                self._start_station(station)
            else:
                writer = self._chance.choice(self.writers)
                self._kill(writer)
                self._start(writer, self._runs[writer.name])
        for writer, version, heard in zip(self.writers, terminals, had, strict=True):
            what = f"nothing by a terminal of {version.name} was received by a station of {station.name}"
            self._wait(functools.partial(_is_heard_after, writer, heard), what, writer)
            self.pairs.add((station.name, version.name))

    def stop(self) -> str | None:
        """End this stage at once; return what the oracle finds in the data."""
        for writer in self.writers:
            self._kill(writer)
        self._end_station(kill=self._chance.random() < 0.5)
        return first_difference([one.view() for one in self.writers], self.stored(), settled=False)

    def settle(self, station: Version) -> str | None:
        """Let everything be received, with each terminal's last version; return what the oracle finds."""
        self._start_station(station)
        for writer in self.writers:
            self._start(writer, self._runs[writer.name])
        for writer in self.writers:
            self._wait(writer.has_begun, "not begun", writer)
            assert writer.running is not None
            writer.running.terminate()
        for writer in self.writers:
            self._wait(writer.has_ended, f"not everything was received by {station.name}", writer)
            assert writer.running is not None
            assert writer.running.returncode == 0, self._log_of(writer.name)
        self._end_station(kill=False)
        return first_difference([one.view() for one in self.writers], self.stored(), settled=True)

    def go_back(self, station: Version) -> str | None:
        """Start an older station on this data: it refuses or works, and no entry is lost or altered."""
        before = self.stored()
        self._begin_station(station)
        end = time.monotonic() + PATIENCE_S
        while not self._is_served() and self._running_station().poll() is None:
            assert time.monotonic() < end, f"{station.name} neither serves newer data nor ends"
            time.sleep(0.05)
        is_refused = self._running_station().poll() is not None
        self._end_station(kill=True)
        after = self.stored()
        if after.entries[: len(before.entries)] != before.entries or after.epoch != before.epoch:
            return f"a station of {station.name} altered entries of newer data"
        if is_refused and after != before:
            return f"a station of {station.name} refused newer data and wrote into it"
        return None

    def stored(self) -> StationView:
        """Return what the station's database holds."""
        with contextlib.closing(sqlite3.connect(self._database)) as database:
            ((epoch,),) = database.execute("SELECT value FROM settings WHERE name = 'epoch'")
        return station_view(self._database, Epoch(epoch))

    def end(self) -> None:
        """End all processes."""
        for writer in self.writers:
            self._kill(writer)
        self._end_station(kill=True)

    def _start_station(self, version: Version) -> None:
        self._begin_station(version)
        what = f"a station of {version.name} does not serve"
        end = time.monotonic() + PATIENCE_S
        while not self._is_served():
            ended = self._running_station().poll()
            if ended is not None or time.monotonic() > end:
                raise TimeoutError(f"{what} ({ended}): {self._log_of('station')}")
            time.sleep(0.05)

    def _begin_station(self, version: Version) -> None:
        where = ["--data", str(self._data), "--http", f"127.0.0.1:{self._http}"]
        terminals = ["--tls-host", "127.0.0.1", "--tls-port", str(self._port)]
        address = ["--address", f"127.0.0.1:{self._port}"]
        command = [*version.program("saloon-station"), "serve", *where, *terminals, *address]
        with (self._folder / "station.log").open("ab") as log:
            self._station = version.start(command, log, log)
        self._note("station", version)

    def _running_station(self) -> subprocess.Popen[bytes]:
        assert self._station is not None
        return self._station

    def _end_station(self, *, kill: bool) -> None:
        if self._station is None:
            return
        if kill:
            self.crashes += self._station.poll() is None
            self._station.kill()
        else:
            self._station.terminate()
        self._station.wait(PATIENCE_S)
        self._station = None

    def _is_served(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1):
                return True
        except OSError:
            return False

    def _start(self, writer: Writer, version: Version) -> None:
        known = str(self._folder / f"{writer.name}.toml")
        options = ["--data", str(writer.data), "--provisioning", known, "--rate", str(_RATE)]
        # A line that a kill cut short must not run into the next one.
        with writer.log.open("ab") as words, (self._folder / f"{writer.name}.log").open("ab") as log:
            words.write(b"\n")
            words.flush()
            writer.starts = writer.log.read_text(encoding="ascii").count("begun\n") + 1
            writer.running = version.start([*version.writer(), *options], words, log)
        self._runs[writer.name] = version
        self._note(writer.name, version)

    def _kill(self, writer: Writer) -> None:
        if writer.running is not None:
            self.crashes += writer.running.poll() is None
            writer.running.kill()
            writer.running.wait()
            writer.running = None

    def _note(self, name: str, version: Version) -> None:
        self.changes += self._before.get(name, version) != version
        self._before[name] = version

    def _give_orders(self) -> None:
        """Write some orders as the station does, while no station runs."""
        with contextlib.closing(sqlite3.connect(self._database)) as database, database:
            ((epoch,),) = database.execute("SELECT value FROM settings WHERE name = 'epoch'")
            for (terminal,) in database.execute("SELECT terminal FROM terminals").fetchall():
                stream = orders_of(TerminalId(terminal))
                ends = (
                    "SELECT seq, hash FROM entries WHERE stream = ? AND epoch = ? ORDER BY seq DESC LIMIT 1"
                )
                seq, digest = database.execute(ends, (stream, epoch)).fetchone() or (0, GENESIS)
                for number in range(1, self._chance.randint(1, 4)):
                    body = msgspec.msgpack.encode(AssignTable(TableNo(number), ""))
                    raw = content_bytes(ClockReading(0, 0, 0, trusted=True), body)
                    digest = chained_hash(bytes(digest), raw)
                    database.execute(
                        "INSERT INTO entries (stream, epoch, seq, raw, hash, received_ms)"
                        " VALUES (?, ?, ?, ?, ?, 0)",
                        (stream, epoch, seq + number, raw, digest),
                    )

    def _wait(self, wanted: Callable[[], bool], what: str, writer: Writer) -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted():
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: {self._log_of(writer.name)}; station: {self._log_of('station')}")
            time.sleep(0.05)

    def _log_of(self, name: str) -> str:
        path = self._folder / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace")[-1_500:] if path.exists() else ""


def _is_heard_after(writer: Writer, heard: int) -> bool:
    return writer.last("received") > heard
