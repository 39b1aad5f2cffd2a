"""The interface of a screen for its observers: its picture, text and targets."""

from typing import Protocol

import msgspec
import pygame


class Target(msgspec.Struct, frozen=True):
    """A place that can be touched.

    id: a stable name in the game's terms (``seat-3-minus``, ``character-slab-the-killer``).
    rect: x, y, width, height in logical pixels.
    hold_ms: how long to hold it, or 0 for a tap.
    """

    id: str
    label: str
    rect: tuple[int, int, int, int]
    enabled: bool = True
    hold_ms: int = 0


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
