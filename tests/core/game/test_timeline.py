"""Steps, undo and replay; logs that are damaged."""

import msgspec
import pytest

from base.errors import BadData
from core.editions.edition import Edition
from core.game.ending.sheet import ConfirmSheet, DeclareRoles, VoidGame
from core.game.events import GameEvent, GameStep, evolve
from core.game.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.play.abandonment import Abandon
from core.game.play.turns import TurnStarted
from core.game.play.wounds import LoseLife
from core.game.setup import CheckIn, DealRoles, GameBegan
from core.game.state.game import CallReason, Confirmation, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import extend, fold, undoable
from core.game.undo import Redo, StepsRedone, Undo
from core.terms import GameId, Role, SeatNo
from tests.core.game.conftest import MakeGame, ScriptedTable, seating

SEAT = SeatNo(2)


def test_undo_takes_whole_steps_back(make_game: MakeGame) -> None:
    table = make_game()
    before = table.now()
    table.reshuffle(3)
    table.end_turn()
    table.lose(3)
    assert table.ask(Undo(5)) == (Undo(5),)
    assert table.now() == before


def test_what_was_undone_does_not_count_for_the_next_undo(make_game: MakeGame) -> None:
    table = make_game()
    table.lose(2)
    table.lose(3)
    table.ask(Undo(1))
    table.lose(4)
    table.ask(Undo(2))
    assert [seat.life for seat in table.now().seats] == [5, 4, 4, 4, 4]


def test_what_was_undone_is_redone_step_by_step(make_game: MakeGame) -> None:
    table = make_game()
    table.end_turn()
    table.lose(3)
    table.lose(4)
    after = table.now()
    table.ask(Undo(1), Undo(2), Redo())
    assert [seat.life for seat in table.now().seats] == [5, 4, 3, 4, 4]
    table.ask(CallJudge())
    assert table.ask(Redo()) == (StepsRedone(1),)
    assert msgspec.structs.replace(table.now(), judge_called=False) == after
    assert table.refusal(Redo()) is GameReason.NOTHING_TO_REDO
    assert fold(table.log) == table.timeline


def test_nothing_is_redone_once_something_else_was_entered(make_game: MakeGame) -> None:
    table = make_game()
    table.lose(3)
    table.ask(Undo(1))
    table.lose(4)
    assert table.refusal(Redo()) is GameReason.NOTHING_TO_REDO
    with pytest.raises(BadData, match="redone"):
        extend(table.timeline, GameStep(table.now().game, (StepsRedone(1),)))


def test_the_seating_is_never_taken_back(rules: Edition) -> None:
    table = ScriptedTable(rules).seated(5)
    assert undoable(None) == undoable(table.timeline) == 0
    assert table.refusal(Undo(1)) is GameReason.NOT_UNDOABLE
    table.ask(CheckIn(SEAT))
    assert undoable(table.timeline) == 1


def test_an_order_of_the_station_is_not_taken_back_nor_what_came_before(make_game: MakeGame) -> None:
    table = make_game()
    table.lose(2)
    table.ask(Abandon(SEAT), order=4)
    assert undoable(table.timeline) == 0
    table.lose(3)
    assert undoable(table.timeline) == 1
    assert table.refusal(Undo(2)) is GameReason.NOT_UNDOABLE
    assert table.refusal(Undo(0)) is GameReason.NO_STEPS


def test_a_check_in_by_phone_is_taken_back_like_one_by_touch(rules: Edition) -> None:
    table = ScriptedTable(rules).seated(5)
    table.ask(CheckIn(SeatNo(1)))
    table.ask(CheckIn(SEAT), order=2)
    table.ask(CheckIn(SeatNo(3)))
    assert undoable(table.timeline) == 3
    table.ask(Undo(2))
    assert [seat.checked_in for seat in table.now().seats] == [True, False, False, False, False]
    assert undoable(table.timeline) == 1


def test_nothing_is_taken_back_once_the_sheet_is_confirmed(make_game: MakeGame) -> None:
    table = make_game()
    table.kill(1, by=2)
    table.declare()
    assert undoable(table.timeline) > 0
    table.ask(ConfirmSheet(Confirmation.KEY))
    assert table.now().confirmed is Confirmation.KEY
    assert table.refusal(Undo(1)) is GameReason.NOT_UNDOABLE


def test_a_call_of_the_judge_stands_when_moves_are_taken_back(make_game: MakeGame) -> None:
    table = make_game()
    table.lose(2)
    steps = undoable(table.timeline)
    table.ask(CallJudge(), GiveCallReason(CallReason.TIME))
    assert undoable(table.timeline) == steps
    table.ask(Undo(1))
    assert (table.seat(2).life, table.now().judge_called) == (4, True)
    assert table.now().call_reason is CallReason.TIME
    table.ask(AnswerJudgeCall(), order=9)
    assert undoable(table.timeline) == steps - 1


def test_a_log_replays_to_the_same_game(make_game: MakeGame) -> None:
    table = make_game()
    table.kill(2)
    table.ask(Undo(2), CallJudge())
    table.end_turn()
    assert fold(table.log) == table.timeline
    assert fold([]) is None


def test_a_log_of_several_games_gives_the_last(make_game: MakeGame) -> None:
    table = make_game()
    table.ask(VoidGame("drawn again"), seating(6, game="game-2"))
    folded = fold(table.log)
    assert folded is not None
    assert (folded.state.game, folded.state.phase) == ("game-2", Phase.SEATING)
    assert len(folded.steps) == 1


GAME = GameId("game-1")


def step(*events: GameEvent, game: GameId = GAME) -> GameStep:
    return GameStep(game, events)


@pytest.mark.parametrize(
    ("damaged", "problem"),
    [
        (step(), "no events"),
        (step(TurnStarted(SEAT), game=GameId("game-9")), "game-9 stands in game game-1"),
        (step(TurnStarted(SeatNo(9))), "no seat 9 at table 3"),
        (step(LoseLife(SeatNo(0))), "no seat 0"),
        (step(GameBegan((4, 4))), "2 life points begin a game of 5"),
        (step(DeclareRoles((Role.SHERIFF,))), "1 roles are declared for 5"),
        (step(Undo(99)), "99 steps are taken back where"),
        (step(Undo(0)), "0 steps are taken back"),
        (step(Undo(1), LoseLife(SEAT)), "alone in a step"),
        (step(LoseLife(SEAT), Undo(1)), "step of their own"),
    ],
)
def test_a_damaged_log_names_the_step(make_game: MakeGame, damaged: GameStep, problem: str) -> None:
    table = make_game()
    with pytest.raises(BadData, match=problem) as raised:
        fold([*table.log, damaged])
    assert raised.value.where == f"game log, step {len(table.log) + 1}"


def test_a_log_begins_with_a_seating() -> None:
    with pytest.raises(BadData, match="must seat a table"):
        extend(None, step(DealRoles()))
    with pytest.raises(BadData, match="must seat a table, not DealRoles"):
        evolve(None, DealRoles())


def test_what_undo_took_back_is_known_until_the_next_move(make_game: MakeGame) -> None:
    table = make_game()
    assert table.timeline is not None
    table.ask(LoseLife(SeatNo(2)), LoseLife(SeatNo(3)))
    taken = table.timeline.moments[-2:]
    table.ask(Undo(2))
    assert table.timeline.taken_back == taken
    table.ask(CallJudge())
    assert table.timeline.taken_back == taken
    table.ask(LoseLife(SeatNo(3)))
    assert table.timeline.taken_back == ()
