"""A judge's warning is no move and never undone; a game that is played again is one step."""

from collections.abc import Callable

import msgspec
import pytest

from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.events import GameEvent
from core.game.judge_calls import WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.setup import CheckIn, RestartGame, TableSeated
from core.game.state.game import Confirmation, Penalty, Phase, SeatedPlayer
from core.game.state.offences import OFFENCE_NAMES, Offence
from core.game.state.reasons import GameReason
from core.game.timeline import fold, undoable
from core.game.undo import Redo, Undo
from core.terms import PlayerId, SeatNo
from tests.core.game.conftest import MakeGame, ScriptedTable

Make = Callable[..., ScriptedTable]
WARN = WarnPlayer(SeatNo(2), Offence.SLOW_PLAY, " five minutes a turn ")


@pytest.fixture
def table(make_game: Make) -> ScriptedTable:
    return make_game(5)


def test_s3_a_warning_is_recorded_with_its_category_and_reason(table: ScriptedTable) -> None:
    (event,) = table.ask(WARN)
    said = (SeatNo(2), Offence.SLOW_PLAY, "five minutes a turn")
    assert event == WarnPlayer(*said)
    assert table.now().warnings == (Penalty(*said),)
    assert set(OFFENCE_NAMES) == set(Offence)


def test_an_undo_takes_back_the_move_and_not_the_warning(table: ScriptedTable) -> None:
    table.lose(3)
    life = table.seat(3).life
    before = undoable(table.timeline)
    table.ask(WARN)
    assert undoable(table.timeline) == before
    table.ask(Undo(1))
    assert table.seat(3).life == life + 1
    assert len(table.now().warnings) == 1
    table.ask(Redo())
    assert table.seat(3).life == life
    assert len(table.now().warnings) == 1


def test_a_game_that_is_played_again_keeps_its_warnings(table: ScriptedTable) -> None:
    table.ask(WARN)
    table.ask(RestartGame("a role was seen"))
    assert len(table.now().warnings) == 1


def test_an_eliminated_player_is_warned_and_one_who_left_is_not(table: ScriptedTable) -> None:
    table.kill(2)
    table.ask(WARN)
    table.ask(Abandon(SeatNo(3)))
    gone = WarnPlayer(SeatNo(3), Offence.OTHER, "shouted")
    assert table.refusal(gone) is GameReason.ALREADY_PASSIVE
    assert table.refusal(WarnPlayer(SeatNo(4), Offence.OTHER, " ")) is GameReason.WARNING_REASON
    assert table.refusal(WarnPlayer(SeatNo(9), Offence.OTHER, "x")) is GameReason.NO_SEAT


def test_an_ejection_at_the_table_keeps_its_category_and_reason_until_it_is_undone(
    table: ScriptedTable,
) -> None:
    table.ask(Abandon(SeatNo(2), ejected=True, offence=Offence.CHEATING, reason="marked cards"))
    (ejection,) = table.now().ejections
    assert (ejection.offence, ejection.reason) == (Offence.CHEATING, "marked cards")
    table.ask(Undo(1))
    assert table.now().ejections == ()


def test_logs_from_before_categories_are_read_as_they_were() -> None:
    old = b'{"event":"player-abandoned","seat":2,"ejected":true}'
    assert msgspec.json.decode(old, type=GameEvent) == Abandon(SeatNo(2), ejected=True)
    seated = b'{"player":"p1","name":"Ada","stake":null}'
    assert msgspec.json.decode(seated, type=SeatedPlayer) == SeatedPlayer(PlayerId("p1"), "Ada")


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
