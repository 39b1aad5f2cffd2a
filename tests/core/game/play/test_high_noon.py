"""Championship 2022/23 v1.4, 1.1 "The High Noon rule"."""

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition
from core.editions.game_rules import HighNoonStarter
from core.editions.loader import edition
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.high_noon import (
    high_noon_after_reshuffle,
    high_noon_at_turn_start,
    high_noon_loss,
    reshuffles_to_high_noon,
)
from core.game.play.reshuffles import (
    DeckReshuffled,
    HighNoonArmed,
    Reshuffle,
    fewest_deck_turns,
    turns_since_reshuffle,
)
from core.game.play.turns import EndTurn, HighNoonBegan, TurnStarted
from core.game.play.wounds import LoseLife, Rescue, SaveLastLife
from core.game.state.game import Because, Cause, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.terms import Ending, Role, SeatNo
from tests.core.game.conftest import MakeGame, ScriptedTable, with_readings
from tests.scenarios.moments import Table

BEER = Rescue.BEER


def life(table: ScriptedTable) -> list[int]:
    return [seat.life for seat in table.now().seats]


@pytest.mark.parametrize(
    ("players", "reshuffles"), [(3, None), (4, 3), (5, 3), (6, 3), (7, 2), (8, 2), (10, 2)]
)
def test_s1_1_the_threshold_goes_by_table_size(rules: Edition, players: int, reshuffles: int | None) -> None:
    assert reshuffles_to_high_noon(players, rules) == reshuffles
    assert reshuffles_to_high_noon(players, replace(rules, high_noon=None)) is None


def test_without_the_rule_reshuffles_are_only_counted(table: ScriptedTable) -> None:
    table.rules = replace(table.rules, high_noon=None)
    table.reshuffle(9)
    assert (table.now().reshuffles, table.now().high_noon) == (9, HighNoon.OFF)


def test_s1_1_the_third_reshuffle_arms_it_at_five_seats(make_game: MakeGame) -> None:
    table = make_game(players=5)
    table.reshuffle(2)
    assert table.now().high_noon is HighNoon.OFF
    assert table.ask(Reshuffle()) == (DeckReshuffled(3), HighNoonArmed())
    assert table.now().high_noon is HighNoon.WAITING
    assert table.ask(Reshuffle()) == (DeckReshuffled(4),)


def test_s1_1_armed_in_the_sheriffs_turn_the_very_next_turn_loses(make_game: MakeGame) -> None:
    table = make_game(players=6)
    table.reshuffle(3)
    assert table.ask(EndTurn()) == (HighNoonBegan(SeatNo(2)), TurnStarted(SeatNo(2), 1))
    table.end_turn(5)
    assert life(table) == [4, 3, 3, 3, 3, 3]


def test_d11_armed_in_the_starters_own_turn_a_whole_orbit_passes(table: ScriptedTable) -> None:
    table.end_turn()
    table.reshuffle(3)
    table.end_turn(4)
    assert life(table) == [5, 4, 4, 4, 4]
    table.end_turn(2)
    assert life(table) == [5, 3, 3, 4, 4]


def test_d10_the_next_living_player_starts_where_the_second_seat_is_out(table: ScriptedTable) -> None:
    table.end_turns_until(3)
    table.reshuffle(3)
    table.end_turns_until(1)
    table.kill(2)
    table.end_turn(2)
    assert life(table) == [5, 0, 3, 3, 4]


@pytest.mark.parametrize(
    ("reading", "turn", "lives"),
    [
        pytest.param("next_living", 3, ([5, 0, 3, 4, 4], [4, 0, 2, 3, 3]), id="the next player begins it"),
        pytest.param("next_orbit", 3, ([5, 0, 4, 4, 4], [5, 0, 3, 4, 4]), id="a whole orbit passes"),
    ],
)
def test_d47_the_starter_dies_in_the_turn_that_announces_it(
    make_game: MakeGame, reading: str, turn: int, lives: tuple[list[int], list[int]]
) -> None:
    table = make_game(high_noon_starter_died=reading)
    table.end_turn()
    table.reshuffle(3)
    table.kill(2, by=None)
    assert (table.now().turn, life(table)) == (turn, lives[0])
    table.end_turn(4)
    assert life(table) == lives[1]


def test_d47_the_player_after_two_dead_starters_begins_it(table: ScriptedTable) -> None:
    table.end_turn()
    table.reshuffle(3)
    table.fall(2, 3)
    table.out(3, by=2)
    table.out(2, by=None)
    assert (table.now().turn, life(table)) == (4, [5, 0, 0, 3, 4])


