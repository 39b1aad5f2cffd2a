"""A cache of rendered surfaces, limited in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import pygame

_BYTES_PER_PIXEL: Final = 4


class SurfaceCache:
    """A cache of surfaces by key; the least recently used are dropped when the budget is exceeded."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget = budget_bytes
        self._held = 0
        self._surfaces: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    @property
    def held_bytes(self) -> int:
        """The size of all cached surfaces, in bytes."""
        return self._held

    def get_or_make(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the surface of a key, made if it is missing. The caller must not draw on it."""
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


def cache_budget_bytes(size: tuple[int, int]) -> int:
    """Return the bytes of one picture of a size in pixels, of which a scene needs up to two fifths."""
    return size[0] * size[1] * _BYTES_PER_PIXEL


def _bytes(surface: pygame.Surface) -> int:
    return surface.get_width() * surface.get_height() * surface.get_bytesize()
