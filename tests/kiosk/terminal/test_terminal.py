"""The app of a table with a real keeper, mock pins and a journal controlled by the test."""

import threading
from collections.abc import Iterator

import pytest

from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.orders import AssignTable
from core.game.setup import CheckIn
from core.game.state.game import Confirmation, Phase
from core.terms import SeatNo, TableNo
from hardware.contract import Lamp, PanelButton, PartFailed, Tune
from kiosk.preferences import Preferences
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import (
    AskGame,
    AskLink,
    ChangePreferences,
    DismissNotice,
    PlayTune,
    TryCode,
    TryPin,
)
from kiosk.view.table_view import CodeOutcome, FileProblem, PinState, TableView
from sync.enrolment.provisioning_keys import Fault
from sync.terminal.agent_contract import (
    EnrolmentChanged,
    EnrolmentStage,
    ForgetAddress,
    LinkChanged,
    LinkPhase,
    Received,
    Resumed,
    Saved,
    TryJoinCode,
    UseAddress,
)
from tests.kiosk.rig.stand_ins import App, Drawer, Paper, seat_order, terminal_of
from tests.kiosk.rig.virtual_table import CHEAP_PIN


class Table(App):
    """A terminal with a journal and the clock's store."""

    def __init__(self, enrolling: EnrolmentProgress | None = None) -> None:
        super().__init__()
        self.enrolling = enrolling
        self.answered = threading.Semaphore(0)
        self.paper = Paper()
        self.drawer = Drawer()
        self.terminal = self.made()

    def made(self, received: int = 0) -> Terminal:
        """Return a terminal that has resumed what was written and ordered."""
        held = Resumed(tuple(self.paper.bodies), tuple(self.orders), received)
        board = BoardServices(clock=self.drawer)
        return terminal_of(
            self.paper, self.panel, held, board=board, wake=self.answered.release, enrolling=self.enrolling
        )

    def push(self, button: PanelButton) -> None:
        self.panel.press(button)
        self._look_at_panel()

    def turn_key(self, *, on: bool) -> None:
        self.panel.turn_key(on=on)
        self._look_at_panel()

    def _look_at_panel(self) -> None:
        for _ in range(2):
            self.terminal.on_panel_events(self.panel.advance(self.now_ms), self.now_ms)
            self.now_ms += 100

    @property
    def delivered(self) -> tuple[int, int, int]:
        """The numbers of entries that were made, saved and received."""
        delivery = self.terminal.view(0).delivery
        return delivery.entered, delivery.saved, delivery.received

    def look(self) -> TableView:
        self.terminal.advance(self.now_ms)
        return self.terminal.view(self.now_ms)

    def written(self) -> tuple[object, ...]:
        return tuple(self.paper.bodies), tuple(self.paper.requests), self.drawer.saved

    def type_pin(self, pin: str, then: GameCommand | None) -> None:
        self.asks(TryPin(pin, then))
        assert self.answered.acquire(timeout=10)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


@pytest.fixture
def seated(table: Table) -> Table:
    table.order(AssignTable(TableNo(3), CHEAP_PIN), seat_order())
    return table


def test_a_seated_game_is_shown_and_written_down(seated: Table) -> None:
    view = seated.terminal.view(0)
    assert view.game is not None
    assert (view.table, view.game.phase) == (3, Phase.SEATING)
    assert len(seated.paper.bodies) == 1
    assert seated.delivered == (1, 0, 0)


def test_a_muted_terminal_is_silent_and_says_so_on_its_panel_only(seated: Table) -> None:
    seated.asks(PlayTune(Tune.HIGH_NOON))
    assert seated.panel.state().sounding
    seated.asks(ChangePreferences(Preferences(muted=True)))
    assert not seated.panel.state().sounding
    seated.push(PanelButton.CALL_JUDGE)
    assert not seated.panel.state().sounding
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED


def test_saved_and_received_grow_and_never_shrink(seated: Table) -> None:
    seated.terminal.on_news((Saved(1), Received(1), Saved(0), Received(0)))
    assert seated.delivered == (1, 1, 1)


def test_a_refusal_is_a_notice_in_the_players_language_and_writes_nothing(seated: Table) -> None:
    seated.push(PanelButton.RESHUFFLE)
    english = seated.notice
    assert english
    seated.asks(DismissNotice(), ChangePreferences(Preferences("it")))
    assert seated.notice == ""
    seated.push(PanelButton.RESHUFFLE)
    assert seated.notice not in {"", english}
    seated.asks(ChangePreferences(Preferences("klingon")))
    assert seated.terminal.language == "en"
    assert len(seated.paper.bodies) == 1