@pytest.mark.parametrize(
    ("reading", "dies_later"), [("next_living", False), ("next_orbit", False), ("next_living", True)]
)
def test_d47_a_reshuffle_entered_late_takes_the_same_points(
    make_game: MakeGame, reading: str, *, dies_later: bool
) -> None:
    """A starter who dies later has kept the next player from beginning it."""
    in_time, late = (make_game(high_noon_starter_died=reading) for _ in range(2))
    for table in (in_time, late):
        table.end_turn()
        table.reshuffle(3 if table is in_time else 2)
        if dies_later:
            table.end_turn()
        table.kill(2, by=3 if dies_later else None)
        table.end_turn()
    late.ask(Reshuffle(during=SeatNo(2)))
    assert life(late) == life(in_time)
    assert not dies_later or life(late) == [5, 0, 4, 4, 4]


def test_s1_1_a_table_of_seven_keeps_its_threshold_when_players_fall(make_game: MakeGame) -> None:
    table = make_game(players=7)
    table.end_turn()
    table.kill(3, 4, 5, by=2)
    table.reshuffle(2)
    assert table.now().high_noon is HighNoon.WAITING
    table.end_turns_until(1)
    assert life(table) == [5, 4, 0, 0, 0, 4, 4]
    table.end_turn(2)
    assert life(table) == [5, 3, 0, 0, 0, 3, 4]


def test_s1_1_a_beer_keeps_the_last_life_point(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=1)
    assert table.now().pending == (2,)
    assert table.now().high_noon_question
    table.beer(2)
    assert (table.seat(2).life, table.now().turn, table.now().pending) == (1, 2, ())
    assert table.now().turns_played == (1, 1, 0, 0, 0)


def test_s1_1_without_a_beer_the_player_is_out_and_the_next_turn_starts(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=1)
    assert table.refusal(EndTurn()) is GameReason.QUESTION_OPEN
    events = table.ask(Eliminate(SeatNo(2), None, Role.OUTLAW, Cause.HIGH_NOON))
    assert events == (
        PlayerEliminated(SeatNo(2), None, Role.OUTLAW, Cause.HIGH_NOON, SeatNo(2), 1),
        TurnStarted(SeatNo(3), 1),
    )
    assert table.now().turns_played == (1, 0, 1, 0, 0)


def test_several_players_fall_in_a_row(make_game: MakeGame) -> None:
    table = make_game(players=6)
    table.begin_noon(seat_2=1, seat_3=1, seat_4=1)
    for seat in (2, 3, 4):
        table.noon_takes(seat)
    assert table.now().turn == 5
    assert [e.effect for e in table.now().eliminations] == [1, 2, 3]
    table.end_turn(2)
    assert life(table) == [4, 0, 0, 0, 3, 3]


def test_s4_a_beer_has_no_effect_in_the_final_duel_so_law_wins(table: ScriptedTable) -> None:
    table.kill(2, 3, 4)
    table.begin_noon(seat_5=1)
    assert table.refusal(SaveLastLife(SeatNo(5), BEER)) is GameReason.TWO_LEFT
    table.noon_takes(5)
    assert (table.now().ending, table.now().because) == (Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)


def test_a_passive_starter_loses_the_point_and_the_turn_passes(table: ScriptedTable) -> None:
    table.ask(Abandon(SeatNo(2)))
    table.reshuffle(3)
    assert table.ask(EndTurn()) == (
        HighNoonBegan(SeatNo(2)),
        TurnStarted(SeatNo(2), 1),
        TurnStarted(SeatNo(3), 1),
    )


@pytest.mark.parametrize(
    ("affected", "lives"), [(True, [5, 3, 3, 4, 4]), (False, [5, 4, 3, 4, 4])], ids=["d12", "d12 otherwise"]
)
def test_d12_passive_players_lose_the_point_unless_it_is_read_otherwise(
    make_game: MakeGame, lives: list[int], *, affected: bool
) -> None:
    table = make_game(high_noon_affects_passive=affected)
    table.ask(Abandon(SeatNo(2)))
    table.begin_noon()
    assert life(table) == lives


def test_d12_a_passive_player_at_no_points_can_only_show_the_role(table: ScriptedTable) -> None:
    table.leave_with(seat_2=1)
    table.ask(Abandon(SeatNo(2)))
    table.begin_noon()
    assert table.refusal(SaveLastLife(SeatNo(2), BEER)) is GameReason.PASSIVE
    table.noon_takes(2)
    assert table.now().turn == 3


SID = SaveLastLife(SeatNo(2), Rescue.SID_KETCHUM)


@pytest.fixture
def make_sids_game(make_game: MakeGame) -> Callable[..., ScriptedTable]:
    """A game in which Sid Ketchum has seat 2."""
    return partial(make_game, characters=(Character.ROSE_DOOLAN, Character.SID_KETCHUM))


def test_d17_sid_ketchum_saves_himself_unless_it_is_read_otherwise(make_sids_game: MakeGame) -> None:
    table = make_sids_game()
    table.begin_noon(seat_2=1, seat_3=1)
    table.ask(SID)
    table.end_turn()
    assert table.refusal(SaveLastLife(SeatNo(3), Rescue.SID_KETCHUM)) is GameReason.NOT_SID_KETCHUM
    table = make_sids_game(high_noon_sid_ketchum=False)
    table.begin_noon(seat_2=1)
    assert table.refusal(SID) is GameReason.SID_NOT_AT_HIGH_NOON
    table.beer(2)


