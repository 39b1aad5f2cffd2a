"""A station in memory and terminals on disk, to test what passes between them."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from base.clock import Clock, SystemClock
from base.errors import Unavailable
from sync.enrolment.agreement import AskJudge, CodeTried, code_key, is_same, station_proof, terminal_proof
from sync.enrolment.provisioning import Provisioning
from sync.enrolment.station_side import StrangerRefused
from sync.ports.addresses import host_and_port
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.ports.serial import SerialPort
from sync.ports.tcp import TcpPort
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Entry,
    Epoch,
    Head,
    Quarantined,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
    content_of,
    orders_of,
)
from sync.protocol.journal import Journal
from sync.protocol.messages import CloseCause
from sync.station.bus import StationBus
from sync.station.hub import Hub, HubLimits
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import (
    AgentNews,
    EnrolmentChanged,
    EnrolmentStage,
    LinkChanged,
    LinkPhase,
    LinkReport,
    LinkReported,
    Received,
    Saved,
    TryJoinCode,
)
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.station_record import StationRecord
from sync.terminal.station_search import Dial, StationAnnouncements, TypedAndHeardRoutes
from sync.terminal.terminal_connector import CableAndNetwork, TerminalConnector
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity

PATIENCE_S = 10.0
CODE = "ABCDEFGHJK"
Cable = tuple[str, Callable[[], StreamPort]]
"""The name of a device, and how to open it."""
CleanUp = Callable[[Callable[[], None]], None]
R = TypeVar("R")
T = TypeVar("T", bound="Terminal")
BAUD = 921_600
"""A fast line, to keep tests short. The amount of noise depends only on the number of bits."""


def bodies(count: int, first: int = 0) -> list[bytes]:
    return [msgspec.msgpack.encode(("entry", first + i)) for i in range(count)]


def hashes_of(*raws: bytes) -> tuple[bytes, ...]:
    """Return the hashes of a stream's entries from the first on."""
    hashes = [GENESIS]
    for raw in raws:
        hashes.append(chained_hash(hashes[-1], raw))
    return tuple(hashes[1:])


class Start(Protocol):
    """Starts a terminal, and stops it at the end of the test."""

    def __call__(self, terminal: T) -> T: ...


class Running(Protocol):
    """Starts a station, and stops it at the end of the test."""

    def __call__(self, station: "Station", *, port: int = 0, serial: Sequence[Cable] = ()) -> "Station": ...


def serial(path: Path) -> StreamPort:
    return LinkPort(SerialPort(str(path), BAUD), SystemClock().monotonic_ms, baud=BAUD)


def dial(address: str, source: RouteSource) -> StationRoute:
    host, port = host_and_port(address, "test")
    return StationRoute(f"tcp {address}", lambda: TcpPort(host, port), source)


