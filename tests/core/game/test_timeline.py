"""Steps, undo and replay; logs that are damaged; the way back to a turn, and the chart of life points."""

import msgspec
import pytest
from msgspec.structs import replace

from base.errors import BadData
from core.editions.edition import Edition
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.sheet import ConfirmSheet, DeclareRoles, VoidGame
from core.game.events import GameEvent, GameStep, evolve
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn, TurnStarted
from core.game.play.wounds import LoseLife
from core.game.setup import CheckIn, DealRoles, GameBegan
from core.game.state.decisions import Redo, StepsRedone, Undo
from core.game.state.game import CallReason, Cause, Confirmation, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import LifeLine, entries_of, extend, fold, life_lines, steps_back_to_turn, undoable
from core.rule_set import RecordMode
from core.terms import GameId, Role, SeatNo
from tests.core.game.conftest import ScriptedTable, seating
from tests.core.game.strategies import random_game
from tests.scenarios.moments import Table

SEAT = SeatNo(2)


def test_undo_takes_whole_steps_back(table: ScriptedTable) -> None:
    before = table.now()
    table.begin_noon()
    table.lose(3)
    assert table.ask(Undo(5)) == (Undo(5),)
    assert table.now() == before


def test_what_was_undone_does_not_count_for_the_next_undo(table: ScriptedTable) -> None:
    table.lose(2)
    table.lose(3)
    table.ask(Undo(1))
    table.lose(4)
    table.ask(Undo(2))
    assert [seat.life for seat in table.now().seats] == [5, 4, 4, 4, 4]


def test_what_was_undone_is_redone_step_by_step(table: ScriptedTable) -> None:
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


def test_nothing_is_redone_once_something_else_was_entered(table: ScriptedTable) -> None:
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


def test_an_order_of_the_station_is_not_taken_back_nor_what_came_before(table: ScriptedTable) -> None:
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


def test_nothing_is_taken_back_once_the_sheet_is_confirmed(table: ScriptedTable) -> None:
    table.kill(1, by=2)
    table.declare()
    assert undoable(table.timeline) > 0
    table.ask(ConfirmSheet(Confirmation.KEY))
    assert table.now().confirmed is Confirmation.KEY
    assert table.refusal(Undo(1)) is GameReason.NOT_UNDOABLE


def test_a_call_of_the_judge_stands_when_moves_are_taken_back(table: ScriptedTable) -> None:
    table.lose(2)
    steps = undoable(table.timeline)
    table.ask(CallJudge(), GiveCallReason(CallReason.TIME))
    assert undoable(table.timeline) == steps
    table.ask(Undo(1))
    assert (table.seat(2).life, table.now().judge_called) == (4, True)
    assert table.now().call_reason is CallReason.TIME
    table.ask(AnswerJudgeCall(), order=9)
    assert undoable(table.timeline) == steps - 1


def test_a_log_replays_to_the_same_game(table: ScriptedTable) -> None:
    table.kill(2)
    table.ask(Undo(2), CallJudge())
    table.end_turn()
    assert fold(table.log) == table.timeline
    assert fold([]) is None


def test_a_log_of_several_games_gives_the_last(table: ScriptedTable) -> None:
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
def test_a_damaged_log_names_the_step(table: ScriptedTable, damaged: GameStep, problem: str) -> None:
    with pytest.raises(BadData, match=problem) as raised:
        fold([*table.log, damaged])
    assert raised.value.where == f"game log, step {len(table.log) + 1}"


def test_a_log_begins_with_a_seating() -> None:
    with pytest.raises(BadData, match="must seat a table"):
        extend(None, step(DealRoles()))
    with pytest.raises(BadData, match="must seat a table, not DealRoles"):
        evolve(None, DealRoles())


def test_what_undo_took_back_is_known_until_the_next_move(table: ScriptedTable) -> None:
    assert table.timeline is not None
    table.ask(LoseLife(SeatNo(2)), LoseLife(SeatNo(3)))
    taken = table.timeline.moments[-2:]
    table.ask(Undo(2))
    assert table.timeline.taken_back == taken
    table.ask(CallJudge())
    assert table.timeline.taken_back == taken
    table.ask(LoseLife(SeatNo(3)))
    assert table.timeline.taken_back == ()


def three_at_no_life_points() -> Table:
    table = Table(7).begun()
    return table.do(*(LoseLife(SeatNo(seat), table.state.seats[seat - 1].life) for seat in (3, 4, 5)))