@pytest.mark.parametrize("at_noon", [True, False])
@pytest.mark.parametrize(("reading", "survives"), [("allowed", True), ("as_beer", False)])
def test_d48_sid_ketchum_saves_himself_with_two_left(
    make_sids_game: MakeGame, reading: str, *, survives: bool, at_noon: bool
) -> None:
    table = make_sids_game(sid_with_two_left=reading)
    table.kill(3, 4, 5)
    if at_noon:
        table.begin_noon(seat_2=1)
    else:
        table.fall(2)
    assert table.refusal(SaveLastLife(SeatNo(2), BEER)) is GameReason.TWO_LEFT
    if survives:
        table.ask(SID)
        assert (table.seat(2).life, table.now().pending) == (1, ())
    else:
        assert table.refusal(SID) is GameReason.TWO_LEFT


def test_d14_nothing_is_to_be_answered_while_a_point_is_left(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=2)
    assert table.refusal(SaveLastLife(SeatNo(2), BEER)) is GameReason.NO_QUESTION


def test_while_high_noon_asks_nothing_else_wounds(table: ScriptedTable) -> None:
    table.begin_noon(seat_2=1)
    assert table.refusal(LoseLife(SeatNo(3))) is GameReason.QUESTION_OPEN
    wrong = Eliminate(SeatNo(2), SeatNo(1), Role.OUTLAW, Cause.PLAYER)
    assert table.refusal(wrong) is GameReason.HIGH_NOON_TOOK_IT


def test_the_sheriff_dies_at_his_turn_start_and_the_outlaws_win(table: ScriptedTable) -> None:
    table.leave_with(seat_1=1)
    table.reshuffle(3)
    table.end_turn(5)
    table.noon_takes(1)
    assert (table.now().ending, table.now().phase) == (Ending.OUTLAWS_WIN, Phase.ENDED)


def test_an_edition_may_start_with_the_sheriff(rules: Edition) -> None:
    assert rules.high_noon is not None
    rule = replace(rules.high_noon, starter=HighNoonStarter.SHERIFF)

    def now(seat: int, previous: int) -> HighNoon:
        return high_noon_at_turn_start(
            HighNoon.WAITING,
            replace(rules, high_noon=rule),
            seat=SeatNo(seat),
            previous=SeatNo(previous),
            sheriff=SeatNo(1),
            living=[SeatNo(living) for living in range(1, 6)],
        )

    assert [now(2, 1), now(5, 4), now(1, 5)] == [HighNoon.WAITING, HighNoon.WAITING, HighNoon.ON]


@pytest.mark.parametrize("now", HighNoon)
@pytest.mark.parametrize("count", range(1, 6))
def test_every_reshuffle_has_one_answer(now: HighNoon, count: int) -> None:
    after = high_noon_after_reshuffle(now, count=count, threshold=3)
    expected = HighNoon.WAITING if now is HighNoon.OFF and count >= 3 else now
    assert after is expected
    assert high_noon_after_reshuffle(now, count=count, threshold=None) is now


def test_only_high_noon_that_is_on_takes_a_point(rules: Edition) -> None:
    spared = with_readings(rules, high_noon_affects_passive=False)
    taken = {now: high_noon_loss(now, rules, passive=True) for now in HighNoon}
    assert taken == {HighNoon.OFF: 0, HighNoon.WAITING: 0, HighNoon.CALLED: 0, HighNoon.ON: 1}
    assert high_noon_loss(HighNoon.ON, spared, passive=True) == 0
    assert high_noon_loss(HighNoon.ON, spared, passive=False) == 1


BASE = edition("official-2003")


@pytest.mark.parametrize(("seats", "turns"), [(4, 6), (5, 5), (6, 3), (7, 2), (8, 1)])
def test_a_discard_pile_lasts_as_long_as_hands_and_cards_in_front_leave_of_it(seats: int, turns: int) -> None:
    assert fewest_deck_turns(Table(seats, BASE).begun().state, BASE) == turns


def test_it_lasts_longer_the_fewer_players_and_life_points_are_left() -> None:
    table = Table(7, BASE).begun()
    fewest = [fewest_deck_turns(table.state, BASE)]
    for seat in (2, 3, 4):
        table.kill(seat, 1, Role.OUTLAW if seat < 4 else Role.RENEGADE)
        fewest.append(fewest_deck_turns(table.wound(5, 1).state, BASE))
    assert fewest == sorted(set(fewest))


def test_turns_are_counted_from_the_reshuffle_on() -> None:
    table = Table(5, BASE).begun().do(EndTurn(), Reshuffle())
    assert turns_since_reshuffle(table.state) == 0
    assert turns_since_reshuffle(table.do(EndTurn(), EndTurn()).state) == 2
