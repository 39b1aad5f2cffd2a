"""The seam between the app's loop and the picture: what the loop may ask of a screen."""

from typing import Protocol

import msgspec
import pygame

from saloon.kiosk.intents import Intent
from saloon.kiosk.pointer import Pointer
from saloon.kiosk.table_view import TableView


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
        """What was painted last."""

    def update(self, view: TableView) -> bool:
        """Paint what differs from the last view; whether anything did (and the screen must flip)."""

    def pointer(self, pointer: Pointer) -> tuple[Intent, ...]:
        """What a moment of a touch asks for. Call ``update`` afterwards: a scene may have changed."""

    def advance(self, now_ms: int) -> tuple[Intent, ...]:
        """What the passing of time asks for (a hold that is complete, a message that fades)."""

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next, on the monotonic clock; None for never."""

    def targets(self) -> tuple[Target, ...]:
        """All places that can be touched now, topmost scene only."""

    def says(self) -> tuple[str, ...]:
        """What is written on the glass besides its targets: what is for all first, then each seat's."""

    def scene_name(self) -> str:
        """The name of the topmost scene (``waiting``, ``seating``, ``play``…)."""
