"""A panel shows that holding it opens the player's menu, and the first turn explains it."""

import pytest

from core.game.play.turns import EndTurn, SetRecordMode
from core.rule_set import RecordMode
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.ui.blocks import Button, Icon
from kiosk.ui.geometry import ScreenGeometry
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import laid_out
from tests.kiosk.scenes.test_legible import GLASSES, LANGUAGES
from tests.scenarios.moments import EDITION, Moment, Table

HELD = "Menu: hold your panel."


def table_of(seats: int) -> Table:
    return Table(seats, EDITION if seats < 8 else rebel_rules()).begun()


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("glass", GLASSES.values(), ids=GLASSES)
def test_the_sign_of_the_menu_is_in_every_place_that_is_held_for_it(glass: ScreenGeometry) -> None:
    for seats in range(4, 11):
        for layout in Layout:
            table = table_of(seats)
            light = table_of(seats).do(SetRecordMode(RecordMode.LIGHT))
            for view in (table.view(), light.view()):
                screen = laid_out(glass, Moment("play", "play", view), layout=layout)
                for block in screen._blocks:
                    if not block.id.startswith("seat-"):
                        continue
                    signs = [p.rect for p in block.parts if isinstance(p, Icon) and p.name == "menu"]
                    held = next(
                        p.rect for p in block.parts if isinstance(p, Button) and p.id.endswith("-menu")
                    )
                    where = (seats, layout, block.id, signs, held)
                    if held.w < glass.mm(11) and held.h < glass.mm(15.5):
                        continue  # the numeral fills it
                    assert len(signs) == 1, where
                    x, y = signs[0].x + signs[0].w // 2, signs[0].y + signs[0].h // 2
                    assert held.x <= x <= held.right, where
                    assert held.y <= y <= held.bottom, where


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("glass", GLASSES.values(), ids=GLASSES)
def test_the_first_turn_says_what_to_hold(glass: ScreenGeometry, language: str) -> None:
    said = words_in(language).gettext(HELD)
    for seats in (5, 7):
        for layout in Layout:
            screen = laid_out(glass, Moment("play", "play", table_of(seats).view()), language, layout)
            assert any(said in text for text in screen.visible_text()), (seats, layout)


def test_later_turns_say_it_no_more() -> None:
    table = table_of(7).do(EndTurn())
    screen = laid_out(GLASSES["800x480"], Moment("play", "play", table.view()))
    assert not any(HELD in text for text in screen.visible_text())
