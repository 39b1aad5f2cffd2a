"""A player who left at a table does not stay in the tournament."""

import pytest
from msgspec.structs import replace

from base.errors import Refused
from core.editions.loader import edition
from core.game.ending.finished import FinishedGame
from core.game.state.game import Abandonment
from core.terms import MatchKind, PlayerId, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import WithdrawPlayer, leavers
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.decision import HallFacts
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import TournamentState
from tests.core.tournament.conftest import Judge, outlaws_won, seed


def still_in(state: TournamentState) -> tuple[PlayerId, ...]:
    return tuple(leaver.player for leaver in leavers(state))


def seat_2_left(round_no: Round, table: DrawnTable) -> FinishedGame:
    left = (Abandonment(SeatNo(2), 0),) if table.table == 1 else ()
    return replace(outlaws_won(round_no, table), abandonments=left)


def test_nobody_draws_before_who_left_is_withdrawn() -> None:
    judge = Judge(edition("championship-2022")).opens(12)
    leaver = judge.plays_round(seat_2_left).tables[0].players[1]
    assert still_in(judge.state) == (leaver,)
    judge.does(SealDraw(seed=seed("next")))
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(MakeDraw(hall_word="cactus"), HallFacts(left=still_in(judge.state)))
    judge.does(WithdrawPlayer(leaver, "left at table 1"))
    assert still_in(judge.state) == ()
    judge.does(MakeDraw(hall_word="cactus"), HallFacts(left=still_in(judge.state)))
    drawn = judge.state.rounds[-1]
    assert leaver not in {player for table in drawn.tables for player in table.players}


def test_a_correction_takes_the_question_back_but_no_withdrawal() -> None:
    judge = Judge(edition("championship-2022")).opens(10)
    drawn = judge.plays_round(seat_2_left)
    table = drawn.tables[0]
    judge.does(CorrectSheet(table.game, outlaws_won(drawn, table), "Player 2 stayed"))
    assert still_in(judge.state) == ()
    judge.does(WithdrawPlayer(table.players[1], "train"))
    judge.does(CorrectSheet(table.game, seat_2_left(drawn, table), "Player 2 left after all"))
    assert still_in(judge.state) == ()
    entrant = judge.state.entrant(table.players[1])
    assert entrant is not None
    assert entrant.withdrawn


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010"])
def test_no_ranking_counts_a_player_who_left_as_one_of_the_best(key: str) -> None:
    judge = Judge(edition(key)).opens(12)
    rounds = judge.state.rounds_planned or 3
    for _ in range(rounds):
        judge.plays_round(seat_2_left if judge.state.published_rounds == () else outlaws_won)
    (leaver,) = leavers(judge.state)
    assert (leaver.round, leaver.table, leaver.ejected) == (1, 1, False)
    publish = PublishRoundsRanking if judge.state.with_finals else PublishRanking
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(publish(), HallFacts(left=(leaver.player,)))
    judge.does(WithdrawPlayer(leaver.player, "left at table 1"))
    assert leavers(judge.state) == ()
    row = rounds_standings(judge.state, edition(key)).row(leaver.player)
    assert row is not None
    assert row.withdrawn
    assert not row.bonus


def test_taking_a_sheet_back_takes_the_question_back() -> None:
    judge = Judge(edition("championship-2022")).opens(10)
    judge.plays_round(seat_2_left)
    assert still_in(judge.state)
    judge.does(UndoSteps(2, "wrong table"))
    assert still_in(judge.state) == ()


def test_lots_and_duels_wait_for_a_player_who_left() -> None:
    judge = Judge(edition("championship-2010")).opens(12)
    for _ in range(judge.state.rounds_planned or 3):
        judge.plays_round(outlaws_won)
    drawn = judge.state.published_rounds[0]
    table = drawn.tables[0]
    left = seat_2_left(drawn, table)
    judge.does(CorrectSheet(table.game, left, "seat 2 had left"))
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(DrawLots(seed("lots")), HallFacts(left=still_in(judge.state)))
    judge.does(WithdrawPlayer(still_in(judge.state)[0], "left"))
    judge.does(DrawLots(seed("lots")))
    judge.does(PublishRoundsRanking())
    assert judge.state.finals is not None
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(BeginDuels(kind=MatchKind.LONG_DUEL), HallFacts(left=judge.state.finals.finalists[:1]))
