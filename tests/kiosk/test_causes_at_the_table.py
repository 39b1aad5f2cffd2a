"""Eliminations at the table: killers who are eliminated themselves, a missed High Noon, and redo."""

from core.game.state.game import Cause, HighNoon
from core.rule_set import RecordMode, RuleSet
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import VirtualTable


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
