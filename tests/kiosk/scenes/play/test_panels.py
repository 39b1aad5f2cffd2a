"""A player's panel shows recent changes, how to open its menu, and the role of an eliminated player."""

from functools import lru_cache
from itertools import product

import msgspec
import pytest

from core.game.play.turns import EndTurn, SetRecordMode
from core.game.play.wounds import LoseLife
from core.rule_set import RecordMode
from core.terms import Role, SeatNo
from kiosk.i18n import role_name, words_in
from kiosk.preferences import Layout, Preferences
from kiosk.scenes.play.play import life_panel
from kiosk.scenes.widgets.life import SHOWN_MS
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.blocks import Block, Button, Icon, Label
from kiosk.ui.geometry import ScreenGeometry, rotated_size, screen_geometry_for
from kiosk.ui.text import SOFT_HYPHEN
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES as USUAL_GLASSES
from tests.kiosk.scenes.conftest import context_of, laid_out
from tests.kiosk.scenes.test_legible import GLASSES, LANGUAGES, Ruler
from tests.kiosk.scenes.test_overflow import Measure
from tests.scenarios.moments import EDITION, Moment, Table, moments

LEAST_MM = 2.4
"""The least height of capitals of the longest role on the narrowest cards."""
CROWDED = 8


@lru_cache(maxsize=8)
def with_three_out(seats: int) -> TableView:
    """Return a table that has lost an Outlaw, the Renegade and a Deputy, at its sides if possible."""
    table = Table(seats, EDITION if seats < CROWDED else rebel_rules()).begun().do(EndTurn())
    for seat, role in zip((4, 5, seats), (Role.OUTLAW, Role.RENEGADE, Role.DEPUTY), strict=True):
        table.kill(seat, 2, role)
    return table.view()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_the_role_is_whole_and_large_enough_on_every_card(size: str, language: str) -> None:
    glass, words, wrong = GLASSES[size], words_in(language), []
    for seats, layout in product((7, 8, 10), Layout):
        view = with_three_out(seats)
        stage = context_of(view, glass, language, layout)
        for seat in (seat for seat in stage.game.seats if not seat.in_play):
            panel = life_panel(stage, seat)
            measure, ruler = Measure(stage.types), Ruler(stage.types, glass)
            measure.block(panel)
            ruler.block(panel)
            assert seat.role is not None
            role = role_name(words, seat.role).replace(SOFT_HYPHEN, "")
            roles = [one for one in ruler.written if one.text.replace("- ", "") == role]
            if measure.cut or not roles or roles[0].capitals_mm < LEAST_MM:
                wrong.append((seats, layout, seat.seat, role, roles, measure.cut))
    assert wrong == []


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


SEAT = SeatNo(3)


def sums(screen: TableScreen) -> list[str]:
    """Return the signed numbers on a seat's panel."""
    panel = next(block for block in screen._blocks if block.id == f"seat-{SEAT}")
    return [part.text for part in panel.parts if isinstance(part, Label) and part.text[:1] in "+−"]


@pytest.mark.slow
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("size", USUAL_GLASSES)
@pytest.mark.parametrize("seats", [4, 7])
def test_taps_add_up_to_one_sum_that_stays_for_three_seconds(size: str, layout: Layout, seats: int) -> None:
    table, screen = Table(seats).begun(), TableScreen(USUAL_GLASSES[size], failsafe=False)
    now_ms = table.view().now_ms

    def show(at_ms: int) -> list[str]:
        chosen = Preferences(layout=layout)
        screen.advance(at_ms)
        screen.update(msgspec.structs.replace(table.view(), now_ms=at_ms, preferences=chosen))
        return sums(screen)

    assert show(now_ms) == []
    table.do(LoseLife(SEAT))
    assert set(show(now_ms + 100)) == {"−1"}
    table.do(LoseLife(SEAT))
    assert set(show(now_ms + 1_900)) == {"−2"}
    assert set(show(now_ms + 1_900 + SHOWN_MS - 1)) == {"−2"}
    assert show(now_ms + 1_900 + SHOWN_MS) == []


def rows_of_bullets(card: Block) -> int:
    """Return the number of rows in which a card's bullets are drawn."""
    bullets = [part for part in card.parts if isinstance(part, Icon) and part.name in {"bullet", "spent"}]
    return len({bullet.rect.y for bullet in bullets})


@pytest.mark.parametrize("size", ["800x480", "1280x720", "1024x600"])
def test_the_two_at_the_far_end_have_their_bullets_in_as_many_rows(size: str) -> None:
    moment = next(m for m in moments(10, rebel_rules()) if m.picture == "play")
    blocks = {block.id: block for block in laid_out(USUAL_GLASSES[size], moment, "en", Layout.KEEPER)._blocks}
    assert rows_of_bullets(blocks["seat-5"]) == rows_of_bullets(blocks["seat-6"]) > 0


@pytest.mark.parametrize("seats", [4, 7, 10])
@pytest.mark.parametrize("panel", [(800, 480), (480, 800), (1024, 600), (1280, 720), (720, 1280)])
def test_no_life_point_is_cut_by_the_edge_of_its_card(panel: tuple[int, int], seats: int) -> None:
    glass = screen_geometry_for(panel)
    moment = next(m for m in moments(seats, rebel_rules()) if m.picture == "play")
    for layout in Layout:
        for card in laid_out(glass, moment, "en", layout)._blocks:
            width = rotated_size(card.rect, card.quarter_turns)[0]
            for part in card.parts if card.id.startswith("seat-") else ():
                if isinstance(part, Icon) and part.name in {"bullet", "spent"}:
                    middle, half = part.rect.x + part.rect.w / 2, part.rect.w * 0.26
                    assert glass.mm(0.4) <= middle - half, (layout, card.id)
                    assert middle + half <= width - glass.mm(0.4), (layout, card.id)
