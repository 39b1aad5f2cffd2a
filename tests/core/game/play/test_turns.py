"""Turns played, skipped, passed and forgotten, abandonment, and light games.

Base game; Championship 2022/23 v1.4, 1.4; turns that do not count: D31, Official Score System 2003.
"""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.readings import Simultaneous
from core.game.correction import CorrectTurn, CorrectTurns
from core.game.ending.finished_game import check_finished, finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import winnings
from core.game.events import GameStep
from core.game.play.abandonment import Abandon
from core.game.play.effects import SurviveHighNoon
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import (
    EndTurn,
    HighNoonBegan,
    MarkJailed,
    SetRecordMode,
    SetTurn,
    Skip,
    SkipTurn,
    TurnSkipped,
    TurnsPassed,
    TurnStarted,
    records_turns,
)
from core.game.play.wounds import LoseLife
from core.game.state.decisions import Undo
from core.game.state.game import Abandonment, Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import fold
from core.rule_set import RecordMode
from core.terms import Ending, GameId, SeatNo
from tests.core.game.conftest import ROLES, MakeGame, O, ScriptedTable, with_readings
from tests.examples import examples


def abandon(seat: int, *, ejected: bool = False) -> Abandon:
    return Abandon(SeatNo(seat), ejected)


def test_play_goes_to_the_left_and_round_again(table: ScriptedTable) -> None:
    events = table.ask(*[EndTurn()] * 4), table.ask(EndTurn())
    assert events == ((TurnStarted(FIVE),), (TurnStarted(ONE),))
    assert (table.now().turns, table.now().turns_played) == (6, (2, 1, 1, 1, 1))


def test_who_is_out_has_no_turn(table: ScriptedTable) -> None:
    table.kill(2, 3)
    assert table.ask(EndTurn()) == (TurnStarted(SeatNo(4)),)


def test_a_turn_cannot_end_while_a_question_is_open(table: ScriptedTable) -> None:
    table.fall(4)
    assert table.refusal(EndTurn()) is GameReason.QUESTION_OPEN


def test_s1_4_a_passive_player_always_skips_the_turn(table: ScriptedTable) -> None:
    table.ask(abandon(2), abandon(3, ejected=True))
    assert table.ask(EndTurn()) == tuple(TurnStarted(SeatNo(seat)) for seat in (2, 3, 4))
    assert table.now().turns_played == (1, 0, 0, 1, 0)
    assert table.now().abandonments == (Abandonment(SeatNo(2), 0), Abandonment(SeatNo(3), 0, ejected=True))


def test_s1_4_who_leaves_in_the_own_turn_passes_it(table: ScriptedTable) -> None:
    assert table.ask(abandon(1)) == (Abandon(SeatNo(1)), TurnStarted(SeatNo(2)))
    assert table.refusal(abandon(1)) is GameReason.ALREADY_PASSIVE


def test_s1_4_who_leaves_with_a_question_open_passes_after_the_answer(table: ScriptedTable) -> None:
    table.fall(1, 4)
    table.ask(abandon(1))
    table.beer(4)
    assert table.now().turn == 1
    table.ask(LoseLife(SeatNo(4)))
    table.beer(4)
    assert (table.now().turn, table.now().pending) == (1, (1,))


def test_s1_4_a_passive_sheriff_stays_a_target_and_his_end_is_the_games(table: ScriptedTable) -> None:
    table.ask(abandon(1))
    table.kill(1, by=2)
    assert table.now().phase is Phase.ENDED


def test_when_everybody_has_left_turns_end_by_hand(table: ScriptedTable) -> None:
    table.ask(*(abandon(seat) for seat in range(1, 6)))
    turn = table.now().turn
    assert turn is not None
    assert table.ask(EndTurn()) == (TurnStarted(SeatNo(turn % 5 + 1)),)


