"""Entries that a table missed: turns, the causes of eliminations, and High Noon."""

import pytest

from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.state.game import Cause, HighNoon
from core.rule_set import RecordMode, RuleSet
from core.terms import SeatNo
from kiosk.ui.geometry import screen_geometry_for
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.scenes.conftest import laid_out
from tests.scenarios.moments import Moment, Table

pytestmark = pytest.mark.slow


def test_a_turn_in_jail_is_noted_in_the_players_menu_and_taken_back(five: VirtualTable) -> None:
    five.touch("seat-1-menu")
    assert not five.offers("skip-turn")
    five.touch("back", "end-turn", "seat-2-menu", "skip-turn")
    assert (five.scene(), five.game.turn, five.game.turns_played) == ("play", 3, (1, 0, 1, 0, 0))
    five.touch("seat-2-menu")
    assert not five.offers("skip-turn")
    five.touch("back", "undo")
    assert (five.game.turn, five.game.turns_played) == (2, (1, 1, 0, 0, 0))


def test_a_turn_of_somebody_who_left_passes_and_reminds_of_jail_and_dynamite() -> None:
    table = Table(5).begun().do(Abandon(SeatNo(2)), EndTurn())
    assert (table.state.turn, table.state.turns_played) == (3, (1, 0, 1, 0, 0))
    screen = laid_out(screen_geometry_for((1024, 600)), Moment("play", "play", table.view()))
    assert any("Bartolomeo left: draw! first." in text for text in screen.visible_text())


@pytest.fixture
def at_noon(seven: VirtualTable) -> VirtualTable:
    """Return a table of seven at High Noon, in the fourth turn of a round."""
    seven.touch("reshuffle", "reshuffle", "end-turn", "end-turn", "end-turn")
    assert (seven.game.turn, seven.game.high_noon) == (4, HighNoon.ON)
    return seven


def lives(table: VirtualTable) -> list[int]:
    return [seat.life for seat in table.game.seats]


def test_the_last_players_panel_asks_before_a_whole_round_is_passed(at_noon: VirtualTable) -> None:
    before, turns = lives(at_noon), at_noon.game.turns
    at_noon.tap(3, "turn")
    assert (at_noon.scene(), at_noon.game.turn, lives(at_noon)) == ("turn-again", 4, before)
    words = " ".join(at_noon.says())
    assert "Going back undoes 1 turn. Everything else stays as entered." in words
    assert "If a whole round has passed, 5 turns are skipped. High Noon takes 6 life points." in words
    at_noon.touch("back")
    assert (at_noon.scene(), at_noon.game.turn) == ("play", 4)
    at_noon.tap(3, "turn")
    at_noon.touch("turn-back")
    assert (at_noon.scene(), at_noon.game.turn, at_noon.game.turns) == ("play", 3, turns - 1)
    assert lives(at_noon)[3] == before[3] + 1


def test_a_whole_round_is_passed_where_the_table_means_it(at_noon: VirtualTable) -> None:
    before = lives(at_noon)
    at_noon.tap(3, "turn")
    at_noon.touch("round-on")
    assert (at_noon.scene(), at_noon.game.turn, at_noon.game.passed) == ("play", 3, (5, 6, 7, 1, 2))
    assert sum(before) - sum(lives(at_noon)) == 6


def test_going_back_to_a_turn_that_was_passed_sets_it(seven: VirtualTable) -> None:
    seven.tap(4, "turn")
    seven.tap(3, "turn")
    seven.touch("turn-back")
    assert (seven.scene(), seven.game.turn, seven.game.passed) == ("play", 3, (2,))


def test_a_killer_of_the_last_turn_is_asked_about_too(at_noon: VirtualTable) -> None:
    before = lives(at_noon)
    at_noon.touch("seat-6-menu", "eliminated", "by-seat-3", "other-turn")
    assert (at_noon.scene(), lives(at_noon)) == ("turn-again", before)
    at_noon.touch("turn-back", "role-outlaw")
    assert [(e.seat, e.turn) for e in at_noon.game.eliminations] == [(6, 3)]
    assert lives(at_noon)[:5] == [*before[:3], before[3] + 1, before[4]]


def test_a_wrong_turn_that_an_elimination_named_is_taken_back_with_it(seven: VirtualTable) -> None:
    seven.touch(
        "seat-5-menu", "eliminated", "by-nobody", "by-own-duel", "by-seat-1", "other-turn", "role-outlaw"
    )
    assert (seven.game.turn, len(seven.game.eliminations)) == (6, 1)
    seven.touch("undo")
    assert (seven.game.turn, seven.game.eliminations) == (5, ())
    assert seven.target("undo").label == "Undo"
    seven.touch("undo")
    assert seven.game.turn == 1
    # Only a judge may return to the previous turn.
    assert not seven.offers("undo") or "Judge" in seven.target("undo").label


