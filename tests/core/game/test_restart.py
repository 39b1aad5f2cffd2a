"""The same players play their game again: one step, which can be taken back."""

import pytest

from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.setup import CheckIn, RestartGame, TableSeated
from core.game.state.game import Confirmation, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import fold
from core.game.undo import Undo
from core.terms import SeatNo
from tests.core.game.conftest import MakeGame


def test_the_same_players_sit_at_the_same_seats_and_nothing_is_left_of_the_game(make_game: MakeGame) -> None:
    table = make_game(5)
    seats = [(seat.seat, seat.player, seat.name) for seat in table.now().seats]
    table.kill(2)
    events = table.ask(RestartGame("a card was missing"))
    assert [type(event) for event in events] == [VoidGame, TableSeated]
    now = table.now()
    assert (now.phase, now.eliminations, now.turns) == (Phase.SEATING, (), 0)
    assert [(seat.seat, seat.player, seat.name) for seat in now.seats] == seats
    assert all(not seat.checked_in for seat in now.seats)
    assert fold(table.log) == table.timeline


def test_undo_brings_the_old_game_back(make_game: MakeGame) -> None:
    table = make_game(5)
    table.kill(2)
    before = table.now()
    table.ask(RestartGame("a card was missing"), CheckIn(SeatNo(1)), Undo(2))
    assert table.now() == before


@pytest.mark.parametrize("reason", ["", "  "])
def test_it_needs_a_reason(make_game: MakeGame, reason: str) -> None:
    assert make_game(5).refusal(RestartGame(reason)) is GameReason.RESTART_REASON


def test_what_is_confirmed_or_taken_back_is_not_played_again_at_the_table(make_game: MakeGame) -> None:
    table = make_game(5)
    table.ask(ConfirmSheet(Confirmation.STATION))
    assert table.refusal(RestartGame("x")) is GameReason.CONFIRMED
    table = make_game(5)
    table.ask(VoidGame("x"))
    assert table.refusal(RestartGame("x")) is GameReason.VOIDED
