"""Pictures and contact sheets of every terminal scene in each size, theme, layout and language.

Usage: python -m tools.pictures_kiosk [folder] [--best] [--size S] [--theme T] [--layout L] [--language C]

The last four options may be repeated, and default to all values. Pictures are drawn to build/pictures/kiosk,
and those that a page shows are copied to docs/pictures/kiosk; --best draws and copies only the latter.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from PIL import Image, ImageDraw, ImageFont
from rich.progress import track

from base.fonts import FOLDER as FONTS
from base.languages import LANGUAGES
from core.editions.loader import edition, with_options
from core.rule_set import OptionKey
from kiosk.i18n import Words
from kiosk.preferences import Layout, Theme
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.story import Storyteller, describe_undone
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.virtual.tiles import pixels_of
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tests.scenarios.moments import Moment, moments
from tools.shown_pictures import DRAWN, PICTURES, shown_pictures

SHOWN: Final = PICTURES / "kiosk"
GLASSES: Final = {
    f"{width}x{height}": (screen_geometry_for((width, height)), seats)
    for width, height, seats in ((800, 480, 6), (1280, 720, 7), (1024, 600, 4), (720, 1280, 5))
}
"""Each screen size with the number of players at its table."""
_TEN: Final = 10
_COLOURS: Final = 48
_THUMB: Final = 320
_ACROSS: Final = 6
_ON_A_SHEET: Final = 36
_MARGIN: Final = 12
_LABEL: Final = 22
_GROUND: Final = (96, 96, 96)


class Sheet(NamedTuple):
    """A set of pictures of all moments with one size, theme, layout and language."""

    size: str
    theme: Theme
    layout: Layout
    language: str

    @property
    def path(self) -> Path:
        return Path(self.size) / f"{self.theme.value}-{self.layout.value}" / self.language


BEST: Final = Sheet("800x480", Theme.DAY, Layout.RING, "en")
"""The set that the documentation shows."""


def main(folder: Path, sheets: Sequence[Sheet], *, best: bool) -> None:
    """Draw the sets in parallel. If ``best``, also copy the pictures that the documentation shows."""
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(draw, sheet, folder) for sheet in sheets]
        for job in track(as_completed(jobs), "Drawing the terminal's scenes", total=len(jobs)):
            job.result()
    if best:
        SHOWN.mkdir(parents=True, exist_ok=True)
        for name in shown_pictures():
            if name.startswith(f"{SHOWN.name}/"):
                (PICTURES / name).write_bytes((folder / BEST.path / Path(name).name).read_bytes())


def draw(sheet: Sheet, folder: Path) -> None:
    """Draw all pictures and contact sheets of a set."""
    place = folder / sheet.path
    place.mkdir(parents=True, exist_ok=True)
    glass, seats = GLASSES[sheet.size]
    thumbs = []
    for prefix, moment in every_moment(seats):
        name = f"{prefix}{moment.picture}"
        picture = picture_of(shown(glass, moment, sheet).surface)
        picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(place / f"{name}.png")
        thumbs.append((name, picture.resize((_THUMB, _THUMB * picture.height // picture.width))))
    for start in range(0, len(thumbs), _ON_A_SHEET):
        name = f"{'-'.join(sheet.path.parts)}-{start // _ON_A_SHEET + 1}.png"
        contact(thumbs[start : start + _ON_A_SHEET]).save(folder / name)


def every_moment(seats: int) -> Iterator[tuple[str, Moment]]:
    """Yield all moments of a table, and those of a table of ten with the Rebel!, prefixed with ``ten-``."""
    plain = (*moments_at(seats), *moments_anywhere())
    yield from (("", moment) for moment in plain)
    rules = with_options(edition("official-2003"), (OptionKey.REBEL,), "the largest table")
    yield from (("ten-", moment) for moment in moments(_TEN, rules))


def shown(glass: ScreenGeometry, moment: Moment, sheet: Sheet) -> TableScreen:
    """Return the screen at a moment, whose page simulated touches have opened."""
    screen = TableScreen(glass, failsafe=False)
    chosen = msgspec.structs.replace(moment.view.preferences, theme=sheet.theme, layout=sheet.layout)
    words, timeline = Words(sheet.language), moment.view.timeline
    view = msgspec.structs.replace(
        moment.view,
        language=sheet.language,
        story=Storyteller().story(timeline, words),
        taken_back=describe_undone(timeline, words),
        preferences=chosen,
    )
    if moment.trouble is not None:
        screen.show_trouble(moment.trouble)
    screen.update(view)
    now_ms = view.now_ms
    for name in moment.touches:
        now_ms += 1_000  # wait like a person, as a place ignores a second tap for a moment
        target = next(target for target in screen.targets() if target.id == name)
        x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
        screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, now_ms + 100))
        now_ms += 200 + target.hold_ms
        screen.advance(now_ms)
        screen.pointer(Pointer(1, PointerPhase.UP, x, y, now_ms))
        screen.update(view)
    return screen


def picture_of(surface: pygame.Surface) -> Image.Image:
    return Image.frombytes("RGB", surface.get_size(), pixels_of(surface, "RGB"))


def contact(thumbs: Sequence[tuple[str, Image.Image]]) -> Image.Image:
    """Arrange small pictures with their names in rows."""
    wide, high = _THUMB + _MARGIN, thumbs[0][1].height + _LABEL + _MARGIN
    rows = -(-len(thumbs) // _ACROSS)
    sheet = Image.new("RGB", (_ACROSS * wide + _MARGIN, rows * high + _MARGIN), _GROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.truetype(str(FONTS / "BarlowCondensed-Medium.ttf"), 18)
    for number, (name, picture) in enumerate(thumbs):
        x, y = _MARGIN + number % _ACROSS * wide, _MARGIN + number // _ACROSS * high
        pen.text((x, y), name, (255, 255, 255), font)
        sheet.paste(picture, (x, y + _LABEL))
    return sheet


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--size", action="append", choices=GLASSES)
    parser.add_argument("--theme", action="append", type=Theme)
    parser.add_argument("--layout", action="append", type=Layout)
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--best", action="store_true", help="only the few that the docs show")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    chosen = product(
        asked.size or GLASSES,
        asked.theme or Theme,
        asked.layout or Layout,
        asked.language or LANGUAGES,
    )
    narrowed = any((asked.folder, asked.size, asked.theme, asked.layout, asked.language))
    sheets = [Sheet(*each) for each in chosen]
    if asked.best:
        sheets = [BEST]
    main(asked.folder or DRAWN / SHOWN.name, sheets, best=asked.best or not narrowed)
