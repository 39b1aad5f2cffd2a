"""A withdrawal that was a mistake is taken back alone, until a round has been missed."""

from core.terms import PlayerId
from core.tournament.draw.drawing import PublishDraw
from core.tournament.penalties import EjectPlayer, ReinstatePlayer, WithdrawPlayer
from core.tournament.state.reasons import TournamentReason
from tests.core.tournament.conftest import Judge, one_group, time_was_up

ANN = PlayerId("p003")
BACK = ReinstatePlayer(ANN, "it was her brother")


def test_a_withdrawal_is_taken_back_with_a_reason(judge: Judge) -> None:
    judge.opens(10)
    judge.plays_round()
    before = judge.state
    judge.does(WithdrawPlayer(ANN, "gone"))
    assert judge.refuses(ReinstatePlayer(ANN, " ")) is TournamentReason.EMPTY_REASON
    judge.does(BACK)
    assert judge.decides_again()
    assert judge.state.entrants == before.entrants
    assert ANN in {player for table in judge.plays_round().tables for player in table.players}


def test_who_missed_a_round_stays_out(judge: Judge) -> None:
    judge.opens(11)
    judge.plays_round()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.plays_round()
    assert judge.refuses(BACK) is TournamentReason.MISSED_A_ROUND


def test_before_the_first_round_and_during_a_game(judge: Judge) -> None:
    judge.opens(10)
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.does(BACK)
    drawn = judge.publishes()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.does(BACK)
    for table in drawn.tables:
        judge.accepts(table)
    assert len(judge.plays_round().tables) == 2


def test_only_a_withdrawal_is_taken_back(judge: Judge) -> None:
    judge.opens(10)
    assert judge.refuses(BACK) is TournamentReason.NOT_WITHDRAWN
    judge.does(EjectPlayer(ANN, "looked at hands"))
    assert judge.refuses(BACK) is TournamentReason.NOT_WITHDRAWN


def test_a_draft_without_the_player_is_drawn_again(judge: Judge) -> None:
    judge.opens(12)
    judge.plays_round()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.draws_tables()
    judge.does(BACK)
    assert judge.refuses(PublishDraw()) is TournamentReason.DRAW_IS_STALE


def test_a_group_plays_the_games_again_that_had_been_dropped() -> None:
    judge = Judge(one_group()).opens(6)
    judge.plays_round(time_was_up)
    gone = next(one.player for one in judge.state.contenders if not one.sheriff_in)
    judge.does(WithdrawPlayer(gone, "gone"))
    assert judge.state.rounds_planned == 5
    judge.does(ReinstatePlayer(gone, "a mistake"))
    assert judge.state.rounds_planned == 6
