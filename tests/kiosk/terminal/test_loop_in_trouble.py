"""The loop if pictures can't be presented, if every turn fails, or if the program was suspended."""

import itertools
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.game.orders import AssignTable
from core.terms import TableNo
from hardware.contract import PanelEvent
from hardware.supervisor import Supervisor
from kiosk.terminal.display.touch_input import Pointers
from kiosk.terminal.loop import Display, Loop, Waker
from kiosk.ui.touch_recogniser import REPEAT_FROM_MS
from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable


@pytest.fixture
def table(painted: VirtualTable) -> VirtualTable:
    return painted


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


def test_a_picture_that_could_not_be_presented_is_presented_again(table: VirtualTable) -> None:
    table.order(AssignTable(TableNo(3), ""))
    glass = Glass(table)
    table.screen.repaint()
    glass.refuses = True
    with pytest.raises(PermissionError):
        glass.loop.turn(table.clock.now_ms)
    with pytest.raises(PermissionError):
        glass.loop.turn(table.clock.now_ms + 1)
    glass.refuses = False
    glass.loop.turn(table.clock.now_ms + 2)
    assert glass.presented == 1


def test_nobody_is_told_of_a_first_picture_that_could_not_be_presented(
    table: VirtualTable, waker: Waker, system: socket.socket
) -> None:
    glass = Glass(table)
    table.screen.repaint()
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
    table: VirtualTable, suspend: Callable[..., None]
) -> None:
    seated(table)
    target = next(target for target in table.screen.targets() if target.hold_ms)
    suspend(target.id, turn_ms=target.hold_ms // 4, suspended_ms=target.hold_ms)
    assert table.scene() == "play"


def test_a_minus_that_was_let_go_while_the_program_stood_still_counts_once(
    table: VirtualTable, suspend: Callable[..., None]
) -> None:
    seated(table)
    before = table.game.seats[1].life
    suspend("seat-2-minus", turn_ms=50, suspended_ms=REPEAT_FROM_MS)
    assert table.game.seats[1].life == before - 1
