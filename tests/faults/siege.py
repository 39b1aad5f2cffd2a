"""A real station besieged while its tables play: what its entries, pages, memory and log come to."""

import contextlib
import resource
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil
from sqlalchemy import insert

from bench.hall.crowd import CrowdResult, Member, Plan
from demo.processes import free_port, program
from station.store import schema
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database
from station.store.settings import Settings
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.faults.hostile.besiegers import Opened, SiegePlan

PATIENCE_S = 60.0
_LEAST_ENTRIES = 0.5
"""A busy machine is slow without any siege; how slow, ``bench/hall/siege.py`` measures."""
_MOST_MB = 60
_MOST_LOGGED = 100_000
TERMINALS = 20
USUAL_FILES = 1_024
"""The number of files that a system allows a program that asks for no more."""
_PAGES = ("/", "/login", "/static/saloon.css")


class Suffered(msgspec.Struct, frozen=True):
    """The results of a siege. usual, usual_page_s: before it. megabytes: by which memory grew."""

    took: CrowdResult
    usual: CrowdResult
    pages: int
    failed: tuple[str, ...]
    worst_page_s: float
    usual_page_s: float
    megabytes: float
    log_bytes: int
    opened: Opened

    def wrong(self, entries: float) -> str:
        """Return the problems, given the number of entries due; empty if all is well."""
        limits = {
            f"pages failed: {self.failed}": not self.failed,
            f"{self.took.entries} of {entries:.0f} entries were received": (
                self.took.entries > _LEAST_ENTRIES * entries
            ),
            f"memory grew by {self.megabytes:.0f} MB": self.megabytes <= _MOST_MB,
            f"the log grew by {self.log_bytes} bytes": self.log_bytes < _MOST_LOGGED,
        }
        return "; ".join(problem for problem, is_well in limits.items() if not is_well)