LIGHT, FULL = RecordMode.LIGHT, RecordMode.FULL
ONE, TWO, THREE, FOUR, FIVE = map(SeatNo, range(1, 6))
RULES = edition("championship-2022")
FORGOTTEN = "two reshuffles were forgotten"


@pytest.fixture
def light(rules: Edition) -> ScriptedTable:
    return ScriptedTable(rules).begun(5, mode=LIGHT)


def test_nobody_says_whose_turn_it_is_until_high_noon_is_near(light: ScriptedTable) -> None:
    assert light.now().is_turn_unknown
    assert not records_turns(light.now(), light.rules)
    assert light.refusal(EndTurn()) is GameReason.TURNS_NOT_ENTERED
    assert light.refusal(SkipTurn()) is GameReason.TURNS_NOT_ENTERED
    light.reshuffle(2)
    assert not records_turns(light.now(), light.rules)
    light.reshuffle()
    assert records_turns(light.now(), light.rules)
    assert light.refusal(EndTurn()) is GameReason.TURN_UNKNOWN


def test_high_noon_begins_by_the_turn_that_was_named_at_the_reshuffle(light: ScriptedTable) -> None:
    light.reshuffle(3)
    light.ask(SetTurn(FOUR))
    assert (light.now().turn, light.now().high_noon) == (FOUR, HighNoon.WAITING)
    light.end_turn(2)
    assert (light.now().turn, light.now().high_noon) == (ONE, HighNoon.WAITING)
    light.end_turn()
    assert (light.now().turn, light.now().high_noon) == (TWO, HighNoon.ON)


def test_the_sheriffs_own_turn_may_be_named(light: ScriptedTable) -> None:
    light.reshuffle(3)
    light.ask(SetTurn(ONE))
    assert light.now().high_noon is HighNoon.WAITING
    light.end_turn()
    assert light.now().high_noon is HighNoon.ON


def test_a_turn_that_was_named_too_early_is_asked_for_again(light: ScriptedTable) -> None:
    light.ask(SetTurn(THREE))
    assert not light.now().is_turn_unknown
    for entered in (EndTurn(), SkipTurn()):
        assert light.refusal(entered) is GameReason.TURNS_NOT_ENTERED
    light.reshuffle(3)
    assert light.now().is_turn_unknown


def test_high_noon_takes_no_life_points_that_nobody_counts(light: ScriptedTable) -> None:
    light.reshuffle(3)
    light.ask(SetTurn(ONE))
    light.end_turn(7)
    assert [seat.life for seat in light.now().seats] == [5, 4, 4, 4, 4]
    light.noon_takes(3)
    assert [(e.seat, e.cause, e.turn) for e in light.now().eliminations] == [(3, Cause.HIGH_NOON, 3)]


def test_a_game_becomes_light_and_full_again_in_the_middle(rules: Edition) -> None:
    table = ScriptedTable(rules).begun(5)
    assert table.refusal(SetRecordMode(FULL)) is GameReason.MODE_ALREADY
    table.ask(SetRecordMode(LIGHT))
    assert table.now().is_turn_unknown
    table.ask(SetRecordMode(FULL))
    assert table.refusal(EndTurn()) is GameReason.TURN_UNKNOWN
    table.ask(SetTurn(TWO), EndTurn())
    assert table.now().turn == THREE


def test_a_game_near_high_noon_keeps_its_turn_when_it_becomes_light(rules: Edition) -> None:
    table = ScriptedTable(rules).begun(5)
    table.begin_noon()
    table.ask(SetRecordMode(LIGHT), EndTurn())
    assert (table.now().turn, table.now().high_noon) == (THREE, HighNoon.ON)


def test_where_turns_break_ties_a_light_game_enters_them() -> None:
    table = ScriptedTable(edition("official-2003")).begun(5, mode=LIGHT)
    assert records_turns(table.now(), table.rules)
    table.end_turn(2)
    assert table.now().turns_played == (1, 1, 1, 0, 0)


