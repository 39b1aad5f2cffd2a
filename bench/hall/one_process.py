"""A station's real store and hub, and terminals' real journals and agents, in one process."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, Self

from station.store.data_folder import DataFolder
from station.store.database import Database
from station.store.store import Store
from sync.enrolment.agreement import AskJudge, CodeTried
from sync.enrolment.station_side import StrangerRefused
from sync.ports.port import StreamPort
from sync.ports.tcp import TcpPort
from sync.protocol.entry import Entry, Quarantined, StreamId, TerminalId, orders_of
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause
from sync.station.hub import Hub
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import Received
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity

_PATIENCE_S = 120.0


class BenchStation:
    """A station with SQLite and a hub on a separate thread, which enrols any terminal.

    ``serial`` lists serial lines by name, in addition to TCP.
    """

    def __init__(self, directory: Path, serial: Sequence[tuple[str, Callable[[], StreamPort]]] = ()) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._serial = serial
        self.identity = own_identity(directory, "station")
        self._database = Database(DataFolder(directory).url)
        self._known: dict[TerminalId, str] = {}
        for file in directory.glob("*.terminal"):
            self._known[TerminalId(file.stem)] = file.read_text(encoding="ascii")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.port = 0

    def __enter__(self) -> Self:
        self._database.open()
        self.store = Store(self._database, lambda: int(time.time() * 1000))
        self._hub = Hub(self.store, self, self.identity, self)
        self._thread.start()
        work = self._hub.start("127.0.0.1", 0, self._serial)
        self.port = asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._hub.stop(), self._loop).result(_PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._database.close()

    def terminals(self) -> Sequence[TerminalId]:
        return tuple(self._known)

    def certificates(self) -> Sequence[str]:
        return tuple(self._known.values())

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        del token
        terminal = fingerprint_of_pem(certificate, "bench")
        self._known[terminal] = certificate
        (self._directory / f"{terminal}.terminal").write_text(certificate, encoding="ascii")
        return terminal

    def addresses(self) -> tuple[str, ...]:
        return ()

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        del tried
        raise StrangerRefused(f"no code is shown to {place}", CloseCause.NO_CODE)

    async def ask_judge(self, asked: AskJudge, place: str) -> None:
        del asked
        raise StrangerRefused(f"nobody looks at {place}", CloseCause.REFUSED)

    def entries_stored(self, entries: Sequence[Entry]) -> None: ...

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        raise AssertionError(quarantined)

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None: ...

    def on_message(self, terminal: TerminalId, *, owes: int) -> None: ...

    def bus_alarm(self, device: str, problem: str) -> None:
        raise AssertionError(device, problem)

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        raise AssertionError(terminal, problem)


class Reachable(Protocol):
    """The TCP port of a station in this or another process."""

    identity: tuple[Path, Path]
    port: int


class BenchTerminal:
    """A terminal's journal and agent, which uses a port instead of TCP if one is given."""

    def __init__(self, directory: Path, station: Reachable, port: StreamPort | None = None) -> None:
        key, certificate = own_identity(directory, "terminal")
        terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), "bench")
        journal = Journal(
            directory / "journal.db", StreamId(f"table/{terminal}"), orders_of(terminal), "bench"
        )
        source = RouteSource.FILE if port is None else RouteSource.CABLE
        way = StationRoute("bench", lambda: port or TcpPort("127.0.0.1", station.port), source)
        credentials = Credentials(station.identity[1].read_text(encoding="ascii"), key, certificate, "any")
        self._agent = JournalAgent(
            journal, Uplink(journal, orders_of(terminal), (way,), credentials, lambda: None)
        )
        self._agent.start()
        self._last = 0
        self._received = 0

    def append(self, body: bytes, times: int) -> None:
        for _ in range(times):
            self._last = self._agent.append(body)

    def wait_received(self) -> None:
        """Wait until the station has received all entries. Raises TimeoutError."""
        end = time.monotonic() + _PATIENCE_S
        while self._received < self._last:
            if time.monotonic() > end:
                raise TimeoutError(f"{self._received} of {self._last}")
            for news in self._agent.news():
                if isinstance(news, Received):
                    self._received = max(self._received, news.seq)
            time.sleep(0.0005)

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._agent.stop()
