"""A copy of a card begins anew: journal and key set aside whole, at whatever moment the power goes."""

from pathlib import Path

import pytest
from tests.kiosk.app.test_terminal import Paper

from saloon.hardware.panel import PinPanel
from saloon.hardware.pins import PinDriver, pin_factory
from saloon.hardware.wiring import shipped_wiring
from saloon.kiosk.app.begin_anew import ask_to_begin_anew, begin_anew_if_asked
from saloon.kiosk.app.terminal import Terminal
from saloon.kiosk.intents import BeginAnew
from saloon.sync.agent_contract import (
    JournalsDisagree,
    LinkChanged,
    LinkPhase,
    Resumed,
)
from saloon.sync.entry import StreamId, TerminalId
from saloon.sync.journal import Journal
from saloon.sync.line import orders_of
from saloon.sync.trust import fingerprint_of_pem, own_identity


def written(data: Path) -> tuple[str, str]:
    """A terminal's name and epoch after a start that writes one entry."""
    _, certificate = own_identity(data, "Saloon terminal")
    name = fingerprint_of_pem(certificate.read_text(encoding="ascii"), "test")
    with Journal(
        data / "journal.db", StreamId(f"table/{name}"), orders_of(TerminalId(name)), "board"
    ) as journal:
        journal.append((b"entry",))
        return name, journal.facts.epoch


def test_nothing_is_set_aside_that_nobody_asked_for(tmp_path: Path) -> None:
    before = written(tmp_path)
    assert begin_anew_if_asked(tmp_path) is None
    assert written(tmp_path) == before


@pytest.mark.parametrize("moved", range(4))
def test_a_cut_in_the_middle_leaves_no_half(tmp_path: Path, moved: int) -> None:
    name, epoch = written(tmp_path)
    ask_to_begin_anew(tmp_path)
    aside = tmp_path / "aside-1"
    aside.mkdir()
    for file in ("journal.db", "key.pem", "certificate.pem")[:moved]:
        (tmp_path / file).rename(aside / file)
    assert begin_anew_if_asked(tmp_path) == aside
    assert begin_anew_if_asked(tmp_path) is None
    again = written(tmp_path)
    assert again[0] != name
    assert again[1] != epoch
    assert written(aside)[:2] == (name, epoch)
    ask_to_begin_anew(tmp_path)
    assert begin_anew_if_asked(tmp_path) == tmp_path / "aside-2"


def test_only_a_terminal_whose_journal_disagrees_begins_anew() -> None:
    paper = Paper()
    asked: list[bool] = []
    panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: 0)
    terminal = Terminal(
        paper,
        panel,
        language="en",
        is_enrolled=True,
        wake=lambda: None,
        begin_anew=lambda: asked.append(True),
    )
    terminal.resume(Resumed((), (), 0))
    terminal.intents((BeginAnew(),), 0)
    assert asked == []
    terminal.news((JournalsDisagree("other entries"),))
    assert terminal.view(0).disagrees
    terminal.intents((BeginAnew(),), 0)
    assert asked == [True]
    terminal.news((LinkChanged(LinkPhase.CONNECTED),))
    assert not terminal.view(0).disagrees
    terminal.close()
    panel.close()
