"""What must be read at the table is large enough on every glass, and High Noon is named wherever it matters.

Measured with the code that paints: the height of capitals after text has been shrunk to its room.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
import pytest
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import laid_out
from tests.kiosk.scenes.test_overflow import Measure
from tests.scenarios.moments import EDITION, Moment, moments

from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.kiosk.i18n import role_name, words_in
from saloon.kiosk.preferences import Layout, Theme
from saloon.kiosk.ui.buttons import paint_button
from saloon.kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from saloon.kiosk.ui.parts import Block, Button, Label, Paragraph
from saloon.kiosk.ui.text import CAP_HEIGHT, Typesetter

GLASSES = {
    f"{width}x{height}": screen_geometry_for((width, height), 0, inches)
    for width, height, inches in (
        (480, 800, 7.0), (720, 1280, 7.0), (800, 480, 7.0), (1024, 600, 7.0), (1280, 800, 10.1),
        (800, 1280, 10.1),
    )
}  # fmt: skip
SEATS = range(4, 11)
CROWDED = 8
CAPITALS_MM = 3.5
ROUNDING_MM = 0.05
DIGITS_MM = {7.0: 12.0, 10.1: 18.0}
SCENES = (
    "seating", "roles", "characters", "play", "undone", "high-noon", "last-life", "last-life-high-noon",
    "eliminate-by", "eliminate-turn", "eliminate-role", "eliminate-confirm", "revolution", "revolution-news",
    "rebel-shown", "ending", "ending-agreed", "roles-declare", "locked",
)  # fmt: skip
LANGUAGES = ("en", "it", "de", "fr", "es")


class Written(NamedTuple):
    """A text as it is painted. place: its block and what it belongs to."""

    place: str
    text: str
    capitals_mm: float


class Ruler(Measure):
    """A pen that notes how high the capitals of each text come out."""

    def __init__(self, types: Typesetter, glass: ScreenGeometry) -> None:
        super().__init__(types)
        self._glass = glass
        self._place = ""
        self.written: list[Written] = []

    def label(self, label: Label) -> None:
        if label.text:
            fitted = self._types.fit(label)
            self._note(fitted.text, fitted.size_px)

    def paragraph(self, paragraph: Paragraph) -> None:
        if paragraph.text:
            fitted = self._types.wrap(paragraph)
            self._note(" ".join(fitted.lines), fitted.size_px)

    def block(self, block: Block) -> None:
        for part in block.parts:
            self._place = f"{block.id}/{part.id if isinstance(part, Button) else type(part).__name__}"
            match part:
                case Label():
                    self.label(part)
                case Paragraph():
                    self.paragraph(part)
                case Button():
                    # Its second line is a remark; see NOT_NEEDED.
                    paint_button(self, msgspec.structs.replace(part, small=""), None)
                case _:
                    pass

    def _note(self, text: str, size_px: int) -> None:
        # A glass of ten inches is read from farther away, but the figure is the same there.
        self.written.append(Written(self._place, text, size_px * CAP_HEIGHT / self._glass.px_per_mm))


@lru_cache(maxsize=16)
def scenes_of(seats: int) -> tuple[Moment, ...]:
    rules = EDITION if seats < CROWDED else rebel_rules()
    return tuple(moment for moment in moments(seats, rules) if moment.picture in SCENES)


def written(
    glass: ScreenGeometry, moment: Moment, language: str, layout: Layout, theme: Theme = Theme.DAY
) -> Iterator[Written]:
    preferences = msgspec.structs.replace(moment.view.preferences, theme=theme)
    view = msgspec.structs.replace(moment.view, preferences=preferences)
    shown = msgspec.structs.replace(moment, view=view)
    ruler = Ruler(Typesetter(), glass)
    for block in laid_out(glass, shown, language, layout)._blocks:
        if block.id != "strip":
            ruler.block(block)
    return iter(ruler.written)


def is_needed(written: Written, language: str) -> bool:
    """Whether the game cannot be played without a text.

    Left out before: the strip, which tells the judge about delivery, and remarks under a label, such as the
    number of the deck. Not needed either: the character beside a name, whose card lies before its player; the
    role names on the buttons of a panel after the game, shown large once one is chosen, and beside the name
    of somebody out; that somebody is out, where a tombstone says it too; why nobody is asked on a panel.
    """
    if not written.place.startswith("seat-"):
        return True
    words = words_in(language).gettext
    names = {character.value for character in Character}
    names |= {role_name(words_in(language), role) for role in Role}
    names |= {words(text) for text in ("eliminated", "has left: not asked", "not asked: the judge ruled")}
    return "/declare-seat-" not in written.place and written.text not in names


def least_mm(written: Written, seats: int) -> float:
    """How high capitals are at least: a little less on the cards of crowded tables, which are 20 mm wide."""
    return 3.0 if seats >= CROWDED and written.place.startswith("seat-") else CAPITALS_MM


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_capitals_that_must_be_read_are_high_enough(size: str, language: str) -> None:
    glass = GLASSES[size]
    wrong = [
        f"{seats} {layout.value} {moment.picture}: {one.capitals_mm:.2f} mm {one.place} {one.text!r}"
        for seats in (SEATS if language == "en" else (7, 10))
        for layout in Layout
        for moment in scenes_of(seats)
        for one in written(glass, moment, language, layout)
        if is_needed(one, language) and one.capitals_mm < least_mm(one, seats) - ROUNDING_MM
    ]
    assert wrong == []
