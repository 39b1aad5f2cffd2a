"""Surfaces that were made once, kept while there is room."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import pygame

_BYTES_PER_PIXEL: Final = 4


class SurfaceCache:
    """Surfaces by what they show; those not used for longest go first when the budget is full."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget = budget_bytes
        self._held = 0
        self._surfaces: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    @property
    def held_bytes(self) -> int:
        """What is kept now."""
        return self._held

    def surface(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The surface of a key, made when it is not there. The caller does not draw on it."""
        found = self._surfaces.get(key)
        if found is not None:
            self._surfaces.move_to_end(key)
            return found
        made = make()
        self._surfaces[key] = made
        self._held += _bytes(made)
        while self._held > self._budget and len(self._surfaces) > 1:
            _, oldest = self._surfaces.popitem(last=False)
            self._held -= _bytes(oldest)
        return made


def budget_for(size: tuple[int, int]) -> int:
    """As many bytes as a picture of a glass of this size, in pixels: a scene needs up to two fifths of it."""
    return size[0] * size[1] * _BYTES_PER_PIXEL


def _bytes(surface: pygame.Surface) -> int:
    return surface.get_width() * surface.get_height() * surface.get_bytesize()
