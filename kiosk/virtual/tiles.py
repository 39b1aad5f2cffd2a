"""The changed parts of a picture, so that remote pages need not load all of it again."""

import io
from collections.abc import Iterator
from typing import Final

import msgspec
import pygame

_SIDE: Final = 64
"""The width and height of a tile in pixels."""
pixels_of: Final = pygame.image.tobytes if hasattr(pygame.image, "tobytes") else pygame.image.tostring
"""A function that returns the bytes of a surface. Debian 12's pygame 2.1 has only the older one."""


class PicturePart(msgspec.Struct, frozen=True):
    """A changed rectangle of the picture, in pixels, and its PNG file."""

    rect: tuple[int, int, int, int]
    png: bytes


class PictureTiles:
    """A record of the version in which each tile of a picture last changed."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._looks: list[int] = []
        self._changed: list[int] = []

    def parts_since(self, picture: pygame.Surface, version: int, since: int) -> tuple[PicturePart, ...]:
        """Return the parts of this version that changed after the version ``since``, or 0 for all."""
        self._look(picture, version)
        across = -(-self._size[0] // _SIDE)
        is_new = [changed > since for changed in self._changed]
        return tuple(
            PicturePart((rect.x, rect.y, rect.w, rect.h), png_of(picture.subsurface(rect)))
            for rect in _rectangles(is_new, across, picture.get_rect())
        )

    def _look(self, picture: pygame.Surface, version: int) -> None:
        looks = [hash(pixels_of(picture.subsurface(tile), "RGB")) for tile in _tiles(picture)]
        if picture.get_size() != self._size:
            self._size, self._looks = picture.get_size(), looks
            self._changed = [version] * len(looks)
            return
        pairs = zip(self._looks, looks, self._changed, strict=True)
        self._changed = [changed if old == new else version for old, new, changed in pairs]
        self._looks = looks


def _tiles(picture: pygame.Surface) -> Iterator[pygame.Rect]:
    whole = picture.get_rect()
    for y in range(0, whole.h, _SIDE):
        for x in range(0, whole.w, _SIDE):
            yield pygame.Rect(x, y, _SIDE, _SIDE).clip(whole)


def _rectangles(is_new: list[bool], across: int, whole: pygame.Rect) -> Iterator[pygame.Rect]:
    """Yield rectangles that cover the changed tiles, merging neighbours and equal rows below each other."""
    open_runs: dict[tuple[int, int], pygame.Rect] = {}
    for top in range(0, len(is_new), across):
        runs = dict.fromkeys(_runs(is_new[top : top + across]))
        for run in [run for run in open_runs if run not in runs]:
            yield open_runs.pop(run).clip(whole)
        for first, after in runs:
            row = pygame.Rect(first * _SIDE, top // across * _SIDE, (after - first) * _SIDE, _SIDE)
            above = open_runs.get((first, after))
            open_runs[first, after] = row if above is None else above.union(row)
    for rect in open_runs.values():
        yield rect.clip(whole)


def _runs(row: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield each run of changed tiles: its first tile, and the tile after its end."""
    first: int | None = None
    for number, is_new in enumerate([*row, False]):
        if is_new and first is None:
            first = number
        elif not is_new and first is not None:
            yield first, number
            first = None


def png_of(picture: pygame.Surface) -> bytes:
    """Return a surface as a PNG file."""
    out = io.BytesIO()
    pygame.image.save(picture, out, "picture.png")
    return out.getvalue()