def test_a_part_that_fails_is_told_to_the_table_until_it_was_read(seated: Table) -> None:
    seated.terminal.on_panel_events((PartFailed("button reshuffle", "GPIO busy"),), seated.now_ms)
    assert seated.notice.startswith("Broken: reshuffle button.")
    seated.asks(DismissNotice())
    assert seated.notice == ""
    seated.terminal.on_panel_events((PartFailed("pins", "no module named lgpio"),), seated.now_ms)
    assert "all buttons and lamps" in seated.notice


def test_a_wrong_file_on_the_card_of_a_table_that_plays_is_told_until_it_was_read() -> None:
    problem = FileProblem(3, "rotation = 45", "[terminal] rotation", Fault.ONE_OF, (("choices", "0, 90"),))
    table = Table(EnrolmentProgress(file_problem=problem))
    said = "The file on the card can't be used. Line 3: [terminal] rotation: one of 0, 90"
    assert table.notice == said
    table.asks(DismissNotice())
    assert table.notice == ""
    table.close()


def test_the_link_is_shown(seated: Table) -> None:
    for phase in (LinkPhase.CONNECTED, LinkPhase.SEARCHING, LinkPhase.REFUSED):
        seated.terminal.on_news((LinkChanged(phase),))
        assert seated.terminal.view(0).delivery.link is phase


def test_the_key_confirms_only_while_it_is_turned(seated: Table) -> None:
    by_key = AskGame(ConfirmSheet(Confirmation.KEY))
    seated.asks(by_key)
    assert seated.notice == ""
    seated.turn_key(on=True)
    assert seated.terminal.view(0).judge_present
    seated.asks(by_key)
    assert seated.notice != ""
    seated.turn_key(on=False)
    assert not seated.terminal.view(0).judge_present


def test_a_pin_allows_only_what_it_was_typed_for(seated: Table) -> None:
    seated.type_pin("2019", None)
    seated.asks(TryPin("9999", ConfirmSheet(Confirmation.PIN)))
    assert seated.look().pin is PinState.RIGHT
    assert seated.notice == ""
    assert len(seated.paper.bodies) == 1


def test_after_a_restart_the_table_is_as_it_was_and_nothing_is_written_twice(seated: Table) -> None:
    seated.asks(AskGame(CheckIn(SeatNo(2))), AskGame(CallJudge()))
    before = seated.terminal.view(5)
    written = len(seated.paper.bodies)
    seated.terminal.close()
    seated.terminal = seated.made(received=1)
    after = seated.terminal.view(5)
    assert (after.game, after.table, after.story) == (before.game, before.table, before.story)
    assert seated.delivered == (written, written, 1)
    assert len(seated.paper.bodies) == written
    assert seated.panel.state().lamp_says is Lamp.JUDGE_CALLED


def test_a_typed_code_goes_to_the_wires_and_is_shown_as_being_tried(table: Table) -> None:
    table.asks(TryCode("192.0.2.1:7373", "ABCDEFGHJK"))
    assert table.paper.requests == [TryJoinCode("192.0.2.1:7373", "ABCDEFGHJK")]
    assert table.terminal.view(table.now_ms).enrolment.outcome is CodeOutcome.TRYING
    table.terminal.on_news((EnrolmentChanged(EnrolmentStage.DONE, by_code=True),))
    view = table.terminal.view(table.now_ms)
    assert view.enrolment.outcome is CodeOutcome.NONE
    assert view.delivery.link is LinkPhase.SEARCHING


def test_a_typed_address_is_where_codes_are_tried(table: Table) -> None:
    table.asks(AskLink(UseAddress("192.0.2.1:7373")), AskLink(UseAddress("192.0.2.2:1")))
    assert table.terminal.view(0).enrolment.addresses == ("192.0.2.2:1", "192.0.2.1:7373")
    table.asks(AskLink(ForgetAddress("192.0.2.2:1")))
    assert table.terminal.view(0).enrolment.addresses == ("192.0.2.1:7373",)


def test_a_revocation_is_said_in_the_middle_of_a_game_once(seated: Table) -> None:
    revoked = LinkChanged(LinkPhase.REVOKED, "the judge has revoked this terminal")
    seated.terminal.on_news((revoked,))
    assert "no longer recognises this terminal" in seated.notice
    seated.asks(DismissNotice())
    seated.terminal.on_news((revoked,))
    assert seated.notice == ""


@pytest.mark.parametrize("answer", ["2019", "1111"])
def test_looking_writes_nothing_and_changes_nothing_however_often(seated: Table, answer: str) -> None:
    """A right PIN allows a command and a restart makes the clock uncertain only at a step, not at a look."""
    seated.type_pin(answer, CallJudge())
    seated.panel.press(PanelButton.SHUT_DOWN)
    again = seated.made()
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
