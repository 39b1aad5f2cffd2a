"""Before the game, one touch checks a player in, and a light game may begin without characters."""

from itertools import product

import msgspec
import pytest

from core.game.play.turns import SetRecordMode
from core.rule_set import RecordMode
from kiosk.preferences import Layout, Theme
from kiosk.scenes.characters import characters
from kiosk.scenes.seating import seating
from kiosk.ui.blocks import Block, Label, Paragraph
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import context_of, middle_of, types_for
from tests.kiosk.scenes.test_legible import CAPITALS_MM, GLASSES, LANGUAGES, ROUNDING_MM, Ruler
from tests.scenarios.moments import EDITION, Moment, Table, moments

SEATS = (4, 5, 7, 8, 10)
CROWDED = 8


def with_phones(seats: int) -> tuple[Moment, Moment]:
    """Return a seating with sign-in by phone, before the first check-in and after some."""
    rules = EDITION if seats < CROWDED else rebel_rules()
    some = next(moment for moment in moments(seats, rules) if moment.picture == "seating-phone")
    view = msgspec.structs.replace(some.view, game=Table(seats, rules).state)
    return msgspec.structs.replace(some, view=view), some


def seating_on(size: str, moment: Moment, language: str, look: tuple[Layout, Theme]) -> Block:
    return middle_of(seating(), context_of(moment.view, GLASSES[size], language, *look))


@pytest.mark.by_day(10)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_all_are_here_stays_where_phones_may_sign_in(size: str, language: str) -> None:
    wrong = []
    for seats, look in product(SEATS, product(Layout, (Theme.DAY, Theme.CONTRAST))):
        for moment in with_phones(seats):
            middle = seating_on(size, moment, language, look)
            ruler = Ruler(types_for(GLASSES[size]), GLASSES[size])
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
        assert "undo" in {button.id for button in seating_on(size, some, "it", look).buttons}, (seats, look)


def title_on(size: str, seats: int, tournament: str) -> list[str]:
    plain, _some = with_phones(seats)
    assert plain.view.game is not None
    game = msgspec.structs.replace(plain.view.game, tournament_name=tournament)
    moment = msgspec.structs.replace(plain, view=msgspec.structs.replace(plain.view, game=game))
    middle = seating_on(size, moment, "en", (Layout.RING, Theme.DAY))
    return [part.text for part in middle.parts if isinstance(part, Label | Paragraph) and "4" in part.text]


@pytest.mark.parametrize("size", GLASSES)
def test_the_table_says_whose_it_is_where_there_is_room_and_its_number_always(size: str) -> None:
    short = {seats: title_on(size, seats, "Open") for seats in SEATS}
    assert all(titles and "Table 4" in titles[0] for titles in short.values())
    if size == "1280x800":
        assert short[5] == ["Open · Table 4 · round 2"]
    endless = title_on(size, 5, "The Great Open Championship of all the Prairies " * 4)
    assert endless[0].startswith("Table 4")


@pytest.mark.by_day(10)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_a_light_game_offers_both_ways_in_letters_that_can_be_read(size: str, language: str) -> None:
    for seats in (4, 5, 7):
        light = Table(seats).dealt().do(SetRecordMode(RecordMode.LIGHT))
        for layout in Layout:
            glass = GLASSES[size]
            ruler = Ruler(types_for(glass), glass)
            ruler.block(middle_of(characters(), context_of(light.view(), glass, language, layout)))
            for target in ("enter-all", "begin-game"):
                lines = [one for one in ruler.written if one.place == f"middle/{target}"]
                assert lines, (seats, layout, target)
                assert all(one.capitals_mm >= CAPITALS_MM - ROUNDING_MM for one in lines), (seats, layout)


def test_a_full_game_begins_without_characters_only_from_the_choice() -> None:
    buttons = middle_of(characters(), context_of(Table(7).dealt().view(), GLASSES["800x480"])).buttons
    assert {"enter-all", "undo"} <= {button.id for button in buttons}
    assert "begin-game" not in {button.id for button in buttons}
