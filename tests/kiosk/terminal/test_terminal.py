"""The app of a table with a real keeper, mock pins and a journal controlled by the test."""

import threading
from collections.abc import Iterator

import argon2
import pytest

from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.orders import AssignTable, ConfirmFromStation, Order, VoidTable
from core.game.setup import CheckIn
from core.game.state.game import Confirmation, Phase
from core.terms import GameId, SeatNo, TableNo
from hardware.contract import Lamp, PanelButton, PartFailed, Tune
from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices, Preferences
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.mistakes import CALL_MS
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import AskGame, AskLink, ChangePreferences, DismissNotice, PlayTune, TryCode, TryPin
from kiosk.view.table_view import CodeOutcome, FileProblem, PinState, TableView
from sync.enrolment.provisioning_keys import Fault
from sync.terminal.agent_contract import (
    EnrolmentChanged,
    EnrolmentStage,
    ForgetAddress,
    JournalFailed,
    LinkChanged,
    LinkPhase,
    OrderArrived,
    Received,
    Resumed,
    Saved,
    TryJoinCode,
    UseAddress,
)
from tests.kiosk.rig.stand_ins import Drawer, Paper, seat_order, wired

CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("2019")


class Table:
    """A terminal with its journal, panel and clock."""

    def __init__(self, enrolling: EnrolmentProgress | None = None) -> None:
        self.now_ms = 1_000
        self.enrolling = enrolling or EnrolmentProgress()
        self.wired = wired
        self.answered = threading.Semaphore(0)
        self.paper = Paper()
        self.drawer = Drawer()
        self.panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: self.now_ms)
        self.terminal = self.made(Resumed((), (), 0))
        self.orders: list[bytes] = []

    def made(self, held: Resumed) -> Terminal:
        terminal = Terminal(
            self.paper,
            self.panel,
            choices=Choices("en"),
            enrolling=self.enrolling,
            wake=self.answered.release,
            board=BoardServices(clock=self.drawer),
        )
        terminal.resume(held)
        return terminal

    def close(self) -> None:
        self.terminal.close()
        self.panel.close()

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.orders.append(self.wired(order))
            self.terminal.on_news((OrderArrived(len(self.orders), self.orders[-1]),))

    def push(self, button: PanelButton) -> None:
        self.panel.press(button)
        for _ in range(2):
            self.terminal.on_panel_events(self.panel.advance(self.now_ms), self.now_ms)
            self.now_ms += 100

    def turn_key(self, *, on: bool) -> None:
        self.panel.turn_key(on=on)
        for _ in range(2):
            self.terminal.on_panel_events(self.panel.advance(self.now_ms), self.now_ms)
            self.now_ms += 100

    def look(self) -> TableView:
        self.terminal.advance(self.now_ms)
        return self.terminal.view(self.now_ms)

    def written(self) -> tuple[object, ...]:
        return tuple(self.paper.bodies), tuple(self.paper.requests), self.drawer.saved

    def type_pin(self, pin: str, then: GameCommand | None) -> None:
        self.terminal.carry_out((TryPin(pin, then),), self.now_ms)
        assert self.answered.acquire(timeout=10)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


@pytest.fixture
def seated(table: Table) -> Table:
    table.order(AssignTable(TableNo(3), CHEAP), seat_order())
    return table


def test_a_seated_game_is_shown_and_written_down(seated: Table) -> None:
    view = seated.terminal.view(0)
    assert view.table == 3
    assert view.game is not None
    assert view.game.phase is Phase.SEATING
    assert len(seated.paper.bodies) == 1
    assert (view.delivery.entered, view.delivery.saved, view.delivery.received) == (1, 0, 0)


def test_a_muted_terminal_is_silent_and_says_so_on_its_panel_only(seated: Table) -> None:
    seated.terminal.carry_out((PlayTune(Tune.HIGH_NOON),), seated.now_ms)
    assert seated.panel.state().sounding
    seated.terminal.carry_out((ChangePreferences(Preferences(muted=True)),), seated.now_ms)
    assert not seated.panel.state().sounding
    seated.push(PanelButton.CALL_JUDGE)
    assert not seated.panel.state().sounding
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED


def test_saved_and_received_grow_and_never_shrink(seated: Table) -> None:
    seated.terminal.on_news((Saved(1), Received(1), Saved(0), Received(0)))
    delivery = seated.terminal.view(0).delivery
    assert (delivery.entered, delivery.saved, delivery.received) == (1, 1, 1)


def test_a_press_calls_the_judge_and_the_next_only_asks(seated: Table) -> None:
    seated.push(PanelButton.CALL_JUDGE)
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED
    before = seated.terminal.view(seated.now_ms).call_presses
    seated.now_ms += CALL_MS
    seated.push(PanelButton.CALL_JUDGE)
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED
    assert seated.terminal.view(seated.now_ms).call_presses == before + 1
    assert len(seated.paper.bodies) == 2


def test_a_refusal_is_a_notice_in_the_players_language_and_writes_nothing(seated: Table) -> None:
    seated.push(PanelButton.RESHUFFLE)
    english = seated.terminal.view(0).notice
    assert english
    seated.terminal.carry_out((DismissNotice(), ChangePreferences(Preferences("it"))), 0)
    assert seated.terminal.view(0).notice == ""
    seated.push(PanelButton.RESHUFFLE)
    assert seated.terminal.view(0).notice not in {"", english}
    seated.terminal.carry_out((ChangePreferences(Preferences("klingon")),), 0)
    assert seated.terminal.language == "en"
    assert len(seated.paper.bodies) == 1


def test_a_journal_that_fails_is_told_to_the_table(seated: Table) -> None:
    seated.terminal.on_news((JournalFailed("disk full"),))
    assert "don't unplug" in seated.terminal.view(0).notice


def test_a_part_that_fails_is_told_to_the_table_until_it_was_read(seated: Table) -> None:
    seated.terminal.on_panel_events((PartFailed("button reshuffle", "GPIO busy"),), seated.now_ms)
    assert seated.terminal.view(0).notice.startswith("Broken: reshuffle button.")
    seated.terminal.carry_out((DismissNotice(),), 0)
    assert seated.terminal.view(0).notice == ""
    seated.terminal.on_panel_events((PartFailed("pins", "no module named lgpio"),), seated.now_ms)
    assert "all buttons and lamps" in seated.terminal.view(0).notice


def test_a_wrong_file_on_the_card_of_a_table_that_plays_is_told_until_it_was_read() -> None:
    problem = FileProblem(3, "rotation = 45", "[terminal] rotation", Fault.ONE_OF, (("choices", "0, 90"),))
    table = Table(EnrolmentProgress(file_problem=problem))
    said = "The file on the card can't be used. Line 3: [terminal] rotation: one of 0, 90"
    assert table.terminal.view(0).notice == said
    table.terminal.carry_out((DismissNotice(),), 0)
    assert table.terminal.view(0).notice == ""
    table.close()


def test_the_link_is_shown(seated: Table) -> None:
    for phase, state in (
        (LinkPhase.CONNECTED, LinkPhase.CONNECTED),
        (LinkPhase.SEARCHING, LinkPhase.SEARCHING),
        (LinkPhase.REFUSED, LinkPhase.REFUSED),
    ):
        seated.terminal.on_news((LinkChanged(phase),))
        assert seated.terminal.view(0).delivery.link is state


def test_the_key_confirms_only_while_it_is_turned(seated: Table) -> None:
    by_key = AskGame(ConfirmSheet(Confirmation.KEY))
    seated.terminal.carry_out((by_key,), 0)
    assert seated.terminal.view(0).notice == ""
    seated.turn_key(on=True)
    assert seated.terminal.view(0).judge_present
    seated.terminal.carry_out((by_key,), 0)
    assert seated.terminal.view(0).notice != ""
    seated.turn_key(on=False)
    assert not seated.terminal.view(0).judge_present


def test_the_right_pin_opens_the_menu_once_and_a_wrong_one_is_said(seated: Table) -> None:
    seated.type_pin("1111", None)
    for _ in range(3):
        assert seated.look().pin is PinState.WRONG
    seated.type_pin("2019", None)
    assert seated.look().pin is PinState.RIGHT
    assert seated.look().pin is PinState.NONE


