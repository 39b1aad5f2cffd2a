"""The station's end of a table, in the test's hand: gives orders, takes entries in, may be away."""

from saloon.base.errors import SaloonError
from saloon.sync.protocol.entry import GENESIS, ClockReading, Epoch, chained_hash, content_bytes
from saloon.sync.protocol.journal import Journal
from saloon.sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    LinkChanged,
    LinkPhase,
    LinkReport,
    OrderArrived,
    Received,
)

_EPOCH = Epoch("5a10015a10015a10")


class StationInHand:
    """What the station holds of one terminal; outlives the terminal's restarts.

    is_away: the cable is cut: orders wait, nothing is received.
    """

    def __init__(self) -> None:
        self.is_away = False
        self.given: list[bytes] = []

    def give(self, body: bytes) -> None:
        """The next order, as MessagePack."""
        self.given.append(body)


class HandCarrier:
    """Carries between a journal and a station in hand, without a wire; see ``UplinkContract``.

    Orders go into the journal before the app hears of them, as those from a wire do.
    """

    def __init__(self, station: StationInHand, journal: Journal) -> None:
        self._station = station
        self._journal = journal
        self._carried = 0
        self._phase = LinkPhase.SEARCHING

    @property
    def received(self) -> int:
        """The last own entry known to be at the station."""
        return self._journal.last_acknowledged()

    @property
    def report(self) -> LinkReport:
        """How the terminal is connected."""
        return LinkReport(self._phase, way="a test's hand")

    def fileno(self) -> int:
        """Nothing to wait on."""
        return -1

    def wants_write(self) -> bool:
        """Never."""
        return False

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Nothing is due by itself."""
        del now_ms
        return 3600.0

    def resume(self, orders: int) -> None:
        """The journal is open, with so many orders."""
        self._carried = orders

    def on_appended(self) -> None:
        """``turn`` looks by itself."""

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """No other way to a station can be had here."""
        del request, now_ms
        return ()

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Orders down, entries up."""
        phase = LinkPhase.SEARCHING if self._station.is_away else LinkPhase.CONNECTED
        news: list[AgentNews] = []
        if phase is not self._phase:
            self._phase = phase
            news.append(LinkChanged(phase))
        if self._station.is_away or not self._journal.is_open:
            return tuple(news)
        while self._carried < len(self._station.given):
            news.append(self._arrived(self._station.given[self._carried], now_ms))
        head = self._journal.head().seq
        if head > self._journal.last_acknowledged():
            self._journal.note_received(head)
            news.append(Received(head))
        return tuple(news)

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Nothing on this way can fail but by a fault of ours."""
        del now_ms
        raise error

    def close(self) -> None:
        """There is no wire."""

    def _arrived(self, body: bytes, now_ms: int) -> OrderArrived:
        raw = content_bytes(ClockReading(1, now_ms, 0, trusted=True), body)
        before = self._journal.orders_head()
        digest = chained_hash(before.hash if before is not None else GENESIS, raw)
        self._carried += 1
        self._journal.keep_orders(_EPOCH, self._carried, (raw,), (digest,))
        return OrderArrived(self._carried, body)
