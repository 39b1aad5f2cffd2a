"""The dimming of the screen between games, and the touches that only wake it.

The screen is never dim during a game. Pure: time is an argument.
"""

import enum
from typing import Final

from core.game.state.game import Phase
from hardware.contract import ButtonPressed, PanelButton, PanelEvent, PressKind, SwitchMoved
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.touch_recogniser import GHOST_MS
from kiosk.view.table_view import TableView

DIM_AFTER_MS: Final = 5 * 60_000
DARK_AFTER_MS: Final = 30 * 60_000
UNSEEN_MS: Final = 400
"""The time after the screen lights up in which touches are ignored, as nobody can have read it yet."""
_ALL: Final = 100
_LEAST: Final = 10
"""The minimum brightness in percent, so that people can always find the setting again."""
_DIMMED: Final = 4
"""The factor by which a dimmed screen is darker than the chosen brightness."""


class Light(enum.Enum):
    """A state of the screen's brightness."""

    FULL = "full"
    """The screen has full brightness, as a camera has to read a code."""
    BRIGHT = "bright"
    DIM = "dim"
    """The screen is dimmed but readable, and touches act."""
    DARK = "dark"

    def percent(self, chosen: int) -> int:
        """Return the backlight percentage for a chosen brightness."""
        lit = max(chosen, _LEAST)
        match self:
            case Light.FULL:
                return _ALL
            case Light.BRIGHT:
                return lit
            case Light.DIM:
                return max(lit // _DIMMED, 1)
            case Light.DARK:
                return 0


class ScreenDimmer:
    """The brightness of one terminal's screen over time."""

    def __init__(self, now_ms: int) -> None:
        self._stirred_ms = now_ms
        self._lit_ms: int | None = None
        self._plays = False
        self._news: object = None
        self._light = Light.BRIGHT
        self._waking: dict[int, int] = {}
        self._spent: set[PanelButton] = set()

    def look(self, view: TableView, now_ms: int) -> Light:
        """Return the brightness for this view. New messages wake the screen."""
        plays, news = _plays(view), _news(view)
        if plays or plays != self._plays or news != self._news or view.carried.parcel is not None:
            self._stir(now_ms)
        self._plays, self._news = plays, news
        quiet_ms = now_ms - self._stirred_ms
        if quiet_ms >= DARK_AFTER_MS:
            self._light = Light.DARK
        elif quiet_ms >= DIM_AFTER_MS:
            self._light = Light.DIM
        else:
            self._light = Light.BRIGHT if view.carried.parcel is None else Light.FULL
        return self._light

    def touches(self, pointers: tuple[Pointer, ...], now_ms: int) -> tuple[Pointer, ...]:
        return tuple(pointer for pointer in pointers if self._may_act(pointer, now_ms))

    def presses(self, events: tuple[PanelEvent, ...], now_ms: int) -> tuple[PanelEvent, ...]:
        """Return the presses that may act, without those that wake a dark screen; a key always acts."""
        acting: list[PanelEvent] = []
        for event in events:
            if isinstance(event, ButtonPressed):
                if self._is_unseen(now_ms):
                    self._spent.add(event.button)
                elif event.kind is PressKind.PRESSED:
                    self._spent.discard(event.button)
                self._stir(now_ms)
                if event.button in self._spent:
                    continue
            elif isinstance(event, SwitchMoved):
                self._stir(now_ms)
            acting.append(event)
        return tuple(acting)

    def next_deadline_ms(self) -> int | None:
        """Return the time at which the screen becomes darker without an event, or None."""
        if self._plays or self._light is Light.DARK:
            return None
        return self._stirred_ms + (DARK_AFTER_MS if self._light is Light.DIM else DIM_AFTER_MS)

    def _may_act(self, pointer: Pointer, now_ms: int) -> bool:
        if pointer.phase is PointerPhase.DOWN:
            # Later touches must work even if the panel failed to report that a finger was lifted.
            self._waking = {one: at_ms for one, at_ms in self._waking.items() if now_ms - at_ms < GHOST_MS}
            if self._is_unseen(now_ms) or self._waking:
                self._waking[pointer.finger] = now_ms
            self._stir(now_ms)
        may = pointer.finger not in self._waking
        if pointer.phase in {PointerPhase.UP, PointerPhase.LOST}:
            self._waking.pop(pointer.finger, None)
        return may

    def _is_unseen(self, now_ms: int) -> bool:
        just_lit = self._lit_ms is not None and now_ms - self._lit_ms < UNSEEN_MS
        return self._light is Light.DARK or just_lit

    def _stir(self, now_ms: int) -> None:
        if self._light is Light.DARK:
            self._lit_ms = now_ms
            self._light = Light.BRIGHT
        self._stirred_ms = now_ms


def _plays(view: TableView) -> bool:
    game = view.game
    return game is not None and not view.is_relieved and game.phase not in {Phase.CONFIRMED, Phase.VOIDED}


def _news(view: TableView) -> object:
    """Return the parts of a view whose change wakes the screen."""
    game, station = None if view.game is None else view.game.game, view.station
    message = None if station.message is None else station.message.message
    orders = message, station.locked_by, station.is_identified
    return view.table, game, view.message, view.notice, view.doubt, view.enrolment, view.is_relieved, orders