def test_going_back_keeps_what_was_entered_since(seven: VirtualTable) -> None:
    seven.touch("end-turn", "seat-3-minus", "seat-5-menu", "eliminated", "by-seat-2", "role-outlaw")
    seven.touch("reshuffle")
    before, points = lives(seven), seven.game.seats[2].life
    seven.tap(1, "turn")
    assert seven.scene() == "turn-again"
    assert "Going back undoes 1 turn. Everything else stays as entered." in " ".join(seven.says())
    assert seven.target("turn-back").hold_ms == 0
    seven.touch("turn-back")
    assert (seven.game.turn, seven.game.turns, seven.game.turns_played[:2]) == (1, 1, (1, 0))
    assert (lives(seven), seven.game.reshuffles, seven.game.seats[2].life) == (before, 1, points)
    assert [(e.seat, e.by, e.turn) for e in seven.game.eliminations] == [(5, 2, 1)]
    seven.touch("undo", "undo")
    assert (seven.game.turn, seven.game.eliminations, seven.game.seats[2].life) == (1, (), points)


def test_going_back_beyond_the_current_turn_needs_the_judge_and_keeps_it_too(at_noon: VirtualTable) -> None:
    before = lives(at_noon)
    at_noon.tap(6, "minus")
    at_noon.tap(2, "turn")
    assert at_noon.target("turn-back").label == "Judge: back to Bartolomeo's turn"
    at_noon.touch("turn-back")
    assert (at_noon.scene(), at_noon.game.turn) == ("pin", 4)
    at_noon.type_pin()
    assert (at_noon.scene(), at_noon.game.turn) == ("play", 2)
    assert lives(at_noon)[2:6] == [before[2] + 1, before[3] + 1, before[4], before[5] - 1]


def test_what_cannot_be_in_the_turn_before_is_named_and_the_way_back_is_held(at_noon: VirtualTable) -> None:
    at_noon.lose_life(5, left=1)
    at_noon.touch("end-turn", "eliminated", "role-outlaw")
    assert (at_noon.game.turn, at_noon.game.eliminations[0].seat) == (6, 5)
    at_noon.tap(4, "turn")
    words = " ".join(at_noon.says())
    assert "You'll lose: " in words
    assert at_noon.game.seats[4].name in words
    back = at_noon.target("turn-back")
    assert (back.label, back.hold_ms > 0) == (f"Hold: back to {at_noon.game.seats[3].name}'s turn", True)
    at_noon.touch("turn-back")
    assert (at_noon.game.turn, at_noon.game.eliminations, at_noon.game.seats[4].life) == (4, (), 1)


def test_the_deck_that_ran_out_in_the_last_turn_does_not_pass_a_round(seven: VirtualTable) -> None:
    seven.tap(4, "turn")
    seven.touch("reshuffle")
    seven.advance(30)
    seven.touch("end-turn", "reshuffle", "in-turn-4")
    assert (seven.scene(), seven.game.turn, seven.game.reshuffles) == ("turn-again", 5, 1)
    seven.touch("turn-back")
    assert (seven.scene(), seven.game.turn, seven.game.reshuffles) == ("play", 4, 2)


def with_two_fallen(table: VirtualTable) -> None:
    """Let an Indians! take the last life points of seats 2 and 3 in the first turn."""
    seated(table)
    for seat in (2, 3):
        for _ in range(table.game.seats[seat - 1].life):
            table.tap(seat, "minus")


def test_a_killer_who_is_out_can_be_named(table: VirtualTable) -> None:
    with_two_fallen(table)
    table.touch("eliminated", "by-seat-4", "same-turn", "role-outlaw", "eliminated")
    assert table.target("by-seat-2").label == "by Bartolomeo out since turn 1"
    table.touch("by-seat-2", "role-renegade")
    assert [(out.seat, out.by) for out in table.game.eliminations] == [(3, 2), (2, 4)]


def test_an_elimination_that_was_undone_with_what_led_to_it_is_entered_again_by_redo(
    table: VirtualTable,
) -> None:
    with_two_fallen(table)
    table.touch("eliminated", "by-seat-1", "role-outlaw", "undo", "undo", "redo")
    assert (table.scene(), table.game.pending) == ("last-life", (2, 3))
    table.touch("redo")
    assert ([out.seat for out in table.game.eliminations], table.game.pending) == ([2], (3,))


@pytest.mark.parametrize(
    ("reshuffled_in", "noon"),
    [
        pytest.param(2, HighNoon.WAITING, id="by a reshuffle of this turn"),
        pytest.param(1, HighNoon.ON, id="by one of the turn before which brings it before it is named"),
    ],
)
def test_high_noon_that_the_table_has_missed_can_be_named(
    five: VirtualTable, reshuffled_in: int, noon: HighNoon
) -> None:
    five.touch("reshuffle", "reshuffle", "end-turn")
    five.lose_life(2)
    five.touch("eliminated", "by-nobody")
    assert five.target("missed-high-noon").label == "High Noon should have begun"
    five.touch("missed-high-noon", f"during-{reshuffled_in}")
    assert (five.scene(), five.game.high_noon) == ("eliminate", noon)
    five.touch("by-high-noon", "role-outlaw")
    assert [(out.seat, out.cause) for out in five.game.eliminations] == [(2, Cause.HIGH_NOON)]
    assert (five.game.high_noon, five.game.doubtful) == (HighNoon.ON, ())


def test_a_light_table_counts_the_missed_reshuffle_at_once(table: VirtualTable) -> None:
    seated(table, seat_game(rules=RuleSet("championship-2022", mode=RecordMode.LIGHT)))
    table.touch("seat-2-out", "by-nobody", "missed-high-noon")
    assert (table.scene(), table.game.reshuffles) == ("eliminate", 1)
