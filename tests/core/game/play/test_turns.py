"""Turns and abandonment, and what light games need not enter: base game; Championship 2022/23 v1.4, 1.4."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.ending.finished_game import finished_game
from core.game.ending.winnings import winnings
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn, SkipTurn, TurnStarted, records_turns
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, DealRoles
from core.game.state.game import Abandonment, Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.rule_set import RecordMode, RuleSet
from core.terms import SeatNo
from tests.core.game.conftest import ROLES, ScriptedTable, seating
from tests.examples import examples


def abandon(seat: int, *, ejected: bool = False) -> Abandon:
    return Abandon(SeatNo(seat), ejected)


def test_play_goes_to_the_left_and_round_again(table: ScriptedTable) -> None:
    turns = [table.now().turn]
    for _ in range(5):
        table.end_turn()
        turns.append(table.now().turn)
    assert turns == [1, 2, 3, 4, 5, 1]
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
    table = ScriptedTable(edition("official-2003"))
    seated = msgspec.structs.replace(seating(5), rules=RuleSet("official-2003", mode=LIGHT))
    table.ask(seated, *(CheckIn(SeatNo(n)) for n in range(1, 6)), DealRoles(), BeginGame())
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
