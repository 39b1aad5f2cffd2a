"""Turns at the table: in Jail, or entered by nobody."""

from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.scenes.conftest import laid_out
from tests.scenarios.moments import Moment, Table

from saloon.core.game.commands import Abandon, EndTurn
from saloon.core.terms import SeatNo
from saloon.kiosk.ui.geometry import screen_geometry_for


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
    assert any("Jail and Dynamite" in text for text in screen.visible_text())
