"""Who left at the table does not stay in the tournament."""

import pytest
from msgspec.structs import replace
from tests.core.tournament.conftest import Judge, outlaws_won, seed

from saloon.core.editions import edition
from saloon.core.errors import Refused
from saloon.core.game.finished import FinishedGame
from saloon.core.game.state import Abandonment
from saloon.core.terms import SeatNo
from saloon.core.tournament.commands import CorrectSheet, MakeDraw, SealDraw, WithdrawPlayer
from saloon.core.tournament.events import DrawnTable
from saloon.core.tournament.leavers import still_in
from saloon.core.tournament.state import Round


def seat_2_left(round_no: Round, table: DrawnTable) -> FinishedGame:
    left = (Abandonment(SeatNo(2), 0),) if table.table == 1 else ()
    return replace(outlaws_won(round_no, table), abandonments=left)


def test_nobody_draws_before_who_left_is_withdrawn() -> None:
    judge = Judge(edition("championship-2022")).opens(12)
    leaver = judge.plays_round(seat_2_left).tables[0].players[1]
    assert still_in(judge.state) == (leaver,)
    judge.does(SealDraw(seed("next")))
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(MakeDraw("cactus", left=still_in(judge.state)))
    judge.does(WithdrawPlayer(leaver, "left at table 1"))
    assert still_in(judge.state) == ()
    judge.does(MakeDraw("cactus", left=still_in(judge.state)))
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
