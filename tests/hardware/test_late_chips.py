"""A panel whose chip is not there yet is looked for, and nobody who ends the program waits for it."""

import sys
import threading

import pytest

from hardware.coming_panel import PendingPanel, retry_wait
from hardware.contract import Panel
from hardware.panel import panel_on
from hardware.pins import PinDriver
from hardware.wiring import shipped_wiring

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