def test_a_pin_allows_only_what_it_was_typed_for(seated: Table) -> None:
    seated.type_pin("2019", None)
    seated.terminal.carry_out((TryPin("9999", ConfirmSheet(Confirmation.PIN)),), 0)
    assert seated.look().pin is PinState.RIGHT
    assert seated.terminal.view(0).notice == ""
    assert len(seated.paper.bodies) == 1


def test_after_a_restart_the_table_is_as_it_was_and_nothing_is_written_twice(seated: Table) -> None:
    seated.terminal.carry_out((AskGame(CheckIn(SeatNo(2))), AskGame(CallJudge())), 0)
    before = seated.terminal.view(5)
    written = len(seated.paper.bodies)
    again = seated.made(Resumed(tuple(seated.paper.bodies), tuple(seated.orders), 1))
    after = again.view(5)
    assert (after.game, after.table, after.story) == (before.game, before.table, before.story)
    assert (after.delivery.entered, after.delivery.saved, after.delivery.received) == (written, written, 1)
    assert len(seated.paper.bodies) == written
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED
    again.close()


def test_the_station_may_void_or_confirm(seated: Table) -> None:
    seated.order(VoidTable(GameId("g1"), "the draw was taken back"))
    game = seated.terminal.view(0).game
    assert game is not None
    assert game.phase is Phase.VOIDED
    seated.order(seat_order("g2"), ConfirmFromStation(GameId("g2")))
    game = seated.terminal.view(0).game
    assert game is not None
    assert game.phase is Phase.CONFIRMED
    assert seated.panel.state().lamp_says is Lamp.WAITING


def test_a_typed_code_goes_to_the_wires_and_is_shown_as_being_tried(table: Table) -> None:
    table.terminal.carry_out((TryCode("192.0.2.1:7373", "ABCDEFGHJK"),), table.now_ms)
    assert table.paper.requests == [TryJoinCode("192.0.2.1:7373", "ABCDEFGHJK")]
    assert table.terminal.view(table.now_ms).enrolment.outcome is CodeOutcome.TRYING
    table.terminal.on_news((EnrolmentChanged(EnrolmentStage.DONE, by_code=True),))
    view = table.terminal.view(table.now_ms)
    assert view.enrolment.outcome is CodeOutcome.NONE
    assert view.delivery.link is LinkPhase.SEARCHING


def test_a_typed_address_is_where_codes_are_tried(table: Table) -> None:
    table.terminal.carry_out((AskLink(UseAddress("192.0.2.1:7373")), AskLink(UseAddress("192.0.2.2:1"))), 0)
    assert table.terminal.view(0).enrolment.addresses == ("192.0.2.2:1", "192.0.2.1:7373")
    table.terminal.carry_out((AskLink(ForgetAddress("192.0.2.2:1")),), 0)
    assert table.terminal.view(0).enrolment.addresses == ("192.0.2.1:7373",)


def test_a_revocation_is_said_in_the_middle_of_a_game_once(seated: Table) -> None:
    revoked = LinkChanged(LinkPhase.REVOKED, "the judge has revoked this terminal")
    seated.terminal.on_news((revoked,))
    assert "no longer recognises this terminal" in seated.terminal.view(seated.now_ms).notice
    seated.terminal.carry_out((DismissNotice(),), seated.now_ms)
    seated.terminal.on_news((revoked,))
    assert seated.terminal.view(seated.now_ms).notice == ""


@pytest.mark.parametrize("answer", ["2019", "1111"])
def test_looking_writes_nothing_and_changes_nothing_however_often(seated: Table, answer: str) -> None:
    """A right PIN allows a command and a restart makes the clock uncertain only at a step, not at a look."""
    seated.type_pin(answer, CallJudge())
    seated.panel.press(PanelButton.SHUT_DOWN)
    again = seated.made(Resumed(tuple(seated.paper.bodies), tuple(seated.orders), 0))
    for terminal in (seated.terminal, again):
        before = seated.written()
        first = terminal.view(1_000)
        for now_ms in range(1_000, 10_000_000, 100_000):
            terminal.view(now_ms)
            terminal.next_deadline_ms(now_ms)
        assert terminal.view(1_000) == first
        assert seated.written() == before
        terminal.advance(1_000)
        assert seated.written() != before
        assert terminal.view(1_000) != first
    again.close()