def test_the_mode_of_a_game_that_is_over_stays(light: ScriptedTable) -> None:
    light.ask(Eliminate(ONE, TWO, ROLES[5][0], Cause.PLAYER))
    assert light.now().phase is Phase.ENDED
    assert light.refusal(SetRecordMode(FULL)) is GameReason.ENDED


@settings(deadline=None, max_examples=examples(40))
@given(st.permutations(range(1, 7)), st.data())
def test_winnings_are_the_same_in_both_modes(order: list[int], data: st.DataObject) -> None:
    """Eliminate in any order by anybody: the light game and the full one pay the same."""
    light, full = (ScriptedTable(RULES).begun(6, mode=mode) for mode in (LIGHT, FULL))
    for seat in order:
        if full.now().phase is not Phase.PLAYING:
            break
        alive = [s.seat for s in full.now().seats if s.in_play and s.seat != seat]
        killer = data.draw(st.sampled_from(alive))
        full.end_turns_until(killer)
        full.kill(seat, by=killer)
        light.out(seat, by=killer)
    pays = []
    for table in (light, full):
        assert table.now().phase is Phase.ENDED
        table.declare()
        pays.append(winnings(finished_game(table.now()), RULES))
    assert pays[0] == pays[1]


def test_a_turn_in_jail_passes_on_and_is_not_counted(table: ScriptedTable) -> None:
    table.end_turn()
    assert table.ask(SkipTurn()) == (TurnSkipped(TWO, Skip.JAIL), TurnStarted(THREE))
    assert table.now().turns_played == (1, 0, 1, 0, 0)


def test_one_step_back_takes_the_skipped_turn_back(table: ScriptedTable) -> None:
    table.end_turn()
    table.ask(SkipTurn(), Undo(1))
    assert (table.now().turn, table.now().turns_played) == (TWO, (1, 1, 0, 0, 0))


def test_nobody_jails_the_sheriff_or_skips_for_a_passive_seat_or_over_a_question(
    make_game: MakeGame,
) -> None:
    table = make_game()
    assert table.refusal(SkipTurn()) is GameReason.SHERIFF_IN_JAIL
    table.end_turn()
    table.fall(4)
    assert table.refusal(SkipTurn()) is GameReason.QUESTION_OPEN
    alone = make_game()
    alone.ask(*(Abandon(seat) for seat in (ONE, TWO, THREE, FOUR, FIVE)))
    assert alone.now().turn != ONE
    assert alone.refusal(SkipTurn()) is GameReason.PASSIVE_TURN


def test_d13_high_noon_takes_its_point_from_a_player_in_jail(table: ScriptedTable) -> None:
    table.reshuffle(3)
    table.end_turns_until(2)
    assert table.now().high_noon is HighNoon.ON
    life = table.seat(2).life
    assert table.ask(SkipTurn())[-1] == TurnStarted(THREE, 1)
    assert table.seat(2).life == life
    assert table.now().turns_played[1] == 0


def test_a_dynamite_at_the_start_of_a_turn_takes_the_turn_with_it(table: ScriptedTable) -> None:
    table.end_turn()
    table.fall(2)
    events = table.ask(Eliminate(TWO, None, O, Cause.DYNAMITE))
    assert events[1:] == (TurnSkipped(TWO, Skip.DYNAMITE), TurnStarted(THREE))
    assert table.now().turns_played == (1, 0, 1, 0, 0)


def test_a_death_in_the_turn_of_another_or_by_another_leaves_the_count(table: ScriptedTable) -> None:
    table.kill(2, by=None)
    assert table.now().turns_played == (1, 0, 0, 0, 0)
    table.end_turn()
    table.kill(3, by=4)
    assert table.now().turns_played == (1, 0, 1, 1, 0)


