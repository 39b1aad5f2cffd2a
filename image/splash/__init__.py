"""The picture on the screen from the kernel's first seconds until the terminal's own first picture.

It shows the kiosk's planks and star, but no text, as neither the panel's rotation nor the players' language
is known yet. The initramfs copies a file of the screen's size directly to the frame buffer, which needs no
program. Screens of other sizes stay dark until the terminal starts.
"""

import gzip
import os
from typing import Final

# Only surfaces are used: no screen is opened.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from kiosk.ui.blocks import Block, Icon
from kiosk.ui.geometry import Rect, screen_geometry_for
from kiosk.ui.painter import Painter
from kiosk.ui.text import Typesetter
from kiosk.view import theme

SIZES: Final = (
    (800, 480), (480, 800), (1024, 600), (600, 1024), (720, 1280), (1280, 720), (1280, 800), (800, 1280),
    (1024, 768), (1280, 1024), (1366, 768), (1920, 1080), (1920, 1200),
)  # fmt: skip
"""The sizes of terminals' panels (``docs/setup/hardware.md``), of common screens, and of QEMU's."""
_SHARE: Final = 3
"""The height of the star as a fraction of the shorter side."""
_MASKS: Final = {16: (0xF800, 0x07E0, 0x001F, 0), 32: (0xFF0000, 0x00FF00, 0x0000FF, 0)}
"""The colour masks of the kernel's frame buffers, by bits per pixel."""


def splash(size: tuple[int, int]) -> pygame.Surface:
    """Return the picture for a screen of this size, in pixels."""
    surface = pygame.Surface(size, depth=32)
    width, height = size
    side = min(size) // _SHARE
    star = Icon(Rect((width - side) // 2, (height - side) // 2, side, side), "star", theme.BRASS, theme.WOOD)
    block = Block("splash", Rect(0, 0, width, height), (star,))
    Painter(screen_geometry_for(size), surface, Typesetter()).paint((block,))
    return surface


def raw(picture: pygame.Surface, bits: int) -> bytes:
    """Return a picture in the format of a frame buffer with ``bits`` per pixel, row by row without gaps."""
    shown = pygame.Surface(picture.get_size(), depth=bits, masks=_MASKS[bits])
    shown.blit(picture, (0, 0))
    pitch, wide = shown.get_pitch(), shown.get_width() * bits // 8
    held = shown.get_buffer().raw
    return b"".join(held[row * pitch : row * pitch + wide] for row in range(shown.get_height()))


def splash_files() -> dict[str, bytes]:
    """Return the files for the initramfs, such as ``splash/800x480-32.gz``, which are always identical."""
    return {
        f"splash/{size[0]}x{size[1]}-{bits}.gz": gzip.compress(raw(picture, bits), 9, mtime=0)
        for size in SIZES
        for picture in (splash(size),)
        for bits in _MASKS
    }
