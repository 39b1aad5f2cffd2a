"""Pages are turned towards the player who opened them, and questions use the language of the player asked."""

import msgspec
import pytest

from core.game.ending.judge_calls import CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn
from core.rule_set import RecordMode
from core.terms import SeatNo
from kiosk.preferences import Layout
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.table_view import TableQuestion, TableView
from tests.kiosk.scenes.conftest import GLASSES, Hand, laid_out
from tests.scenarios.moments import Moment, Table, speaking

TALL = screen_geometry_for((720, 1280))


def in_turn(seat: int, *languages: str) -> TableView:
    """Return a table of seven in a seat's turn, whose players chose these languages."""
    table = Table(7).begun().do(*[EndTurn()] * (seat - 1))
    return speaking(table.view(), *languages)


def screen_of(
    view: TableView, *touches: str, layout: Layout = Layout.RING, tall: bool = False
) -> TableScreen:
    glass = TALL if tall else GLASSES["800x480"]
    return laid_out(glass, Moment("x", "x", view, touches), layout=layout)


def doubtful_of_seat_3() -> TableView:
    """Return the question whether seat 3, who speaks Italian, is still in play; the judge is called."""
    table = Table(7).begun()
    table.wound(3, table.state.seats[2].life - 1)
    table.do(*[Reshuffle()] * 2, EndTurn(), SetTurn(SeatNo(4)), CallJudge())
    assert table.state.doubtful == (3,)
    return speaking(table.view(), "en", "en", "it")


def turns(screen: TableScreen) -> int:
    blocks = (block for block in screen._blocks if block.id != "strip")
    return max(blocks, key=lambda block: block.rect.w * block.rect.h).quarter_turns


@pytest.mark.parametrize("change", ["reshuffle_presses", "doubtful_turns"])
def test_a_question_about_a_reshuffle_faces_and_speaks_to_the_player_in_turn(change: str) -> None:
    view = in_turn(5, "en", "en", "en", "en", "it")
    screen = screen_of(msgspec.structs.replace(view, **{change: 1}))
    assert turns(screen) == 2
    assert any("mazzo" in text or "Rimescolato" in text for text in screen.visible_text())
    upright = screen_of(msgspec.structs.replace(view, **{change: 1}), layout=Layout.KEEPER)
    assert turns(upright) == 0


def test_the_turn_of_a_late_reshuffle_is_asked_of_the_player_in_turn() -> None:
    view = msgspec.structs.replace(in_turn(5, *["de"] * 7), question=TableQuestion.RESHUFFLED)
    screen = screen_of(view, "reshuffled")
    assert (screen.scene_name(), turns(screen)) == ("late-reshuffle", 2)
    assert any("Zug" in target.label for target in screen.targets())


def test_the_page_of_a_call_faces_and_speaks_to_whoever_opened_it() -> None:
    table = Table(7).begun().do(*[EndTurn()] * 4, CallJudge())
    view = speaking(table.view(), "en", "en", "it", "en", "it")
    screen = screen_of(view, "judge-called")
    assert (screen.scene_name(), turns(screen)) == ("judge-called", 2)
    assert "Indietro" in {target.label for target in screen.targets()}
    pressed = screen_of(msgspec.structs.replace(view, call_presses=1))
    assert (pressed.scene_name(), turns(pressed)) == ("judge-called", 2)
    page = screen_of(doubtful_of_seat_3(), "judge-called")
    assert turns(page) == 0
    assert "Indietro" in {target.label for target in page.targets()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "touches", [("menu",), ("menu", "judge-menu"), ("menu", "story"), ("menu", "look"), ("menu", "sound")]
)
def test_a_page_faces_the_middle_that_it_was_opened_from(touches: tuple[str, ...]) -> None:
    for seat in range(1, 8):
        middle = next(b for b in screen_of(in_turn(seat))._blocks if b.id == "middle")
        assert turns(screen_of(in_turn(seat), *touches)) == middle.quarter_turns, seat
        assert turns(screen_of(in_turn(seat), *touches, layout=Layout.KEEPER)) == 0


def test_the_judges_pages_face_where_the_menu_was_opened() -> None:
    view = msgspec.structs.replace(in_turn(5), judge_present=True)
    for touches in (("void-game",), ("correct", "correct-reshuffles"), ("carry",)):
        assert turns(screen_of(view, "menu", "judge-menu", *touches)) == 2


def test_a_pin_for_a_player_who_leaves_faces_that_player() -> None:
    screen = screen_of(in_turn(1), "seat-6-menu", "seat-6-leaves", "seat-6-abandon")
    card = next(b for b in screen_of(in_turn(1))._blocks if b.id == "seat-6")
    assert (screen.scene_name(), turns(screen)) == ("pin", card.quarter_turns)


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_nothing_on_a_tall_flat_glass_faces_the_edge_where_nobody_sits(seats: int) -> None:
    table = Table(seats)
    screens = [
        screen_of(table.view(), "menu", tall=True),
        screen_of(Table(seats).declared().view(), tall=True) if seats > 4 else None,
        screen_of(table.dealt().view(), "enter-all", tall=True),
        screen_of(Table(seats).begun().view(), "menu", "rules", tall=True),
    ]
    assert [turns(screen) for screen in screens if screen is not None] == [1] * len([*filter(None, screens)])


def test_a_tall_glass_with_players_at_its_lower_end_faces_them() -> None:
    assert turns(screen_of(Table(7).view(), "menu", layout=Layout.KEEPER, tall=True)) == 0


def test_the_next_page_does_not_face_the_last_reader() -> None:
    view = in_turn(5)
    screen = screen_of(view)
    hand = Hand(screen)
    hand.touch("menu", "back", view=view)
    screen.update(msgspec.structs.replace(view, is_locked=True))
    assert screen._facing is None


def test_the_middle_is_turned_to_nobody_where_no_turn_is_known() -> None:
    table = Table(7).begun().do(*[EndTurn()] * 4, SetRecordMode(RecordMode.LIGHT))
    view = speaking(table.view(), "en", "en", "en", "en", "it")
    middle = next(b for b in screen_of(view)._blocks if b.id == "middle")
    assert table.state.is_turn_unknown
    assert middle.quarter_turns == 0
    assert "Reshuffle" in {button.label for button in middle.buttons}
