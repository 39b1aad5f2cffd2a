"""A terminal's journal and uplink, on one thread that owns both.

The app hands over bodies and never waits. The thread commits what has gathered, tries the ways
to the station one after the other (the cable first), and tells the app by news.
"""

import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable

import structlog

from saloon.core.errors import BadData, OurFault, PeerFault, SaloonError, Unavailable
from saloon.sync.agent_contract import (
    AgentNews,
    JournalFailed,
    Packed,
    Packing,
    Resumed,
    Saved,
)
from saloon.sync.clock import Clock, SystemClock
from saloon.sync.entry import ClockReading, content_bytes, content_of
from saloon.sync.journal import Journal
from saloon.sync.packing import Packer
from saloon.sync.uplink import Uplink

_log = structlog.get_logger()
_RETRY_JOURNAL_S = 1.0
_LONGEST_SLEEP_S = 5.0


class JournalAgent:
    """The agent of one terminal; see ``agent_contract.Agent``.

    uplink: makes and keeps connections; None for a terminal without a station. trusted_clock:
    whether the wall clock is believed, asked at each entry. packer: seals parcels; None for no key.
    """

    def __init__(
        self,
        journal: Journal,
        uplink: Uplink | None,
        *,
        trusted_clock: Callable[[], bool] = lambda: False,
        clock: Clock | None = None,
        packer: Packer | None = None,
    ) -> None:
        self._journal = journal
        self._packer = packer
        self._uplink = uplink
        self._trusted_clock = trusted_clock
        self._clock: Clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._waiting: deque[bytes] = deque()
        self._to_pack: deque[Packing] = deque()
        self._news: deque[AgentNews] = deque()
        self._next_seq = 1
        self._stopping = False
        self._journal_down = False
        self._ours, self._theirs = socket.socketpair()
        self._wake_read, self._wake_write = socket.socketpair()
        for end in (self._ours, self._theirs, self._wake_read, self._wake_write):
            end.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="journal-and-uplink", daemon=True)

    def start(self) -> Resumed:
        """Open the journal and start the thread. Raises BadData or Unavailable for a bad journal."""
        self._journal.open()
        own = tuple(bytes(content_of(raw).body) for raw in self._journal.own())
        orders = tuple(bytes(content_of(raw).body) for raw in self._journal.orders())
        self._next_seq = len(own) + 1
        if self._uplink is not None:
            self._uplink.resume(len(orders))
        self._thread.start()
        return Resumed(own, orders, self._journal.received())

    def append(self, body: bytes) -> int:
        """Hand over the next body; its sequence number. Raises OurFault for one too long to be sent."""
        clock = self._clock
        boot = self._journal.facts.boot
        reading = ClockReading(boot, clock.monotonic_ms(), clock.wall_ms(), self._trusted_clock())
        raw = content_bytes(reading, body)
        with self._lock:
            self._waiting.append(raw)
            seq = self._next_seq
            self._next_seq += 1
        _poke(self._wake_write)
        return seq

    def fileno(self) -> int:
        """Readable when there is news."""
        return self._ours.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """What happened since the last call."""
        _drain(self._ours)
        with self._lock:
            found = tuple(self._news)
            self._news.clear()
        return found

    def pack(self, wanted: Packing) -> None:
        """Make a parcel of what is durable; ``Packed`` follows."""
        with self._lock:
            self._to_pack.append(wanted)
        _poke(self._wake_write)

    def stop(self) -> None:
        """Save, close, end the thread."""
        self._stopping = True
        _poke(self._wake_write)
        if self._thread.is_alive():
            self._thread.join()
        for end in (self._ours, self._theirs, self._wake_read, self._wake_write):
            end.close()

    def _tell(self, *news: AgentNews) -> None:
        if not news:
            return
        with self._lock:
            self._news.extend(news)
        _poke(self._theirs)

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not self._stopping:
                self._save()
                self._pack()
                self._tell(*self._turn_uplink())
                self._sleep(selector)
            self._save()
            if self._uplink is not None:
                self._uplink.close()
            self._journal.close()

    def _sleep(self, selector: selectors.BaseSelector) -> None:
        timeout = _RETRY_JOURNAL_S if self._journal_down else _LONGEST_SLEEP_S
        wire = -1
        if self._uplink is not None:
            timeout = min(timeout, self._uplink.seconds_to_deadline(self._clock.monotonic_ms()))
            wire = self._uplink.fileno()
        if wire >= 0 and self._uplink is not None:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._uplink.wants_write() else 0)
            selector.register(wire, events)
        try:
            selector.select(max(0.0, timeout))
        finally:
            if wire >= 0:
                selector.unregister(wire)
        _drain(self._wake_read)

    def _save(self) -> None:
        with self._lock:
            raws = tuple(self._waiting)
        is_shut = self._journal_down or not self._journal.is_open
        if not (raws or is_shut):
            return
        try:
            if is_shut:
                self._journal.close()
                self._journal.open()
                raws = self._still_unsaved(raws)
            seq = self._journal.append(raws)
        except Exception as error:  # noqa: BLE001
            # Whatever it is, also a bug of ours: what waits stays in memory and is tried again.
            self._journal_failed(error)
            return
        self._journal_down = False
        with self._lock:
            for _ in raws:
                self._waiting.popleft()
        self._tell(Saved(seq))
        if self._uplink is not None:
            self._uplink.appended()

    def _pack(self) -> None:
        with self._lock:
            asked = tuple(self._to_pack)
            self._to_pack.clear()
        for wanted in asked:
            self._tell(self._packed(wanted))

    def _packed(self, wanted: Packing) -> Packed:
        if self._packer is None or not self._journal.is_open:
            return Packed(wanted, problem="no key or no journal")
        try:
            return self._packer.packed(self._journal, wanted)
        except Exception as error:  # noqa: BLE001
            # A bug of the packer's must not end the thread that saves.
            _log.exception("an error of ours")
            return Packed(wanted, problem=str(error))

    def _journal_failed(self, error: Exception) -> None:
        if self._journal_down:
            return
        if not isinstance(error, SaloonError):
            _log.error("an error of ours", exc_info=error)
        _log.error("journal cannot be written", problem=str(error))
        self._tell(JournalFailed(str(error)))
        self._journal_down = True

    def _still_unsaved(self, raws: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """What the reopened journal has not: a commit that was reported as failed may be on the disk.

        Raises BadData when it has lost entries that it had saved: others would get their numbers.
        """
        with self._lock:
            saved = self._next_seq - 1 - len(self._waiting)
            stored = self._journal.head().seq - saved
            if stored < 0:
                raise BadData(
                    "journal",
                    f"the card has lost entries {saved + stored + 1} to {saved} after saving them; "
                    "swap it and call the judge",
                )
            for _ in range(stored):
                self._waiting.popleft()
        return raws[stored:]

    def _turn_uplink(self) -> tuple[AgentNews, ...]:
        if self._uplink is None:
            return ()
        now_ms = self._clock.monotonic_ms()
        try:
            return self._uplink.turn(now_ms)
        except (PeerFault, Unavailable, BadData) as error:
            return self._uplink.failed(error, now_ms)
        except Exception as error:  # noqa: BLE001
            # A bug of the uplink's must not end the thread that saves.
            _log.exception("an error of ours")
            return self._uplink.failed(OurFault(str(error)), now_ms)


def _poke(end: socket.socket) -> None:
    try:
        end.send(b"!")
    except (BlockingIOError, OSError):
        return


def _drain(end: socket.socket) -> None:
    try:
        while end.recv(4096):
            pass
    except (BlockingIOError, OSError):
        return
