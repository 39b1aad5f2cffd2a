"""A station's end in memory and a terminal's end on disk, for tests of what goes between."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TypeVar

from saloon.sync.agent import JournalAgent
from saloon.sync.agent_contract import AgentNews, Received, Saved
from saloon.sync.entry import GENESIS, Entry, Epoch, Head, StreamId, TerminalId, chained_hash
from saloon.sync.hub import Hub
from saloon.sync.journal import Journal
from saloon.sync.line import orders_of
from saloon.sync.ports.stream_port import PlainStream
from saloon.sync.ports.tcp import TcpPort
from saloon.sync.store import Quarantined
from saloon.sync.trust import fingerprint_of_pem, own_identity
from saloon.sync.uplink import Credentials, Uplink, Way

PATIENCE_S = 10.0
T = TypeVar("T")


class MemoryStore:
    """A store that keeps the rules of a real one, in memory."""

    def __init__(self) -> None:
        self.rows: dict[tuple[StreamId, Epoch, int], Entry] = {}
        self.newest: dict[StreamId, Epoch] = {}
        self._lock = threading.Lock()

    def own_epoch(self) -> Epoch:
        return Epoch("5a10015a10015a10")

    def head(self, stream: StreamId) -> Head | None:
        epoch = self.newest.get(stream)
        if epoch is None:
            return None
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

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
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
        rows = sorted((k[2], e) for k, e in self.rows.items() if k[0] == stream and k[1] == epoch)
        return tuple(entry for seq, entry in rows if seq > after)[:count]

    def hash_at(self, stream: StreamId, seq: int) -> bytes | None:
        epoch = self.newest.get(stream)
        found = self.rows.get((stream, epoch, seq)) if epoch is not None else None
        return GENESIS if seq == 0 else found.hash if found is not None else None


class Station:
    """A hub on a loop of its own thread."""

    def __init__(self, directory: Path, store: MemoryStore | None = None) -> None:
        self.store = store or MemoryStore()
        self.identity = own_identity(directory / "station", "station")
        self.tokens = {"welcome"}
        self.known: dict[TerminalId, str] = {}
        self.alarms: list[str] = []
        self.links: list[tuple[TerminalId, str | None]] = []
        self.quarantine: list[Quarantined] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.hub = Hub(self.store, self, self.identity, self)
        self.port = 0

    def start(self, port: int = 0, serial: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        self._thread.start()
        self.port = self.call(self.hub.start("127.0.0.1", port, serial))  # type: ignore[arg-type]

    def stop(self) -> None:
        self.call(self.hub.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def certificates(self) -> Sequence[str]:
        return tuple(self.known.values())

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        if token not in self.tokens:
            return None
        self.tokens.discard(token)
        terminal = fingerprint_of_pem(certificate, "enrolment")
        self.known[terminal] = certificate
        return terminal

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        pass

    def quarantined(self, quarantined: Sequence[Quarantined]) -> None:
        self.quarantine.extend(quarantined)

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        self.links.append((terminal, wire))

    def heard(self, terminal: TerminalId, *, owes: int) -> None:
        pass

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        self.alarms.append(problem)

    def give_order(self, terminal: TerminalId, raw: bytes) -> None:
        self.store.append_own(orders_of(terminal), [raw])
        self.call(self.hub.orders_appended(terminal))


class Terminal:
    """A terminal's journal and agent in a directory."""

    def __init__(
        self,
        directory: Path,
        station: Station,
        *,
        token: str = "welcome",
        ways: tuple[Way, ...] | None = None,
    ) -> None:
        key, certificate = own_identity(directory, "terminal")
        self.id = fingerprint_of_pem(certificate.read_text(), "own")
        self.stream = StreamId(f"table/{self.id}")
        self.journal = Journal(directory / "journal.db", self.stream, orders_of(self.id), "board-1")
        credentials = Credentials(station.identity[1].read_text(), key, certificate, token)
        if ways is None:
            ways = (Way("tcp", lambda: PlainStream(TcpPort("127.0.0.1", station.port))),)
        self.enrolled = 0
        uplink = Uplink(self.journal, orders_of(self.id), ways, credentials, self._enrolled)
        self.agent = JournalAgent(self.journal, uplink)
        self.seen: list[AgentNews] = []

    def _enrolled(self) -> None:
        self.enrolled += 1

    def wait_for(self, wanted: Callable[[AgentNews], bool]) -> AgentNews:
        """The first news, old or new, that is wanted."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.seen.extend(self.agent.news())
            for news in self.seen:
                if wanted(news):
                    return news
            time.sleep(0.005)
        raise TimeoutError(self.seen[-5:])

    def wait_received(self, seq: int) -> None:
        self.wait_for(lambda n: isinstance(n, Received) and n.seq >= seq)

    def wait_saved(self, seq: int) -> None:
        self.wait_for(lambda n: isinstance(n, Saved) and n.seq >= seq)