class Siege:
    """A station as a process, with terminals that play, and those who besiege it.

    It is started as most systems would: with 1,024 open files until it asks for more.
    """

    def __init__(self, folder: Path, *, is_tls: bool = True) -> None:
        self._folder = folder
        self._is_tls = is_tls
        self._data = DataFolder(folder / "station")
        self.pages, self.terminals = free_port(), free_port()
        self._members = tuple(_member(folder / "crowd" / str(number)) for number in range(TERMINALS))
        self._log = folder / "station.log"

    def __enter__(self) -> Self:
        with self._data.exclusive_lock(), contextlib.closing(Database(self._data.url)) as database:
            self._certificate = load_station_identity(self._data, Settings(database))[1].read_text(
                encoding="ascii"
            )
            with database.transaction() as connection:
                connection.execute(insert(schema.terminals), [_row(member) for member in self._members])
        words = [program("saloon-station"), "serve", "--data", str(self._data.path), "--no-announce"]
        words += ["--http", f"127.0.0.1:{self.pages}", *(["--https"] if self._is_tls else [])]
        words += ["--tls-host", "127.0.0.1", "--tls-port", str(self.terminals)]
        limited = ["sh", "-c", f'ulimit -Sn {USUAL_FILES} && exec "$@"', "sh", sys.executable, *words]
        with ExitStack() as stack, self._log.open("ab") as log:
            self._station = subprocess.Popen(limited, stdout=log, stderr=log)
            stack.callback(_end, self._station)
            self._wait_until_it_answers()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def plan(self, seconds: float, per_s: float, first: int = 0, count: int | None = None) -> Plan:
        members = self._members[first:][:count]
        return Plan("127.0.0.1", self.terminals, self._certificate, members, per_s=per_s, seconds=seconds)

    def suffer(self, plan: SiegePlan, seconds: float, per_s: float = 50.0) -> Suffered:
        """Besiege the station while all terminals but the last play; the last one comes in the middle."""
        # From now on the station knows from where each terminal comes.
        usual = _took(self._playing("usual", self.plan(3.0, per_s)))
        playing = self._playing("plan", self.plan(seconds, per_s, count=len(self._members) - 1))
        time.sleep(2.0)
        started = time.monotonic()
        for path in _PAGES:
            self.page(path)
        usual_page_s = (time.monotonic() - started) / len(_PAGES)
        memory, log_bytes = self.memory_mb(), self._log.stat().st_size
        besieging = self._besieging(plan)
        times, failed, most = [], [], memory
        late: subprocess.Popen[bytes] | None = None
        begun = time.monotonic()
        while playing.poll() is None:
            for path in _PAGES:
                started = time.monotonic()
                try:
                    self._page_at_last(path)
                except OSError as error:
                    failed.append(f"{path} after {started - begun:.1f} s: {error!r}")
                times.append(time.monotonic() - started)
            most = max(most, self.memory_mb())
            if late is None and time.monotonic() - begun > seconds / 2:
                late = self._playing("late", self.plan(1.0, 10.0, first=len(self._members) - 1))
            time.sleep(0.2)
        took, came = _took(playing), _took(late)
        besieging.terminate()
        opened = msgspec.json.decode(besieging.communicate(timeout=PATIENCE_S)[0], type=Opened)
        if not came.entries:
            failed.append("the terminal that came late was not heard")
        grown = self._log.stat().st_size - log_bytes
        return Suffered(
            took, usual, len(times), tuple(failed), max(times), usual_page_s, most - memory, grown, opened
        )

    def page(self, path: str) -> None:
        """Ask for a page from an address of its own. Raises OSError."""
        with socket.socket() as plain:
            plain.settimeout(PATIENCE_S)
            plain.bind(("127.30.0.1", 0))
            plain.connect(("127.0.0.1", self.pages))
            if not self._is_tls:
                self._ask(plain, path)
                return
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            with context.wrap_socket(plain) as tls:
                self._ask(tls, path)

    def _page_at_last(self, path: str) -> None:
        with contextlib.suppress(OSError):
            return self.page(path)
        return self.page(path)

    def memory_mb(self) -> float:
        return float(psutil.Process(self._station.pid).memory_info().rss) / 1_000_000

    def log_end(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")[-3_000:]

    def _ask(self, connection: socket.socket, path: str) -> None:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: station\r\nConnection: close\r\n\r\n".encode())
        received = b""
        with contextlib.suppress(ssl.SSLEOFError):
            while data := connection.recv(65_536):
                received += data
        if not received.startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(received[:100])

    def _besieging(self, plan: SiegePlan) -> subprocess.Popen[bytes]:
        file = self._folder / "siege.json"
        file.write_bytes(msgspec.json.encode(plan))
        command = [sys.executable, "-m", "tests.faults.hostile.besiegers", str(file)]
        besieging = subprocess.Popen(command, stdout=subprocess.PIPE)
        self._stack.callback(_end, besieging)
        return besieging

    def _playing(self, name: str, plan: Plan) -> subprocess.Popen[bytes]:
        file = self._folder / f"{name}.json"
        file.write_bytes(msgspec.json.encode(plan))
        command = [sys.executable, "-m", "bench.hall.crowd", str(file)]
        playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._stack.callback(_end, playing)
        return playing

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + PATIENCE_S
        while f"port {self.terminals}" not in self._log.read_text(encoding="utf-8"):
            if time.monotonic() > end or self._station.poll() is not None:
                raise RuntimeError(self.log_end())
            time.sleep(0.05)


@contextlib.contextmanager
def many_files() -> Iterator[None]:
    """Let this process open as many files as it may while the block runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _took(playing: subprocess.Popen[bytes] | None) -> CrowdResult:
    if playing is None:
        return CrowdResult(0, 1.0, 0.0, 0.0)
    said, problem = playing.communicate(timeout=PATIENCE_S)
    if playing.returncode:
        raise RuntimeError(problem.decode(errors="replace"))
    return msgspec.json.decode(said, type=CrowdResult)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    with contextlib.suppress(ValueError):  # it was heard out already
        process.communicate(timeout=PATIENCE_S)


def _member(folder: Path) -> Member:
    key, certificate = own_identity(folder, "crowd")
    terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), str(certificate))
    return Member(terminal, str(key), str(certificate))


def _row(member: Member) -> dict[str, object]:
    certificate = Path(member.certificate).read_text(encoding="ascii")
    return {
        "terminal": member.terminal,
        "certificate": certificate,
        "table_no": None,
        "enrolled_ms": 0,
        "revoked": False,
    }
