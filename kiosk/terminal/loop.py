"""The loop of the terminal: one thread that owns the screen and sleeps until something happens."""

import contextlib
import math
import selectors
import signal
import socket
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import pygame
import structlog

from saloon.hardware.contract import Panel
from saloon.hardware.supervisor import Supervisor
from saloon.kiosk.i18n import Words
from saloon.kiosk.pointer import Pointer, PointerPhase
from saloon.kiosk.scenes.trouble import TroubleScene
from saloon.kiosk.screen import TableScreen, code_of
from saloon.kiosk.terminal.display.screen_dimming import Light, ScreenDimmer
from saloon.kiosk.terminal.display.sdl_pointers import Pointers, VirtualTouches
from saloon.kiosk.terminal.display.touch_wakeup import LOOK_MS, TouchWakeup
from saloon.kiosk.terminal.terminal import Terminal
from saloon.sync.terminal.agent_contract import Agent

if TYPE_CHECKING:
    from saloon.kiosk.virtual.answers import Answers
    from saloon.kiosk.virtual.http_server import HttpAnswer, HttpRequest, VirtualTerminalServer

_log = structlog.get_logger()
_TOUCHED_LOOK_S: Final = 1 / 60
_IDLE_LOOK_S: Final = 1 / 15
_ALERT_MS: Final = 10_000
_LONGEST_SLEEP_S: Final = 30.0
_AFTER_FAULT_S: Final = 0.25
_QUIET_MS: Final = 1_000
"""The time without a touch that an ordered restart waits for."""
_STOOD_MS: Final = 250
"""A longer gap without reading touches counts for no hold: the finger may be gone."""


def monotonic_ms() -> int:
    """Return the monotonic clock of a terminal, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Waker:
    """Wakes the loop from any thread."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._heeds_signals = False

    def fileno(self) -> int:
        """Return the descriptor that is readable when the loop is to look."""
        return self._read.fileno()

    def wake(self) -> None:
        """Wake the loop."""
        with contextlib.suppress(BlockingIOError, OSError):
            self._write.send(b"!")

    def heed_signals(self) -> None:
        """Let signals wake the loop too, even one just before it falls asleep. Main thread only."""
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._heeds_signals = True

    def settle(self) -> None:
        """Clear the wake-ups so far."""
        with contextlib.suppress(BlockingIOError, OSError):
            while self._read.recv(1024):
                pass

    def close(self) -> None:
        """Close the loop's waker."""
        if self._heeds_signals:
            signal.set_wakeup_fd(-1)
        self._read.close()
        self._write.close()


