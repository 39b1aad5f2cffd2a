"""Paints blocks, and repaints only those that differ from what is there."""

from typing import assert_never

import pygame

from saloon.kiosk import theme
from saloon.kiosk.theme import Palette
from saloon.kiosk.ui.buttons import paint_button
from saloon.kiosk.ui.cache import SurfaceCache, budget_for
from saloon.kiosk.ui.geometry import Glass, Rect, turned
from saloon.kiosk.ui.parts import Block, Box, Button, Icon, Label, Matrix, Paragraph, Trace
from saloon.kiosk.ui.pen import Kit, Pen
from saloon.kiosk.ui.text import Typesetter

_PLANKS = 9


class Painter:
    """Paints on one surface, which has the panel's size.

    Blocks are painted in order; later ones may lie over earlier ones.
    """

    def __init__(self, glass: Glass, surface: pygame.Surface, types: Typesetter) -> None:
        self._glass = glass
        self._surface = surface
        self._kit = Kit(SurfaceCache(budget_for(glass.panel_size)), types, theme.DAY)
        self._shown: tuple[Block, ...] = ()

    def paint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:
        """Make the surface show these blocks; the rectangles of the panel that changed, maybe none."""
        if [(b.id, b.rect, b.quarter_turns) for b in blocks] != [
            (b.id, b.rect, b.quarter_turns) for b in self._shown
        ]:
            whole = Rect(0, 0, *self._glass.panel_size)
            changed: tuple[Rect, ...] = (whole,)
            self._wood(whole)
            for block in blocks:
                self._paint_block(block)
        else:
            changed = self._repaint(blocks)
        self._shown = blocks
        return changed

    def wear(self, palette: Palette) -> None:
        """Paint with these colours from now on."""
        if palette is not self._kit.palette:
            self._kit = self._kit._replace(palette=palette)
            self.forget()

    def forget(self) -> None:
        """Whatever is on the surface is not ours any more: paint all of it next time."""
        self._shown = ()

    def _repaint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:
        changed: list[Rect] = []
        for block, before in zip(blocks, self._shown, strict=True):
            over = any(rect.overlaps(block.rect) for rect in changed)
            if block == before and not over:
                continue
            if not over:
                self._wood(self._on_panel(block.rect))
            self._paint_block(block)
            changed.append(block.rect)
        return tuple(self._on_panel(rect) for rect in changed)

    def _on_panel(self, rect: Rect) -> Rect:
        return turned(rect, (self._glass.width, self._glass.height), self._glass.quarter_turns)

    def _wood(self, rect: Rect) -> None:
        """The background: planks."""
        self._surface.fill(self._kit.palette[theme.WOOD], (rect.x, rect.y, rect.w, rect.h))
        step = self._surface.get_height() / _PLANKS
        for plank in range(1, _PLANKS):
            y = round(plank * step)
            if rect.y <= y < rect.bottom:
                self._surface.fill(self._kit.palette[theme.WOOD_GRAIN], (rect.x, y, rect.w, 2))

    def _paint_block(self, block: Block) -> None:
        sheet = self._on_panel(block.rect)
        self._surface.set_clip((sheet.x, sheet.y, sheet.w, sheet.h))
        turns = block.quarter_turns + self._glass.quarter_turns
        pen = Pen(self._surface, sheet, turns, self._kit)
        touched = {touch.id: touch for touch in block.touched}
        for part in block.parts:
            match part:
                case Box(rect=rect, fill=fill, radius=radius, edge=edge, edge_px=edge_px):
                    if edge is not None:
                        pen.box(rect, edge, radius)
                        rect, radius = rect.inset(edge_px), radius - edge_px
                    pen.box(rect, fill, radius)
                case Label():
                    pen.label(part)
                case Paragraph():
                    pen.paragraph(part)
                case Icon():
                    pen.icon(part)
                case Matrix():
                    pen.matrix(part)
                case Trace():
                    pen.trace(part)
                case Button():
                    paint_button(pen, part, touched.get(part.id))
                case _:
                    assert_never(part)
        self._surface.set_clip(None)
