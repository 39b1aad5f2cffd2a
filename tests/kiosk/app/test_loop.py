"""The whole terminal but its wires: keeper, screen, panel and door in the loop, by a clock that is told."""

import json
import os
import select
import signal
import threading
from collections.abc import Callable, Iterator

import argon2
import msgspec
import pygame
import pytest

from saloon.core.game.state import GameState, Phase
from saloon.core.orders import AssignTable, Order, SeatGame
from saloon.core.terms import TableNo
from saloon.hardware.contract import Button, Lamp
from saloon.hardware.panel import PinPanel
from saloon.hardware.pins import PinDriver, pin_factory
from saloon.hardware.wiring import shipped_wiring
from saloon.kiosk.app.choices import Choices
from saloon.kiosk.app.loop import Display, Loop, Waker
from saloon.kiosk.app.pointers import Pointers, Turning
from saloon.kiosk.app.terminal import Terminal
from saloon.kiosk.rehearsal.brain import Brain
from saloon.kiosk.rehearsal.seen import Seen
from saloon.kiosk.screen import TableScreen
from saloon.kiosk.table_view import PinState
from saloon.kiosk.ui.geometry import Glass
from saloon.kiosk.virtual.door import Door, Question
from saloon.sync.agent_contract import AgentNews, AgentRequest, OrderArrived, Packing, Resumed, Saved

PIN = "2019"
CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
PATIENCE = 3000
Seat = Callable[..., SeatGame]


class Pocket:
    """A journal in memory that outlives the terminal; saved as soon as somebody looks."""

    def __init__(self) -> None:
        self.own: list[bytes] = []
        self.orders: list[bytes] = []
        self._news: list[AgentNews] = []
        self._waker = Waker()

    def start(self) -> Resumed:
        self._news.clear()
        return Resumed(tuple(self.own), tuple(self.orders), 0)

    def append(self, body: bytes) -> int:
        self.own.append(body)
        self._tell(Saved(len(self.own)))
        return len(self.own)

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.orders.append(msgspec.msgpack.encode(order))
            self._tell(OrderArrived(len(self.orders), self.orders[-1]))

    def ask(self, request: AgentRequest) -> None:
        """It has no way to a station."""

    def fileno(self) -> int:
        return self._waker.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        self._waker.settle()
        news, self._news = tuple(self._news), []
        return news

    def pack(self, wanted: Packing) -> None:
        """Nobody asks for parcels here."""

    def stop(self) -> None:
        self._waker.close()

    def _tell(self, news: AgentNews) -> None:
        self._news.append(news)
        self._waker.wake()


class Rig:
    """One terminal on a table of the test; ``restart`` is a pulled plug."""

    def __init__(self) -> None:
        self.now_ms = 10_000
        self.pocket = Pocket()
        self.flips = 0
        self._begin()

    def _begin(self) -> None:
        self.answered = threading.Semaphore(0)
        self.panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: self.now_ms)
        self.screen = TableScreen(Glass(800, 480, 5.2), failsafe=False)
        self.terminal = Terminal(
            self.pocket, self.panel, choices=Choices("en"), is_enrolled=True, wake=self.answered.release
        )
        self.terminal.resume(self.pocket.start())
        display = Display(Pointers(Turning(800, 480)), self._flip, polls=False)
        self.loop = Loop(
            self.terminal, self.screen, self.pocket, self.panel, display, clock_ms=lambda: self.now_ms
        )
        self.door = Door(0)
        self.loop.open_door(self.door, quarter_turns=0)
        self.loop.turn(self.now_ms)

    def _flip(self) -> None:
        self.flips += 1

    def end(self) -> None:
        self.door.close()
        self.terminal.close()
        self.panel.close()

    def restart(self, *, lost: int = 0) -> None:
        """The power goes before the last ``lost`` entries are saved."""
        self.end()
        del self.pocket.own[len(self.pocket.own) - lost :]
        self._begin()

    def after(self, ms: int) -> None:
        self.now_ms += ms
        self.loop.turn(self.now_ms)

    def see(self) -> Seen:
        return msgspec.json.decode(self.loop.answer(Question("GET", "/screen.json", b"")).body, type=Seen)

    def touch(self, target: str) -> None:
        body = json.dumps({"target": target}).encode()
        answer = self.loop.answer(Question("POST", "/touch", body))
        assert answer.status == 200, answer.body
        self.after(0)
        self.after(answer.after_ms)
        while self.terminal.view(self.now_ms).pin is PinState.CHECKING:
            assert self.answered.acquire(timeout=10)
        self.after(100)

    @property
    def game(self) -> GameState:
        game = self.terminal.view(self.now_ms).game
        assert game is not None
        return game


