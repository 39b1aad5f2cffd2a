"""Forgotten entries: touches that correct them, and questions that are asked once."""

import pytest

from core.game.play.reshuffles import deck_turns
from core.game.state.game import Cause, HighNoon
from core.rule_set import RecordMode, RuleSet
from hardware.contract import Lamp, PanelButton
from kiosk.scenes.widgets.life import SHOWN_MS
from kiosk.terminal.mistakes import FEW_TURNS, FIRST_TURNS_MS, LEAST_TURN_MS
from kiosk.view.table_view import TableQuestion
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.scenarios.moments import EDITION

pytestmark = pytest.mark.slow


def light(table: VirtualTable, players: int = 7) -> None:
    seated(table, seat_game(rules=RuleSet("championship-2022", mode=RecordMode.LIGHT), players=players))


def question(table: VirtualTable) -> TableQuestion | None:
    return table.view.question


def end_turns(table: VirtualTable, count: int) -> None:
    for _ in range(count):
        table.advance(45)
        table.touch("end-turn")


def test_the_button_for_turns_says_that_a_light_game_enters_none_yet(table: VirtualTable) -> None:
    light(table)
    table.press(PanelButton.END_TURN)
    assert table.view.notice == "In a light game you enter turns only when High Noon is near."
    for _ in range(3):
        table.advance(45)
        table.press(PanelButton.RESHUFFLE)
    table.press(PanelButton.END_TURN)
    assert table.view.notice == "Tap the panel of the player whose turn it is."


def test_one_touch_on_a_panel_corrects_the_turn_from_any_backlog(five: VirtualTable) -> None:
    five.tap(5, "turn")
    assert (five.game.turn, five.game.passed) == (5, (2, 3, 4))
    assert any("Passed: Bartolomeo, Čeněk Dvořák, Dafne." in words for words in five.says())
    five.touch("seat-3-menu", "jailed-3")
    assert five.game.turns_played == (1, 1, 0, 1, 1)
    five.touch("undo", "undo")
    assert (five.game.turn, five.game.turns) == (1, 1)


