"""A duel at a terminal: ordered, played, undone, confirmed, and the same after a power cut."""

import pytest

from base.errors import Refused
from core.game.duel.fight import EnterCharacter, WoundCharacter
from core.game.duel.finished import finished_duel
from core.game.duel.opening import DrawStarter
from core.game.ending.sheet import ConfirmSheet
from core.game.judge.calls import CallJudge
from core.game.play.turns import EndTurn
from core.game.setup.seating import CheckIn, SeatTable
from core.game.state.duel import DuelBecause
from core.game.state.game import Confirmation, Phase, SeatedPlayer
from core.game.undo import Undo
from core.terminal.orders import CallTime, ConfirmFromStation, SeatGame, VoidTable, WithdrawSeat
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, WITH_FINALS
from tests.kiosk.terminal.test_keeper import Life

DUEL = GameId("duel-1")
SEATING = SeatTable(
    game=DUEL,
    tournament=TournamentId("t"),
    tournament_name="Open",
    rules=WITH_FINALS,
    round=RoundNo(4),
    table=TableNo(1),
    seats=(SeatedPlayer(PlayerId("p1"), "Ada"), SeatedPlayer(PlayerId("p2"), "Bo")),
    match=SHORT,
)


@pytest.fixture
def life() -> Life:
    life = Life()
    life.obey(SeatGame(SEATING))
    life.do(CheckIn(ONE), CheckIn(TWO))
    life.do(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[1]), DrawStarter(TWO))
    return life


def phase(life: Life) -> Phase:
    assert life.keeper.game is not None
    return life.keeper.game.phase


def test_a_duel_is_the_same_after_a_power_cut_at_any_entry(life: Life) -> None:
    life.do(WoundCharacter(ONE, DECK[0], 2), EndTurn(), CallJudge(), WoundCharacter(TWO, DECK[1], 5))
    life.do(EnterCharacter(TWO, DECK[2]), Undo(1), EnterCharacter(TWO, DECK[3]))
    assert life.resumed()[0].timeline == life.keeper.timeline
    for own in range(len(life.own)):
        keeper, due = life.resumed(own)
        assert keeper.left_out == 0
        assert (keeper.game is None) or keeper.game.duel is not None or due


def test_a_duel_won_and_confirmed_is_closed(life: Life) -> None:
    for number in range(5):
        assert life.keeper.game is not None
        assert life.keeper.game.duel is not None
        front = life.keeper.game.duel.side(ONE).front
        assert front is not None
        life.do(WoundCharacter(ONE, front.character, front.life))
        if number < 4:
            life.do(EnterCharacter(ONE, DECK[4 + number]))
    assert phase(life) is Phase.SHEET
    life.do(ConfirmSheet(Confirmation.PIN))
    assert life.keeper.game is not None
    assert finished_duel(life.keeper.game).winner == TWO
    with pytest.raises(Refused):
        life.do(Undo(1))


def test_the_time_of_a_duel_is_for_the_judge_to_rule(life: Life) -> None:
    assert life.obey(CallTime(DUEL)) == ()
    assert phase(life) is Phase.DUEL


def test_who_is_withdrawn_at_the_station_loses_the_duel(life: Life) -> None:
    life.obey(WithdrawSeat(DUEL, TWO, ejected=True))
    assert life.keeper.game is not None
    result = finished_duel(life.keeper.game)
    assert (result.winner, result.because) == (ONE, DuelBecause.OPPONENT_EJECTED)


def test_paper_at_the_station_closes_a_duel_and_a_voided_one_leaves_the_table(life: Life) -> None:
    life.obey(ConfirmFromStation(DUEL))
    assert phase(life) is Phase.CONFIRMED
    life.obey(VoidTable(DUEL, "taken back"))
    assert phase(life) is Phase.VOIDED