def test_the_log_of_an_older_terminal_keeps_its_counts(table: ScriptedTable) -> None:
    """The Dynamite of an older log has no event of its own: its count stays what it was."""
    table.end_turn()
    table.fall(2)
    table.out(2, None)
    older = [
        replace(step, events=tuple(event for event in step.events if not isinstance(event, TurnSkipped)))
        for step in table.log
    ]
    timeline = fold(older)
    assert timeline is not None
    assert timeline.state.turns_played == (1, 1, 1, 0, 0)
    assert table.now().turns_played == (1, 0, 1, 0, 0)


def test_a_log_in_which_another_seat_skips_is_damaged(table: ScriptedTable) -> None:
    with pytest.raises(BadData, match="seat 3 skips a turn that is not its own"):
        fold([*table.log, GameStep(table.now().game, (TurnSkipped(THREE, Skip.JAIL),))])


def test_the_entry_survives_the_journal() -> None:
    step = GameStep(GameId("game-1"), (TurnSkipped(TWO, Skip.JAIL),))
    body = msgspec.json.encode(step)
    assert b'"event":"turn-skipped","seat":2,"why":"jail"' in body
    assert msgspec.json.decode(body, type=GameStep) == step


def test_the_judge_corrects_the_turns_of_a_seat(table: ScriptedTable) -> None:
    table.end_turn(5)
    table.ask(CorrectTurns(THREE, 0, "in Jail, and nobody noted it"))
    assert table.now().turns_played == (2, 1, 0, 1, 1)
    assert table.refusal(CorrectTurns(THREE, 0, "x")) is GameReason.NOTHING_CORRECTED
    for turns in (7, -1):
        assert table.refusal(CorrectTurns(THREE, turns, "x")) is GameReason.TURNS_RANGE
    assert table.refusal(CorrectTurns(THREE, 1, " ")) is GameReason.CORRECTION_REASON


def test_a_skip_after_a_correction_to_nothing_counts_nothing(table: ScriptedTable) -> None:
    table.end_turn()
    table.ask(CorrectTurns(TWO, 0, "in Jail"), SkipTurn())
    assert table.now().turns_played == (1, 0, 1, 0, 0)


def test_forgotten_turns_are_made_up_for_while_a_question_is_open(table: ScriptedTable) -> None:
    table.fall(5)
    starts = tuple(TurnStarted(seat) for seat in (TWO, THREE, FOUR))
    assert table.ask(SetTurn(FOUR)) == (*starts, TurnsPassed((TWO, THREE)))
    assert (table.now().pending, table.now().turns_played) == ((FIVE,), (1, 1, 1, 1, 0))
    table.out(5, by=4)
    assert table.now().eliminations[0].turn == FOUR


def test_forgotten_turns_begin_high_noon_and_take_each_point_once(table: ScriptedTable) -> None:
    table.reshuffle(3)
    table.lose(2)
    events = (HighNoonBegan(TWO), TurnStarted(TWO), TurnStarted(THREE, 1), TurnStarted(FOUR, 1))
    assert table.ask(SetTurn(FOUR)) == (*events, TurnsPassed((TWO, THREE)))
    assert [seat.life for seat in table.now().seats] == [5, 3, 3, 3, 4]
    assert table.ask(EndTurn()) == (TurnStarted(FIVE, 1),)


def test_nobody_is_eliminated_because_a_turn_was_passed(table: ScriptedTable) -> None:
    table.begin_noon(seat_3=1)
    table.ask(SetTurn(FOUR))
    assert (table.now().doubtful, table.now().pending, table.seat(3).life) == ((THREE,), (), 1)
    assert table.refusal(EndTurn()) is GameReason.STILL_IN_PLAY
    assert table.refusal(Eliminate(TWO, ONE, O, Cause.PLAYER)) is GameReason.STILL_IN_PLAY
    table.ask(SurviveHighNoon(THREE))
    assert table.refusal(SurviveHighNoon(THREE)) is GameReason.NO_QUESTION
    table.end_turn()
    assert table.now().turn == FIVE