def three_turns() -> Table:
    return Table(7).begun().do(EndTurn(), EndTurn(), EndTurn())


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        pytest.param(Table(7).begun(), {1: None, 5: None, 7: None}, id="before the second turn"),
        pytest.param(Table(7).dealt(), {7: None}, id="before the first turn"),
        pytest.param(three_turns(), {3: 1}, id="the player of the last turn: one end of turn"),
        pytest.param(three_turns().wound(6, 2), {3: 3, 2: 4}, id="and all since then"),
        pytest.param(
            three_turns(), dict.fromkeys((1, 4, 5, 6, 7)), id="up to half a table has just forgotten turns"
        ),
        pytest.param(Table(7).begun().do(SetTurn(SeatNo(4))), {3: 1}, id="a turn that was only passed"),
        pytest.param(
            Table(7).begun().do(Abandon(SeatNo(3)), EndTurn(), EndTurn()), {2: 1}, id="who has left is passed"
        ),
        pytest.param(
            Table(4).begun().kill(3, 1, Role.OUTLAW).kill(4, 1, Role.RENEGADE).do(EndTurn()),
            {1: None},
            id="of two who are left the other is next",
        ),
        pytest.param(
            Table(7).begun().do(EndTurn(), EndTurn(), SetRecordMode(RecordMode.LIGHT), Reshuffle()),
            dict.fromkeys(range(1, 8)),
            id="where no turns are entered",
        ),
    ],
)
def test_the_way_back_to_a_turn_is_so_many_steps(table: Table, steps: dict[int, int | None]) -> None:
    assert {seat: steps_back_to_turn(table.view().timeline, SeatNo(seat)) for seat in steps} == steps
    assert steps_back_to_turn(None, SeatNo(1)) is None


def test_what_is_entered_again_after_going_back_keeps_who_fell_by_one_card() -> None:
    """Of a card that takes two, the second one at a touch of its own, as a table enters it."""
    table = Table(7).begun().kill(3, 1, Role.OUTLAW)
    last = table.state.seats[3]
    one_card = Eliminate(last.seat, SeatNo(1), Role.OUTLAW, Cause.PLAYER, same_card=True)
    table = table.do(LoseLife(last.seat, last.life), one_card)
    timeline = table.view().timeline
    assert timeline is not None
    assert entries_of(timeline.moments[-1].step, timeline.moments[-2].state) == (one_card,)


def test_a_card_between_two_others_keeps_the_order_of_effects() -> None:
    """Numbers of cards never go back; what is entered again after going back is by another card too."""
    table, again = (three_at_no_life_points() for _ in range(2))
    for seat, role, same_card in ((3, Role.OUTLAW, None), (4, Role.OUTLAW, False), (5, Role.DEPUTY, None)):
        before = table.state
        table = table.do(Eliminate(SeatNo(seat), SeatNo(1), role, Cause.PLAYER, same_card))
        timeline = table.view().timeline
        assert timeline is not None
        again = again.do(*(entries_of(timeline.moments[-1].step, before) or ()))
    effects = [elimination.effect for elimination in table.state.eliminations]
    assert effects == sorted(effects)
    assert again.state.eliminations == table.state.eliminations


def test_another_card_than_none_is_no_crash() -> None:
    table = Table(7).begun()
    lost = LoseLife(SeatNo(3), table.state.seats[2].life)
    table = table.do(lost, Eliminate(SeatNo(3), SeatNo(1), Role.OUTLAW, Cause.PLAYER, same_card=False))
    assert not table.state.seats[2].in_play


@pytest.mark.slow
@pytest.mark.parametrize("key", ["championship-2022", "simplified-2003"])
@pytest.mark.parametrize("seed", range(6))
def test_every_moment_is_the_replay_of_the_steps_before_it(seed: int, key: str) -> None:
    timeline = random_game(seed, 5 + seed % 3, key)
    for index, moment in enumerate(timeline.moments):
        replayed = fold(timeline.steps[: index + 1])
        assert replayed is not None
        # Whether the judge is called is no matter of the steps.
        assert replace(replayed.state, judge_called=False) == replace(moment.state, judge_called=False)


@pytest.mark.parametrize("seed", range(6))
def test_each_line_says_the_life_points_at_the_end_of_each_turn(seed: int) -> None:
    timeline = random_game(seed, 5 + seed % 3)
    lines = life_lines(timeline)
    assert lines is not None
    assert lines.turns == timeline.state.turns
    for line in lines.lines:
        for turn, points in enumerate(line.points[1:], start=1):
            seat = timeline.moments[lines.moments[turn]].state.seats[line.seat - 1]
            assert points == max(0, seat.life) <= lines.most
        seat = timeline.state.seats[line.seat - 1]
        assert line.is_out == (not seat.in_play)
        assert line.is_out or len(line.points) == lines.turns + 1


def test_a_line_ends_where_its_player_goes_out_and_high_noon_begins_where_it_began(
    table: ScriptedTable,
) -> None:
    assert life_lines(None) is None
    table.lose(2, 4)
    table.ask(Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER))
    table.end_turn()
    table.reshuffle(3)
    while table.now().high_noon is not HighNoon.ON:
        table.end_turn()
    lines = life_lines(table.timeline)
    assert lines is not None
    assert lines.lines[1] == LifeLine(SeatNo(2), (4, 0), is_out=True)
    assert lines.noon_from == table.now().turns
