"""Turns at the table: in Jail, or entered by nobody."""

from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable


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
