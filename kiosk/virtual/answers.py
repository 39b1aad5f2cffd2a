"""The app's responses to HTTP requests: picture, targets, panel state, and touches from a browser."""

from collections.abc import Callable, Mapping
from typing import Annotated, Protocol

import msgspec
import pygame

from hardware.contract import Lamp, Panel, PanelButton, PowerSource
from kiosk.i18n import Words
from kiosk.touch import PointerPhase
from kiosk.ui.blocks import Target
from kiosk.view.panel_view import part_name
from kiosk.virtual.http_server import HttpAnswer, HttpRequest, refusal
from kiosk.virtual.tiles import PictureTiles, png_of


def page_words(words: Words) -> Mapping[str, str]:
    """Return the page's texts by the names that its script uses."""
    _ = words.gettext
    return {
        "title": _("Virtual terminal"),
        "skip": _("Skip to screen"),
        "tools": _("Page tools"),
        "screen": _("Screen"),
        "panel": _("Panel"),
        "sound": _("Sound"),
        "turn": _("Rotate the table"),
        "keys": _("Keyboard"),
        "whole": _("Full screen"),
        "lamp": _("Lamp"),
        "buzzer": _("Buzzer"),
        "sounding": _("Buzzer: sounding"),
        "reshuffle": _("Reshuffle"),
        "end-turn": _("End turn"),
        "call-judge": _("Judge"),
        "shut-down": _("Shut down"),
        "key": _("Judge's key"),
        "lit": _("{button}, lit"),
        "hold": _("{target}, hold"),
        "broken": _("Broken: {parts}"),
        "connecting": _("Looking for the terminal…"),
        "connected": _("The terminal is on. Tapping here works just like tapping at its table."),
        "away": _("Terminal disconnected; reconnecting…"),
        "unofficial": _("Unofficial. BANG! is a trademark of its owner."),
        **_lamp_words(words),
        **_key_words(words),
    }


def _lamp_words(words: Words) -> Mapping[str, str]:
    _ = words.gettext
    said = {
        Lamp.OFF: _("off"),
        Lamp.WAITING: _("waiting"),
        Lamp.PLAYING: _("playing"),
        Lamp.HIGH_NOON: _("High Noon"),
        Lamp.ASKED: _("question for the table"),
        Lamp.TIME_SHORT: _("time is nearly up"),
        Lamp.TIME_OVER: _("time is up"),
        Lamp.JUDGE_CALLED: _("judge called"),
        Lamp.ENDED: _("the game is over"),
        Lamp.TROUBLE: _("fault"),
        Lamp.IDENTIFY: _("identifying itself"),
    }
    return {f"lamp-{lamp.value}": _("Lamp: {what}").format(what=what) for lamp, what in said.items()}


def _key_words(words: Words) -> Mapping[str, str]:
    _ = words.gettext
    return {
        "keys-tab": _("moves to the next control"),
        "keys-arrows": _("moves to the control on that side"),
        "keys-enter": _("taps it, or holds it while the key is down"),
        "keys-r": _("Reshuffle"),
        "keys-e": _("End turn"),
        "keys-j": _("calls the judge"),
        "keys-k": _("turns the judge's key"),
        "keys-s": _("Sound"),
        "keys-t": _("Rotate the table"),
    }


_LONGEST_HOLD_MS = 10_000
_TAP_MS = 60
_SETTLE_MS = 40


class TouchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A touch of a target by name, or of a place in logical pixels, by default as long as needed."""

    target: str | None = None
    x: int | None = None
    y: int | None = None
    hold_ms: int | None = None


class FingerMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a finger, in logical pixels. ``finger`` is a number from 0 to 9."""

    finger: Annotated[int, msgspec.Meta(ge=0, le=9)]
    phase: PointerPhase
    x: int
    y: int


