"""Simulated fingers on a panel, reported as SDL does."""

import enum
from collections.abc import Mapping
from typing import Final

import pygame

from kiosk.ui.geometry import ScreenGeometry


class TouchStyle(enum.Enum):
    """The events that a system reports for a touch."""

    FINGER = "finger"
    """KMSDRM: only finger events."""
    FINGER_AND_MOUSE = "finger and mouse"
    """X11 and Wayland: mouse events in addition to finger events."""
    MOUSE = "mouse"
    """Only mouse events."""


_FINGER: Final[Mapping[str, int]] = {
    "down": pygame.FINGERDOWN,
    "move": pygame.FINGERMOTION,
    "up": pygame.FINGERUP,
}
_MOUSE: Final[Mapping[str, int]] = {
    "down": pygame.MOUSEBUTTONDOWN,
    "move": pygame.MOUSEMOTION,
    "up": pygame.MOUSEBUTTONUP,
}


class Fingertips:
    """A source of SDL events for touches. Places are logical pixels, as people see the screen."""

    def __init__(self, glass: ScreenGeometry, style: TouchStyle) -> None:
        self._glass = glass
        self._style = style
        self._at: dict[int, tuple[int, int]] = {}

    @property
    def down(self) -> tuple[int, ...]:
        return tuple(self._at)

    def lay(self, finger: int, x: int, y: int) -> None:
        self._at[finger] = (x, y)
        self._tell("down", finger, x, y)

    def slide(self, finger: int, x: int, y: int) -> None:
        self._at[finger] = (x, y)
        self._tell("move", finger, x, y)

    def lift(self, finger: int) -> None:
        x, y = self._at.pop(finger)
        self._tell("up", finger, x, y)

    def lose(self, finger: int) -> None:
        """Lift a finger without reporting it."""
        self._at.pop(finger, None)

    def forget(self) -> None:
        """Empty SDL's queue, as a power cut would."""
        self._at.clear()
        pygame.event.clear()

    def _tell(self, phase: str, finger: int, x: int, y: int) -> None:
        px, py = self._on_panel(x, y)
        width, height = self._glass.panel_size
        if self._style is not TouchStyle.MOUSE:
            self._post(_FINGER[phase], touch_id=1, finger_id=finger, x=px / width, y=py / height)
        if self._style is not TouchStyle.FINGER:
            self._post(_MOUSE[phase], pos=(px, py), button=1)

    def _on_panel(self, x: int, y: int) -> tuple[int, int]:
        width, height = self._glass.panel_size
        match self._glass.quarter_turns % 4:
            case 1:
                return width - 1 - y, x
            case 2:
                return width - 1 - x, height - 1 - y
            case 3:
                return y, height - 1 - x
            case _:
                return x, y

    def _post(self, kind: int, **fields: object) -> None:
        pygame.event.post(pygame.event.Event(kind, fields))
