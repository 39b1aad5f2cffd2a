"""A damaged journal: the terminal starts, shows a notice, and continues the game."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.game.judge.calls import CallJudge
from core.game.setup.seating import CheckIn
from core.game.state.game import Phase
from core.terminal.orders import AssignTable, Order, SeatGame
from core.terms import SeatNo, TableNo
from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices, Preferences
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import AskGame, ChangePreferences, DismissNotice
from kiosk.view.table_view import TableView
from sync.terminal.agent_contract import AgentNews, AgentRequest, JournalFailed, Packing, Resumed, Saved

Seat = Callable[..., SeatGame]
Wired = Callable[[Order], bytes]
NOT_UTF8 = b"\x81\xa4body\xa4\xff\xfe\xfd\xfc"


class Paper:
    """A journal that keeps its entries and reports nothing."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def start(self) -> Resumed:
        return Resumed((), (), 0)

    def append(self, body: bytes) -> int:
        self.bodies.append(body)
        return len(self.bodies)

    def ask(self, request: AgentRequest) -> None:
        """Ignore the request, as there is no station."""

    def fileno(self) -> int:
        return -1

    def news(self) -> tuple[AgentNews, ...]:
        return ()

    def pack(self, wanted: Packing) -> None:
        """Ignore the request, as no test here needs parcels."""

    def stop(self) -> None:
        pass


@pytest.fixture
def played(seat: Seat, wired: Wired) -> tuple[list[bytes], list[bytes]]:
    keeper = GameKeeper()
    orders = [wired(AssignTable(TableNo(3), "hash")), wired(seat())]
    own = [body for number, order in enumerate(orders, 1) for body in keeper.carry_out(number, order)]
    own += [keeper.ask(CheckIn(SeatNo(n))) for n in (1, 2, 3)]
    return own, orders


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: 0)
    made = Terminal(Paper(), panel, choices=Choices("en"), enrolling=EnrolmentProgress(), wake=lambda: None)
    yield made
    made.close()
    panel.close()


def view_of(terminal: Terminal) -> TableView:
    return terminal.view(0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_no_damage_whatever_keeps_a_terminal_from_starting(
    played: tuple[list[bytes], list[bytes]], data: st.DataObject
) -> None:
    own, orders = list(played[0]), list(played[1])
    for bodies in (own, orders):
        at = data.draw(st.integers(0, len(bodies) - 1))
        junk = st.binary(max_size=40)
        body = bodies[at]
        cut = data.draw(st.integers(0, len(body)))
        bodies[at] = body[:cut] + data.draw(junk) + body[cut + data.draw(st.integers(0, 3)) :]
    keeper = GameKeeper()
    keeper.resume(tuple(own), tuple(orders))
    assert keeper.orders_done >= len(orders)


@pytest.mark.parametrize(
    "body", [b"", b"\xc1", NOT_UTF8, b"\x91" * 100_000, msgspec.msgpack.encode({"body": 1})]
)
def test_an_order_that_is_none_is_left_and_the_next_is_carried_out(
    body: bytes, seat: Seat, wired: Wired
) -> None:
    keeper = GameKeeper()
    assert keeper.carry_out(1, body) == ()
    assert len(keeper.carry_out(2, wired(seat()))) == 1


def test_a_table_is_told_that_its_journal_is_damaged(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal
) -> None:
    own, orders = played
    own[2] = NOT_UTF8
    terminal.resume(Resumed(tuple(own), tuple(orders), 0))
    assert "Check the screen" in view_of(terminal).notice
    terminal.carry_out((ChangePreferences(Preferences("it")),), 0)
    assert "Confrontate lo schermo" in view_of(terminal).notice
    terminal.carry_out((DismissNotice(),), 0)
    assert view_of(terminal).notice == ""


def test_damage_of_an_earlier_game_is_nobodys_trouble(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal, seat: Seat, wired: Wired
) -> None:
    own, orders = played
    own[2] = NOT_UTF8
    orders.append(wired(seat("g2")))
    terminal.resume(Resumed(tuple(own), tuple(orders), 0))
    view = view_of(terminal)
    assert view.notice == ""
    assert view.game is not None
    assert (view.game.game, view.game.phase) == ("g2", Phase.SEATING)


def test_while_nothing_can_be_saved_the_table_is_told_until_it_can(
    played: tuple[list[bytes], list[bytes]], terminal: Terminal
) -> None:
    terminal.resume(Resumed(tuple(played[0]), tuple(played[1]), 0))
    terminal.on_news((JournalFailed("disk full"),))
    terminal.carry_out((AskGame(CallJudge()),), 0)
    assert "Can't save right now" in view_of(terminal).notice
    terminal.carry_out((AskGame(CheckIn(SeatNo(1))),), 0)
    assert "Can't save right now" not in view_of(terminal).notice
    terminal.carry_out((DismissNotice(),), 0)
    assert "Can't save right now" in view_of(terminal).notice
    terminal.on_news((Saved(5),))
    assert view_of(terminal).notice == ""
