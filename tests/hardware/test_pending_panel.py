"""A panel that is still being set up while a game is already played."""

import select
import sys
import threading

import pytest

from hardware.contract import ButtonPressed, Glow, Lamp, Panel, PanelButton
from hardware.panel import PinPanel, panel_on
from hardware.pending_panel import PendingPanel, retry_wait
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring


class Bench:
    def __init__(self) -> None:
        self.now_ms = 0
        self.made: PinPanel | None = None
        self.troubles: list[Exception] = []
        self.panel = PendingPanel(self._make, self.troubles.append)

    def _make(self) -> PinPanel:
        self.made = PinPanel(
            shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: self.now_ms, owns_factory=True
        )
        return self.made

    def is_readable(self) -> bool:
        return bool(select.select([self.panel], [], [], 0)[0])


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_before_it_is_there_nothing_is_lit_and_nothing_happens(bench: Bench) -> None:
    bench.panel.show(Lamp.PLAYING)
    assert bench.panel.advance(0) == ()
    assert bench.panel.next_deadline_ms() is None
    assert bench.panel.state().lamp == (0, 0, 0)
    assert not bench.is_readable()
    bench.panel.close()


def test_what_it_was_to_show_it_shows_once_it_is_there(bench: Bench) -> None:
    bench.panel.show(Lamp.TROUBLE)
    bench.panel.show(Lamp.PLAYING)
    bench.panel.glow({PanelButton.RESHUFFLE: Glow.LIT})
    bench.panel.set_volume(40)
    finder = threading.Thread(target=bench.panel.find)
    finder.start()
    finder.join()
    assert bench.is_readable()
    bench.panel.advance(0)
    assert bench.made is not None
    assert bench.panel.state() == bench.made.state()
    assert bench.panel.state().lamp_says is Lamp.PLAYING
    assert PanelButton.RESHUFFLE in bench.panel.state().lit
    bench.panel.close()


def test_an_edge_of_a_part_wakes_the_owner(bench: Bench) -> None:
    bench.panel.find()
    bench.panel.advance(0)
    assert not bench.is_readable()
    bench.panel.press(PanelButton.RESHUFFLE)
    assert bench.is_readable()
    bench.now_ms = 100
    assert any(isinstance(event, ButtonPressed) for event in bench.panel.advance(100))
    bench.panel.close()


def test_whoever_presses_a_button_before_it_is_there_waits_for_it(bench: Bench) -> None:
    bench.panel.press(PanelButton.RESHUFFLE)
    bench.now_ms = 100
    assert any(isinstance(event, ButtonPressed) for event in bench.panel.advance(100))
    bench.panel.close()


def test_what_hinders_it_is_told_once_to_its_owner() -> None:
    def broken() -> PinPanel:
        raise ValueError("no such panel")

    errors: list[Exception] = []
    panel = PendingPanel(broken, errors.append)
    panel.find()
    assert errors == []
    for now_ms in (0, 1):
        assert panel.advance(now_ms) == ()
    assert [str(error) for error in errors] == ["no such panel"]
    assert not select.select([panel], [], [], 0)[0]
    with pytest.raises(ValueError, match="no such panel"):
        panel.press(PanelButton.RESHUFFLE)
    panel.close()


def test_one_that_is_closed_before_it_is_there_never_comes(bench: Bench) -> None:
    bench.panel.close()
    bench.panel.find()
    assert bench.made is None


AN_HOUR_S = 3_600.0
_PATIENCE_S = 20.0


def test_it_is_looked_for_until_the_time_is_over() -> None:
    now_ms = 0
    waits = retry_wait(0.001, lambda: now_ms, threading.Event())
    assert waits()
    now_ms = 1
    assert not waits()


def test_who_ends_the_program_does_not_wait_for_a_chip_that_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    stopping = threading.Event()
    looked = threading.Event()

    def make() -> Panel:
        waits = retry_wait(AN_HOUR_S, lambda: 0, stopping)

        def looks() -> bool:
            looked.set()
            return waits()

        # An hour would be waited for a driver that works.
        return panel_on(PinDriver.LGPIO, shipped_wiring(), lambda: 0, looks)

    panel = PendingPanel(make, lambda _error: None)
    finder = threading.Thread(target=panel.find, daemon=True)
    finder.start()
    assert looked.wait(_PATIENCE_S)
    assert finder.is_alive()
    stopping.set()
    finder.join(_PATIENCE_S)
    assert not finder.is_alive()
    panel.advance(0)
    assert panel.state().failed_parts[0].part == "pins"
    panel.close()
