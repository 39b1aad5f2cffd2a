"""The seam between the app's loop and the picture: what the loop may ask of a screen."""

from typing import Protocol

import msgspec
import pygame

from saloon.kiosk.intents import Intent
from saloon.kiosk.pointer import Pointer
from saloon.kiosk.view.table_view import TableView


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
    """A screen draws a table and turns touches into intents; it knows no clock, pin, wire or file."""

    @property
    def surface(self) -> pygame.Surface:
        """The picture that was painted last."""

    def update(self, view: TableView) -> bool:
        """Paint the changes since the last view; return whether there were any (the screen must flip)."""

    def pointer(self, pointer: Pointer) -> tuple[Intent, ...]:
        """Return the intents of a moment of a touch. Call ``update`` afterwards: a scene may have changed."""

    def advance(self, now_ms: int) -> tuple[Intent, ...]:
        """Return the intents due by time (a hold that is complete, a message that fades)."""

    def next_deadline_ms(self) -> int | None:
        """Return the monotonic time at which ``advance`` must be called next; None for never."""

    def targets(self) -> tuple[Target, ...]:
        """Return all places of the topmost scene that can be touched now."""

    def says(self) -> tuple[str, ...]:
        """Return the text on the glass besides its targets: the text for all first, then each seat's."""

    def scene_name(self) -> str:
        """Return the name of the topmost scene (``waiting``, ``seating``, ``play``…)."""
