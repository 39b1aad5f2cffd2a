"""Stand-ins for what a terminal is connected to, without files: station, journal, and clock's store."""

from collections.abc import Callable

import msgspec

from core.game.orders import Order, SeatGame
from core.game.setup import SeatTable
from core.game.state.game import SeatedPlayer
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.round_clock import ClockFile, SavedClock
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import Intent
from sync.terminal.agent_contract import Agent, AgentNews, AgentRequest, OrderArrived, Packing, Resumed

wired = msgspec.msgpack.encode
NOTHING_HELD = Resumed((), (), 0)


def mock_panel(clock_ms: Callable[[], int] = lambda: 0) -> PinPanel:
    return PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), clock_ms)


def terminal_of(
    agent: Agent,
    panel: PinPanel,
    held: Resumed = NOTHING_HELD,
    *,
    board: BoardServices | None = None,
    wake: Callable[[], None] = lambda: None,
    enrolling: EnrolmentProgress | None = None,
) -> Terminal:
    """Return an English terminal that has resumed what its journal holds."""
    terminal = Terminal(
        agent, panel, choices=Choices("en"), enrolling=enrolling or EnrolmentProgress(), wake=wake,
        board=board or BoardServices(),
    )  # fmt: skip
    terminal.resume(held)
    return terminal


def seat_order(game: str = "g1") -> SeatGame:
    """Return the order to seat a table of five."""
    seats = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in range(1, 6))
    table = SeatTable(
        GameId(game), TournamentId("t"), "Open", RuleSet("championship-2022"), RoundNo(1), TableNo(3), seats
    )
    return SeatGame(table, 90)


class App:
    """A terminal on mock pins, whose clock and orders are controlled by the test."""

    terminal: Terminal

    def __init__(self) -> None:
        self.now_ms = 1_000
        self.panel = mock_panel(lambda: self.now_ms)
        self.orders: list[bytes] = []

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.orders.append(wired(order))
            self.terminal.on_news((OrderArrived(len(self.orders), self.orders[-1]),))

    def asks(self, *intents: Intent) -> None:
        self.terminal.carry_out(intents, self.now_ms)

    @property
    def notice(self) -> str:
        return self.terminal.view(self.now_ms).notice

    def close(self) -> None:
        self.terminal.close()
        self.panel.close()


class Drawer(ClockFile):
    """A store that outlives a terminal. Change ``boot`` to simulate another boot of the board."""

    def __init__(self) -> None:
        super().__init__(None, "boot 1")
        self.saved: SavedClock | None = None

    def read(self) -> SavedClock | None:
        return self.saved

    def keep(self, state: SavedClock | None) -> None:
        self.saved = state


class Paper:
    """A journal that keeps its entries and reports nothing."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.requests: list[AgentRequest] = []

    def start(self) -> Resumed:
        return NOTHING_HELD

    def append(self, body: bytes) -> int:
        self.bodies.append(body)
        return len(self.bodies)

    def ask(self, request: AgentRequest) -> None:
        self.requests.append(request)

    def fileno(self) -> int:
        return -1

    def news(self) -> tuple[AgentNews, ...]:
        return ()

    def pack(self, wanted: Packing) -> None:
        """Ignore the request, as no test here needs parcels."""

    def stop(self) -> None:
        pass
