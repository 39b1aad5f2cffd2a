"""Neighbouring buttons have labels of the same size."""

import pygame
import pytest

from kiosk.ui.blocks import Button, Label, Paragraph
from kiosk.ui.buttons import paint_button
from kiosk.ui.geometry import Rect
from kiosk.ui.pen import Pen, PenResources, SurfaceCache
from kiosk.ui.text import SOFT_HYPHEN, Typesetter
from kiosk.view.theme import DAY

ROLES = ("Vice", f"Fuori{SOFT_HYPHEN}legge", "Rinnegato")


class Noting(Pen):
    """A pen that records the size of text."""

    def __init__(self) -> None:
        kit = PenResources(SurfaceCache(100_000), Typesetter(), DAY)
        super().__init__(pygame.Surface((80, 80)), Rect(0, 0, 80, 80), 0, kit)
        self.sizes: list[int] = []

    def label(self, label: Label) -> None:
        self.sizes.append(self.size_of(label))

    def paragraph(self, paragraph: Paragraph) -> None:
        self.sizes.append(self.size_of(paragraph))


@pytest.mark.parametrize("width", [48, 60, 76])
def test_kin_are_written_as_large_as_the_longest_of_them(width: int) -> None:
    pen = Noting()
    for role in ROLES:
        paint_button(pen, Button(Rect(0, 0, width, 60), role, role, size_px=20, kin=ROLES), None)
    assert len(set(pen.sizes)) == 1


def test_without_kin_each_is_as_large_as_its_own_room_allows() -> None:
    pen = Noting()
    for role in ROLES:
        paint_button(pen, Button(Rect(0, 0, 48, 60), role, role, size_px=20), None)
    assert len(set(pen.sizes)) > 1
