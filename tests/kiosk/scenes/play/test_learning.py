"""A table explains characters and turns to a player who is new to BANG!, and to nobody else."""

import pytest
from msgspec.structs import replace

from core.characters import Character
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.setup import ChooseCharacter
from core.terms import SeatNo
from kiosk.preferences import LESSONS
from kiosk.ui.blocks import Label, Paragraph
from kiosk.view.intents import ChangePreferences
from tests.kiosk.scenes.conftest import GLASSES, hand_on, intents_of, laid_out
from tests.scenarios.moments import Moment, Table, learning

GLASS = GLASSES["800x480"]


def panel_texts(table: Table, seat: int, *new: int) -> list[str]:
    view = learning(table.view(), *new)
    block = next(b for b in laid_out(GLASS, Moment("play", "play", view))._blocks if b.id == f"seat-{seat}")
    return [part.text for part in block.parts if isinstance(part, Label | Paragraph)]


def test_a_held_card_tells_its_ability_and_a_tap_still_chooses_it() -> None:
    dealt = Table(5).dealt()
    hand = hand_on(dealt.view())
    hand.touch("seat-2-character", "ability-kit-carlson", view=dealt.view())
    assert hand.screen.scene_name() == "ability"
    said = " ".join(hand.screen.visible_text())
    assert "Kit Carlson" in said
    assert "top three cards" in said
    assert hand.intents == []
    hand.touch("back", view=dealt.view())
    hand.touch("character-kit-carlson")
    assert intents_of(hand) == [ChooseCharacter(SeatNo(2), Character.KIT_CARLSON)]


def test_the_menu_of_a_player_names_the_ability_unless_the_player_has_left() -> None:
    table = Table(5).begun()
    character = table.state.seats[2].character
    assert character is not None
    hand = hand_on(table.view())
    hand.touch("seat-3-menu", view=table.view())
    assert any(character.value in text for text in hand.screen.visible_text())
    table.do(Abandon(SeatNo(3)))
    hand = hand_on(table.view())
    hand.touch("seat-3-menu", view=table.view())
    assert not any(character.value in text for text in hand.screen.visible_text())


def test_a_new_player_reads_what_to_do_in_their_own_turn_only() -> None:
    table = Table(5).begun().do(EndTurn())
    life = table.state.seats[1].life
    assert any("Draw 2" in text and f"keep {life}" in text for text in panel_texts(table, 2, 2))
    assert not any("Draw 2" in text for text in panel_texts(table, 2, 3))
    table.do(EndTurn())
    assert not any("Draw 2" in text for text in panel_texts(table, 2, 2))


def test_the_hint_goes_by_itself_after_some_turns() -> None:
    table = Table(5).begun()
    preferences = learning(table.view(), 1).preferences
    turns_with_hint = 0
    for _ in range(LESSONS + 2):
        view = replace(table.view(), preferences=preferences)
        screen = laid_out(GLASS, Moment("play", "play", view))
        turns_with_hint += any("Draw 2" in text for text in screen.visible_text())
        table.do(*(EndTurn() for _ in range(5)))
    assert turns_with_hint == LESSONS


def test_willy_the_kid_has_no_limit_for_bang() -> None:
    table = Table(5).begun()
    willy = next(s.seat for s in table.state.seats if s.character is Character.WILLY_THE_KID)
    while table.state.turn != willy:
        table.do(EndTurn())
    texts = panel_texts(table, willy, willy)
    assert any("Draw 2" in text for text in texts)
    assert not any("one BANG!" in text for text in texts)


@pytest.mark.parametrize("times", [1, 2])
def test_a_player_switches_the_hints_on_and_off_without_an_entry_in_the_game(times: int) -> None:
    table = Table(5).begun()
    view = table.view()
    hand = hand_on(view)
    hand.touch("seat-2-menu", view=view)
    for _ in range(times):
        hand.touch("new-player")
        (change,) = hand.intents
        assert isinstance(change, ChangePreferences)
        view = replace(table.view(), preferences=change.preferences)
        hand.screen.update(view)
        hand.intents.clear()
    assert bool(view.preferences.learners) == (times == 1)
