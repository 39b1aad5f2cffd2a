"""The main loop of the terminal: one thread that owns the screen and sleeps until something happens."""

import math
import selectors
import signal
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import pygame
import structlog

from base.wakeup import Wakeup
from hardware.contract import Panel
from hardware.supervisor import Supervisor
from kiosk.i18n import Words
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.display.screen import TableScreen, code_of
from kiosk.terminal.display.screen_dimming import Light, ScreenDimmer
from kiosk.terminal.display.touch_input import LOOK_MS, Pointers, TouchWakeup, VirtualTouches
from kiosk.terminal.terminal import Terminal
from kiosk.touch import Pointer, PointerPhase
from sync.terminal.agent_contract import Agent

if TYPE_CHECKING:
    from kiosk.virtual.answers import Answers
    from kiosk.virtual.http_server import HttpAnswer, HttpRequest, VirtualTerminalServer

_log = structlog.get_logger()
_TOUCHED_LOOK_S: Final = 1 / 60
_IDLE_LOOK_S: Final = 1 / 15
_ALERT_MS: Final = 10_000
_LONGEST_SLEEP_S: Final = 30.0
_AFTER_FAULT_S: Final = 0.25
_QUIET_MS: Final = 1_000
"""The time without a touch that an ordered restart waits for."""
_STOOD_MS: Final = 250
"""The longest gap in reading touches that counts for holds, as the finger may be gone after it."""


class Waker(Wakeup):
    """A socket that wakes the loop, from any thread or by a signal."""

    def __init__(self) -> None:
        super().__init__()
        self._is_woken_by_signals = False

    def wake_on_signals(self) -> None:
        """Let signals wake the loop too, even just before it sleeps. Call this on the main thread."""
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._is_woken_by_signals = True

    def close(self) -> None:
        """Close it, so that signals no longer wake the loop."""
        if self._is_woken_by_signals:
            signal.set_wakeup_fd(-1)
        super().close()


