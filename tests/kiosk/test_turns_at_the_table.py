"""Entries that a table missed: turns, the causes of eliminations, and High Noon."""

import pytest

from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.state.game import Cause, HighNoon
from core.rule_set import RecordMode, RuleSet
from core.terms import SeatNo
from kiosk.ui.geometry import screen_geometry_for
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import PIN, Rigging, VirtualTable
from tests.kiosk.scenes.conftest import laid_out
from tests.scenarios.moments import Moment, Table

pytestmark = pytest.mark.slow


def test_a_turn_in_jail_is_noted_in_the_players_menu_and_taken_back(table: VirtualTable) -> None:
    seated(table)
    table.touch("seat-1-menu")
    assert not table.offers("skip-turn")
    table.touch("back", "end-turn", "seat-2-menu", "skip-turn")
    assert (table.scene(), table.game.turn, table.game.turns_played) == ("play", 3, (1, 0, 1, 0, 0))
    table.touch("seat-2-menu")
    assert not table.offers("skip-turn")
    table.touch("back", "undo")
    assert (table.game.turn, table.game.turns_played) == (2, (1, 1, 0, 0, 0))


def test_a_turn_of_somebody_who_left_passes_and_reminds_of_jail_and_dynamite() -> None:
    table = Table(5).begun().do(Abandon(SeatNo(2)), EndTurn())
    assert (table.state.turn, table.state.turns_played) == (3, (1, 0, 1, 0, 0))
    screen = laid_out(screen_geometry_for((1024, 600)), Moment("play", "play", table.view()))
    assert any("Bartolomeo left: draw! first." in text for text in screen.visible_text())


def at_high_noon_in_turn_4(make_table: MakeTable) -> VirtualTable:
    """Return a table of seven at High Noon, in the fourth turn of a round."""
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    table.touch("reshuffle", "reshuffle")
    for _ in range(3):
        table.touch("end-turn")
    assert (table.game.turn, table.game.high_noon) == (4, HighNoon.ON)
    return table


def lives(table: VirtualTable) -> list[int]:
    return [seat.life for seat in table.game.seats]


