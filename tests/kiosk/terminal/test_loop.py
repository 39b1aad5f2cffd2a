"""The terminal's loop: what it shows, when it flips, and how it handles faults. Uses a simulated clock."""

import json
import os
import select
import signal

import pytest

from core.game.orders import AssignTable
from core.game.state.game import Phase
from hardware.contract import Lamp, PanelButton
from kiosk.rehearsal.brain import Brain
from kiosk.terminal.loop import Waker
from kiosk.virtual.http_server import HttpRequest
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import TABLE, play, play_to_the_end, seat_game
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN, Rigging, VirtualTable


@pytest.mark.slow
def test_a_game_goes_on_after_power_cuts_to_the_confirmed_sheet(table: VirtualTable) -> None:
    table.order(AssignTable(TABLE, CHEAP_PIN), seat_game())
    brain = Brain(4, PIN)
    for turns, lost in ((1, False), (4, True), (9, True)):
        play(table, brain, until=lambda game, turns=turns: game.turns >= turns)  # type: ignore[misc]
        assert table.game.phase is Phase.PLAYING
        table.after(0)
        before, entries = table.game, table.entries()
        table.agent.saves = False
        if lost:
            table.press(PanelButton.CALL_JUDGE)
            assert table.game != before
        table.restart(lost=lost)
        assert (table.game, table.entries()) == (before, entries)
    play_to_the_end(table, seed=4)
    assert (table.scene(), table.lamp().pattern) == ("confirmed", Lamp.WAITING)
    table.after(0)
    delivery = table.view.delivery
    assert delivery.entered == delivery.saved == delivery.received == len(table.entries())


def test_the_picture_is_flipped_when_a_button_is_pressed_and_not_while_nothing_changes(
    painted: VirtualTable,
) -> None:
    painted.order(seat_game())
    painted.after(0)
    flips = painted.flips
    for _ in range(20):
        painted.after(1_000)
    assert painted.flips == flips
    painted.press(PanelButton.CALL_JUDGE)
    assert painted.game.judge_called
    assert painted.flips > flips


def test_a_fault_is_shown_by_its_code_and_the_game_is_still_there(
    table: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.order(AssignTable(TABLE, CHEAP_PIN), seat_game())
    table.touch("seat-1-check-in")
    before = table.game
    waker, turns = Waker(), 0

    def broken(_now_ms: int) -> tuple[()]:
        nonlocal turns
        turns += 1
        if turns == 1:
            waker.wake()
            raise ZeroDivisionError
        table.loop.stop()
        return ()

    monkeypatch.setattr(table.panel, "advance", broken)
    waker.wake()
    table.loop.run(waker)
    waker.close()
    assert table.scene() == "trouble"
    monkeypatch.undo()
    table.touch("dismiss")
    assert table.scene() == "seating"
    assert table.game == before


def test_a_question_that_fails_is_answered(make_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table(Rigging(door=True))

    def broken() -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(table.screen, "scene_name", broken)
    answer = table.loop.answer(HttpRequest("GET", "/screen.json", b""))
    assert answer.status == 500
    assert "log" in json.loads(answer.body)["error"]


def test_a_touch_at_the_door_is_a_finger_on_the_glass(make_table: MakeTable) -> None:
    table = make_table(Rigging(door=True))
    table.order(seat_game())
    answer = table.loop.answer(HttpRequest("POST", "/touch", b'{"target": "seat-1-check-in"}'))
    assert answer.status == 200, answer.body
    table.after(0)
    table.after(answer.after_ms)
    assert table.game.seats[0].checked_in


def test_a_signal_wakes_the_loop_by_itself() -> None:
    """The signal's handler alone could wait for a sleep that began just after the signal."""
    waker = Waker()
    former = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        waker.wake_on_signals()
        os.kill(os.getpid(), signal.SIGUSR1)
        assert select.select([waker], [], [], 5)[0] == [waker]
    finally:
        signal.signal(signal.SIGUSR1, former)
        waker.close()
    assert signal.set_wakeup_fd(-1) == -1
