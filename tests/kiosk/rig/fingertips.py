"""Fingers on a panel, told as SDL tells of them."""

import enum
from collections.abc import Mapping
from typing import Final

import pygame

from saloon.kiosk.ui.geometry import ScreenGeometry


class TouchStyle(enum.Enum):
    """What a system tells of a touch."""

    FINGER = "finger"
    """KMSDRM: fingers only."""
    FINGER_AND_MOUSE = "finger and mouse"
    """X11 and Wayland: each finger also as a mouse."""
    MOUSE = "mouse"
    """A mouse and nothing else."""


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
    """Puts SDL's events into SDL's queue. Places are logical pixels, as people see the glass."""

    def __init__(self, glass: ScreenGeometry, style: TouchStyle) -> None:
        self._glass = glass
        self._style = style
        self._at: dict[int, tuple[int, int]] = {}

    @property
    def down(self) -> tuple[int, ...]:
        """The fingers that lie on the glass."""
        return tuple(self._at)

    def lay(self, finger: int, x: int, y: int) -> None:
        """A finger lands."""
        self._at[finger] = (x, y)
        self._tell("down", finger, x, y)

    def slide(self, finger: int, x: int, y: int) -> None:
        """A finger moves."""
        self._at[finger] = (x, y)
        self._tell("move", finger, x, y)

    def lift(self, finger: int) -> None:
        """A finger leaves; its last place is told again."""
        x, y = self._at.pop(finger)
        self._tell("up", finger, x, y)

    def lose(self, finger: int) -> None:
        """A finger leaves and nobody is told."""
        self._at.pop(finger, None)

    def forget(self) -> None:
        """Power is gone: whatever SDL had in its queue."""
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
