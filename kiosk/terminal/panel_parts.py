"""The terminal's own parts: failures and notices, power supply, self-test and shutdown."""

import enum
from collections.abc import Callable, Mapping
from typing import Final, assert_never

import msgspec
import structlog

from core.game.orders import Power
from hardware.contract import (
    ButtonPressed,
    Glow,
    Lamp,
    Panel,
    PanelButton,
    PartFailed,
    PartRecovered,
    PressKind,
    ReadingsReported,
    RepairHint,
    SensorReadings,
    SupplyTrouble,
    SwitchMoved,
    Tune,
)
from kiosk.i18n import Words
from kiosk.touch import Correction
from kiosk.view.intents import (
    AnswerShutDown,
    PartIntent,
    ReportSelfTest,
    SelfTest,
    TryGlow,
    TryLamp,
    TryLight,
    TryTouch,
)
from kiosk.view.panel_view import PartsView, SelfTestInput, ShutDown, part_name

_log = structlog.get_logger()
_FORGOTTEN_MS: Final = 180_000
"""The time that a self-test may be left alone before the buttons return to the game."""
_TRIAL_MS: Final = 15_000
"""The time that a new touch calibration may stay unconfirmed before it is reverted."""
_ASKED_MS: Final = 30_000
_MOST_HANDS: Final = 32
_AT_HAND: Final = ("button", "key", "lamp", "buzzer", "pins")
"""Parts that players and judges use. Failures of others are only logged and shown in the self-test."""


class News(enum.Enum):
    """A change of the power supply that people are notified of once."""

    MAINS_LOST = "mains lost"
    BATTERY_LOW = "battery low"
    UNDER_VOLTAGE = "under-voltage"


_HOLDS: Final[Mapping[News, Callable[[SensorReadings], bool]]] = {
    News.MAINS_LOST: lambda now: now.battery is not None and now.battery.on_mains is False,
    News.BATTERY_LOW: lambda now: now.battery is not None and now.battery.is_low,
    News.UNDER_VOLTAGE: lambda now: now.supply is not None and SupplyTrouble.UNDER_VOLTAGE in now.supply.now,
}


def power_news(before: SensorReadings, after: SensorReadings) -> tuple[News, ...]:
    return tuple(news for news, holds in _HOLDS.items() if holds(after) and not holds(before))


