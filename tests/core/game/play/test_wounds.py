"""Life points: base game, and the answers of Championship 2022/23 v1.4, 4."""

import pytest

from core.characters import Character
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.play.wounds import LastLifeSaved, LoseLife, RegainLife, Rescue, SaveLastLife, life_after_beers
from core.game.state.reasons import GameReason
from core.terms import SeatNo
from tests.core.game.conftest import MakeGame, ScriptedTable

SEAT = SeatNo(2)
BEER = SaveLastLife(SEAT, Rescue.BEER)


def test_s4_two_points_less_three_of_dynamite_and_two_beers_leave_one(table: ScriptedTable) -> None:
    table.leave_with(seat_2=2)
    table.lose(2, 3)
    assert (table.seat(2).life, table.now().pending) == (-1, (2,))
    table.beer(2)
    assert (table.seat(2).life, table.now().pending) == (0, (2,))
    assert table.ask(BEER) == (LastLifeSaved(SEAT, Rescue.BEER, 1),)
    assert (table.seat(2).life, table.now().pending) == (1, ())


def test_s4_one_beer_is_not_enough(table: ScriptedTable) -> None:
    table.leave_with(seat_2=2)
    table.lose(2, 3)
    table.beer(2)
    assert table.refusal(EndTurn()) is GameReason.QUESTION_OPEN
    assert table.refusal(RegainLife(SEAT)) is GameReason.AT_NO_LIFE


def test_s4_a_beer_has_no_effect_with_two_players_left(table: ScriptedTable) -> None:
    for seat in (3, 4, 5):
        table.kill(seat)
    table.fall(2)
    assert table.refusal(BEER) is GameReason.TWO_LEFT


def test_s4_sid_ketchum_regains_the_last_point_out_of_turn(make_game: MakeGame) -> None:
    table = make_game(characters=(Character.ROSE_DOOLAN, Character.SID_KETCHUM))
    table.fall(2)
    table.ask(SaveLastLife(SEAT, Rescue.SID_KETCHUM))
    assert table.seat(2).life == 1


@pytest.mark.parametrize(("reading", "survives"), [("allowed", True), ("as_beer", False)])
def test_d48_sid_ketchum_saves_himself_with_two_left(
    make_game: MakeGame, reading: str, *, survives: bool
) -> None:
    characters = (Character.ROSE_DOOLAN, Character.SID_KETCHUM)
    table = make_game(characters=characters, sid_with_two_left=reading)
    for seat in (3, 4, 5):
        table.kill(seat)
    table.fall(2)
    assert table.refusal(BEER) is GameReason.TWO_LEFT
    sid = SaveLastLife(SEAT, Rescue.SID_KETCHUM)
    if survives:
        table.ask(sid)
        assert (table.seat(2).life, table.now().pending) == (1, ())
    else:
        assert table.refusal(sid) is GameReason.TWO_LEFT


def test_nobody_else_can_do_what_sid_ketchum_can(table: ScriptedTable) -> None:
    table.fall(2)
    assert table.refusal(SaveLastLife(SEAT, Rescue.SID_KETCHUM)) is GameReason.NOT_SID_KETCHUM


@pytest.mark.parametrize(
    ("life", "beers", "players_left", "expected"),
    [(-1, 2, 5, 1), (-1, 1, 5, 0), (4, 1, 5, 4), (3, 2, 5, 4), (0, 1, 2, 0), (2, 1, 2, 2), (0, 1, 3, 1)],
)
def test_s4_beers(life: int, beers: int, players_left: int, expected: int) -> None:
    after = life_after_beers(life=life, max_life=4, beers=beers, players_left=players_left)
    assert after == expected


def test_life_never_exceeds_the_maximum(table: ScriptedTable) -> None:
    assert table.refusal(RegainLife(SEAT)) is GameReason.FULL_LIFE
    table.lose(2, 2)
    assert table.refusal(RegainLife(SEAT, 3)) is GameReason.FULL_LIFE
    assert table.ask(RegainLife(SEAT, 2)) == (RegainLife(SEAT, 2),)


def test_another_wound_while_the_question_is_open_counts(table: ScriptedTable) -> None:
    table.fall(2)
    assert table.ask(LoseLife(SEAT)) == (LoseLife(SEAT, 1),)
    assert (table.seat(2).life, table.now().pending) == (-1, (2,))
    table.lose(2, 2)
    assert table.refusal(LoseLife(SEAT)) is GameReason.TOO_MANY_WOUNDS


@pytest.mark.parametrize("points", [0, -1])
def test_points_are_counted_from_one(table: ScriptedTable, points: int) -> None:
    table.lose(2)
    assert table.refusal(LoseLife(SEAT, points)) is GameReason.POINTS
    assert table.refusal(RegainLife(SEAT, points)) is GameReason.POINTS


def test_nothing_happens_to_a_seat_that_is_out_or_not_there(table: ScriptedTable) -> None:
    table.kill(2)
    for command in (LoseLife(SEAT), RegainLife(SEAT), BEER, Abandon(SEAT)):
        assert table.refusal(command) is GameReason.OUT
    assert table.refusal(LoseLife(SeatNo(0))) is GameReason.NO_SEAT
    assert table.refusal(LoseLife(SeatNo(6))) is GameReason.NO_SEAT
    assert table.refusal(SaveLastLife(SeatNo(3), Rescue.BEER)) is GameReason.NO_QUESTION


def test_s1_4_a_saloon_heals_a_passive_player_and_a_beer_cannot(table: ScriptedTable) -> None:
    table.ask(Abandon(SEAT))
    table.lose(2)
    table.ask(RegainLife(SEAT))
    table.fall(2)
    assert table.refusal(BEER) is GameReason.PASSIVE
