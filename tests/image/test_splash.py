"""The splash: as a frame buffer wants it, and with the background that the table's first picture has."""

import gzip

import pygame
import pytest

from image.recipe.checkout import CHECKOUT
from image.splash import SIZES, raw, splash, splash_files
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import PX_PER_MM, screen_geometry_for
from kiosk.view.table_view import Delivery, TableView


@pytest.mark.slow
def test_a_file_is_as_large_as_the_frame_buffer_of_its_name() -> None:
    files = splash_files()
    assert len(files) == 2 * len(SIZES)
    for name, packed in files.items():
        size, _, bits = name.removeprefix("splash/").removesuffix(".gz").partition("-")
        width, _, height = size.partition("x")
        assert len(gzip.decompress(packed)) == int(width) * int(height) * int(bits) // 8


def test_every_usual_panel_has_one_however_it_hangs() -> None:
    for short, long in PX_PER_MM:
        assert {(short, long), (long, short)} <= set(SIZES)


def test_pixels_lie_as_the_kernel_reads_them() -> None:
    picture = pygame.Surface((3, 1), depth=32)
    for x, colour in enumerate(((255, 0, 0), (0, 255, 0), (0, 0, 255))):
        picture.set_at((x, 0), colour)
    assert raw(picture, 16) == bytes.fromhex("00f8 e007 1f00")
    assert [raw(picture, 32)[at : at + 3].hex() for at in (0, 4, 8)] == ["0000ff", "00ff00", "ff0000"]


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_nothing_but_the_star_goes_away_when_the_table_comes(size: tuple[int, int]) -> None:
    screen = TableScreen(screen_geometry_for(size))
    screen.update(TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0))
    ours, theirs = splash(size), screen.surface
    for y in range(size[1]):
        assert ours.get_at((0, y)) == theirs.get_at((0, y)), y


def test_the_first_program_shows_it_and_has_what_it_calls() -> None:
    init = (CHECKOUT / "image/initramfs/init").read_text(encoding="utf-8")
    assert "\nsplash &\n" in init
    script = CHECKOUT / "image/initramfs/root/bin/splash"
    assert script.stat().st_mode & 0o100
