"""A light game may begin without characters."""

import msgspec
import pytest

from core.game.play.turns import SetRecordMode
from core.rule_set import RecordMode
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.scenes.characters import characters
from kiosk.scenes.scene import SceneContext
from kiosk.ui.blocks import Block
from tests.kiosk.scenes.conftest import WidthsKept
from tests.kiosk.scenes.test_legible import CAPITALS_MM, GLASSES, LANGUAGES, ROUNDING_MM, Ruler
from tests.scenarios.moments import Table

TYPES = WidthsKept()


def middle_of(table: Table, size: str, language: str, layout: Layout) -> Block:
    view = table.view()
    preferences = msgspec.structs.replace(view.preferences, layout=layout)
    view = msgspec.structs.replace(view, language=language, preferences=preferences)
    stage = SceneContext(view, GLASSES[size], words_in(language), types=TYPES)
    return next(block for block in characters().view(stage) if block.id == "middle")


@pytest.mark.by_day(10)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_a_light_game_offers_both_ways_in_letters_that_can_be_read(size: str, language: str) -> None:
    for seats in (4, 5, 7):
        light = Table(seats).dealt().do(SetRecordMode(RecordMode.LIGHT))
        for layout in Layout:
            ruler = Ruler(TYPES, GLASSES[size])
            ruler.block(middle_of(light, size, language, layout))
            for target in ("enter-all", "begin-game"):
                lines = [one for one in ruler.written if one.place == f"middle/{target}"]
                assert lines, (seats, layout, target)
                assert all(one.capitals_mm >= CAPITALS_MM - ROUNDING_MM for one in lines), (seats, layout)


def test_a_full_game_begins_without_characters_only_from_the_choice() -> None:
    buttons = middle_of(Table(7).dealt(), "800x480", "en", Layout.RING).buttons
    assert {"enter-all", "undo"} <= {button.id for button in buttons}
    assert "begin-game" not in {button.id for button in buttons}
