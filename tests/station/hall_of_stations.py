"""Real station programs on one PostgreSQL, and real terminals that know the addresses of all."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from core.game.orders import Order
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import free_port
from sync.enrolment.provisioning import provisioning_of
from sync.ports.tcp import TcpPort
from sync.protocol.entry import StreamId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import LinkChanged, LinkPhase, OrderArrived, Received, Saved
from sync.terminal.routes import StationRoute
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity

PROGRAM = Path(sys.executable).parent / "saloon-station"
PATIENCE_S = 90.0
PASSWORD = "at high noon"
_PAGES = re.compile(r"http://127\.0\.0\.1:\d+")
T = TypeVar("T")


def waited(wanted: Callable[[], T | None], what: str, patience_s: float = PATIENCE_S) -> T:
    """Wait for a value and return it. Raises TimeoutError."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        value = wanted()
        if value:
            return value
        time.sleep(0.02)
    raise TimeoutError(what)


class StationProgram:
    """``saloon-station serve`` on a shared database."""

    def __init__(self, folder: Path, url: str, name: str) -> None:
        self.name = name
        self.port = free_port()
        self._http = free_port()
        self._log = folder / f"{name}.log"
        self._environment = {**os.environ, "SALOON_DATABASE": url, "SALOON_STATION_DATA": str(folder / name)}
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pages(self) -> str:
        return f"http://127.0.0.1:{self._http}"

    def call(self, *arguments: str, text: str = "") -> str:
        """Another command of the program, to its end."""
        done = subprocess.run(
            [PROGRAM, *arguments],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            env=self._environment,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def begin(self) -> None:
        """Start; ``ready`` waits for it."""
        pages, terminals = f"127.0.0.1:{self._http}", f"127.0.0.1:{self.port}"
        where = ["--http", pages, "--tls-host", "127.0.0.1", "--tls-port", str(self.port)]
        command = [str(PROGRAM), "serve", *where, "--address", terminals, "--name", self.name]
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)

    def ready(self) -> None:
        """Wait until pages are served."""
        pages = Pages(self.pages)
        with contextlib.closing(pages):
            waited(lambda: self._is_running() and pages.is_up(), f"{self.name} does not serve")

    def kill(self, number: int = 0) -> None:
        """End it at once, or by another signal."""
        if self._running is not None:
            self._running.send_signal(number or signal.SIGKILL)
            self._running.wait(PATIENCE_S)
            self._running = None

    def pause(self) -> None:
        if self._running is not None:
            self._running.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        if self._running is not None:
            self._running.send_signal(signal.SIGCONT)

    @property
    def is_begun(self) -> bool:
        """Return whether it was started and has not ended since."""
        return self._running is not None and self._running.poll() is None

    def said(self) -> str:
        return self._log.read_text() if self._log.exists() else ""

    def visitor(self) -> Pages:
        return Pages(self.pages)

    def judge(self) -> JudgeAtWork:
        """A judge at its pages."""
        judge = JudgeAtWork(Pages(self.pages))
        judge.log_in("Roy", PASSWORD)
        return judge

    def _is_running(self) -> bool:
        assert self._running is not None
        assert self._running.poll() is None, self.said()
        return True


def _way(address: str) -> StationRoute:
    host, _, port = address.rpartition(":")
    return StationRoute(address, lambda: TcpPort(host, int(port)))


class Table:
    """A terminal's real journal and agent. best: the port of the station that it tries first, if any."""

    def __init__(self, folder: Path, toml: str, best: int = 0) -> None:
        provisioning = provisioning_of(toml, "file")
        key, certificate = own_identity(folder, "terminal")
        self.id = fingerprint_of_pem(certificate.read_text(), "own")
        self.stream = StreamId(f"table/{self.id}")
        self.addresses = tuple(
            sorted(provisioning.station.addresses, key=lambda one: not one.endswith(f":{best}"))
        )
        ways = tuple(_way(address) for address in self.addresses)
        credentials = Credentials(
            provisioning.station.certificate, key, certificate, provisioning.terminal.token
        )
        self.journal_file = folder / "journal.db"
        journal = Journal(self.journal_file, self.stream, orders_of(self.id), "board-1")
        uplink = Uplink(journal, orders_of(self.id), ways, credentials, lambda: None, chance=random.Random(1))
        self.agent = JournalAgent(journal, uplink)
        self.orders: list[Order] = []
        self.received = 0
        self.saved = 0
        self.way = ""
        self.said: list[str] = []
        self.bodies: list[bytes] = []

    def look(self) -> None:
        """Take in what the agent has to say."""
        for news in self.agent.news():
            match news:
                case OrderArrived(body=body):
                    self.orders.append(msgspec.msgpack.decode(body, type=Order))
                case Received(seq=seq):
                    self.received = max(seq, self.received)
                case Saved(seq=seq):
                    self.saved = seq
                case LinkChanged(phase=phase, detail=detail):
                    self.way = detail if phase is LinkPhase.CONNECTED else ""
                    self.said.append(detail)
                case _:
                    pass

    def writes(self, *bodies: bytes) -> int:
        """Hand entries over; the number of the last."""
        last = 0
        for body in bodies:
            last = self.agent.append(body)
            self.bodies.append(body)
        return last

    def waits(self, wanted: Callable[[], object], what: str) -> None:
        """Go on until something is there."""

        def _looked() -> bool:
            self.look()
            return bool(wanted())

        waited(_looked, f"{what}; the link: {self.said[-5:]}")

    def waits_for_order(self, kind: type[Order]) -> None:
        """Go on until an order of this kind is there."""
        self.waits(lambda: self.ordered(kind), f"no {kind.__name__}")

    def waits_until_received(self, seq: int) -> None:
        self.waits(lambda: self.received >= seq, f"entry {seq} was not received")

    def ordered(self, kind: type[T]) -> list[T]:
        return [order for order in self.orders if isinstance(order, kind)]


@contextlib.contextmanager
def stations(folder: Path, url: str, *names: str) -> Iterator[list[StationProgram]]:
    """Running stations on one database, with a judge Roy; all are ended with the block."""
    programs = [StationProgram(folder, url, name) for name in names]
    programs[0].call("judge", "add", "Roy", text=f"{PASSWORD}\n")
    try:
        for station in programs:
            station.begin()
        for station in programs:
            station.ready()
        yield programs
    finally:
        for station in programs:
            station.kill()
