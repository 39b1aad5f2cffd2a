"""Every scene of the terminal as a picture, in each language and on three glasses.

Usage: python tools/pictures_kiosk.py [folder]; docs/pictures/kiosk without one.
"""

import os
import sys
from pathlib import Path
from typing import Final

import msgspec

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from PIL import Image

from saloon.core.editions import edition, with_options
from saloon.core.rule_set import OptionKey
from saloon.kiosk.app.story import story_of
from saloon.kiosk.i18n import LANGUAGES, Words
from saloon.kiosk.pointer import Pointer, PointerPhase
from saloon.kiosk.rehearsal.auction_moments import auction_moments
from saloon.kiosk.rehearsal.carry_moments import carry_moments
from saloon.kiosk.rehearsal.clock_moments import clock_moments
from saloon.kiosk.rehearsal.duel_moments import duel_moments
from saloon.kiosk.rehearsal.enrolment_moments import enrolment_moments
from saloon.kiosk.rehearsal.judge_moments import judge_moments
from saloon.kiosk.rehearsal.mark_moments import mark_moments
from saloon.kiosk.rehearsal.moments import Moment, moments
from saloon.kiosk.rehearsal.selftest_moments import selftest_moments
from saloon.kiosk.screen import TableScreen
from saloon.kiosk.ui.geometry import Glass

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures" / "kiosk"
GLASSES: Final = {
    "800x480": (Glass(800, 480, 5.2), 6),
    "1280x720": (Glass(1280, 720, 8.3), 7),
    "720x1280": (Glass(720, 1280, 8.3), 5),
}
"""Each glass with the players at its table."""
TEN: Final = (
    "seating",
    "play",
    "rebel-reveal",
    "rebel-shown",
    "revolution",
    "revolution-news",
    "roles-declare",
)
"""Pictures of the largest table, where the Rebel! plays."""
_COLOURS: Final = 48


def main(folder: Path) -> None:
    """Write the pictures, each in a palette of its own."""
    for size, (glass, seats) in GLASSES.items():
        every = (*moments(seats), *judge_moments(seats), *auction_moments(seats), *carry_moments(seats))
        pages = (*enrolment_moments(), *mark_moments(seats), *selftest_moments(seats))
        for moment in (*every, *clock_moments(seats), *duel_moments(), *pages):
            for language in LANGUAGES:
                path = folder / size / language / f"{moment.picture}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                _save(_shown(glass, moment, language).surface, path)
    _with_rebel(folder)


def _with_rebel(folder: Path) -> None:
    glass, _seats = GLASSES["1280x720"]
    rules = with_options(edition("official-2003"), (OptionKey.REBEL,), "the largest table")
    for moment in moments(10, rules):
        for language in LANGUAGES if moment.picture in TEN else ():
            path = folder / "1280x720-ten" / language / f"{moment.picture}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            _save(_shown(glass, moment, language).surface, path)


def _shown(glass: Glass, moment: Moment, language: str) -> TableScreen:
    """The screen at a moment; fingers open what has to be opened."""
    screen = TableScreen(glass, failsafe=False)
    story = story_of(moment.view.timeline, Words(language))
    view = msgspec.structs.replace(moment.view, language=language, story=story)
    screen.update(view)
    now_ms = view.now_ms
    for name in moment.touches:
        target = next(target for target in screen.targets() if target.id == name)
        x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
        screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, now_ms + 100))
        now_ms += 200 + target.hold_ms
        screen.advance(now_ms)
        screen.pointer(Pointer(1, PointerPhase.UP, x, y, now_ms))
        screen.update(view)
    return screen


def _save(surface: pygame.Surface, path: Path) -> None:
    picture = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