class MemoryStore:
    """A store in memory with the rules of a real one. The first ``refuses`` commits fail."""

    def __init__(self) -> None:
        self.rows: dict[tuple[StreamId, Epoch, int], Entry] = {}
        self.newest: dict[StreamId, Epoch] = {}
        self.refuses = 0
        self.checkpoints = 0
        self._lock = threading.Lock()

    def own_epoch(self) -> Epoch:
        return Epoch("5a10015a10015a10")

    def head(self, stream: StreamId) -> Head | None:
        epoch = self.newest.get(stream)
        if epoch is None:
            return None
        with self._lock:
            last = max(seq for s, e, seq in self.rows if (s, e) == (stream, epoch))
        return Head(stream, epoch, last, self.rows[stream, epoch, last].hash)

    def append_own(self, stream: StreamId, raws: Sequence[bytes]) -> tuple[Entry, ...]:
        head = self.head(stream) or Head(stream, self.own_epoch(), 0, GENESIS)
        digest, made = head.hash, []
        for i, raw in enumerate(raws, 1):
            digest = chained_hash(digest, raw)
            made.append(Entry(stream, self.own_epoch(), head.seq + i, raw, digest))
        self.insert_remote(made)
        return tuple(made)

    def checkpoint(self) -> None:
        self.checkpoints += 1

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        if self.refuses:
            self.refuses -= 1
            raise Unavailable("no space left")
        new, bad = [], []
        with self._lock:
            for entry in entries:
                there = self.rows.get((entry.stream, entry.epoch, entry.seq))
                if there is None:
                    self.rows[entry.stream, entry.epoch, entry.seq] = entry
                    self.newest[entry.stream] = entry.epoch
                    new.append(entry)
                elif there.raw != entry.raw:
                    bad.append(Quarantined(entry, "other bytes"))
        return tuple(new), tuple(bad)

    def entries(self, stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        epoch = self.newest.get(stream)
        with self._lock:
            rows = [e for k, e in self.rows.items() if k[:2] == (stream, epoch) and e.seq > after]
        return tuple(sorted(rows, key=lambda entry: entry.seq)[:count])

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        epoch = self.newest.get(stream)
        entry = self.rows.get((stream, epoch, seq)) if epoch is not None else None
        return GENESIS if seq == 0 else entry.hash if entry is not None else None


class Station:
    """A hub on its own thread. It continues with the store and the terminals of a ``former`` one."""

    def __init__(
        self, directory: Path, former: "Station | None" = None, *, limits: HubLimits | None = None
    ) -> None:
        self.store: MemoryStore = former.store if former is not None else MemoryStore()
        self.identity = own_identity(directory / "station", "station")
        self.tokens = {"welcome"}
        self.used: set[tuple[str, TerminalId]] = set()
        self.known: dict[TerminalId, str] = former.known if former is not None else {}
        self.alarms: list[tuple[TerminalId, str]] = []
        self.claims: list[tuple[TerminalId, int]] = []
        self.bus_alarms: list[tuple[str, str]] = []
        self.links: list[tuple[TerminalId, str | None]] = []
        self.quarantine: list[Quarantined] = []
        self.code = ""
        self.questions: list[tuple[str, str]] = []
        self._verdicts: dict[str, asyncio.Future[bool]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.hub = Hub(self.store, self, self.identity, self, limits=limits or HubLimits())
        self.port = 0

    def start(
        self,
        port: int = 0,
        serial: Sequence[Cable] = (),
        pairs: Sequence[Callable[[], StationBus]] = (),
    ) -> None:
        self._thread.start()
        self.port = self.call(self.hub.start("127.0.0.1", port, serial, pairs))

    def stop(self) -> None:
        self.call(self.hub.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def on_loop(self, work: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(work)

    def wait_for(self, wanted: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted():
            if time.monotonic() > end:
                raise TimeoutError(self.links, self.alarms)
            time.sleep(0.005)

    def raws(self, terminal: TerminalId) -> tuple[bytes, ...]:
        entries = self.store.entries(StreamId(f"table/{terminal}"), 0, 1_000_000)
        return tuple(bytes(content_of(entry.raw).body) for entry in entries)

    def call(self, work: Coroutine[object, object, R]) -> R:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def certificates(self) -> Sequence[str]:
        return tuple(self.known.values())

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def addresses(self) -> tuple[str, ...]:
        return (self.address,)

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        del place
        code, self.code = self.code, ""
        key = await asyncio.to_thread(code_key, code, tried.parties)
        if not code or not is_same(tried.proof, terminal_proof(key)):
            raise StrangerRefused("another code", CloseCause.WRONG_CODE if code else CloseCause.NO_CODE)
        self.known[fingerprint_of_pem(tried.certificate, "enrolment")] = tried.certificate
        return station_proof(key)

    async def ask_judge(self, question: AskJudge, place: str) -> None:
        """Wait for the verdict given by ``says``."""
        verdict = asyncio.get_running_loop().create_future()
        self.questions.append((place, question.check_code))
        self._verdicts[question.check_code] = verdict
        if not await verdict:
            raise StrangerRefused("the judge has refused", CloseCause.REFUSED)
        self.known[fingerprint_of_pem(question.certificate, "enrolment")] = question.certificate

    def says(self, check_code: str, *, welcome: bool) -> None:
        self.on_loop(lambda: self._verdicts[check_code].set_result(welcome))

    def revoke(self, terminal: TerminalId) -> None:
        del self.known[terminal]
        self.on_loop(lambda: self.hub.hang_up(terminal, "revoked"))

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        terminal = fingerprint_of_pem(certificate, "enrolment")
        if token not in self.tokens:
            return terminal if (token, terminal) in self.used else None
        self.tokens.discard(token)
        self.used.add((token, terminal))
        self.known[terminal] = certificate
        return terminal

    def entries_stored(self, entries: Sequence[Entry]) -> None: ...

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        self.quarantine.extend(quarantined)

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        self.links.append((terminal, wire))

    def on_message(self, terminal: TerminalId, *, owes: int) -> None:
        self.claims.append((terminal, owes))

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        self.alarms.append((terminal, problem))

    def bus_alarm(self, device: str, problem: str) -> None:
        self.bus_alarms.append((device, problem))

    def give_order(self, terminal: TerminalId, body: bytes) -> None:
        self.store.append_own(orders_of(terminal), [content_bytes(ClockReading(0, 0, 0, trusted=True), body)])
        self.call(self.hub.orders_appended(terminal))


class Terminal:
    """A terminal's journal and agent in a directory."""

    def __init__(
        self,
        directory: Path,
        station: Station,
        *,
        token: str = "welcome",
        ways: tuple[StationRoute, ...] | None = None,
        dial: Dial | None = None,
        hall: StationAnnouncements | None = None,
        clock: Clock | None = None,
    ) -> None:
        key, certificate = own_identity(directory, "terminal")
        self.id = fingerprint_of_pem(certificate.read_text(), "own")
        self.stream = StreamId(f"table/{self.id}")
        self.journal = Journal(directory / "journal.db", self.stream, orders_of(self.id), "board-1")
        credentials = Credentials(station.identity[1].read_text(), key, certificate, token)
        if ways is None:
            ways = (StationRoute("tcp", lambda: TcpPort("127.0.0.1", station.port)),)
        self.enrolled = 0
        network = None if dial is None else TypedAndHeardRoutes(dial, hall)
        self.uplink = Uplink(
            self.journal, orders_of(self.id), ways, credentials, self._enrolled, network=network
        )
        self.agent = JournalAgent(self.journal, self.uplink, clock=clock)
        self.seen: list[AgentNews] = []

    def _enrolled(self) -> None:
        self.enrolled += 1

    def wait_for(self, wanted: Callable[[AgentNews], bool]) -> AgentNews:
        """Return the first news, old or new, that is wanted. Raises TimeoutError."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.seen.extend(self.agent.news())
            for news in self.seen:
                if wanted(news):
                    return news
            time.sleep(0.005)
        raise TimeoutError(self.seen[-5:])

    def deliver(self, *bodies: bytes) -> None:
        """Append entries and wait until the station has received them."""
        self.wait_received([self.agent.append(body) for body in bodies][-1])

    def wait_received(self, seq: int) -> None:
        self.wait_for(lambda n: isinstance(n, Received) and n.seq >= seq)

    def wait_saved(self, seq: int) -> None:
        self.wait_for(lambda n: isinstance(n, Saved) and n.seq >= seq)

    def wait_phase(self, phase: LinkPhase) -> LinkChanged:
        change = self.wait_for(lambda news: isinstance(news, LinkChanged) and news.phase is phase)
        assert isinstance(change, LinkChanged)
        return change

    def wait_report(self, wanted: Callable[[LinkReport], bool]) -> LinkReport:
        reported = self.wait_for(lambda news: isinstance(news, LinkReported) and wanted(news.report))
        assert isinstance(reported, LinkReported)
        return reported.report


class Newcomer(Terminal):
    """A terminal that keeps its identity and memory when it is started again on the same directory.

    ``cables`` lists its devices by name.
    """

    def __init__(self, directory: Path, cables: tuple[tuple[str, StationRoute], ...] = ()) -> None:
        self.identity = own_identity(directory, "terminal")
        self.id = fingerprint_of_pem(self.identity[1].read_text(), "own")
        self.stream = StreamId(f"table/{self.id}")
        self.journal = Journal(directory / "journal.db", self.stream, orders_of(self.id), "board-1")
        self.belonging = StationRecord(directory)
        self._cables = cables
        roads = CableAndNetwork(cables, lambda address: dial(address, RouteSource.FILE))
        known = self.belonging.load()
        self.entrance = TerminalConnector(self.identity[1], self.belonging, roads, self._uplink_to, known)
        self.agent = JournalAgent(self.journal, self.entrance)
        self.seen: list[AgentNews] = []

    def wait_stage(self, stage: EnrolmentStage) -> EnrolmentChanged:
        change = self.wait_for(lambda news: isinstance(news, EnrolmentChanged) and news.stage is stage)
        assert isinstance(change, EnrolmentChanged)
        return change

    def enrol_at(self, station: Station) -> None:
        """Type the code that a station shows now."""
        station.code = CODE
        self.join(station.address)

    def join(self, address: str) -> None:
        """Type the code that the station shows. address: empty for the cable."""
        self.agent.ask(TryJoinCode(address, CODE))

    def _uplink_to(self, known: Provisioning) -> Uplink:
        credentials = Credentials(known.station.certificate, *self.identity, known.terminal.token)
        cables = tuple(way for device, way in self._cables if device == known.terminal.serial)
        ways = (*cables, *(dial(address, RouteSource.FILE) for address in known.station.addresses))
        return Uplink(self.journal, orders_of(self.id), ways, credentials, self.belonging.forget_token)
