"""The time limit: no winner, High Noon at once, or the judge's ruling, always with its reason."""

import msgspec
import pytest

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit, HighNoonCalled
from core.game.decide import GameCommand
from core.game.ending.endings import GameEnded
from core.game.ending.finished import check_finished, finished_game
from core.game.ending.record_sheet import record_sheet
from core.game.ending.sheet import DeclareRoles
from core.game.play.turns import EndTurn, HighNoonBegan, TurnStarted
from core.game.setup import CheckIn, DealRoles
from core.game.state.game import Because, HighNoon
from core.game.state.reasons import GameReason
from core.terms import Ending, SeatNo
from tests.core.game.conftest import MakeGame, S, ScriptedTable
from tests.core.game.rebel_table import RebelTable

WHY = "All players agree that the Outlaws had it."


def ruling(ending: Ending | None, reason: str = WHY) -> EndByTimeLimit:
    return EndByTimeLimit(TimeLimit.JUDGE, ending, reason)


def test_the_rules_decide_where_the_judge_does_not(make_game: MakeGame) -> None:
    assert make_game().ask(EndByTimeLimit()) == (GameEnded(Ending.NO_WINNER, Because.TIME_LIMIT),)
    noon = make_game(time_limit="high_noon")
    assert noon.ask(EndByTimeLimit(reason="Lunch.")) == (HighNoonCalled("Lunch."),)
    assert make_game(time_limit="judge").refusal(EndByTimeLimit()) is GameReason.RULING_ENDING


def test_high_noon_at_the_time_limit_begins_with_the_next_turn_whosever_it_is(make_game: MakeGame) -> None:
    table = make_game()
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
def test_a_ruling_stands_on_the_sheet_with_its_reason(make_game: MakeGame, ending: Ending) -> None:
    table = make_game()
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
    table.ask(DeclareRoles(table.deal))
    assert check_finished(finished_game(table.now()), table.rules).winners == (9,)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (ruling(None), GameReason.RULING_ENDING),
        (ruling(Ending.LAW_WINS, " "), GameReason.RULING_WITHOUT_REASON),
    ],
)
def test_a_ruling_without_ending_or_reason_is_refused(
    make_game: MakeGame, command: GameCommand, reason: GameReason
) -> None:
    assert make_game().refusal(command) is reason


def test_no_ruling_changes_an_ending_that_was_met(make_game: MakeGame) -> None:
    table = make_game()
    table.kill(1, by=2)
    assert table.now().seats[0].role is S
    table.declare()
    game = msgspec.structs.replace(finished_game(table.now()), ending=Ending.LAW_WINS, ruled=WHY)
    with pytest.raises(Refused) as refused:
        check_finished(game, table.rules)
    assert refused.value.reason is GameReason.LAW_WITHOUT_SHERIFF


def test_a_sheriff_who_is_out_ends_the_game_even_if_the_clock_stops_it_at_another_question(
    make_game: MakeGame,
) -> None:
    table = make_game()
    table.fall(1, 2)
    table.out(1, by=3)
    assert table.ask(EndByTimeLimit()) == (GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT),)
    table.declare()
    assert check_finished(finished_game(table.now()), table.rules).ending is Ending.OUTLAWS_WIN
