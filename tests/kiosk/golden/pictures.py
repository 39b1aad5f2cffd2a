"""Golden pictures of the important scenes: their list, drawing and comparison.

After an intended change, draw them again: python -m tests.kiosk.golden.pictures
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
from PIL import Image, ImageChops

from kiosk.preferences import Layout, Theme
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import Rect, rotate_within
from kiosk.virtual.tiles import pixels_of
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Hand
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.moments import EDITION, Moment, moments

FOLDER: Final = Path(__file__).parent
FAILED: Final = Path(__file__).parents[3] / "build" / "golden"
DRAW_ANEW: Final = "python -m tests.kiosk.golden.pictures"
COLOURS: Final = 96
NEAR: Final = 44
"""The tolerance of a colour channel, for the files' palettes and the smoothing of letters."""
SHARE: Final = 0.004
"""The share of a region's pixels that may differ."""
TOURNAMENT_SEATS: Final = 7
DUELISTS: Final = 2
RING, KEEPER = Layout.RING, Layout.KEEPER


class Golden(NamedTuple):
    """A golden picture. seats: 2 for a duel."""

    picture: str
    size: str
    seats: int
    theme: Theme = Theme.DAY
    layout: Layout = RING

    @property
    def name(self) -> str:
        return f"{self.picture}-{self.size}-{self.seats}-{self.theme.value}-{self.layout.value}"


GOLDEN: Final = (
    *(
        Golden(picture, "800x480", 7)
        for picture in ("seating", "roles", "characters", "play", "last-life", "high-noon", "ending", "sheet")
    ),
    Golden("characters-choice", "800x480", 7),
    Golden("confirmed-received", "800x480", 7),
    Golden("new-player", "800x480", 5),
    Golden("locked", "800x480", 4),
    Golden("high-noon", "800x480", 7, Theme.CONTRAST),
    Golden("auction-hand", "800x480", 5),
    Golden("duel-long", "800x480", 2),
    Golden("eliminate-by", "1024x600", 6),
    Golden("play", "1280x720", 10),
    Golden("play", "720x1280", 6),
    Golden("play", "1024x600", 7, Theme.DIM, KEEPER),
    Golden("high-noon", "800x480", 10, Theme.DIM, KEEPER),
    Golden("play", "720x1280", 7, Theme.DAY, KEEPER),
    Golden("duel-long", "720x1280", 2, Theme.DIM, KEEPER),
)


def screen_of(golden: Golden) -> TableScreen:
    moment = next(moment for moment in _moments(golden.seats) if moment.picture == golden.picture)
    chosen = msgspec.structs.replace(moment.view.preferences, theme=golden.theme, layout=golden.layout)
    view = msgspec.structs.replace(moment.view, preferences=chosen)
    screen = TableScreen(GLASSES[golden.size], failsafe=False)
    screen.update(view)
    hand = Hand(screen)
    hand.touch(*moment.touches, view=view)
    return screen


def picture_of(screen: TableScreen) -> Image.Image:
    surface = screen.surface
    return Image.frombytes("RGB", surface.get_size(), pixels_of(surface, "RGB"))


def regions_of(golden: Golden, screen: TableScreen) -> Iterator[tuple[str, Rect]]:
    glass = GLASSES[golden.size]
    for block in screen._blocks:
        yield block.id, rotate_within(block.rect, (glass.width, glass.height), glass.quarter_turns)


def share_off(actual: Image.Image, expected: Image.Image) -> tuple[float, Image.Image]:
    """Return the share of pixels missing within a pixel in the other picture, and a map of them."""
    off = ImageChops.lighter(_lacking(actual, expected), _lacking(expected, actual))
    wrong = off.point([255 if level > NEAR else 0 for level in range(256)])
    return wrong.histogram()[255] / (wrong.width * wrong.height), wrong


def _lacking(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return, for each pixel, the smallest difference from the nine pixels around it in the other picture."""
    least = Image.new("L", one.size, 255)
    for dx, dy in product((-1, 0, 1), repeat=2):
        red, green, blue = ImageChops.difference(one, ImageChops.offset(other, dx, dy)).split()
        least = ImageChops.darker(least, ImageChops.lighter(ImageChops.lighter(red, green), blue))
    return least


def _moments(seats: int) -> Iterator[Moment]:
    if seats == DUELISTS:
        yield from duel_moments()
        return
    crowded = seats > TOURNAMENT_SEATS
    yield from moments(seats, rebel_rules() if crowded else EDITION)
    if not crowded:
        yield from auction_moments(seats)


def draw_anew() -> None:
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for golden in GOLDEN:
        picture = picture_of(screen_of(golden))
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{golden.name}.png", optimize=True)


if __name__ == "__main__":
    draw_anew()
