"""Properties of a table with the Rebel!, whatever it enters: one ending, told alike, undone exactly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, why_not
from core.game.ending.finished import check_finished, finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import winnings
from core.game.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.rebel import RevealRebel
from core.game.state.game import Cause, GameState, Phase
from core.game.state.seats import in_play
from core.game.timeline import fold, undoable
from core.game.undo import Undo
from core.terms import Ending, Role, SeatNo
from tests.core.game.rebel_table import RebelTable
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import unhurried
from tests.examples import examples

SIZES = (4, 6, 8, 9, 10)


@st.composite
def a_move(draw: st.DrawFn, state: GameState, deal: tuple[Role, ...]) -> GameCommand:
    """Draw truthful answers about the Rebel!; else what players may enter, the role shown included."""
    seat_no = state.revolution_question
    if seat_no is not None:
        return AnswerRevolution(seat_no, is_rebel=deal[seat_no - 1] is Role.REBEL)
    rebel = SeatNo(deal.index(Role.REBEL) + 1)
    if state.pending == (SeatNo(1),) and state.turn is not None and not state.high_noon_question:
        by_hand = Eliminate(SeatNo(1), state.turn, Role.SHERIFF, Cause.PLAYER)
        return by_hand if draw(st.booleans()) else draw(next_move(state, deal))
    return RevealRebel(rebel) if draw(st.integers(0, 8)) == 8 else draw(next_move(state, deal))


@pytest.mark.slow
@pytest.mark.parametrize("players", SIZES)
@settings(unhurried, max_examples=examples(25))
@given(data=st.data())
def test_games_with_the_rebel_end_once_and_the_sheet_says_the_same(players: int, data: st.DataObject) -> None:
    table = RebelTable(players)
    for _ in range(data.draw(st.sampled_from([20, 60]))):
        before = table.now()
        if before.phase is not Phase.PLAYING:
            break
        command = data.draw(a_move(before, table.deal))
        if why_not(before, command, table.rules, may_undo=undoable(table.timeline)) is not None:
            continue
        table.ask(command)
        if not isinstance(command, CallJudge | AnswerJudgeCall | Undo):
            after = table.now()
            table.ask(Undo(1))
            assert table.now() == before
            table.ask(command)
            assert table.now() == after
    assert fold(table.log) == table.timeline
    if table.now().phase is Phase.PLAYING:
        table.ask(EndByTimeLimit())
    state = table.now()
    table.ask(DeclareRoles(table.deal))
    game = finished_game(table.now())
    outcome = check_finished(game, table.rules)
    assert (outcome.ending, outcome.because) == (state.ending, state.because)
    assert sum(outcome.ending is ending for ending in Ending) == 1
    if outcome.ending is not Ending.NO_WINNER:
        assert set(outcome.alive) == set(in_play(state))
        assert outcome.revolution == state.revolution
        assert outcome.current_sheriff == state.sheriff
        assert outcome.winners
        assert all(winnings(game, table.rules)[seat - 1] > 0 for seat in outcome.winners)
