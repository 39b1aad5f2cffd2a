"""Steps that need a judge's agreement: the screen explains why, and the table sees what was done."""

import pytest

from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import PIN, VirtualTable

TYPED = (*(f"pin-{digit}" for digit in PIN), "pin-ok")


def says(table: VirtualTable, words: str) -> bool:
    return any(words in text for text in table.says())


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("has_key", [False, True])
@pytest.mark.parametrize("way", [("seat-3-leaves",), ("eliminated", "by-nobody", "by-leaving")])
def test_a_player_who_has_left_is_named_at_the_table(
    table: VirtualTable, way: tuple[str, ...], *, has_key: bool
) -> None:
    seated(table)
    if has_key:
        table.turn_key(on=True)
    table.touch("seat-3-menu", *way, "seat-3-abandon")
    if not has_key:
        assert (table.scene(), says(table, "Čeněk Dvořák leaves?")) == ("pin", True)
        table.touch(*TYPED)
    assert (table.scene(), table.game.seats[2].passive) == ("play", True)
    assert says(table, "Čeněk Dvořák has left.")
    table.touch("dismiss")
    assert not says(table, "Čeněk Dvořák has left.")


def test_a_wrong_pin_keeps_the_player(table: VirtualTable) -> None:
    seated(table)
    table.touch("seat-3-menu", "seat-3-leaves", "seat-3-abandon", *["pin-1"] * 4, "pin-ok")
    assert (table.scene(), table.game.seats[2].passive) == ("pin", False)
    table.touch("back", "back")
    assert table.scene() == "player-menu"


def test_an_undo_beyond_the_turn_says_that_it_needs_a_judge_and_why(table: VirtualTable) -> None:
    seated(table)
    table.touch("end-turn", "end-turn", "undo")
    assert table.target("undo-judge").label == "Judge: undo"
    undo = next(b for block in table.screen._blocks for b in block.buttons if b.id == "undo-judge")
    assert (undo.label, undo.small) == ("Undo", "Judge")
    table.touch("undo-judge")
    assert says(table, "This step belongs to an earlier turn: only a judge can undo it.")
    table.touch(*TYPED)
    assert (table.scene(), table.game.turn) == ("play", 1)


def test_steps_that_a_judge_undoes_lead_back_to_the_table(table: VirtualTable) -> None:
    seated(table)
    for _ in range(3):
        table.touch("end-turn")
    table.touch("menu", "story", "story-moment-13", "step-back", "undo-steps")
    assert table.scene() == "pin"
    table.touch(*TYPED)
    assert table.scene() == "play"
