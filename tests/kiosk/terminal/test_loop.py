"""The terminal's loop: what it shows, when it flips, and how it handles faults. Uses a simulated clock."""

import itertools
import json
import os
import select
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.game.orders import AssignTable
from core.game.state.game import Phase
from core.terms import TableNo
from hardware.contract import Lamp, PanelButton, PanelEvent
from hardware.supervisor import Supervisor
from kiosk.rehearsal.brain import Brain
from kiosk.terminal.display.touch_input import Pointers
from kiosk.terminal.loop import Display, Loop, Waker
from kiosk.ui.touch_recogniser import REPEAT_FROM_MS
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


class Glass:
    """A loop for a table, with a screen that may refuse pictures."""

    def __init__(self, table: VirtualTable) -> None:
        self.presented = 0
        self.refuses = False
        display = Display(Pointers(table.rigging.glass), self._flip, polls=True)
        self.loop = Loop(
            table.terminal,
            table.screen,
            table.agent,
            table.panel,
            display,
            clock_ms=table.clock.monotonic_ms,
        )

    def _flip(self) -> None:
        if self.refuses:
            raise PermissionError("another program has the screen")
        self.presented += 1


@pytest.fixture
def waker() -> Iterator[Waker]:
    waker = Waker()
    yield waker
    waker.close()


@pytest.fixture
def system(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def supervisor_of(system: socket.socket) -> Supervisor:
    return Supervisor({"NOTIFY_SOCKET": system.getsockname(), "WATCHDOG_USEC": "2000000"})


def notifications(system: socket.socket) -> list[str]:
    words = []
    while True:
        try:
            words.append(system.recv(1024).decode().splitlines()[0])
        except BlockingIOError:
            return words


def test_a_picture_that_could_not_be_presented_is_presented_again(painted: VirtualTable) -> None:
    painted.order(AssignTable(TableNo(3), ""))
    glass = Glass(painted)
    painted.screen.repaint()
    glass.refuses = True
    with pytest.raises(PermissionError):
        glass.loop.turn(painted.clock.now_ms)
    with pytest.raises(PermissionError):
        glass.loop.turn(painted.clock.now_ms + 1)
    glass.refuses = False
    glass.loop.turn(painted.clock.now_ms + 2)
    assert glass.presented == 1


def test_nobody_is_told_of_a_first_picture_that_could_not_be_presented(
    painted: VirtualTable, waker: Waker, system: socket.socket
) -> None:
    glass = Glass(painted)
    painted.screen.repaint()
    glass.refuses = True
    calls: list[str] = []
    # If the loop continues nevertheless, end it here; the test fails below.
    glass.loop.stop()
    with pytest.raises(PermissionError):
        glass.loop.run(waker, supervisor_of(system), on_first_frame=lambda: calls.append("shown"))
    assert (notifications(system), calls) == ([], [])


@pytest.mark.slow
def test_the_watchdog_hears_of_no_turn_that_failed(
    table: VirtualTable, waker: Waker, system: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = 0

    def fails(_now_ms: int) -> tuple[PanelEvent, ...]:
        nonlocal turns
        turns += 1
        table.clock.now_ms += 1_000
        waker.wake()
        if turns <= 5:
            raise ZeroDivisionError
        table.loop.stop()
        return ()

    monkeypatch.setattr(table.panel, "advance", fails)
    waker.wake()
    table.loop.run(waker, supervisor_of(system))
    # Only the one successful turn is reported.
    assert notifications(system) == ["READY=1", "WATCHDOG_USEC=30000000", "WATCHDOG=1", "STOPPING=1"]


@pytest.fixture
def suspend(table: VirtualTable, waker: Waker, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a run of five turns, of which the third begins after a suspension that outlasts a finger."""

    def run(target: str, *, turn_ms: int, suspended_ms: int) -> None:
        turns, due_ms = itertools.count(1), table.panel.next_deadline_ms

        def sleeps() -> int | None:
            turn = next(turns)
            waker.wake()
            table.clock.now_ms += turn_ms
            if turn == 1:
                table.fingers.lay(1, *table.place(target))
            if turn == 3:
                table.clock.now_ms += suspended_ms
                table.fingers.lift(1)
            if turn == 5:
                table.loop.stop()
            return due_ms()

        monkeypatch.setattr(table.panel, "next_deadline_ms", sleeps)
        table.loop.run(waker)

    return run


def test_a_hold_that_was_let_go_while_the_program_stood_still_does_nothing(
    five: VirtualTable, suspend: Callable[..., None]
) -> None:
    target = next(target for target in five.screen.targets() if target.hold_ms)
    suspend(target.id, turn_ms=target.hold_ms // 4, suspended_ms=target.hold_ms)
    assert five.scene() == "play"


def test_a_minus_that_was_let_go_while_the_program_stood_still_counts_once(
    five: VirtualTable, suspend: Callable[..., None]
) -> None:
    before = five.game.seats[1].life
    suspend("seat-2-minus", turn_ms=50, suspended_ms=REPEAT_FROM_MS)
    assert five.game.seats[1].life == before - 1
