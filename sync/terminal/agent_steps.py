"""The work of a terminal's agent in single steps: save entries, move bytes and send news to the app.

Nothing here waits or starts a thread: ``JournalAgent`` does both, and a simulation does neither. ``append``,
``ask``, ``pack`` and ``news`` may be called from another thread than the rest.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import assert_never

import structlog

from base.clock import Clock
from base.errors import BadData, OurFault, PeerFault, SaloonError, Unavailable
from base.signing import Sign
from sync.protocol.entry import ClockReading, TerminalId, content_bytes, content_of
from sync.protocol.journal import Journal
from sync.protocol.parcel import CarriedEntries, CarriedSheet, Content, seal_parcel
from sync.protocol.session import Outbox
from sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    JournalFailed,
    Packed,
    PackEntries,
    Packing,
    PackSheet,
    Resumed,
    Saved,
    UplinkContract,
)

_MOST_BYTES = 3 * 1024 * 1024
"""The most bytes of entries in one parcel, which a station accepts even if they can't be compressed."""
_AT_A_TIME = 256


class Packer:
    """Seals parcels with a terminal's key."""

    def __init__(self, terminal: TerminalId, sign: Sign) -> None:
        self._terminal = terminal
        self._sign = sign

    def pack(self, journal: Outbox, wanted: Packing) -> Packed:
        """Return the requested parcel, or the reason why it can't be made."""
        try:
            content = _content(journal, wanted)
            parcel = seal_parcel(self._terminal, content, self._sign)
        except SaloonError as error:
            return Packed(wanted, problem=str(error))
        if isinstance(content, CarriedEntries):
            return Packed(wanted, parcel, content.first, content.last)
        return Packed(wanted, parcel)


def _content(journal: Outbox, wanted: Packing) -> Content:
    match wanted:
        case PackSheet():
            head = journal.head()
            return CarriedSheet(head.epoch, head.seq, head.hash, wanted.game, wanted.confirmed, wanted.result)
        case PackEntries():
            return _entries(journal, wanted.first)
        case _:
            assert_never(wanted)


def _entries(journal: Outbox, first: int) -> CarriedEntries:
    raws: list[bytes] = []
    size, head = 0, journal.head()
    while first + len(raws) <= head.seq and size < _MOST_BYTES:
        entries = journal.after(first - 1 + len(raws), _AT_A_TIME)
        if not entries:
            break
        for raw in entries:
            if raws and size + len(raw) > _MOST_BYTES:
                size = _MOST_BYTES
                break
            raws.append(raw)
            size += len(raw)
    before, after = journal.hash_at(first - 1), journal.hash_at(first - 1 + len(raws))
    if not raws or before is None or after is None:
        raise OurFault(f"no entries from {first} on; the journal ends at {head.seq}")
    return CarriedEntries(head.epoch, first, before, after, tuple(raws))


_log = structlog.get_logger()
_RETRY_JOURNAL_S = 1.0
_LONGEST_SLEEP_S = 5.0
_REQUESTS = 16
"""The most requests that may wait, which is far more than a person can make."""