class Moments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Touch events since the last request, oldest first.

    ``within_ms`` is the time until the next report of each finger, after which it counts as lost; holds count
    only up to the last report. If it is missing, a finger stays down until lifted.
    """

    moments: Annotated[tuple[FingerMoment, ...], msgspec.Meta(max_length=64)]
    within_ms: Annotated[int, msgspec.Meta(ge=100, le=10_000)] | None = None


class Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press of a panel button, a turn of the key, or a change of the virtual battery's power supply."""

    press: str | None = None
    hold_ms: int = 0
    key: bool | None = None
    battery: PowerSource | None = None


class Fingers(Protocol):
    """A receiver of simulated touches."""

    def touch(self, x: int, y: int, hold_ms: int, *, is_named: bool = False) -> None:
        """Put a finger down now and lift it after ``hold_ms``. ``is_named``: the target was named."""

    def move(self, finger: int, phase: PointerPhase, x: int, y: int, *, within_ms: int | None = None) -> None:
        """Add an event of a finger, which counts as lost ``within_ms`` after its last report."""

    def is_down(self) -> bool:
        """Return whether a touch that came by HTTP isn't over yet."""


class ScreenContract(Protocol):
    """A screen as used by the page of a virtual terminal."""

    @property
    def surface(self) -> pygame.Surface:
        """The picture that was painted last."""

    def targets(self) -> tuple[Target, ...]:
        """Return all targets of the topmost scene that can be touched now."""

    def visible_text(self) -> tuple[str, ...]:
        """Return the text on the screen outside of targets: shared text first, then each seat's."""

    def scene_name(self) -> str:
        """Return the name of the topmost scene (``waiting``, ``seating``, ``play``…)."""


