"""The seam between a screen and those who answer for it: its picture, its text and its targets."""

from typing import Protocol

import msgspec
import pygame


class Target(msgspec.Struct, frozen=True):
    """A place that can be touched.

    id: stable and in the domain's words (``seat-3-minus``, ``character-slab-the-killer``).
    rect: x, y, width, height in logical pixels. hold_ms: how long it must be held, 0 for a tap.
    """

    id: str
    label: str
    rect: tuple[int, int, int, int]
    enabled: bool = True
    hold_ms: int = 0


class ScreenContract(Protocol):
    """A screen, as the page of a virtual terminal sees it."""

    @property
    def surface(self) -> pygame.Surface:
        """The picture that was painted last."""

    def targets(self) -> tuple[Target, ...]:
        """Return all places of the topmost scene that can be touched now."""

    def visible_text(self) -> tuple[str, ...]:
        """Return the text on the glass besides its targets: the text for all first, then each seat's."""

    def scene_name(self) -> str:
        """Return the name of the topmost scene (``waiting``, ``seating``, ``play``…)."""