def test_the_game_ends_once_it_is_known_who_survived(table: ScriptedTable) -> None:
    table.leave_with(seat_5=1, seat_1=1)
    table.reshuffle(3)
    table.end_turns_until(4)
    table.ask(SetTurn(ONE))
    assert (table.now().pending, table.now().doubtful) == ((ONE,), (FIVE,))
    table.noon_takes(1)
    assert table.now().ending is None
    table.ask(SurviveHighNoon(FIVE))
    assert (table.now().phase, table.now().ending) == (Phase.ENDED, Ending.OUTLAWS_WIN)


def test_a_player_who_fell_in_a_passed_turn_fell_in_their_own(table: ScriptedTable) -> None:
    table.begin_noon(seat_3=1)
    table.ask(SetTurn(FOUR))
    table.noon_takes(3)
    assert (table.now().doubtful, table.now().turn) == ((), FOUR)
    assert [(e.seat, e.by, e.turn) for e in table.now().eliminations] == [(THREE, None, THREE)]


@pytest.mark.parametrize("reading", list(Simultaneous))
def test_who_fell_in_a_passed_turn_fell_before_the_game_ended(reading: Simultaneous) -> None:
    table = ScriptedTable(with_readings(edition("championship-2022"), simultaneous=reading)).begun(5)
    table.leave_with(seat_3=1)
    table.ask(CorrectTurn(TWO, HighNoon.ON, FORGOTTEN), SetTurn(FOUR))
    table.kill(1, by=4)
    assert table.now().phase is Phase.PLAYING
    table.out(3, None, Cause.HIGH_NOON)
    assert [(out.seat, out.effect) for out in table.now().eliminations] == [(3, 1), (1, 2)]
    table.ask(DeclareRoles(ROLES[5]))
    outcome = check_finished(finished_game(table.now()), table.rules)
    assert (outcome.ending, outcome.after) == (table.now().ending, 2)
    assert fold(table.log) == table.timeline


def test_a_passed_turn_may_be_marked_as_spent_in_jail(table: ScriptedTable) -> None:
    table.end_turn()
    table.ask(SetTurn(FIVE), MarkJailed(THREE))
    assert table.now().turns_played == (1, 1, 0, 1, 1)
    assert table.refusal(MarkJailed(THREE)) is GameReason.NOT_PASSED
    assert table.refusal(MarkJailed(TWO)) is GameReason.NOT_PASSED
    table.ask(SetTurn(TWO))
    assert table.refusal(MarkJailed(ONE)) is GameReason.SHERIFF_IN_JAIL
    table.end_turn()
    assert table.refusal(MarkJailed(FIVE)) is GameReason.NOT_PASSED


def test_a_turn_is_not_set_to_who_cannot_have_it(table: ScriptedTable) -> None:
    table.kill(2)
    table.ask(Abandon(THREE))
    assert table.refusal(SetTurn(ONE)) is GameReason.TURN_ALREADY
    assert table.refusal(SetTurn(TWO)) is GameReason.OUT
    assert table.refusal(SetTurn(THREE)) is GameReason.PASSIVE_TURN


def test_high_noons_own_question_is_answered_first(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=1)
    assert table.refusal(SetTurn(FOUR)) is GameReason.QUESTION_OPEN


def test_the_elimination_remembers_the_turn_that_was_set(table: ScriptedTable) -> None:
    table.fall(2)
    table.ask(SetTurn(THREE))
    event = table.ask(Eliminate(TWO, THREE, O, Cause.PLAYER))[0]
    assert isinstance(event, PlayerEliminated)
    assert event.turn == THREE


