"""One touch checks a player in, whether or not sign-in by phone is possible."""

from itertools import product

import msgspec
import pytest

from kiosk.i18n import words_in
from kiosk.preferences import Layout, Theme
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.seating import seating
from kiosk.ui.blocks import Block, Label, Paragraph
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import WidthsKept
from tests.kiosk.scenes.test_legible import CAPITALS_MM, GLASSES, LANGUAGES, ROUNDING_MM, Ruler
from tests.scenarios.moments import EDITION, Moment, Table, moments

TYPES = WidthsKept()
SEATS = (4, 5, 7, 8, 10)
CROWDED = 8


def with_phones(seats: int) -> tuple[Moment, Moment]:
    """Return a seating with sign-in by phone, before the first check-in and after some."""
    rules = EDITION if seats < CROWDED else rebel_rules()
    some = next(moment for moment in moments(seats, rules) if moment.picture == "seating-phone")
    view = msgspec.structs.replace(some.view, game=Table(seats, rules).state)
    return msgspec.structs.replace(some, view=view), some


def middle_of(size: str, moment: Moment, language: str, look: tuple[Layout, Theme]) -> Block:
    layout, theme = look
    preferences = msgspec.structs.replace(moment.view.preferences, layout=layout, theme=theme)
    view = msgspec.structs.replace(moment.view, language=language, preferences=preferences)
    stage = SceneContext(view, GLASSES[size], words_in(language), types=TYPES)
    return next(block for block in seating().view(stage) if block.id == "middle")


@pytest.mark.by_day(10)
@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("size", GLASSES)
def test_undo_gives_way_only_while_there_is_nothing_to_undo(size: str) -> None:
    for seats, look in product(SEATS, product(Layout, (Theme.DAY, Theme.CONTRAST))):
        _none, some = with_phones(seats)
        assert "undo" in {button.id for button in middle_of(size, some, "it", look).buttons}, (seats, look)


def title_on(size: str, seats: int, tournament: str) -> list[str]:
    plain, _some = with_phones(seats)
    assert plain.view.game is not None
    game = msgspec.structs.replace(plain.view.game, tournament_name=tournament)
    moment = msgspec.structs.replace(plain, view=msgspec.structs.replace(plain.view, game=game))
    middle = middle_of(size, moment, "en", (Layout.RING, Theme.DAY))
    return [part.text for part in middle.parts if isinstance(part, Label | Paragraph) and "4" in part.text]


@pytest.mark.parametrize("size", GLASSES)
def test_the_table_says_whose_it_is_where_there_is_room_and_its_number_always(size: str) -> None:
    short = {seats: title_on(size, seats, "Open") for seats in SEATS}
    assert all(titles and "Table 4" in titles[0] for titles in short.values())
    if size == "1280x800":
        assert short[5] == ["Open · Table 4 · round 2"]
    endless = title_on(size, 5, "The Great Open Championship of all the Prairies " * 4)
    assert endless[0].startswith("Table 4")
