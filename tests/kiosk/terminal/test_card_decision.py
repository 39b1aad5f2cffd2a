"""A copied card starts over: journal and key are archived completely, despite power cuts."""

from pathlib import Path

import pytest

from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.link.agent_startup import (
    accept_board_change,
    clear_board_change,
    is_board_change_accepted,
    request_card_reset,
    reset_card_if_requested,
)
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import BeginAnew, CardDecision, GoOnHere
from kiosk.view.table_view import CardDoubt
from sync.protocol.entry import ClockReading, StreamId, TerminalId, content_bytes, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent import SynchronousAgent
from sync.terminal.agent_contract import CardIsForeign, JournalsDisagree, LinkChanged, LinkPhase, Resumed
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.kiosk.terminal.test_terminal import Paper


def written(data: Path) -> tuple[str, str]:
    _, certificate = own_identity(data, "Saloon terminal")
    name = fingerprint_of_pem(certificate.read_text(encoding="ascii"), "test")
    with Journal(
        data / "journal.db", StreamId(f"table/{name}"), orders_of(TerminalId(name)), "board"
    ) as journal:
        journal.append((content_bytes(ClockReading(1, 2, 3, trusted=False), b"\xc0"),))
        return name, journal.facts.epoch


def test_nothing_is_set_aside_that_nobody_asked_for(tmp_path: Path) -> None:
    before = written(tmp_path)
    assert reset_card_if_requested(tmp_path) is None
    assert written(tmp_path) == before


@pytest.mark.slow
@pytest.mark.parametrize("moved", range(4))
def test_a_cut_in_the_middle_leaves_no_half(tmp_path: Path, moved: int) -> None:
    name, epoch = written(tmp_path)
    request_card_reset(tmp_path)
    aside = tmp_path / "aside-1"
    aside.mkdir()
    for file in ("journal.db", "key.pem", "certificate.pem")[:moved]:
        (tmp_path / file).rename(aside / file)
    assert reset_card_if_requested(tmp_path) == aside
    assert reset_card_if_requested(tmp_path) is None
    again = written(tmp_path)
    assert again[0] != name
    assert again[1] != epoch
    assert written(aside)[:2] == (name, epoch)
    request_card_reset(tmp_path)
    assert reset_card_if_requested(tmp_path) == tmp_path / "aside-2"


def test_only_a_terminal_whose_card_is_doubtful_is_decided_on() -> None:
    paper = Paper()
    decided: list[CardDecision] = []
    panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: 0)
    terminal = Terminal(
        paper,
        panel,
        choices=Choices("en"),
        enrolling=EnrolmentProgress(),
        wake=lambda: None,
        board=BoardServices(card_decided=decided.append),
    )
    terminal.resume(Resumed((), (), 0))
    terminal.carry_out((BeginAnew(), GoOnHere()), 0)
    assert decided == []
    terminal.on_news((JournalsDisagree("other entries"),))
    assert terminal.view(0).doubt is CardDoubt.DISAGREES
    terminal.carry_out((GoOnHere(), BeginAnew()), 0)
    assert decided == [BeginAnew()]
    terminal.on_news((LinkChanged(LinkPhase.CONNECTED),))
    assert terminal.view(0).doubt is None
    terminal.on_news((CardIsForeign(),))
    assert terminal.view(0).doubt is CardDoubt.FOREIGN
    terminal.carry_out((GoOnHere(),), 0)
    assert decided == [BeginAnew(), GoOnHere()]
    terminal.close()
    panel.close()


def test_a_card_of_another_board_is_shown_and_not_written(tmp_path: Path) -> None:
    name, epoch = written(tmp_path)
    stream, orders = StreamId(f"table/{name}"), orders_of(TerminalId(name))
    agent = SynchronousAgent(Journal(tmp_path / "journal.db", stream, orders, "board"))
    assert agent.start().received == 0
    assert agent.news() == (CardIsForeign(),)
    assert agent.news() == ()
    assert agent.append(b"never kept") == 2
    agent.stop()
    with Journal(tmp_path / "journal.db", stream, orders, "board") as journal:
        assert journal.head().seq == 1
        assert journal.facts.epoch == epoch


def test_a_moved_card_goes_on_once_the_judge_said_so(tmp_path: Path) -> None:
    assert not is_board_change_accepted(tmp_path)
    accept_board_change(tmp_path)
    assert is_board_change_accepted(tmp_path)
    clear_board_change(tmp_path)
    assert not is_board_change_accepted(tmp_path)
