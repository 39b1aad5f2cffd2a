"""Everybody can be checked in with one touch, whether or not phones can sign in too."""

from itertools import product

import msgspec
import pytest
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.test_legible import CAPITALS_MM, GLASSES, LANGUAGES, ROUNDING_MM, Ruler
from tests.scenarios.moments import EDITION, Moment, Table, moments

from saloon.kiosk.i18n import words_in
from saloon.kiosk.preferences import Layout, Theme
from saloon.kiosk.scenes.scene import SceneContext
from saloon.kiosk.scenes.setup.seating import SeatingScene
from saloon.kiosk.ui.parts import Block
from saloon.kiosk.ui.text import Typesetter

TYPES = Typesetter()
SEATS = (4, 5, 7, 8, 10)
CROWDED = 8


def with_phones(seats: int) -> tuple[Moment, Moment]:
    """A seating that offers sign-in by phone, before the first check-in and after some."""
    rules = EDITION if seats < CROWDED else rebel_rules()
    some = next(moment for moment in moments(seats, rules) if moment.picture == "seating-phone")
    view = msgspec.structs.replace(some.view, game=Table(seats, rules).state)
    return msgspec.structs.replace(some, view=view), some


def middle_of(size: str, moment: Moment, language: str, look: tuple[Layout, Theme]) -> Block:
    layout, theme = look
    preferences = msgspec.structs.replace(moment.view.preferences, layout=layout, theme=theme)
    view = msgspec.structs.replace(moment.view, language=language, preferences=preferences)
    stage = SceneContext(view, GLASSES[size], words_in(language), types=TYPES)
    return next(block for block in SeatingScene().view(stage) if block.id == "middle")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_all_are_here_stays_where_phones_may_sign_in(size: str, language: str) -> None:
    wrong = []
    for seats, look in product(SEATS, product(Layout, (Theme.DAY, Theme.CONTRAST))):
        for moment in with_phones(seats):
            middle = middle_of(size, moment, language, look)
            ruler = Ruler(TYPES, GLASSES[size])
            ruler.block(middle)
            lines = [line for line in ruler.written if line.place == "middle/check-in-all"]
            if not lines or any(line.capitals_mm < CAPITALS_MM - ROUNDING_MM for line in lines):
                wrong.append((seats, look, [button.id for button in middle.buttons]))
    assert wrong == []


@pytest.mark.parametrize("size", GLASSES)
def test_undo_gives_way_only_while_there_is_nothing_to_undo(size: str) -> None:
    for seats, look in product(SEATS, product(Layout, (Theme.DAY, Theme.CONTRAST))):
        _none, some = with_phones(seats)
        assert "undo" in {button.id for button in middle_of(size, some, "it", look).buttons}, (seats, look)