def test_the_last_players_panel_asks_before_a_whole_round_is_passed(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    before, turns = lives(table), table.game.turns
    table.tap(3, "turn")
    assert (table.scene(), table.game.turn, lives(table)) == ("turn-again", 4, before)
    words = " ".join(table.says())
    assert "Going back undoes 1 turn. Everything else stays as entered." in words
    assert "If a whole round has passed, 5 turns are skipped. High Noon takes 6 life points." in words
    table.touch("back")
    assert (table.scene(), table.game.turn) == ("play", 4)
    table.tap(3, "turn")
    table.touch("turn-back")
    assert (table.scene(), table.game.turn, table.game.turns) == ("play", 3, turns - 1)
    assert lives(table)[3] == before[3] + 1


def test_a_whole_round_is_passed_where_the_table_means_it(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    before = lives(table)
    table.tap(3, "turn")
    table.touch("round-on")
    assert (table.scene(), table.game.turn, table.game.passed) == ("play", 3, (5, 6, 7, 1, 2))
    assert sum(before) - sum(lives(table)) == 6


def test_going_back_beyond_the_current_turn_needs_the_judge(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    table.tap(2, "turn")
    assert table.target("turn-back").label == "Judge: back to Bartolomeo's turn"
    table.touch("turn-back")
    assert (table.scene(), table.game.turn) == ("pin", 4)
    table.touch(*(f"pin-{digit}" for digit in PIN), "pin-ok")
    assert (table.scene(), table.game.turn) == ("play", 2)


def test_going_back_to_a_turn_that_was_passed_sets_it(make_table: MakeTable) -> None:
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    table.tap(4, "turn")
    table.tap(3, "turn")
    table.touch("turn-back")
    assert (table.scene(), table.game.turn, table.game.passed) == ("play", 3, (2,))


def test_a_killer_of_the_last_turn_is_asked_about_too(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    before = lives(table)
    table.touch("seat-6-menu", "eliminated", "by-seat-3", "other-turn")
    assert (table.scene(), lives(table)) == ("turn-again", before)
    table.touch("turn-back", "role-outlaw")
    assert [(e.seat, e.turn) for e in table.game.eliminations] == [(6, 3)]
    assert lives(table)[:5] == [*before[:3], before[3] + 1, before[4]]


def test_a_wrong_turn_that_an_elimination_named_is_taken_back_with_it(make_table: MakeTable) -> None:
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    table.touch(
        "seat-5-menu", "eliminated", "by-nobody", "by-own-duel", "by-seat-1", "other-turn", "role-outlaw"
    )
    assert (table.game.turn, len(table.game.eliminations)) == (6, 1)
    table.touch("undo")
    assert (table.game.turn, table.game.eliminations) == (5, ())
    assert table.target("undo").label == "Undo"
    table.touch("undo")
    assert table.game.turn == 1
    # Only a judge may return to the previous turn.
    assert not table.offers("undo") or "Judge" in table.target("undo").label


def test_going_back_keeps_what_was_entered_since(make_table: MakeTable) -> None:
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    table.touch("end-turn", "seat-3-minus", "seat-5-menu", "eliminated", "by-seat-2", "role-outlaw")
    table.touch("reshuffle")
    before, points = lives(table), table.game.seats[2].life
    table.tap(1, "turn")
    assert table.scene() == "turn-again"
    assert "Going back undoes 1 turn. Everything else stays as entered." in " ".join(table.says())
    assert table.target("turn-back").hold_ms == 0
    table.touch("turn-back")
    assert (table.game.turn, table.game.turns, table.game.turns_played[:2]) == (1, 1, (1, 0))
    assert (lives(table), table.game.reshuffles, table.game.seats[2].life) == (before, 1, points)
    assert [(e.seat, e.by, e.turn) for e in table.game.eliminations] == [(5, 2, 1)]
    table.touch("undo", "undo")
    assert (table.game.turn, table.game.eliminations, table.game.seats[2].life) == (1, (), points)


def test_going_back_beyond_the_current_turn_keeps_it_too(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    before = lives(table)
    table.tap(6, "minus")
    table.tap(2, "turn")
    table.touch("turn-back", *(f"pin-{digit}" for digit in PIN), "pin-ok")
    assert (table.scene(), table.game.turn) == ("play", 2)
    assert lives(table)[2:6] == [before[2] + 1, before[3] + 1, before[4], before[5] - 1]


def test_what_cannot_be_in_the_turn_before_is_named_and_the_way_back_is_held(make_table: MakeTable) -> None:
    table = at_high_noon_in_turn_4(make_table)
    for _ in range(table.game.seats[4].life - 1):
        table.tap(5, "minus")
    table.touch("end-turn", "eliminated", "role-outlaw")
    assert (table.game.turn, table.game.eliminations[0].seat) == (6, 5)
    table.tap(4, "turn")
    words = " ".join(table.says())
    assert "You'll lose: " in words
    assert table.game.seats[4].name in words
    back = table.target("turn-back")
    assert (back.label, back.hold_ms > 0) == (f"Hold: back to {table.game.seats[3].name}'s turn", True)
    table.touch("turn-back")
    assert (table.game.turn, table.game.eliminations, table.game.seats[4].life) == (4, (), 1)


def test_the_deck_that_ran_out_in_the_last_turn_does_not_pass_a_round(make_table: MakeTable) -> None:
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    table.tap(4, "turn")
    table.touch("reshuffle")
    table.advance(30)
    table.touch("end-turn", "reshuffle", "in-turn-4")
    assert (table.scene(), table.game.turn, table.game.reshuffles) == ("turn-again", 5, 1)
    table.touch("turn-back")
    assert (table.scene(), table.game.turn, table.game.reshuffles) == ("play", 4, 2)


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


def test_high_noon_that_the_table_has_missed_can_be_named(table: VirtualTable) -> None:
    seated(table)
    table.touch("reshuffle", "reshuffle", "end-turn")
    for _ in range(table.game.seats[1].life):
        table.tap(2, "minus")
    table.touch("eliminated", "by-nobody")
    assert table.target("missed-high-noon").label == "High Noon should have begun"
    table.touch("missed-high-noon", "during-2")
    assert (table.scene(), table.game.high_noon) == ("eliminate", HighNoon.WAITING)
    table.touch("by-high-noon", "role-outlaw")
    assert [(out.seat, out.cause) for out in table.game.eliminations] == [(2, Cause.HIGH_NOON)]
    assert table.game.high_noon is HighNoon.ON


def test_a_reshuffle_of_the_turn_before_brings_high_noon_before_it_is_named(table: VirtualTable) -> None:
    seated(table)
    table.touch("reshuffle", "reshuffle", "end-turn")
    for _ in range(table.game.seats[1].life):
        table.tap(2, "minus")
    table.touch("eliminated", "by-nobody", "missed-high-noon", "during-1")
    assert table.game.high_noon is HighNoon.ON
    table.touch("by-high-noon", "role-outlaw")
    assert [(out.seat, out.cause) for out in table.game.eliminations] == [(2, Cause.HIGH_NOON)]
    assert not table.game.doubtful


def test_a_light_table_counts_the_missed_reshuffle_at_once(table: VirtualTable) -> None:
    seated(table, seat_game(rules=RuleSet("championship-2022", mode=RecordMode.LIGHT)))
    table.touch("seat-2-out", "by-nobody", "missed-high-noon")
    assert (table.scene(), table.game.reshuffles) == ("eliminate", 1)