def test_a_tap_that_strays_from_minus_does_not_change_the_turn(five: VirtualTable) -> None:
    five.tap(3, "minus")
    x, y, width, height = five.target("seat-3-turn").rect
    five.touch_at(x + width // 2, y + height // 2)
    assert five.game.turn == 1
    five.advance(SHOWN_MS / 1000)
    five.tap(3, "turn")
    assert five.game.turn == 3


def test_a_minus_that_is_held_takes_several_points(five: VirtualTable) -> None:
    before = five.game.seats[2].life
    five.lay("seat-3-minus")
    five.advance(1.1)
    five.lift()
    assert five.game.seats[2].life == before - 3


def test_a_turn_that_takes_long_is_asked_about_and_again_much_later(five: VirtualTable) -> None:
    five.advance(FIRST_TURNS_MS / 1000 + 1)
    assert "Still Ada's turn?" in five.says()
    five.touch("still-turn")
    five.advance(2 * FIRST_TURNS_MS / 1000)
    assert (question(five), five.lamp().pattern) == (None, Lamp.PLAYING)
    five.advance(FIRST_TURNS_MS / 1000 + 10)
    assert (question(five), five.lamp().pattern) == (TableQuestion.STILL_TURN, Lamp.ASKED)
    five.touch("still-turn")
    five.advance(1)
    assert five.lamp().pattern is Lamp.PLAYING
    five.advance(3 * FIRST_TURNS_MS / 1000)
    assert question(five) is None


def test_many_more_victims_after_the_answer_are_asked_about_again(table: VirtualTable) -> None:
    seated(table, seat_game(rules=RuleSet("official-2003"), players=8))
    for seat in (1, 2, 3, 4):
        table.tap(seat, "minus")
    table.touch("still-turn")
    for seat in (5, 6, 7):
        table.tap(seat, "minus")
    assert question(table) is None
    table.tap(8, "minus")
    assert question(table) is TableQuestion.STILL_TURN


def test_more_victims_than_a_turn_ever_had_are_asked_about(five: VirtualTable) -> None:
    end_turns(five, 5)
    for seat in (2, 3, 4, 5):
        five.tap(seat, "minus")
    assert question(five) is TableQuestion.STILL_TURN


@pytest.mark.slow
def test_a_reshuffle_that_should_have_come_is_asked_about_and_rests_when_refused(five: VirtualTable) -> None:
    late = deck_turns(five.game, EDITION).late
    end_turns(five, late - 1)
    assert question(five) is None
    end_turns(five, 1)
    assert question(five) is TableQuestion.RESHUFFLED
    five.touch("not-reshuffled")
    end_turns(five, 3)
    assert question(five) is None
    end_turns(five, 6)
    assert question(five) is TableQuestion.RESHUFFLED


@pytest.mark.slow
def test_the_panels_button_answers_the_question_about_the_deck_as_the_glass_does(five: VirtualTable) -> None:
    end_turns(five, deck_turns(five.game, EDITION).late)
    assert question(five) is TableQuestion.RESHUFFLED
    five.press(PanelButton.RESHUFFLE)
    assert (five.scene(), five.game.reshuffles) == ("late-reshuffle", 0)
    five.touch(f"during-{five.game.turn}")
    assert (five.scene(), five.game.reshuffles, question(five)) == ("play", 1, None)


@pytest.mark.slow
def test_a_late_reshuffle_says_in_whose_turn_and_high_noon_takes_what_is_missing(seven: VirtualTable) -> None:
    seven.touch("reshuffle")
    late = deck_turns(seven.game, EDITION).late
    end_turns(seven, late + (7 - late % 7) + 3)
    assert question(seven) is TableQuestion.RESHUFFLED
    turn = seven.game.turn
    assert turn == 4
    life = [seat.life for seat in seven.game.seats]
    seven.touch("reshuffled", "during-1")
    assert seven.game.high_noon is HighNoon.ON
    expected = [life[0], *(points - 1 for points in life[1:4]), *life[4:]]
    assert [seat.life for seat in seven.game.seats] == expected


@pytest.mark.slow
def test_a_point_that_a_table_took_itself_before_high_noon_did_is_named(five: VirtualTable) -> None:
    five.touch("reshuffle")
    while five.game.high_noon is HighNoon.OFF:
        five.advance(30)
        five.touch("reshuffle")
    end_turns(five, 6)
    assert five.game.high_noon is HighNoon.ON
    assert not any("Give one back." in words for words in five.says())
    following = (five.game.turn or 0) % len(five.game.seats) + 1
    five.tap(following, "minus")
    end_turns(five, 1)
    assert any("Give one back." in words for words in five.says())
    five.tap(following, "plus")
    assert not any("Give one back." in words for words in five.says())


def test_a_table_that_forgot_turns_names_the_turn_in_which_high_noon_is_armed(seven: VirtualTable) -> None:
    seven.touch("reshuffle")
    assert seven.game.reshuffles == 1
    seven.tap(4, "turn")
    seven.advance(30)
    seven.touch("reshuffle")
    assert (seven.scene(), seven.game.reshuffles) == ("reshuffled-in-turn", 1)
    seven.touch("in-turn-6")
    assert (seven.scene(), seven.game.turn, seven.game.reshuffles) == ("play", 6, 2)
    assert seven.game.high_noon is HighNoon.WAITING


def test_a_table_that_forgot_no_turn_is_not_asked_for_it(seven: VirtualTable) -> None:
    seven.touch("reshuffle")
    end_turns(seven, 5)
    seven.touch("reshuffle")
    assert (seven.scene(), seven.game.reshuffles) == ("play", 2)


def test_an_elimination_at_high_noon_says_whose_turn_it_is(seven: VirtualTable) -> None:
    end_turns(seven, 5)
    seven.touch("reshuffle")
    seven.advance(30)
    seven.touch("reshuffle")
    assert (seven.game.turn, seven.game.high_noon) == (6, HighNoon.WAITING)
    seven.touch("seat-2-menu", "eliminated", "by-nobody", "by-high-noon", "role-outlaw")
    assert seven.game.high_noon is HighNoon.ON
    assert [(e.seat, e.by, e.cause) for e in seven.game.eliminations] == [(2, None, Cause.HIGH_NOON)]
    assert seven.game.turn == 3


def test_the_judge_reads_when_the_table_is_asked(seven: VirtualTable) -> None:
    seven.advance(1)
    assert seven.view.patience.turn_s == FIRST_TURNS_MS // 1000
    assert seven.view.patience.deck_turns == deck_turns(seven.game, EDITION).late
    end_turns(seven, FEW_TURNS)
    assert seven.view.patience.turn_s == LEAST_TURN_MS // 1000
    seven.turn_key(on=True)
    seven.touch("menu", "judge-menu", "correct", "correct-reshuffles")
    late = deck_turns(seven.game, EDITION).late
    assert any(f"reminder appears after {late} turns" in words for words in seven.says())


def test_an_elimination_that_must_wait_for_another_question_says_so(seven: VirtualTable) -> None:
    end_turns(seven, 5)
    while seven.game.seats[2].life > 1:
        seven.touch("seat-3-minus")
        seven.advance(5)
    end_turns(seven, 7)
    seven.touch("reshuffle")
    seven.advance(30)
    seven.touch("reshuffle", "seat-5-menu", "eliminated", "by-nobody", "by-high-noon", "round-on")
    assert (seven.scene(), seven.game.doubtful) == ("eliminate", (3,))
    assert not [target for target in seven.screen.targets() if target.id.startswith("role-")]
    assert any("still in play" in words for words in seven.says())
    seven.touch("back", "by-nobody")
    assert not seven.offers("by-dynamite")
    assert any("still in play" in words for words in seven.says())


def test_a_light_game_is_entered_in_few_touches(table: VirtualTable) -> None:
    light(table)
    assert not table.offers("end-turn")
    assert not table.offers("seat-2-minus")
    table.touch("reshuffle")
    table.touch("seat-2-out", "by-seat-3", "role-outlaw")
    assert [(e.seat, e.by) for e in table.game.eliminations] == [(2, 3)]
    table.touch("reshuffle")
    assert (table.scene(), table.game.high_noon) == ("whose-turn", HighNoon.WAITING)
    table.tap(1, "turn")
    table.advance(2)
    table.touch("end-turn")
    assert table.game.high_noon is HighNoon.ON
    assert any("lose a life point" in words for words in table.says())
    table.touch("seat-3-out", "by-nobody", "by-high-noon", "role-deputy")
    assert table.game.eliminations[-1].cause is Cause.HIGH_NOON


def test_a_light_game_is_asked_about_its_deck_by_time(table: VirtualTable) -> None:
    light(table)
    table.advance(31 * 60)
    assert question(table) is TableQuestion.RESHUFFLED
    table.touch("not-reshuffled")
    table.advance(60)
    assert question(table) is None
    table.advance(12 * 60)
    table.touch("reshuffled")
    assert table.game.reshuffles == 1