@pytest.fixture
def rig() -> Iterator[Rig]:
    pygame.display.init()
    made = Rig()
    yield made
    made.end()
    made.pocket.stop()
    pygame.display.quit()


def play(rig: Rig, brain: Brain, *, until: Callable[[GameState], bool]) -> None:
    """Rehearsal players touch what the screen offers."""
    for _ in range(PATIENCE):
        if until(rig.game):
            return
        touch = brain.next_touch(rig.see())
        if touch is not None:
            rig.touch(touch.target)
    pytest.fail(f"no end in sight: {rig.see().scene}")


def confirmed(game: GameState) -> bool:
    return game.phase is Phase.CONFIRMED


@pytest.mark.parametrize("seed", [1, 2])
def test_five_players_play_from_the_order_to_the_confirmed_sheet(rig: Rig, seat: Seat, seed: int) -> None:
    rig.pocket.order(AssignTable(TableNo(3), CHEAP), seat())
    rig.after(0)
    play(rig, Brain(seed, PIN), until=confirmed)
    assert rig.see().scene == "confirmed"
    assert rig.panel.state().lamp_says is Lamp.WAITING
    rig.after(0)
    delivery = rig.terminal.view(rig.now_ms).delivery
    assert delivery.entered == delivery.saved == len(rig.pocket.own)


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_a_game_goes_on_after_power_cuts_in_its_middle(rig: Rig, seat: Seat, lost: int) -> None:
    rig.pocket.order(AssignTable(TableNo(3), CHEAP), seat())
    rig.after(0)
    brain = Brain(4, PIN)
    for turns in (1, 4, 9):
        play(rig, brain, until=lambda game, turns=turns: game.turns >= turns)  # type: ignore[misc]
        assert rig.game.phase is Phase.PLAYING
        before, entries = rig.game, len(rig.pocket.own)
        rig.restart(lost=lost)
        assert len(rig.pocket.own) == entries - lost
        assert lost or rig.game == before
    play(rig, brain, until=confirmed)
    assert rig.see().scene == "confirmed"


def test_nothing_is_flipped_while_nothing_changes(rig: Rig, seat: Seat) -> None:
    rig.pocket.order(seat())
    rig.after(0)
    rig.after(0)
    flips = rig.flips
    for _ in range(20):
        rig.after(1_000)
    assert rig.flips == flips


def test_a_fault_is_shown_by_its_code_and_the_game_is_still_there(
    rig: Rig, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.pocket.order(AssignTable(TableNo(3), CHEAP), seat())
    rig.after(0)
    rig.touch("seat-1-check-in")
    before = rig.game
    waker, turns = Waker(), 0

    def broken(_now_ms: int) -> tuple[()]:
        nonlocal turns
        turns += 1
        if turns == 1:
            waker.wake()
            raise ZeroDivisionError
        rig.loop.stop()
        return ()

    monkeypatch.setattr(rig.panel, "advance", broken)
    waker.wake()
    rig.loop.run(waker)
    waker.close()
    assert rig.see().scene == "trouble"
    monkeypatch.undo()
    rig.touch("dismiss")
    assert rig.see().scene == "seating"
    assert rig.game == before


def test_a_question_that_fails_is_answered(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(rig.screen, "scene_name", broken)
    answer = rig.loop.answer(Question("GET", "/screen.json", b""))
    assert answer.status == 500
    assert "log" in json.loads(answer.body)["error"]


def test_a_button_of_the_panel_is_shown_on_the_screen_and_on_the_lamp(rig: Rig, seat: Seat) -> None:
    rig.pocket.order(seat())
    rig.after(0)
    flips = rig.flips
    rig.panel.press(Button.CALL_JUDGE)
    rig.after(0)
    rig.after(50)
    assert rig.game.judge_called
    assert rig.panel.state().lamp_says is Lamp.JUDGE_CALLED
    assert rig.flips > flips


def test_a_signal_wakes_the_loop_by_itself() -> None:
    """Its handler alone could wait for the end of a sleep that began just after the signal came."""
    waker = Waker()
    former = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        waker.heed_signals()
        os.kill(os.getpid(), signal.SIGUSR1)
        assert select.select([waker], [], [], 5)[0] == [waker]
    finally:
        signal.signal(signal.SIGUSR1, former)
        waker.close()
    assert signal.set_wakeup_fd(-1) == -1
