"""Turns and abandonment: base game; Championship 2022/23 v1.4, 1.4."""

from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn, TurnStarted
from core.game.play.wounds import LoseLife
from core.game.state.game import Abandonment, Phase
from core.game.state.reasons import GameReason
from core.terms import SeatNo
from tests.core.game.conftest import MakeGame


def abandon(seat: int, *, ejected: bool = False) -> Abandon:
    return Abandon(SeatNo(seat), ejected)


def test_play_goes_to_the_left_and_round_again(make_game: MakeGame) -> None:
    table = make_game()
    turns = [table.now().turn]
    for _ in range(5):
        table.end_turn()
        turns.append(table.now().turn)
    assert turns == [1, 2, 3, 4, 5, 1]
    assert (table.now().turns, table.now().turns_played) == (6, (2, 1, 1, 1, 1))


def test_who_is_out_has_no_turn(make_game: MakeGame) -> None:
    table = make_game()
    table.kill(2)
    table.kill(3)
    assert table.ask(EndTurn()) == (TurnStarted(SeatNo(4)),)


def test_a_turn_cannot_end_while_a_question_is_open(make_game: MakeGame) -> None:
    table = make_game()
    table.fall(4)
    assert table.refusal(EndTurn()) is GameReason.QUESTION_OPEN


def test_s1_4_a_passive_player_always_skips_the_turn(make_game: MakeGame) -> None:
    table = make_game()
    table.ask(abandon(2), abandon(3, ejected=True))
    assert table.ask(EndTurn()) == tuple(TurnStarted(SeatNo(seat)) for seat in (2, 3, 4))
    assert table.now().turns_played == (1, 0, 0, 1, 0)
    assert table.now().abandonments == (Abandonment(SeatNo(2), 0), Abandonment(SeatNo(3), 0, ejected=True))


def test_s1_4_who_leaves_in_the_own_turn_passes_it(make_game: MakeGame) -> None:
    table = make_game()
    assert table.ask(abandon(1)) == (Abandon(SeatNo(1)), TurnStarted(SeatNo(2)))
    assert table.refusal(abandon(1)) is GameReason.ALREADY_PASSIVE


def test_s1_4_who_leaves_with_a_question_open_passes_after_the_answer(make_game: MakeGame) -> None:
    table = make_game()
    table.fall(1, 4)
    table.ask(abandon(1))
    table.beer(4)
    assert table.now().turn == 1
    table.ask(LoseLife(SeatNo(4)))
    table.beer(4)
    assert (table.now().turn, table.now().pending) == (1, (1,))


def test_s1_4_a_passive_sheriff_stays_a_target_and_his_end_is_the_games(make_game: MakeGame) -> None:
    table = make_game()
    table.ask(abandon(1))
    table.kill(1, by=2)
    assert table.now().phase is Phase.ENDED


def test_when_everybody_has_left_turns_end_by_hand(make_game: MakeGame) -> None:
    table = make_game()
    table.ask(*(abandon(seat) for seat in range(1, 6)))
    turn = table.now().turn
    assert turn is not None
    assert table.ask(EndTurn()) == (TurnStarted(SeatNo(turn % 5 + 1)),)