class Answers:
    """The responses of one app.

    current: returns the language now, and the version of picture and panel.
    quarter_turns: how far the picture on its panel is turned; responses show it upright.
    """

    def __init__(
        self,
        screen: ScreenContract,
        panel: Panel,
        fingers: Fingers,
        current: Callable[[], tuple[Words, int]],
        *,
        quarter_turns: int,
    ) -> None:
        self._screen = screen
        self._panel = panel
        self._fingers = fingers
        self._current = current
        self._quarter_turns = quarter_turns
        self._tiles = PictureTiles()

    def to(self, question: HttpRequest) -> HttpAnswer:
        """Answer a request."""
        match (question.method, question.path):
            case ("GET", "/screen.png"):
                return HttpAnswer(200, png_of(self._upright()), "image/png")
            case ("GET", "/screen.json"):
                return HttpAnswer(200, msgspec.json.encode(self._describe_screen()))
            case ("GET", "/frame"):
                return self._frame(question.since)
            case ("POST", "/touch"):
                return self._on_touch(question.body)
            case ("POST", "/fingers"):
                return self._on_moments(question.body)
            case ("GET", "/words"):
                return HttpAnswer(200, msgspec.json.encode(page_words(self._current()[0])))
            case ("GET", "/panel"):
                return HttpAnswer(200, msgspec.json.encode(self._describe_panel()))
            case ("POST", "/panel"):
                return self._on_press(question.body)
            case _:
                return refusal(404, f"there is no {question.path}")

    def _upright(self) -> pygame.Surface:
        surface = self._screen.surface
        return pygame.transform.rotate(surface, 90 * self._quarter_turns) if self._quarter_turns else surface

    def _frame(self, since: int) -> HttpAnswer:
        """Return changes since a version: the description's length, the description, and PNG files."""
        _, version = self._current()
        parts = self._tiles.parts_since(self._upright(), version, since)
        description = msgspec.json.encode(
            {
                **self._describe_screen(),
                "panel": self._describe_panel(),
                "parts": [(*part.rect, len(part.png)) for part in parts],
            }
        )
        body = b"".join((len(description).to_bytes(4), description, *(part.png for part in parts)))
        return HttpAnswer(200, body, "application/octet-stream", version=version)

    def _describe_screen(self) -> dict[str, object]:
        words, version = self._current()
        return {
            "scene": self._screen.scene_name(),
            "language": words.language,
            "version": version,
            "size": self._size(),
            "targets": self._screen.targets(),
            "says": self._screen.visible_text(),
        }

    def _describe_panel(self) -> dict[str, object]:
        state, (words, _) = self._panel.state(), self._current()
        broken = [part_name(failed.part, words) for failed in state.failed_parts]
        return {**msgspec.structs.asdict(state), "broken": broken}

    def _size(self) -> tuple[int, int]:
        width, height = self._screen.surface.get_size()
        return (height, width) if self._quarter_turns % 2 else (width, height)

    def _on_touch(self, body: bytes) -> HttpAnswer:
        try:
            touch = msgspec.json.decode(body, type=TouchRequest)
        except (msgspec.DecodeError, ValueError) as error:
            return refusal(400, f"no touch: {error}")
        if touch.hold_ms is not None and not 0 <= touch.hold_ms <= _LONGEST_HOLD_MS:
            return refusal(400, f"hold_ms goes from 0 to {_LONGEST_HOLD_MS}")
        if touch.target is not None:
            return self._touch_by_name(touch.target, touch.hold_ms)
        if touch.x is None or touch.y is None:
            return refusal(400, "a touch needs a target, or x and y")
        width, height = self._size()
        if not (0 <= touch.x < width and 0 <= touch.y < height):
            return refusal(400, f"the screen is {width} by {height}")
        return self._down(touch.x, touch.y, max(_TAP_MS, touch.hold_ms or 0))

    def _on_moments(self, body: bytes) -> HttpAnswer:
        try:
            batch = msgspec.json.decode(body, type=Moments)
        except (msgspec.DecodeError, ValueError) as error:
            return refusal(400, f"no fingers: {error}")
        width, height = self._size()
        if not all(0 <= moment.x < width and 0 <= moment.y < height for moment in batch.moments):
            return refusal(400, f"the screen is {width} by {height}")
        for moment in batch.moments:
            self._fingers.move(moment.finger, moment.phase, moment.x, moment.y, within_ms=batch.within_ms)
        return HttpAnswer(200, b"{}")

    def _touch_by_name(self, name: str, hold_ms: int | None) -> HttpAnswer:
        targets: dict[str, Target] = {target.id: target for target in self._screen.targets()}
        target = targets.get(name)
        if target is None:
            return refusal(404, f"{name} is not on the screen", targets=sorted(targets))
        if not target.enabled:
            return refusal(409, f"{name} cannot be touched now")
        x, y, width, height = target.rect
        wanted = target.hold_ms + _TAP_MS if target.hold_ms else _TAP_MS
        held = wanted if hold_ms is None else max(hold_ms, wanted)
        return self._down(x + width // 2, y + height // 2, held, is_named=True)

    def _down(self, x: int, y: int, hold_ms: int, *, is_named: bool = False) -> HttpAnswer:
        """Touch a place. The response is sent when the finger is up and the result is visible."""
        if self._fingers.is_down():
            return refusal(409, "another finger is still on the screen")
        self._fingers.touch(x, y, hold_ms, is_named=is_named)
        return HttpAnswer(200, b"{}", after_ms=hold_ms + _SETTLE_MS)

    def _on_press(self, body: bytes) -> HttpAnswer:
        try:
            press = msgspec.json.decode(body, type=Press)
            button = PanelButton(press.press) if press.press is not None else None
        except (msgspec.DecodeError, ValueError) as error:
            return refusal(400, f"no press: {error}", buttons=[b.value for b in PanelButton])
        if not 0 <= press.hold_ms <= _LONGEST_HOLD_MS:
            return refusal(400, f"hold_ms goes from 0 to {_LONGEST_HOLD_MS}")
        try:
            if button is not None:
                self._panel.press(button, hold_ms=press.hold_ms)
            if press.key is not None:
                self._panel.turn_key(on=press.key)
            if press.battery is not None:
                self._panel.run_on(press.battery)
        except (OSError, KeyError) as error:
            return refusal(409, f"this panel cannot do that: {error}")
        return HttpAnswer(200, b"{}")
