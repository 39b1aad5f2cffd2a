"""The judge sets what was entered wrong; the game is as if it had been entered right."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.editions.loader import edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.correction import (
    CorrectElimination,
    CorrectLife,
    CorrectOrder,
    CorrectReshuffles,
    CorrectTurn,
    CorrectTurns,
    RestorePlayer,
)
from core.game.decide import GameCommand, why_not
from core.game.ending.finished_game import finished_game
from core.game.play.abandonment import Abandon
from core.game.play.effects import SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn, SetTurn
from core.game.state.decisions import Undo
from core.game.state.game import Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import undoable
from core.terms import Ending, Role, SeatNo
from tests.core.game.conftest import ROLES, D, MakeGame, O, R, ScriptedTable
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import after, check_bounds

RULES = edition("championship-2022")
ONE, TWO, THREE, FOUR, FIVE = map(SeatNo, range(1, 6))
PLAYER, DYNAMITE = Cause.PLAYER, Cause.DYNAMITE


def test_life_points_are_set_to_a_value_within_the_characters(table: ScriptedTable) -> None:
    table.lose(2, 2)
    table.ask(CorrectLife(TWO, 4, "the tap was for seat 3"))
    assert table.seat(2).life == 4
    assert table.refusal(CorrectLife(TWO, 5, "x")) is GameReason.LIFE_RANGE
    assert table.refusal(CorrectLife(TWO, 4, "x")) is GameReason.NOTHING_CORRECTED
    assert table.refusal(CorrectLife(TWO, 1, " ")) is GameReason.CORRECTION_REASON


def test_a_correction_answers_the_question_of_the_last_life_point(table: ScriptedTable) -> None:
    table.fall(2)
    table.ask(CorrectLife(TWO, 3, "the Missed! was overlooked"))
    assert table.now().pending == ()
    table.end_turn()


def test_d51_a_corrected_victim_of_a_player_who_left_is_no_longer_theirs(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.end_turn()
    table.fall(4)
    table.ask(Abandon(TWO), CorrectLife(FOUR, 2, "the Missed! was overlooked"))
    table.end_turn()
    table.fall(4)
    assert table.refusal(Eliminate(FOUR, TWO, ROLES[7][3], PLAYER)) is GameReason.KILLER_LEFT


def test_a_correction_leaves_open_who_fell_in_a_passed_turn(table: ScriptedTable) -> None:
    table.kill(2, by=1)
    table.leave_with(seat_4=1)
    table.ask(CorrectTurn(ONE, HighNoon.ON, "it was forgotten"), SetTurn(FIVE))
    assert table.now().doubtful == (FOUR,)
    table.kill(1, by=5)
    table.ask(CorrectElimination(TWO, THREE, PLAYER, ROLES[5][1], "it was the Duel of seat 3"))
    assert table.now().phase is Phase.PLAYING
    assert table.refusal(CorrectOrder((ONE, TWO), "first the Sheriff")) is GameReason.STILL_IN_PLAY
    table.ask(SurviveHighNoon(FOUR))
    assert table.now().phase is Phase.ENDED


def test_who_eliminated_somebody_is_corrected(table: ScriptedTable) -> None:
    table.kill(2, by=1)
    for by, cause in ((THREE, PLAYER), (None, DYNAMITE)):
        table.ask(CorrectElimination(TWO, by, cause, O, "it was seen"))
        assert (table.now().eliminations[0].by, table.now().eliminations[0].cause) == (by, cause)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (CorrectElimination(THREE, ONE, PLAYER, D, "x"), GameReason.NOT_ELIMINATED),
        (CorrectElimination(TWO, TWO, PLAYER, O, "x"), GameReason.BY_ONESELF),
        (CorrectElimination(TWO, None, PLAYER, O, "x"), GameReason.BY_WHOM),
        (CorrectElimination(TWO, ONE, DYNAMITE, O, "x"), GameReason.BY_NOBODY),
        (CorrectElimination(TWO, ONE, PLAYER, O, "x"), GameReason.NOTHING_CORRECTED),
        (CorrectElimination(TWO, ONE, PLAYER, Role.SHERIFF, "x"), GameReason.ROLE_NOT_SHERIFF),
        (CorrectElimination(TWO, None, Cause.HIGH_NOON, O, "x"), GameReason.NOT_HIGH_NOON),
        (CorrectElimination(TWO, SeatNo(9), PLAYER, O, "x"), GameReason.NO_SEAT),
        (CorrectElimination(TWO, FIVE, PLAYER, O, ""), GameReason.CORRECTION_REASON),
    ],
)
def test_what_cannot_have_been_is_refused(
    table: ScriptedTable, command: GameCommand, reason: GameReason
) -> None:
    table.kill(2, by=1)
    assert table.refusal(command) is reason


def test_a_role_that_did_not_end_the_game_after_all_lets_it_go_on(table: ScriptedTable) -> None:
    table.kill(2, 4)
    table.shows(5, R)
    assert table.now().ending is Ending.LAW_WINS
    table.ask(CorrectElimination(FIVE, ONE, PLAYER, D, "the card was the Deputy's"))
    assert (table.now().phase, table.now().ending) == (Phase.PLAYING, None)
    table.shows(3, R)
    assert table.now().ending is Ending.LAW_WINS


def test_a_role_that_ends_the_game_ends_it(table: ScriptedTable) -> None:
    table.kill(2, 4)
    table.shows(5, D)
    assert table.now().phase is Phase.PLAYING
    table.ask(CorrectElimination(FIVE, ONE, PLAYER, R, "the card was the Renegade's"))
    assert (table.now().phase, table.now().ending) == (Phase.ENDED, Ending.LAW_WINS)


def test_two_cards_that_were_mixed_up_are_exchanged(table: ScriptedTable) -> None:
    table.kill(2)
    for seat, role in ((3, R), (5, D)):
        table.shows(seat, role)
    before = table.now()
    table.ask(CorrectElimination(FIVE, FOUR, PLAYER, R, "the cards lay the other way round"))
    cards = [(e.seat, e.by, e.role) for e in table.now().eliminations]
    assert cards == [(TWO, ONE, O), (THREE, ONE, D), (FIVE, FOUR, R)]
    assert (table.seat(3).role, table.seat(5).role) == (D, R)
    table.ask(Undo(1))
    assert table.now() == before


def test_exchanged_cards_that_ended_the_game_earlier_are_refused(table: ScriptedTable) -> None:
    for seat, role in ((5, D), (2, O), (4, O), (3, R)):
        table.shows(seat, role)
    assert table.now().ending is Ending.LAW_WINS
    exchanged = CorrectElimination(FIVE, ONE, PLAYER, R, "the cards lay the other way round")
    assert table.refusal(exchanged) is GameReason.WOULD_END_EARLIER


def test_nobody_guesses_with_which_of_two_cards_one_was_mixed_up(table: ScriptedTable) -> None:
    table.kill(2, 4, 5)
    assert table.refusal(CorrectElimination(FIVE, ONE, PLAYER, O, "x")) is GameReason.ROLE_USED_UP


def test_declared_roles_are_shown_anew_after_a_correction(table: ScriptedTable) -> None:
    table.kill(2)
    table.kill(1, by=5)
    table.declare()
    table.ask(CorrectElimination(TWO, THREE, PLAYER, O, "by seat 3"))
    assert table.now().phase is Phase.ENDED
    assert [seat.role is None for seat in table.now().seats] == [False, False, True, True, True]
    table.declare()
    assert finished_game(table.now()).eliminations[0].by == THREE


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_corrected_game_is_the_game_entered_right(data: st.DataObject) -> None:
    """Any killer who is entered and corrected gives the same state as the right entry."""
    wrong, right = ScriptedTable(RULES).begun(5), ScriptedTable(RULES).begun(5)
    seat = data.draw(st.sampled_from([2, 3, 4, 5]))
    first, second = data.draw(st.permutations([n for n in range(1, 6) if n != seat]).map(lambda p: p[:2]))
    wrong.kill(seat, by=first)
    right.kill(seat, by=second)
    wrong.ask(CorrectElimination(SeatNo(seat), SeatNo(second), PLAYER, ROLES[5][seat - 1], "seen"))
    assert wrong.now() == right.now()
    one, other = wrong.timeline, right.timeline
    assert one is not None
    assert other is not None
    for _ in range(data.draw(st.integers(0, 30))):
        move = data.draw(next_move(other.state, ROLES[5]))
        if not isinstance(move, Undo):
            one, other = after(one, move), after(other, move)
    assert one.state == other.state


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_corrections_in_a_random_game_stay_in_bounds_and_are_taken_back(data: st.DataObject) -> None:
    timeline = ScriptedTable(RULES).begun(6).timeline
    assert timeline is not None
    turns_corrected = False
    for _ in range(40):
        move = data.draw(next_move(timeline.state, ROLES[6]))
        turns_corrected = turns_corrected or isinstance(move, CorrectTurns)
        timeline = after(timeline, move)
        if timeline.state.phase is Phase.VOIDED:
            return
        for elimination in timeline.state.eliminations:
            role = data.draw(st.sampled_from([O, D, R]))
            command = CorrectElimination(elimination.seat, None, DYNAMITE, role, "x")
            if why_not(timeline.state, command, RULES, may_undo=undoable(timeline)) is None:
                corrected = after(timeline, command)
                check_bounds(corrected.state, turns_corrected=turns_corrected)
                assert after(corrected, Undo(1)).state == timeline.state


def test_the_number_of_reshuffles_is_corrected_with_what_follows(table: ScriptedTable) -> None:
    table.begin_noon()
    assert table.now().high_noon is HighNoon.ON
    life = [seat.life for seat in table.now().seats]
    table.ask(CorrectReshuffles(2, "pressed twice"))
    assert (table.now().reshuffles, table.now().high_noon) == (2, HighNoon.OFF)
    assert [seat.life for seat in table.now().seats] == life
    table.ask(CorrectReshuffles(4, "two were forgotten"))
    assert table.now().high_noon is HighNoon.WAITING
    assert table.refusal(CorrectReshuffles(4, "x")) is GameReason.NOTHING_CORRECTED
    assert table.refusal(CorrectReshuffles(-1, "x")) is GameReason.RESHUFFLES_RANGE
    assert table.refusal(CorrectReshuffles(3, "")) is GameReason.CORRECTION_REASON


def test_high_noon_called_by_the_judge_outlasts_a_correction_of_reshuffles(table: ScriptedTable) -> None:
    table.ask(EndByTimeLimit(TimeLimit.HIGH_NOON, reason="time"), EndTurn())
    table.ask(CorrectReshuffles(1, "one was forgotten"))
    assert table.now().high_noon is HighNoon.ON


def test_the_turn_is_corrected_without_playing_the_turns_between(table: ScriptedTable) -> None:
    table.reshuffle(3)
    table.end_turn(2)
    played, life = table.now().turns_played, [seat.life for seat in table.now().seats]
    table.ask(CorrectTurn(ONE, HighNoon.WAITING, "End turn was pressed too often"))
    assert (table.now().turn, table.now().high_noon) == (ONE, HighNoon.WAITING)
    assert (table.now().turns_played, [seat.life for seat in table.now().seats]) == (played, life)
    assert table.refusal(CorrectTurn(ONE, HighNoon.WAITING, "x")) is GameReason.NOTHING_CORRECTED
    table.end_turn()
    assert table.now().high_noon is HighNoon.ON


def test_the_order_of_eliminations_is_corrected(table: ScriptedTable) -> None:
    table.kill(2, 3, by=1)
    assert table.refusal(CorrectOrder((TWO,), "x")) is GameReason.ORDER_OF_ALL
    assert table.refusal(CorrectOrder((TWO, THREE), "x")) is GameReason.NOTHING_CORRECTED
    table.ask(CorrectOrder((THREE, TWO), "the Deputy fell first"))
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(3, 1), (2, 2)]


def test_nobody_kills_after_their_own_elimination_in_a_corrected_order(table: ScriptedTable) -> None:
    table.kill(2, by=3)
    table.kill(3, by=1)
    assert table.refusal(CorrectOrder((THREE, TWO), "x")) is GameReason.BY_SOMEBODY_OUT


def test_a_corrected_order_may_end_the_game_otherwise(make_game: MakeGame) -> None:
    """The Sheriff falls last beside the Renegade: swapped with an earlier one it would end earlier."""
    table = make_game(4)
    table.kill(2, 1, by=4)
    assert table.now().ending is Ending.OUTLAWS_WIN
    assert table.refusal(CorrectOrder((ONE, TWO), "x")) is GameReason.WOULD_END_EARLIER


def test_an_elimination_that_never_happened_is_struck_and_all_since_stays(table: ScriptedTable) -> None:
    table.kill(3, by=2)
    table.kill(2, by=1)
    table.ask(Abandon(FOUR))
    table.ask(RestorePlayer(THREE, 2, "the Beer was overlooked"))
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(2, 1)]
    assert (table.seat(3).in_play, table.seat(3).life, table.seat(3).role) == (True, 2, None)
    assert [left.after_eliminations for left in table.now().abandonments] == [1]
    assert table.refusal(RestorePlayer(THREE, 2, "x")) is GameReason.NOT_ELIMINATED
    assert table.refusal(RestorePlayer(TWO, 9, "x")) is GameReason.LIFE_RANGE
    table.kill(3, 5, by=1)


def test_a_card_stays_one_card_while_somebody_earlier_is_restored(table: ScriptedTable) -> None:
    """Reading D07: the Renegade who falls by the same card as the last Outlaw lost no final duel."""
    table.kill(3, 2, by=1)
    table.fall(4, 5)
    table.ask(Eliminate(FOUR, ONE, ROLES[5][3], PLAYER))
    assert table.refusal(CorrectOrder((TWO, THREE, FOUR), "x")) is GameReason.QUESTION_OPEN
    table.ask(RestorePlayer(THREE, 2, "the Beer was overlooked"))
    table.ask(Eliminate(FIVE, ONE, ROLES[5][4], PLAYER))
    assert [(e.seat, e.effect) for e in table.now().eliminations] == [(2, 1), (4, 2), (5, 2)]


def test_a_game_goes_on_when_the_elimination_that_ended_it_is_struck(table: ScriptedTable) -> None:
    table.kill(2, by=1)
    table.kill(1, by=4)
    table.declare()
    table.ask(RestorePlayer(ONE, 1, "it was a Missed!"))
    assert (table.now().phase, table.now().ending, table.seat(5).role) == (Phase.PLAYING, None, None)
    assert table.seat(1).role is Role.SHERIFF
    table.end_turn()
