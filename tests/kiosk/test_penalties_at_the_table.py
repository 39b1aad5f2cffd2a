"""Warnings in the whole app: saved immediately, not undoable, and the second one ejects."""

from core.game.state.offences import Offence
from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable


def warns(table: VirtualTable, offence: str) -> None:
    table.turn_key(on=True)
    table.touch("menu", "judge-menu", "warn", "warn-seat-2", offence, "reason-1", "do-it")
    table.turn_key(on=False)


def test_the_second_warning_at_the_table_ejects(table: VirtualTable) -> None:
    seated(table)
    warns(table, "offence-slow-play")
    assert any("has been warned" in words for words in table.says())
    game = table.view.game
    assert game is not None
    assert [(warning.seat, warning.offence) for warning in game.warnings] == [(2, Offence.SLOW_PLAY)]
    assert not game.seats[1].passive
    table.touch("dismiss")
    warns(table, "offence-swearing")
    game = table.view.game
    assert game is not None
    assert len(game.warnings) == 2
    assert game.seats[1].passive
    assert [(left.seat, left.offence) for left in game.ejections] == [(2, Offence.SWEARING)]
    assert any("was ejected" in words for words in table.says())
