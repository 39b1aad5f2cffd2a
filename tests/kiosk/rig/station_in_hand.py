"""The station's end of a table, controlled by the test, and the agent between them, without a thread."""

from base.clock import Clock
from base.errors import SaloonError
from kiosk.terminal.loop import Waker
from sync.protocol.entry import GENESIS, ClockReading, Epoch, chained_hash, content_bytes
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    LinkChanged,
    LinkPhase,
    LinkReport,
    OrderArrived,
    Packing,
    Received,
    Resumed,
    UplinkContract,
)
from sync.terminal.agent_steps import AgentSteps, Packer

_EPOCH = Epoch("5a10015a10015a10")


class StationInHand:
    """The station's data about one terminal, which outlives the terminal's restarts.

    is_away: the connection is cut: orders wait, and no entries are received.
    """

    def __init__(self) -> None:
        self.is_away = False
        self.bodies: list[bytes] = []

    def give(self, body: bytes) -> None:
        """Add an order, encoded as MessagePack."""
        self.bodies.append(body)


class HandCarrier:
    """An ``UplinkContract`` between a journal and a station in hand, without a wire.

    As with a real connection, orders are saved in the journal before the app gets them.
    """

    def __init__(self, station: StationInHand, journal: Journal) -> None:
        self._station = station
        self._journal = journal
        self._carried = 0
        self._phase = LinkPhase.SEARCHING

    @property
    def received(self) -> int:
        return self._journal.last_acknowledged()

    @property
    def report(self) -> LinkReport:
        return LinkReport(self._phase, way="a test's hand")

    def fileno(self) -> int:
        return -1

    def wants_write(self) -> bool:
        return False

    def seconds_to_deadline(self, now_ms: int) -> float:
        del now_ms
        return 3600.0

    def resume(self, orders: int) -> None:
        self._carried = orders

    def on_appended(self) -> None:
        """Do nothing, as ``step`` looks for new entries."""

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Ignore the request, as there is no other connection."""
        del request, now_ms
        return ()

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        phase = LinkPhase.SEARCHING if self._station.is_away else LinkPhase.CONNECTED
        news: list[AgentNews] = []
        if phase is not self._phase:
            self._phase = phase
            news.append(LinkChanged(phase))
        if self._station.is_away or not self._journal.is_open:
            return tuple(news)
        while self._carried < len(self._station.bodies):
            news.append(self._arrived(self._station.bodies[self._carried], now_ms))
        head = self._journal.head().seq
        if head > self._journal.last_acknowledged():
            self._journal.note_received(head)
            news.append(Received(head))
        return tuple(news)

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Raise the error, as only a bug can cause one here."""
        del now_ms
        raise error

    def close(self) -> None: ...

    def _arrived(self, body: bytes, now_ms: int) -> OrderArrived:
        raw = content_bytes(ClockReading(1, now_ms, 0, trusted=True), body)
        before = self._journal.orders_head()
        digest = chained_hash(before.hash if before is not None else GENESIS, raw)
        self._carried += 1
        self._journal.keep_orders(_EPOCH, self._carried, (raw,), (digest,))
        return OrderArrived(self._carried, body)


class InlineAgent:
    """An implementation of ``Agent`` without a thread.

    saves: False for a slow card, on which entries wait in memory.
    """

    def __init__(self, journal: Journal, carrier: UplinkContract, clock: Clock, packer: Packer) -> None:
        self.saves = True
        self._waker = Waker()
        self._journal = journal
        self._carrier = carrier
        self._steps = AgentSteps(
            journal, carrier, clock, trusted_clock=lambda: False, on_news=self._waker.wake, packer=packer
        )

    def start(self) -> Resumed:
        return self._steps.begin()

    def append(self, body: bytes) -> int:
        return self._steps.append(body)

    def ask(self, request: AgentRequest) -> None:
        self._steps.ask(request)

    def fileno(self) -> int:
        return self._waker.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        self._waker.clear()
        if self.saves:
            self._steps.step()
        return self._steps.news()

    def pack(self, wanted: Packing) -> None:
        self._steps.pack(wanted)

    def stop(self) -> None:
        self._steps.end()
        self._waker.close()

    def lose_power(self) -> None:
        self._carrier.close()
        self._journal.close()
        self._waker.close()
