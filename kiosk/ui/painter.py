"""The painter, which repaints only the blocks that have changed."""

from collections.abc import Mapping
from typing import Final, assert_never

import pygame

from kiosk.ui.blocks import Block, Box, Button, Icon, Label, Matrix, Paragraph, Part, Polyline, TouchedButton
from kiosk.ui.buttons import paint_button
from kiosk.ui.geometry import Rect, ScreenGeometry, rotate_within
from kiosk.ui.pen import Pen, PenResources, SurfaceCache, cache_budget_bytes
from kiosk.ui.text import Typesetter
from kiosk.view import theme
from kiosk.view.theme import Palette

STEP_MS: Final = 3 * 60_000
REACH_PX: Final = 2
_WAY: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Shifts in a loop around the centre, each next to the previous one, so that every edge keeps moving."""


def pixel_shift(now_ms: int) -> tuple[int, int]:
    """Return the current shift of the picture to the right and down, in pixels, against burn-in."""
    x, y = _WAY[now_ms // STEP_MS % len(_WAY)]
    return x * REACH_PX, y * REACH_PX


def next_step_ms(now_ms: int) -> int:
    return (now_ms // STEP_MS + 1) * STEP_MS


_PLANKS = 9
_OVERHANG_PX = 4


class Painter:
    """A painter of blocks on a surface of the panel's size; later blocks may cover earlier ones."""

    def __init__(self, glass: ScreenGeometry, surface: pygame.Surface, types: Typesetter) -> None:
        self._glass = glass
        self._surface = surface
        self._kit = PenResources(SurfaceCache(cache_budget_bytes(glass.panel_size)), types, theme.DAY)
        self._painted: tuple[Block, ...] = ()

    def paint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:
        """Paint these blocks on the surface, and return the changed rectangles of the panel."""
        if [(b.id, b.rect) for b in blocks] != [(b.id, b.rect) for b in self._painted]:
            whole = Rect(0, 0, *self._glass.panel_size)
            changed: tuple[Rect, ...] = (whole,)
            self._wood(whole)
            for block in blocks:
                self._paint_block(block)
        else:
            changed = self._repaint(blocks)
        self._painted = blocks
        return changed

    def set_palette(self, palette: Palette) -> None:
        """Use this palette from now on."""
        if palette is not self._kit.palette:
            self._kit = self._kit._replace(palette=palette)
            self.invalidate()

    def invalidate(self) -> None:
        self._painted = ()

    def _repaint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:
        changed: list[Rect] = []
        for block, before in zip(blocks, self._painted, strict=True):
            over = any(rect.overlaps(block.rect) for rect in changed)
            if block == before and not over:
                continue
            # Blocks below this one were repainted, so all of it must be.
            self._paint_block(block, None if over else _changed_area(before, block), on_wood=not over)
            changed.append(block.rect)
        return tuple(self._on_panel(rect) for rect in changed)

    def _on_panel(self, rect: Rect) -> Rect:
        return rotate_within(rect, (self._glass.width, self._glass.height), self._glass.quarter_turns)

    def _wood(self, rect: Rect) -> None:
        self._surface.fill(self._kit.palette[theme.WOOD], (rect.x, rect.y, rect.w, rect.h))
        step = self._surface.get_height() / _PLANKS
        for plank in range(1, _PLANKS):
            y = round(plank * step)
            if rect.y <= y < rect.bottom:
                self._surface.fill(self._kit.palette[theme.WOOD_GRAIN], (rect.x, y, rect.w, 2))

    def _paint_block(self, block: Block, only: Rect | None = None, *, on_wood: bool = False) -> None:
        """Paint a block, or only the part within ``only``, a rectangle in its reader's coordinates."""
        sheet = self._on_panel(block.rect)
        turns = block.quarter_turns + self._glass.quarter_turns
        pen = Pen(self._surface, sheet, turns, self._kit)
        room = sheet if only is None else sheet.intersect(pen.to_surface(only))
        self._surface.set_clip((room.x, room.y, room.w, room.h))
        if on_wood:
            self._wood(room)
        touched = {touch.id: touch for touch in block.touched}
        for part in block.parts:
            if only is not None and not _reach(part).overlaps(only):
                continue
            _paint_part(pen, part, touched)
        self._surface.set_clip(None)


def _changed_area(before: Block, after: Block) -> Rect | None:
    """Return the part of a block that differs from its previous version, or None for all of it."""
    if before.quarter_turns != after.quarter_turns or len(before.parts) != len(after.parts):
        return None
    was, now = ({touch.id: touch for touch in block.touched} for block in (before, after))
    reaches = [
        _reach(part)
        for old, new in zip(before.parts, after.parts, strict=True)
        if old != new or (isinstance(new, Button) and was.get(new.id) != now.get(new.id))
        for part in (old, new)
    ]
    if not reaches:
        return None
    x, y = min(rect.x for rect in reaches), min(rect.y for rect in reaches)
    return Rect(x, y, max(rect.right for rect in reaches) - x, max(rect.bottom for rect in reaches) - y)


def _reach(part: Part) -> Rect:
    """Return the area that a part may paint, as accents and descenders exceed a text's rectangle."""
    if isinstance(part, Polyline):
        across, down = [x for x, _ in part.points], [y for _, y in part.points]
        far = part.width_px + _OVERHANG_PX
        return Rect(min(across), min(down), max(across) - min(across), max(down) - min(down)).inset(-far)
    return part.rect.inset(-_OVERHANG_PX, -(part.rect.h // 2 + 1))


def _paint_part(pen: Pen, part: Part, touched: Mapping[str, TouchedButton]) -> None:
    match part:
        case Box(rect=rect, fill=fill, radius=radius, edge=edge, edge_px=edge_px):
            if edge is None:
                pen.box(rect, fill, radius)
            else:
                pen.draw_frame(rect, fill, radius, edge, edge_px)
        case Label():
            pen.label(part)
        case Paragraph():
            pen.paragraph(part)
        case Icon():
            pen.icon(part)
        case Matrix():
            pen.matrix(part)
        case Polyline():
            pen.trace(part)
        case Button():
            paint_button(pen, part, touched.get(part.id))
        case _:
            assert_never(part)