def test_a_reshuffle_entered_late_takes_the_points_that_are_missing(table: ScriptedTable) -> None:
    table.leave_with(seat_4=1)
    table.reshuffle(2)
    table.end_turn(5)
    table.ask(SetTurn(FIVE))
    table.ask(SetTurn(ONE))
    life = [seat.life for seat in table.now().seats]
    events = table.ask(Reshuffle(during=FIVE))
    assert (table.now().high_noon, table.now().turn) == (HighNoon.WAITING, ONE)
    assert [type(event).__name__ for event in events] == ["DeckReshuffled", "HighNoonArmed"]
    assert [seat.life for seat in table.now().seats] == life


def test_the_points_of_a_late_reshuffle_spare_the_last_one_and_ask(table: ScriptedTable) -> None:
    table.leave_with(seat_3=1)
    table.reshuffle(2)
    table.end_turn(3)
    table.ask(Reshuffle(during=ONE))
    assert (table.now().turn, table.now().high_noon) == (FOUR, HighNoon.ON)
    assert [seat.life for seat in table.now().seats] == [5, 3, 1, 3, 4]
    assert table.now().doubtful == (THREE,)


def test_a_late_reshuffle_before_the_threshold_only_counts(table: ScriptedTable) -> None:
    table.end_turn(2)
    table.ask(Reshuffle(during=ONE))
    assert (table.now().reshuffles, table.now().high_noon) == (1, HighNoon.OFF)


def test_who_eliminated_somebody_since_did_not_fall_in_a_passed_turn(table: ScriptedTable) -> None:
    table.leave_with(seat_3=1)
    table.ask(CorrectTurn(TWO, HighNoon.ON, FORGOTTEN), SetTurn(FOUR))
    table.kill(5, by=3)
    fell = Eliminate(THREE, None, ROLES[5][2], Cause.HIGH_NOON)
    assert table.refusal(fell) is GameReason.WAS_IN_PLAY
    assert table.refusal(LoseLife(TWO)) is GameReason.STILL_IN_PLAY
    table.ask(SurviveHighNoon(THREE))
    assert table.now().phase is Phase.PLAYING


def test_who_fell_in_a_passed_turn_may_have_ended_the_game_before_what_was_entered(
    table: ScriptedTable,
) -> None:
    table.kill(2, 5)
    table.leave_with(seat_4=1)
    table.ask(CorrectTurn(THREE, HighNoon.ON, FORGOTTEN), SetTurn(ONE))
    table.kill(3, by=1)
    fell = Eliminate(FOUR, None, ROLES[5][3], Cause.HIGH_NOON)
    assert table.refusal(fell) is GameReason.WOULD_END_EARLIER
    table.ask(Undo(1), fell)
    assert table.now().ending is Ending.LAW_WINS


def test_who_is_in_doubt_is_asked_in_the_order_of_turns(table: ScriptedTable) -> None:
    table.leave_with(seat_3=1, seat_4=1)
    table.ask(CorrectTurn(TWO, HighNoon.ON, FORGOTTEN), SetTurn(FIVE))
    assert table.now().doubtful == (THREE, FOUR)
    assert table.refusal(SurviveHighNoon(FOUR)) is GameReason.STILL_IN_PLAY
    fell = Eliminate(FOUR, None, ROLES[5][3], Cause.HIGH_NOON)
    assert table.refusal(fell) is GameReason.STILL_IN_PLAY
    table.noon_takes(3)
    table.ask(fell)
    assert [out.seat for out in table.now().eliminations] == [3, 4]


def test_nobody_is_asked_about_turns_after_the_end_of_the_game(table: ScriptedTable) -> None:
    table.leave_with(seat_1=1, seat_2=1)
    table.ask(CorrectTurn(FIVE, HighNoon.ON, FORGOTTEN), SetTurn(THREE))
    assert table.now().doubtful == (ONE, TWO)
    table.noon_takes(1)
    assert (table.now().phase, table.now().doubtful) == (Phase.ENDED, ())
    table.ask(DeclareRoles(ROLES[5]))
    assert check_finished(finished_game(table.now()), table.rules).after == 1
