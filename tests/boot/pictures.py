"""Pictures of a guest's screen beside those that the same scenes give on the host."""

from typing import Final

from PIL import Image, ImageChops, ImageStat

from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import rotate_within
from kiosk.ui.painter import STEP_MS, pixel_shift
from tests.kiosk.golden.pictures import SHARE, picture_of, share_off

_ONE_COLOUR: Final = 3.0
_PLACES: Final = 100
"""More steps than a picture has places to wander to."""

__all__ = ["beside", "difference", "differing", "is_empty", "picture_of"]


def difference(actual: Image.Image, expected: Image.Image) -> float:
    """The share of pixels that the other picture has not got within a pixel, 0 to 1.

    Pictures of different sizes have nothing in common.
    """
    return 1.0 if actual.size != expected.size else share_off(actual, expected)[0]


def differing(seen: Image.Image, screen: TableScreen) -> dict[str, float]:
    """The blocks of a host's screen that a guest's has not, and the share of pixels that are off."""
    own = picture_of(screen)
    if own.size != seen.size:
        return {"size": 1.0}
    seen = _moved_back(seen, own, screen._drift)
    shares = {}
    glass = screen._glass
    for block in screen._blocks:
        rect = rotate_within(block.rect, (glass.width, glass.height), glass.quarter_turns)
        box = (rect.x, rect.y, rect.right, rect.bottom)
        if rect.w > 0 and rect.h > 0 and (off := difference(seen.crop(box), own.crop(box))) > SHARE:
            shares[block.id] = off
    return shares


def _moved_back(seen: Image.Image, own: Image.Image, own_drift: tuple[int, int]) -> Image.Image:
    """Return a guest's picture moved to the host's place, as each terminal shifts its own over time."""
    places = {pixel_shift(step * STEP_MS) for step in range(_PLACES)}
    offsets = [(own_drift[0] - x, own_drift[1] - y) for x, y in sorted(places)]
    moved = (ImageChops.offset(seen, *offset) for offset in offsets)
    return min(moved, key=lambda one: sum(ImageStat.Stat(ImageChops.difference(one, own)).sum))


def is_empty(picture: Image.Image) -> bool:
    """Return whether the screen has a single colour, as before anybody draws."""
    return max(ImageStat.Stat(picture.convert("RGB")).stddev) < _ONE_COLOUR


def beside(actual: Image.Image, expected: Image.Image) -> Image.Image:
    images = [actual, expected]
    if actual.size == expected.size:
        images.append(share_off(actual, expected)[1].convert("RGB"))
    whole = Image.new("RGB", (sum(one.width for one in images), max(one.height for one in images)))
    x = 0
    for one in images:
        whole.paste(one, (x, 0))
        x += one.width
    return whole