class Parts:
    """The state of a panel's parts.

    restore: resets lamps and brightness after a self-test.
    shut_down: ends the program and powers the board off; raises OSError if the system refuses.
    """

    def __init__(
        self,
        panel: Panel,
        restore: Callable[[], None] = lambda: None,
        shut_down: Callable[[], None] = lambda: None,
    ) -> None:
        self._restore = restore
        self._shut_down = shut_down
        self._panel = panel
        self._failures: list[PartFailed] = []
        self._power: list[News] = []
        self._readings = SensorReadings()
        self._tested: SelfTestInput | None = None
        self._tested_until_ms = 0
        self._trial: Correction | None = None
        self._trial_until_ms = 0
        self._shutdown_state = ShutDown.NO
        self._asked_until_ms = 0

    @property
    def power(self) -> Power | None:
        """Return the state of the power supply, or None if it hasn't been measured."""
        if self._readings.battery is None and self._readings.supply is None:
            return None
        worst = (
            (News.BATTERY_LOW, Power.LOW),
            (News.MAINS_LOST, Power.BATTERY),
            (News.UNDER_VOLTAGE, Power.WEAK),
        )
        return next((power for news, power in worst if _HOLDS[news](self._readings)), Power.MAINS)

    @property
    def is_tested(self) -> bool:
        return self._tested is not None

    def on_part_event(self, event: PartFailed | PartRecovered | ReadingsReported) -> None:
        """Process an event that a part reported about itself."""
        match event:
            case PartFailed():
                _log.warning("a part of the panel failed", part=event.part, problem=event.problem)
                self._failures = [event] if event.part.startswith(_AT_HAND) else self._failures
            case PartRecovered():
                _log.info("a part of the panel works again", part=event.part)
                self._failures = [
                    fault for fault in self._failures if fault.part != event.part or _has_affected_game(fault)
                ]
            case ReadingsReported():
                news = power_news(self._readings, event.readings)
                for item in news:
                    _log.warning("power", news=item.value)
                self._power += [item for item in news if item not in self._power]
                self._readings = event.readings
            case _:
                assert_never(event)

    def consume_input(self, event: ButtonPressed | SwitchMoved, now_ms: int) -> bool:
        """Return whether a self-test or the shutdown question uses this event, so that the game doesn't."""
        if isinstance(event, ButtonPressed) and event.button is PanelButton.SHUT_DOWN and not self.is_tested:
            self._on_shut_down_button(event, now_ms)
            return True
        if self._tested is None:
            return False
        self._tested_until_ms = now_ms + _FORGOTTEN_MS
        if isinstance(event, SwitchMoved):
            turns = (*self._tested.turns, event.part)[-_MOST_HANDS:]
            self._tested = msgspec.structs.replace(self._tested, turns=turns)
        elif event.kind is PressKind.PRESSED:
            presses = (*self._tested.presses, event.button)[-_MOST_HANDS:]
            self._tested = msgspec.structs.replace(self._tested, presses=presses)
            self._panel.play(Tune.CLICK)
        return isinstance(event, ButtonPressed)

    def carry_out(self, intent: PartIntent, now_ms: int) -> None:
        """Carry out a request; most are ignored without a running self-test."""
        if isinstance(intent, AnswerShutDown):
            self._on_answer(is_yes=intent.is_yes)
            return
        if isinstance(intent, SelfTest):
            self._begin_or_end_test(intent, now_ms)
        if self._tested is None:
            return
        self._tested_until_ms = now_ms + _FORGOTTEN_MS
        match intent:
            case TryLamp():
                self._panel.show(intent.says)
            case TryGlow():
                self._tested = SelfTestInput()
                self._panel.glow({} if intent.button is None else {intent.button: Glow.BLINKING})
            case TryLight():
                self._panel.set_brightness(intent.percent)
            case TryTouch():
                self._trial, self._trial_until_ms = intent.correction, now_ms + _TRIAL_MS
            case ReportSelfTest():
                _log.info("self-test", results=dict(intent.results))
            case SelfTest():
                pass
            case _:
                assert_never(intent)

    def touch(self, chosen: Correction | None) -> Correction | None:
        """Return the touch calibration in effect: the one being tried, or the chosen one."""
        return self._trial or chosen

    def notice(self, words: Words) -> str:
        """Return the notice to show, or an empty text."""
        _ = words.gettext
        if self._power:
            return {
                News.MAINS_LOST: _("No mains power: running on battery. Check the plug and cable."),
                News.BATTERY_LOW: _("The battery is almost empty. Plug the terminal in or call the judge."),
                News.UNDER_VOLTAGE: _(
                    "The power supply is too weak. Ask the organiser for a stronger one or a shorter cable."
                ),
            }[self._power[0]]
        if self._failures:
            part = part_name(self._failures[0].part, words)
            if _has_affected_game(self._failures[0]):
                return _("Misfiring: {part}. Undo its entries.").format(part=part)
            return _("Broken: {part}. Use the screen.").format(part=part)
        return ""

    def dismiss(self) -> bool:
        """Dismiss the notice, and return whether there was one."""
        if self._power:
            self._power.pop(0)
            return True
        had_one = bool(self._failures)
        self._failures.clear()
        return had_one

    def advance(self, now_ms: int) -> None:
        """End a self-test, calibration or question that nobody continued."""
        if self._tested is not None and now_ms >= self._tested_until_ms:
            self._end_test()
        if self._trial is not None and now_ms >= self._trial_until_ms:
            self._trial = None
        if self._shutdown_state is not ShutDown.NO and now_ms >= self._asked_until_ms:
            self._shutdown_state = ShutDown.NO

    def view(self) -> PartsView:
        """Return the state of the parts for the screen."""
        state = self._panel.state()
        return PartsView(
            state.parts,
            state.failed_parts,
            self._readings,
            self._tested,
            touch_trial=self._trial is not None,
            shut_down=self._shutdown_state,
            switches=state.switches,
        )

    def next_deadline_ms(self) -> int | None:
        """Return the next time at which something ends without an event."""
        due = [
            at_ms
            for is_on, at_ms in (
                (self._tested is not None, self._tested_until_ms),
                (self._trial is not None, self._trial_until_ms),
                (self._shutdown_state is not ShutDown.NO, self._asked_until_ms),
            )
            if is_on
        ]
        return min(due, default=None)

    def _on_shut_down_button(self, event: ButtonPressed, now_ms: int) -> None:
        """Ask whether to shut down after a hold; a second hold confirms, as the screen may be broken."""
        if event.kind is not PressKind.HELD:
            return
        if self._shutdown_state is ShutDown.ASKED:
            self._on_answer(is_yes=True)
            return
        self._shutdown_state, self._asked_until_ms = ShutDown.ASKED, now_ms + _ASKED_MS
        self._panel.play(Tune.ATTENTION)

    def _on_answer(self, *, is_yes: bool) -> None:
        self._shutdown_state = ShutDown.NO
        if not is_yes:
            return
        _log.warning("shutting down on request at the panel")
        try:
            self._shut_down()
        except OSError as error:
            _log.error("cannot shut down", problem=str(error))
            self._shutdown_state = ShutDown.FAILED

    def _begin_or_end_test(self, intent: SelfTest, now_ms: int) -> None:
        if intent.is_on:
            self._tested, self._tested_until_ms = SelfTestInput(), now_ms + _FORGOTTEN_MS
            self._panel.glow({})
            self._panel.show(Lamp.OFF)
        else:
            self._end_test()

    def _end_test(self) -> None:
        self._tested = self._trial = None
        self._restore()


def _has_affected_game(failed: PartFailed) -> bool:
    """Return whether a faulty button may have affected the game before it was disabled."""
    return failed.remedy is RepairHint.CLEAN and failed.part.startswith("button")
