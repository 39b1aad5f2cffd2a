"""Earlier versions of the program, taken from the repository's history, and a station of any of them."""

import contextlib
import hashlib
import io
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

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

ROOT = Path(__file__).parents[2]
COMMITS = {
    "11-21": "8384bb4f3470961da0fe84e545873c451a074ea1",
    "11-22": "ddf5d7aadcaa0b4156503e16ce0c0ff5d1063a52",
    "11-23 morning": "cb1aa420d7e3f994e0df73115c9d321bc847e7c1",
    "11-23": "6465f37db5350177e5029fe2dd38d553993ec859",
    "11-24": "b18a3461a1d92231f565cba7c3f26fb0a1a4de73",
    "11-26 morning": "983dc6785f73d4b6c11b104ca52b1e3b7ac9dddc",
    "11-26": "28de777138366b6d841772ed95d42979e37c7abb",
    "11-27 morning": "5ba678b0f9a5fe4283a02f39fd57090c36adabfc",
    "11-27": "055e3c7bf50cd8689e990c6995aafece4ebe9d63",
}
"""The earlier versions, oldest first, with one for each release. The first one is the oldest with updates."""
NOW = "this one"
_NOW_MADE = 4_000_000_000
NEEDS_HISTORY = "the clone has no history with earlier versions: git fetch --unshallow"
_WRITERS = {"tests/rigs/writer.py": "tests.rigs.writer", "sync/rig/writer.py": "saloon.sync.rig.writer"}
_SCRIPT = "#!{python}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n"
_LEFT_OUT = ("docs/", "tests/golden/")


class Version(msgspec.Struct, frozen=True):
    """A version whose tree is in a folder. ``made`` is the time of its commit, as in the name of a bundle."""

    name: str
    folder: Path
    made: int

    @property
    def python(self) -> Path:
        own = self.folder / ".versions" / "bin" / "python"
        return own if own.exists() else Path(sys.executable)

    def program(self, name: str) -> list[str]:
        return [str(self.python.parent / name)]

    def module(self, name: str) -> str:
        """Return the import name of one of its modules, which older versions have in a package of links."""
        return f"saloon.{name}" if (self.folder / "src/saloon/__init__.py").exists() else name

    def writer(self) -> list[str]:
        module = next(module for file, module in _WRITERS.items() if (self.folder / file).exists())
        return [str(self.python), "-m", module]

    def environment(self) -> dict[str, str]:
        """Return an environment in which only this version is found."""
        return {**os.environ, "PYTHONPATH": f"{self.folder / 'src'}:{self.folder}"}

    def start(self, command: Sequence[str], out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )


def has_history() -> bool:
    """Return whether the earlier versions are available, which a shallow clone lacks."""
    if shutil.which("git") is None:
        return False
    return all(_git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0 for commit in COMMITS.values())


def versions_in(folder: Path, names: Sequence[str] = tuple(COMMITS)) -> tuple[Version, ...]:
    """Unpack earlier versions into a folder, and return them, oldest first, and then this one."""
    versions = []
    for name in names:
        place = folder / COMMITS[name][:12]
        if not place.exists():
            _unpack(COMMITS[name], place)
            _install(place)
        versions.append(Version(name, place, _made(COMMITS[name])))
    return (*versions, this_version())


def this_version(name: str = NOW, later: int = 0) -> Version:
    """Return the version of this tree, newer than all others. With another name and time, it is an update."""
    return Version(name, ROOT, _NOW_MADE + later)


def _unpack(commit: str, place: Path) -> None:
    packed = _git("archive", commit).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tree:
        wanted = [member for member in tree.getmembers() if not member.name.startswith(_LEFT_OUT)]
        # Python has filters since 3.11.4; Debian 12 has 3.11.2.
        tree.extraction_filter = getattr(tarfile, "tar_filter", None)
        tree.extractall(place, wanted)


def _install(place: Path) -> None:
    """Give a tree a virtual environment with its programs and our libraries."""
    ours, own = Path(sys.prefix), place / ".versions"
    (own / "bin").mkdir(parents=True)
    (own / "lib").symlink_to(ours / "lib")
    shutil.copy(ours / "pyvenv.cfg", own)
    python = own / "bin" / "python"
    python.symlink_to(sys.executable)
    with (place / "pyproject.toml").open("rb") as file:
        scripts = tomllib.load(file)["project"]["scripts"]
    for name, target in scripts.items():
        module, _, function = target.partition(":")
        script = own / "bin" / name
        script.write_text(_SCRIPT.format(python=python, module=module, function=function))
        script.chmod(0o755)


def _made(commit: str) -> int:
    return int(_git("show", "-s", "--format=%ct", commit).stdout)


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)


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