class AgentSteps:
    """A terminal's journal and uplink; see ``JournalAgent``.

    on_news: called on any thread when there is news.
    on_work: called on any thread when there is work for ``step``.
    """

    def __init__(
        self,
        journal: Journal,
        uplink: UplinkContract | None,
        clock: Clock,
        *,
        trusted_clock: Callable[[], bool],
        on_news: Callable[[], None],
        on_work: Callable[[], None] = lambda: None,
        packer: Packer | None = None,
    ) -> None:
        self._journal = journal
        self._uplink = uplink
        self._clock = clock
        self._trusted_clock = trusted_clock
        self._on_news = on_news
        self._on_work = on_work
        self._packer = packer
        self._lock = threading.Lock()
        self._waiting: deque[bytes] = deque()
        self._to_pack: deque[Packing] = deque()
        self._requests: deque[AgentRequest] = deque(maxlen=_REQUESTS)
        self._news: deque[AgentNews] = deque()
        self._next_seq = 1
        self._orders = 0
        self._journal_down = False

    def begin(self) -> Resumed:
        """Open the journal. Raises BadData if it is damaged, or Unavailable."""
        self._journal.open()
        own = tuple(bytes(content_of(raw).body) for raw in self._journal.own())
        orders = tuple(bytes(content_of(raw).body) for raw in self._journal.orders())
        self._next_seq = len(own) + 1
        self._orders = len(orders)
        if self._uplink is not None:
            self._uplink.resume(self._orders)
        return Resumed(own, orders, self._journal.last_acknowledged())

    def use_uplink(self, uplink: UplinkContract) -> None:
        uplink.resume(self._orders)
        self._uplink = uplink

    def append(self, body: bytes) -> int:
        """Hand over the body of the next entry and return its number. Raises OurFault if it is too long."""
        clock = self._clock
        boot = self._journal.facts.boot
        reading = ClockReading(boot, clock.monotonic_ms(), clock.wall_ms(), self._trusted_clock())
        raw = content_bytes(reading, body)
        with self._lock:
            self._waiting.append(raw)
            seq = self._next_seq
            self._next_seq += 1
        self._on_work()
        return seq

    def news(self) -> tuple[AgentNews, ...]:
        """Return the news since the last call, oldest first."""
        with self._lock:
            batch = tuple(self._news)
            self._news.clear()
        return batch

    def pack(self, wanted: Packing) -> None:
        """Implement ``Agent.pack``."""
        with self._lock:
            self._to_pack.append(wanted)
        self._on_work()

    def ask(self, request: AgentRequest) -> None:
        """Implement ``Agent.ask``."""
        with self._lock:
            self._requests.append(request)
        self._on_work()

    def step(self) -> None:
        """Save waiting entries, make requested parcels, and let the uplink move bytes."""
        self.save()
        self._pack()
        self._tell(*self._carry_out_requests(), *self._turn_uplink())

    def sleep_s(self) -> float:
        """Return the longest time to sleep if neither the app nor the wire has something to do."""
        longest = _RETRY_JOURNAL_S if self._journal_down else _LONGEST_SLEEP_S
        if self._uplink is None:
            return longest
        return max(0.0, min(longest, self._uplink.seconds_to_deadline(self._clock.monotonic_ms())))

    def wire(self) -> tuple[int, bool]:
        """Return the descriptor to wait on (-1 for none), and whether to wait for writability too."""
        if self._uplink is None:
            return -1, False
        return self._uplink.fileno(), self._uplink.wants_write()

    def end(self) -> None:
        """Save and close everything."""
        self.save()
        if self._uplink is not None:
            self._uplink.close()
        self._journal.close()

    def save(self) -> None:
        """Commit waiting entries. If that fails, they stay in memory and are tried again."""
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
            # On any error, even a bug of ours, waiting entries stay in memory and are tried again.
            self._journal_failed(error)
            return
        self._journal_down = False
        with self._lock:
            for _ in raws:
                self._waiting.popleft()
        self._tell(Saved(seq))
        if self._uplink is not None:
            self._uplink.on_appended()

    def _tell(self, *news: AgentNews) -> None:
        if not news:
            return
        with self._lock:
            self._news.extend(news)
        self._on_news()

    def _pack(self) -> None:
        with self._lock:
            parcels = tuple(self._to_pack)
            self._to_pack.clear()
        for wanted in parcels:
            packed = Packed(wanted, problem="no key or no journal")
            if self._packer is not None and self._journal.is_open:
                try:
                    packed = self._packer.pack(self._journal, wanted)
                except Exception as error:  # noqa: BLE001
                    # A bug in the packer must not stop the thread that saves entries.
                    _log.exception("internal error")
                    packed = Packed(wanted, problem=str(error))
            self._tell(packed)

    def _journal_failed(self, error: Exception) -> None:
        if self._journal_down:
            return
        if not isinstance(error, SaloonError):
            _log.error("internal error", exc_info=error)
        _log.error("journal cannot be written", problem=str(error))
        self._tell(JournalFailed(str(error)))
        self._journal_down = True

    def _still_unsaved(self, raws: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Return the entries missing from the reopened journal, as a failed commit may have reached the disk.

        Raises BadData if the journal has lost saved entries, whose numbers others would get.
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

    def _carry_out_requests(self) -> tuple[AgentNews, ...]:
        uplink = self._uplink
        if uplink is None:
            return ()
        with self._lock:
            requests = tuple(self._requests)
            self._requests.clear()
        news: list[AgentNews] = []
        for request in requests:
            try:
                news += uplink.handle_request(request, self._clock.monotonic_ms())
            except SaloonError as error:
                _log.warning("a request could not be stored", problem=str(error))
        return tuple(news)

    def _turn_uplink(self) -> tuple[AgentNews, ...]:
        if self._uplink is None:
            return ()
        now_ms = self._clock.monotonic_ms()
        try:
            return self._uplink.step(now_ms)
        except (PeerFault, Unavailable, BadData) as error:
            return self._uplink.on_failed(error, now_ms)
        except Exception as error:  # noqa: BLE001
            # A bug in the uplink must not stop the thread that saves entries.
            _log.exception("internal error")
            return self._uplink.on_failed(OurFault(str(error)), now_ms)
