"""Each player's panel uses that player's language; shared areas use the table's."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.decisions import Undo
from core.terms import PlayerId, SeatNo, TournamentId
from kiosk.i18n import words_in
from kiosk.preferences import MOST_SPOKEN, Preferences, Spoken, preferences_bytes, preferences_of
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.story import describe_undone
from kiosk.ui.blocks import Button, Label, Paragraph
from kiosk.view.intents import ChangePreferences
from kiosk.view.table_view import TableView
from tests.kiosk.scenes.conftest import GLASSES, hand_on
from tests.scenarios.duel_moments import LONG, DuelTable
from tests.scenarios.moments import Table

TOURNAMENT = TournamentId("rehearsal")
languages = st.sampled_from(["", "it", "de"])
choices = st.lists(st.tuples(st.integers(0, 200), languages), max_size=300)


def speaking(view: TableView, seat: int, language: str) -> TableView:
    assert view.game is not None
    spoken = Spoken(view.game.tournament, view.game.seats[seat - 1].player, language)
    return msgspec.structs.replace(view, preferences=view.preferences.speaking(spoken))


def texts(screen: TableScreen, block: str) -> str:
    parts = next(block_on_screen.parts for block_on_screen in screen._blocks if block_on_screen.id == block)
    return " | ".join(
        part.label if isinstance(part, Button) else part.text
        for part in parts
        if isinstance(part, Button | Label | Paragraph)
    )


def test_a_panel_speaks_the_language_of_its_player_and_the_middle_that_of_the_table() -> None:
    screen = hand_on(speaking(Table(5).view(), 2, "it")).screen
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
        said = texts(hand_on(speaking(view, turn, "es"), GLASSES["1280x720"]).screen, "middle")
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
    said = texts(hand_on(speaking(view, turn, "es"), GLASSES["1280x720"]).screen, "middle")
    assert undone in said
    assert f"Turno di {table.state.seats[turn - 1].name}" in said
    assert "Turno de" not in said


def test_a_question_turned_to_a_player_and_its_rule_speak_that_players_language() -> None:
    view = speaking(Table(5).running().wound(3, 3).view(), 3, "it")
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