class Display:
    """The output of pictures and the source of touches.

    flip: presents a picture.
    polls: SDL events have to be polled.
    touch_wakeup: signals when polling is worthwhile; without one, or without devices, polling is by time.
    described: properties for the log.
    """

    def __init__(
        self,
        pointers: Pointers,
        flip: Callable[[], None],
        *,
        polls: bool,
        touch_wakeup: TouchWakeup | None = None,
        described: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.described = described
        self.pointers = pointers
        self.flip = flip
        self.polls = polls
        self.touch_wakeup = touch_wakeup

    def settle(self, now_ms: int) -> None:
        """Discard signals of ``touch_wakeup``, and look for new devices."""
        if self.touch_wakeup is not None:
            self.touch_wakeup.settle()
            self.touch_wakeup.look(now_ms)

    def sleep_s(self, now_ms: int, touched_ms: int) -> float:
        """Return how long SDL need not be polled. ``touched_ms`` is the time of the last touch."""
        if not self.polls:
            return math.inf
        if self.touch_wakeup is not None and self.touch_wakeup.is_wired():
            return LOOK_MS / 1000
        return _TOUCHED_LOOK_S if now_ms - touched_ms < _ALERT_MS else _IDLE_LOOK_S


class Loop:
    """The main loop of one terminal.

    ``clock_ms`` is monotonic, and also used for the page's touches. ``is_restarting`` means that the loop
    stopped because the station restarts the program.
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
        self._server: VirtualTerminalServer | None = None
        self._answers: Answers | None = None
        self._stopping = False
        self.is_restarting = False
        self._touched_ms = -_ALERT_MS
        self._panel_shown: object = None
        self._pause_s = 0.0
        self._looked_ms = clock_ms()
        self._night = ScreenDimmer(clock_ms())
        self._lit: tuple[Light, int] | None = None

    def serve_page(self, server: "VirtualTerminalServer", *, quarter_turns: int) -> None:
        """Serve the page of a virtual terminal, whose picture is turned by ``quarter_turns`` on the panel."""
        from kiosk.virtual.answers import Answers

        def current() -> tuple[Words, int]:
            return Words(self._terminal.language), server.version

        self._server = server
        self._answers = Answers(
            self._screen, self._panel, self._fingers, current, quarter_turns=quarter_turns
        )

    def stop(self) -> None:
        """Stop after this turn. May be called from a signal handler."""
        self._stopping = True

    def run(
        self,
        waker: Waker,
        supervisor: Supervisor | None = None,
        *,
        on_first_frame: Callable[[], None] = lambda: None,
    ) -> None:
        """Run until ``stop``. Raises errors that prevent the first frame.

        ``supervisor`` is notified of the first frame, and of turns without a fault. ``on_first_frame`` is
        called once after it.
        """
        supervisor = supervisor or Supervisor({})
        with selectors.DefaultSelector() as selector:
            for source in (waker, self._agent, self._panel, self._server, self._display.touch_wakeup):
                if source is not None:
                    selector.register(source, selectors.EVENT_READ)
            self._advance(self._clock_ms())
            supervisor.ready(self._clock_ms())
            self._terminal.on_first_picture()
            on_first_frame()
            while not self._stopping:
                sleep_s = self._sleep_s(self._clock_ms(), supervisor)
                selector.select(sleep_s)
                waker.clear()
                self._report_standstill(sleep_s)
                if self._safely(self.turn):
                    supervisor.on_turn(self._clock_ms())
            supervisor.ends()

    def turn(self, now_ms: int) -> None:
        """Handle everything once. Internal errors are raised; ``run`` shows them and continues."""
        self._display.settle(now_ms)
        self._terminal.on_news(self._agent.news())
        self._terminal.on_panel_events(self._night.presses(self._panel.advance(now_ms), now_ms), now_ms)
        self._terminal.carry_out(self._screen.advance(self._fingers.reported_ms(now_ms)), now_ms)
        for pointer in self._night.touches(self._pointers(now_ms), now_ms):
            intents = self._screen.pointer(pointer)
            self._terminal.carry_out(intents, now_ms, is_named=pointer.is_named)
            if pointer.phase is not PointerPhase.MOVE:
                # A page that it has opened must be painted before the next touch.
                self._advance(now_ms)
        self._advance(now_ms)
        if self._terminal.remote.is_restart_due and now_ms >= self._touched_ms + _QUIET_MS:
            self._terminal.remote.on_restart()
            self.is_restarting = True
            self.stop()
        if self._server is not None:
            self._server.serve(self.answer)
            state = self._panel.state()
            if state != self._panel_shown:
                self._panel_shown = state
                self._server.on_change()

    def answer(self, question: "HttpRequest") -> "HttpAnswer":
        """Answer a request to the page; even an internal error gets a response, as the client waits."""
        from kiosk.virtual.http_server import refusal

        if self._answers is None:
            return refusal(503, "this terminal has no door")
        try:
            return self._answers.to(question)
        except Exception:  # noqa: BLE001 (any error, as the client waits for a response)
            _log.exception("a request to the virtual terminal failed", path=question.path)
            return refusal(500, "the terminal failed at this; its log says why")

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the next time at which ``turn`` has something to do without an event, or None."""
        # Nothing moves on a dark screen.
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
        """Return the screen's next deadline, or None if it waits for a page to report its fingers."""
        due = self._screen.next_deadline_ms()
        waits = due is not None and self._fingers.reported_ms(now_ms) < due <= now_ms
        return None if waits else due

    def _report_standstill(self, slept_s: float) -> None:
        """Extend holds by a period in which touches weren't read, as the program was suspended.

        Touches on the page need no extension, because the page reports for how long fingers are down.
        """
        now_ms = self._clock_ms()
        stood_ms = now_ms - self._looked_ms - round(slept_s * 1000)
        self._looked_ms = now_ms
        if self._display.polls and stood_ms > _STOOD_MS:
            self._screen.extend_holds(stood_ms - _STOOD_MS)

    def _safely(self, action: Callable[[int], None]) -> bool:
        """Run an action, and return whether it succeeded. An error is logged and its code shown.

        If every turn fails, the watchdog isn't notified, so the program restarts with the same game.
        """
        try:
            action(self._clock_ms())
        except Exception as error:  # noqa: BLE001 (any error, as the game must go on)
            code = code_of(error)
            _log.exception("the terminal failed", code=code)
            self._pause_s = _AFTER_FAULT_S
            if self._screen.scene_name() != "trouble":
                self._screen.show_trouble(TroubleScene(code))
            return False
        return True

    def _pointers(self, now_ms: int) -> tuple[Pointer, ...]:
        pointers = self._fingers.due(now_ms)
        if self._display.polls:
            pointers = (*self._display.pointers.of(pygame.event.get(), now_ms), *pointers)
        if pointers or self._fingers.any_down() or self._display.pointers.any_down():
            self._touched_ms = now_ms
        return pointers

    def _advance(self, now_ms: int) -> None:
        self._terminal.advance(now_ms)
        self._paint(now_ms)

    def _paint(self, now_ms: int) -> None:
        view = self._terminal.view(now_ms)
        self._display.pointers.correct(view.touch)
        light = self._night.look(view, now_ms)
        darkens = light is Light.DARK and (self._lit is None or self._lit[0] is not Light.DARK)
        if self._lit != (light, view.preferences.brightness):
            self._lit = (light, view.preferences.brightness)
            self._panel.set_brightness(light.percent(view.preferences.brightness))
        if darkens:
            self._screen.darken()
        if darkens or (light is not Light.DARK and self._screen.update(view)):
            self._flip()

    def _flip(self) -> None:
        """Present the picture, or try again later if that fails."""
        try:
            self._display.flip()
        except Exception:
            self._screen.repaint()
            self._lit = None
            raise
        if self._server is not None:
            self._server.on_change()

    def _sleep_s(self, now_ms: int, supervisor: Supervisor) -> float:
        if self._pause_s:
            # The failed action may be due again immediately; leave the processor to others.
            pause, self._pause_s = self._pause_s, 0.0
            return pause
        due = self.next_deadline_ms(now_ms)
        sleep = _LONGEST_SLEEP_S if due is None else min(max(0, due - now_ms) / 1000, _LONGEST_SLEEP_S)
        sleep = min(sleep, self._display.sleep_s(now_ms, self._touched_ms))
        return min(sleep, supervisor.patience_s(now_ms))