class Display:
    """The output of the picture, and the source of its touches.

    flip: presents it. polls: SDL's events must be asked for. doorbell: rings when that is worth it;
    without one, or while nothing is wired to it, by time. described: for the log, once there is one.
    """

    def __init__(
        self,
        pointers: Pointers,
        flip: Callable[[], None],
        *,
        polls: bool,
        doorbell: TouchWakeup | None = None,
        described: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.described = described
        self.pointers = pointers
        self.flip = flip
        self.polls = polls
        self.doorbell = doorbell

    def settle(self, now_ms: int) -> None:
        """Take note of the doorbell, and see who came to it."""
        if self.doorbell is not None:
            self.doorbell.settle()
            self.doorbell.look(now_ms)

    def sleep_s(self, now_ms: int, touched_ms: int) -> float:
        """Return the time for which SDL need not be polled. touched_ms: time of the last touch."""
        if not self.polls:
            return math.inf
        if self.doorbell is not None and self.doorbell.is_wired():
            return LOOK_MS / 1000
        return _TOUCHED_LOOK_S if now_ms - touched_ms < _ALERT_MS else _IDLE_LOOK_S


class Loop:
    """Runs one terminal until ``stop``. clock_ms: monotonic, of the loop and of the door's fingers.

    is_restarting: it has stopped because the station restarts the program.
    """

    def __init__(
        self,
        terminal: Terminal,
        screen: TableScreen,
        agent: Agent,
        panel: Panel,
        display: Display,
        *,
        clock_ms: Callable[[], int],
    ) -> None:
        self._terminal = terminal
        self._screen = screen
        self._agent = agent
        self._panel = panel
        self._display = display
        self._clock_ms = clock_ms
        self._fingers = VirtualTouches(clock_ms)
        self._door: VirtualTerminalServer | None = None
        self._answers: Answers | None = None
        self._stopping = False
        self.is_restarting = False
        self._touched_ms = -_ALERT_MS
        self._panel_shown: object = None
        self._pause_s = 0.0
        self._looked_ms = clock_ms()
        self._night = ScreenDimmer(clock_ms())
        self._lit: tuple[Light, int] | None = None

    def open_door(self, door: "VirtualTerminalServer", *, quarter_turns: int) -> None:
        """Let a virtual terminal's door in. quarter_turns: of the picture on the panel."""
        from saloon.kiosk.virtual.answers import AnswerContext, Answers

        def speaking() -> AnswerContext:
            return AnswerContext(Words(self._terminal.language), door.version)

        self._door = door
        self._answers = Answers(
            self._screen, self._panel, self._fingers, speaking, quarter_turns=quarter_turns
        )

    def stop(self) -> None:
        """End after this turn; callable from a signal handler."""
        self._stopping = True

    def run(
        self,
        waker: Waker,
        supervisor: Supervisor | None = None,
        *,
        shown: Callable[[], None] = lambda: None,
    ) -> None:
        """Run until ``stop``. supervisor: hears of the first picture, and of turns without a fault.

        shown: called once when the first picture is there. Raises what hinders the first picture.
        """
        supervisor = supervisor or Supervisor({})
        with selectors.DefaultSelector() as selector:
            for source in (waker, self._agent, self._panel, self._door, self._display.doorbell):
                if source is not None:
                    selector.register(source, selectors.EVENT_READ)
            self._advance(self._clock_ms())
            supervisor.ready(self._clock_ms())
            self._terminal.on_first_picture()
            shown()
            while not self._stopping:
                sleep_s = self._sleep_s(self._clock_ms(), supervisor)
                selector.select(sleep_s)
                waker.settle()
                self._report_standstill(sleep_s)
                if self._safely(self.turn):
                    supervisor.on_turn(self._clock_ms())
            supervisor.ends()

    def turn(self, now_ms: int) -> None:
        """Handle everything once. Our own faults pass through; ``run`` shows them and continues."""
        self._display.settle(now_ms)
        self._terminal.on_news(self._agent.news())
        self._terminal.on_panel_events(self._night.presses(self._panel.advance(now_ms), now_ms), now_ms)
        self._terminal.carry_out(self._screen.advance(self._fingers.reported_ms(now_ms)), now_ms)
        for pointer in self._night.touches(self._pointers(now_ms), now_ms):
            asked = self._screen.pointer(pointer)
            self._terminal.carry_out(asked, now_ms, is_named=pointer.is_named)
            if pointer.phase is not PointerPhase.MOVE:
                # What it opened must be there for the finger that comes next.
                self._advance(now_ms)
        self._advance(now_ms)
        if self._terminal.remote.is_restart_due and self._is_quiet(now_ms):
            self._terminal.remote.on_restart()
            self.is_restarting = True
            self.stop()
        if self._door is not None:
            self._door.serve(self.answer)
            state = self._panel.state()
            if state != self._panel_shown:
                self._panel_shown = state
                self._door.on_change()

    def answer(self, question: "HttpRequest") -> "HttpAnswer":
        """Answer a request at the door; an internal fault gets an answer too, as the client waits."""
        from saloon.kiosk.virtual.http_server import refusal

        if self._answers is None:
            return refusal(503, "this terminal has no door")
        try:
            return self._answers.to(question)
        except Exception:  # noqa: BLE001 (whatever it is, the asker must not wait for ever)
            _log.exception("the door's question failed", path=question.path)
            return refusal(500, "the terminal failed at this; its log says why")

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which ``turn`` next has something to do without an event; None for never."""
        # In the dark nothing moves on the screen.
        lit = self._lit is None or self._lit[0] is not Light.DARK
        due = (
            self._screen_deadline_ms(now_ms) if lit else None,
            self._panel.next_deadline_ms(),
            self._terminal.next_deadline_ms(now_ms),
            self._fingers.next_deadline_ms(),
            self._night.next_deadline_ms(),
            self._touched_ms + _QUIET_MS if self._terminal.remote.is_restart_due else None,
        )
        return min((at for at in due if at is not None), default=None)

    def _screen_deadline_ms(self, now_ms: int) -> int | None:
        """Return the screen's next time; None for one that waits until a page has reported its fingers."""
        due = self._screen.next_deadline_ms()
        waits = due is not None and self._fingers.reported_ms(now_ms) < due <= now_ms
        return None if waits else due

    def _report_standstill(self, slept_s: float) -> None:
        """Tell the screen of a time in which nobody looked at the glass: the program stood still.

        Fingers of the door report their own lifting.
        """
        now_ms = self._clock_ms()
        stood_ms = now_ms - self._looked_ms - round(slept_s * 1000)
        self._looked_ms = now_ms
        if self._display.polls and stood_ms > _STOOD_MS:
            self._screen.extend_holds(stood_ms - _STOOD_MS)

    def _safely(self, action: Callable[[int], None]) -> bool:
        """Return whether an action went well. A fault is logged, its code is shown, and the loop goes on.

        Where every turn fails the watchdog hears of none: a new start shows the same game.
        """
        try:
            action(self._clock_ms())
        except Exception as error:  # noqa: BLE001 (whatever it is, the game must go on)
            code = code_of(error)
            _log.exception("the terminal failed", code=code)
            self._pause_s = _AFTER_FAULT_S
            if self._screen.scene_name() != "trouble":
                self._screen.show_trouble(TroubleScene(code))
            return False
        return True

    def _pointers(self, now_ms: int) -> tuple[Pointer, ...]:
        found = self._fingers.due(now_ms)
        if self._display.polls:
            found = (*self._display.pointers.of(pygame.event.get(), now_ms), *found)
        if found or self._fingers.any_down() or self._display.pointers.any_down():
            self._touched_ms = now_ms
        return found

    def _is_quiet(self, now_ms: int) -> bool:
        return now_ms >= self._touched_ms + _QUIET_MS

    def _advance(self, now_ms: int) -> None:
        """Let the terminal do what is due, and paint what it shows then."""
        self._terminal.advance(now_ms)
        self._paint(now_ms)

    def _paint(self, now_ms: int) -> None:
        view = self._terminal.view(now_ms)
        self._display.pointers.correct(view.touch)
        light = self._night.look(view, now_ms)
        darkens = light is Light.DARK and (self._lit is None or self._lit[0] is not Light.DARK)
        self._shine(light, view.preferences.brightness)
        if darkens:
            self._screen.darken()
        if darkens or (light is not Light.DARK and self._screen.update(view)):
            self._flip()

    def _flip(self) -> None:
        """Present the picture; try again later if it could not be presented."""
        try:
            self._display.flip()
        except Exception:
            self._screen.repaint()
            self._lit = None
            raise
        if self._door is not None:
            self._door.on_change()

    def _shine(self, light: Light, chosen: int) -> None:
        if self._lit != (light, chosen):
            self._lit = (light, chosen)
            self._panel.set_brightness(light.percent(chosen))

    def _sleep_s(self, now_ms: int, supervisor: Supervisor) -> float:
        if self._pause_s:
            # What failed may be due again at once; the processor is for the others.
            pause, self._pause_s = self._pause_s, 0.0
            return pause
        due = self.next_deadline_ms(now_ms)
        sleep = _LONGEST_SLEEP_S if due is None else min(max(0, due - now_ms) / 1000, _LONGEST_SLEEP_S)
        sleep = min(sleep, self._display.sleep_s(now_ms, self._touched_ms))
        return min(sleep, supervisor.patience_s(now_ms))
