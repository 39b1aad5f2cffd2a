"""Panels and questions speak the language of their player and face them; shared areas speak the table's."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game.ending.judge_calls import CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn
from core.game.state.decisions import Undo
from core.rule_set import RecordMode
from core.terms import PlayerId, SeatNo, TournamentId
from kiosk.i18n import words_in
from kiosk.preferences import MOST_SPOKEN, Layout, Preferences, Spoken, preferences_bytes, preferences_of
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.story import describe_undone
from kiosk.ui.blocks import Button, Label, Paragraph
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.intents import ChangePreferences
from kiosk.view.table_view import TableQuestion, TableView
from tests.kiosk.scenes.conftest import GLASSES, Hand, hand_on, laid_out
from tests.scenarios.duel_moments import LONG, DuelTable
from tests.scenarios.moments import Moment, Table, speaking

TOURNAMENT = TournamentId("rehearsal")
languages = st.sampled_from(["", "it", "de"])
choices = st.lists(st.tuples(st.integers(0, 200), languages), max_size=300)


def of_seat(view: TableView, seat: int, language: str) -> TableView:
    """Return the table with one player who has chosen a language."""
    return speaking(view, *[""] * (seat - 1), language)


def texts(screen: TableScreen, block: str) -> str:
    parts = next(block_on_screen.parts for block_on_screen in screen._blocks if block_on_screen.id == block)
    return " | ".join(
        part.label if isinstance(part, Button) else part.text
        for part in parts
        if isinstance(part, Button | Label | Paragraph)
    )


def test_a_panel_speaks_the_language_of_its_player_and_the_middle_that_of_the_table() -> None:
    screen = hand_on(of_seat(Table(5).view(), 2, "it")).screen
    assert "Ci sono" in texts(screen, "seat-2")
    assert "I'm here" in texts(screen, "seat-3")
    assert "missing" in texts(screen, "middle")


def test_what_was_undone_is_said_in_one_language() -> None:
    """The table's language is used at every step towards High Noon, whatever the player in turn speaks."""
    noon = [Reshuffle()] * 3
    for more, badge in (
        ([], ""),
        (noon, "Mezzogiorno di Fuoco"),
        ([*noon, EndTurn()], "Mezzogiorno di Fuoco!"),
    ):
        table = Table(5).begun().do(*more, EndTurn(), Undo(1))
        turn = table.state.turn
        assert turn is not None
        undone = describe_undone(table.view().timeline, words_in("it"))
        view = msgspec.structs.replace(table.view(), language="it", taken_back=undone)
        said = texts(hand_on(of_seat(view, turn, "es"), GLASSES["1280x720"]).screen, "middle")
        # High Noon takes precedence over what was undone if there is no room for both.
        assert badge in said if badge else undone in said
        assert "High Noon" not in said
        assert "Turno de" not in said
        assert "Fin de turno" in said


def test_what_was_undone_in_a_duel_is_said_in_one_language() -> None:
    table = DuelTable(LONG).long().do(Undo(1))
    turn = table.duel.turn
    assert turn is not None
    undone = describe_undone(table.view().timeline, words_in("it"))
    view = msgspec.structs.replace(table.view(), language="it", taken_back=undone)
    said = texts(hand_on(of_seat(view, turn, "es"), GLASSES["1280x720"]).screen, "middle")
    assert undone in said
    assert f"Turno di {table.state.seats[turn - 1].name}" in said
    assert "Turno de" not in said


def test_a_question_turned_to_a_player_and_its_rule_speak_that_players_language() -> None:
    view = of_seat(Table(5).running().wound(3, 3).view(), 3, "it")
    hand = hand_on(view)
    screen = hand.screen
    assert screen.scene_name() == "last-life"
    assert "Birra" in texts(screen, "middle")
    assert "online" in texts(screen, "strip")
    hand.touch("ask-last-life-3", view=view)
    assert screen.scene_name() == "rule"
    assert "Sid Ketchum" in texts(screen, "rule")
    assert next(block.quarter_turns for block in screen._blocks if block.id == "rule") == 1


def test_a_player_chooses_a_language_in_the_own_menu() -> None:
    view = Table(5).running().view()
    hand = hand_on(view)
    hand.touch("seat-3-menu", "language", "language-it", view=view)
    assert hand.intents == [
        ChangePreferences(Preferences(spoken=(Spoken(TOURNAMENT, PlayerId("p2"), "it"),)))
    ]
    assert hand.screen.scene_name() == "player-menu"


def test_the_next_player_on_a_chair_does_not_inherit_its_language() -> None:
    chosen = Preferences().speaking(Spoken(TOURNAMENT, PlayerId("p001"), "de"))
    assert chosen.language_of(TOURNAMENT, PlayerId("p001")) == "de"
    assert chosen.language_of(TOURNAMENT, PlayerId("p002")) == ""
    assert chosen.language_of(TournamentId("the next one"), PlayerId("p001")) == ""


def test_a_seat_without_a_choice_speaks_as_the_table() -> None:
    screen = hand_on(msgspec.structs.replace(Table(5).view(), language="it")).screen
    assert screen._stage.words_for(SeatNo(4)).language == "it"


@given(choices)
def test_the_last_choice_of_each_player_counts_and_survives_the_file(made: list[tuple[int, str]]) -> None:
    preferences, wanted = Preferences(), dict[str, str]()
    for number, language in made:
        player = PlayerId(f"p{number}")
        preferences = preferences.speaking(Spoken(TOURNAMENT, player, language))
        wanted.pop(player, None)
        wanted[player] = language
    assert len(preferences.spoken) <= MOST_SPOKEN
    read = preferences_of(preferences_bytes(preferences), "here")
    chosen = [(player, language) for player, language in wanted.items() if language][-64:]
    assert [(p, read.language_of(TOURNAMENT, PlayerId(p))) for p, _ in chosen] == chosen


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
