"""The judge at a table: warnings, a game that is played again, and the time limit."""

import msgspec
import pytest

from core.editions.edition import Edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit, HighNoonCalled
from core.game.decide import GameCommand
from core.game.ending.endings import GameEnded
from core.game.ending.finished_game import check_finished, finished_game
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.record_sheet import record_sheet
from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.events import GameEvent
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn, HighNoonBegan, TurnStarted
from core.game.setup import CheckIn, DealRoles, RestartGame, TableSeated
from core.game.state.decisions import Redo, Undo
from core.game.state.game import Because, Confirmation, HighNoon, Penalty, Phase, SeatedPlayer
from core.game.state.offences import OFFENCE_NAMES, Offence
from core.game.state.reasons import GameReason
from core.game.timeline import fold, undoable
from core.terms import Ending, PlayerId, SeatNo
from tests.core.game.conftest import MakeGame, S, ScriptedTable, refused
from tests.core.game.rebel_table import RebelTable, sheet

WHY = "All players agree that the Outlaws had it."


def ruling(ending: Ending | None, reason: str = WHY) -> EndByTimeLimit:
    return EndByTimeLimit(TimeLimit.JUDGE, ending, reason)


def test_the_rules_decide_where_the_judge_does_not(make_game: MakeGame) -> None:
    assert make_game().ask(EndByTimeLimit()) == (GameEnded(Ending.NO_WINNER, Because.TIME_LIMIT),)
    noon = make_game(time_limit="high_noon")
    assert noon.ask(EndByTimeLimit(reason="Lunch.")) == (HighNoonCalled("Lunch."),)
    assert make_game(time_limit="judge").refusal(EndByTimeLimit()) is GameReason.RULING_ENDING


def test_high_noon_at_the_time_limit_begins_with_the_next_turn_whosever_it_is(table: ScriptedTable) -> None:
    table.end_turns_until(3)
    table.ask(EndByTimeLimit(TimeLimit.HIGH_NOON, reason="Lunch."))
    assert table.now().high_noon is HighNoon.CALLED
    assert table.refusal(EndByTimeLimit(TimeLimit.HIGH_NOON)) is GameReason.HIGH_NOON_ALREADY
    table.reshuffle(4)
    assert table.ask(EndTurn()) == (HighNoonBegan(SeatNo(4)), TurnStarted(SeatNo(4), 1))


def test_high_noon_cannot_begin_before_the_first_turn(rules: Edition) -> None:
    table = ScriptedTable(rules).seated(5)
    table.ask(*(CheckIn(SeatNo(seat)) for seat in range(1, 6)), DealRoles())
    assert table.refusal(EndByTimeLimit(TimeLimit.HIGH_NOON)) is GameReason.NOT_BEGUN


@pytest.mark.parametrize("ending", [Ending.LAW_WINS, Ending.OUTLAWS_WIN, Ending.RENEGADE_WINS])
def test_a_ruling_stands_on_the_sheet_with_its_reason(table: ScriptedTable, ending: Ending) -> None:
    table.kill(2)
    table.ask(ruling(ending))
    table.declare()
    game = finished_game(table.now())
    assert check_finished(game, table.rules).because is Because.JUDGE
    sheet = record_sheet(game, table.rules)
    assert (sheet.ending, sheet.because, sheet.ruled) == (ending, Because.JUDGE, WHY)
    assert any(line.winnings for line in sheet.lines)


def test_a_ruling_cannot_give_the_game_to_several_renegades() -> None:
    table = RebelTable(9)
    assert table.refusal(ruling(Ending.RENEGADE_WINS)) is GameReason.RULED_RENEGADE
    table.shoot(5)
    table.ask(ruling(Ending.RENEGADE_WINS))
    assert sheet(table)[1].winners == (9,)


def test_a_ruling_without_ending_or_reason_is_refused(table: ScriptedTable) -> None:
    assert table.refusal(ruling(None)) is GameReason.RULING_ENDING
    assert table.refusal(ruling(Ending.LAW_WINS, " ")) is GameReason.RULING_WITHOUT_REASON


def test_no_ruling_changes_an_ending_that_was_met(table: ScriptedTable) -> None:
    table.kill(1, by=2)
    assert table.now().seats[0].role is S
    table.declare()
    game = msgspec.structs.replace(finished_game(table.now()), ending=Ending.LAW_WINS, ruled=WHY)
    assert refused(check_finished, game, table.rules) is GameReason.LAW_WITHOUT_SHERIFF


def test_a_sheriff_who_is_out_ends_the_game_even_if_the_clock_stops_it_at_another_question(
    table: ScriptedTable,
) -> None:
    table.fall(1, 2)
    table.out(1, by=3)
    assert table.ask(EndByTimeLimit()) == (GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT),)
    table.declare()
    assert check_finished(finished_game(table.now()), table.rules).ending is Ending.OUTLAWS_WIN


WARN = WarnPlayer(SeatNo(2), Offence.SLOW_PLAY, " five minutes a turn ")


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
    for command, expected in ((Undo(1), life + 1), (Redo(), life)):
        table.ask(command)
        assert (table.seat(3).life, len(table.now().warnings)) == (expected, 1)


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


def test_the_same_players_sit_at_the_same_seats_and_only_warnings_are_left_of_the_game(
    table: ScriptedTable,
) -> None:
    seats = [(seat.seat, seat.player, seat.name) for seat in table.now().seats]
    table.kill(2)
    table.ask(WARN)
    events = table.ask(RestartGame("a card was missing"))
    assert [type(event) for event in events] == [VoidGame, TableSeated]
    now = table.now()
    assert len(now.warnings) == 1
    assert (now.phase, now.eliminations, now.turns) == (Phase.SEATING, (), 0)
    assert [(seat.seat, seat.player, seat.name) for seat in now.seats] == seats
    assert all(not seat.checked_in for seat in now.seats)
    assert fold(table.log) == table.timeline


def test_undo_brings_the_old_game_back(table: ScriptedTable) -> None:
    table.kill(2)
    before = table.now()
    table.ask(RestartGame("a card was missing"), CheckIn(SeatNo(1)), Undo(2))
    assert table.now() == before


@pytest.mark.parametrize(
    ("before", "restart", "reason"),
    [
        pytest.param((), "", GameReason.RESTART_REASON, id="no reason"),
        pytest.param((), "  ", GameReason.RESTART_REASON, id="a blank reason"),
        pytest.param((ConfirmSheet(Confirmation.STATION),), "x", GameReason.CONFIRMED, id="confirmed"),
        pytest.param((VoidGame("x"),), "x", GameReason.VOIDED, id="taken back"),
    ],
)
def test_what_is_over_or_without_a_reason_is_not_played_again_at_the_table(
    table: ScriptedTable, before: tuple[GameCommand, ...], restart: str, reason: GameReason
) -> None:
    table.ask(*before)
    assert table.refusal(RestartGame(restart)) is reason
