"""The record sheet offers the story, for late disputes."""

import pytest

from kiosk.ui.blocks import Box, Label, Part
from kiosk.ui.text import LEGIBLE_MM
from kiosk.view.theme import PARCHMENT_SHADE
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Hand, Show
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.moments import Moment, moments

CROWD = 10
SHEETS = {
    moment.picture: moment for moment in (*moments(5), *duel_moments()) if moment.picture.endswith("sheet")
}


@pytest.mark.parametrize("picture", SHEETS)
def test_the_story_opens_from_the_sheet_and_leads_back(picture: str, show: Show) -> None:
    moment: Moment = SHEETS[picture]
    screen = show(GLASSES["800x480"], moment)
    hand = Hand(screen)
    for target, scene in (("story", "story"), ("back", "sheet")):
        hand.touch(target)
        screen.update(moment.view)
        assert screen.scene_name() == scene


def parts_of(picture: str, show: Show) -> list[Part]:
    moment = next(moment for moment in moments(CROWD, rebel_rules()) if moment.picture == picture)
    return [part for block in show(GLASSES["800x480"], moment)._blocks for part in block.parts]


@pytest.mark.parametrize("picture", ["sheet", "confirmed"])
def test_no_row_is_painted_over_the_letters_of_the_row_before(picture: str, show: Show) -> None:
    parts = parts_of(picture, show)
    shades = [n for n, part in enumerate(parts) if isinstance(part, Box) and part.fill is PARCHMENT_SHADE]
    names = [n for n, part in enumerate(parts) if isinstance(part, Label) and "Dafne" in part.text]
    assert max(shades) < min(names)


def test_a_crowded_sheet_leaves_its_rows_more_than_the_height_of_their_letters(show: Show) -> None:
    rows = [
        part.rect
        for part in parts_of("sheet", show)
        if isinstance(part, Box) and part.fill is PARCHMENT_SHADE
    ]
    legible = GLASSES["800x480"].mm(LEGIBLE_MM)
    assert all(row.h >= legible for row in rows)
