"""The Rebel! at a table: the Revolution and its question, and showing the role in play."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.loader import edition
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectTurn, RestorePlayer
from core.game.decide import GameCommand, why_not
from core.game.ending.endings import GameEnded
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.rebel import RevealRebel, RevolutionAsked, RevolutionMade
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import winnings
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn, HighNoonBegan, SetTurn, TurnStarted
from core.game.play.wounds import LoseLife, RegainLife
from core.game.state.decisions import Undo
from core.game.state.game import Because, Cause, GameState, HighNoon, Phase, Revolution
from core.game.state.reasons import GameReason
from core.game.state.seats import in_play
from core.game.timeline import fold, undoable
from core.terms import Ending, Role, SeatNo
from tests.core.game.conftest import ScriptedTable
from tests.core.game.rebel_table import OTHER_OUTLAW, OUTLAW, REBEL, SHERIFF, RebelTable, rebel_rules, sheet
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import unhurried
from tests.examples import examples


def at_rebels_turn(players: int = 6, **readings: object) -> RebelTable:
    table = RebelTable(players, **readings)
    table.end_turns_until(table.deal.index(Role.REBEL) + 1)
    return table


@pytest.fixture
def table() -> RebelTable:
    return at_rebels_turn()


def test_who_eliminates_the_sheriff_in_the_own_turn_is_asked_at_once(table: RebelTable) -> None:
    assert table.shoot(1)[-1] == RevolutionAsked(REBEL)
    assert table.now().revolution_question == REBEL
    assert table.refusal(EndTurn()) is GameReason.REVOLUTION_OPEN
    assert table.refusal(LoseLife(SeatNo(2))) is GameReason.REVOLUTION_OPEN
    assert table.refusal(RegainLife(SeatNo(6))) is GameReason.REVOLUTION_OPEN


def test_the_rebel_becomes_sheriff_with_a_point_more_and_a_new_turn_with_all_cards(table: RebelTable) -> None:
    table.leave_with(seat_6=2)
    table.shoot(1)
    events = table.answer(6, is_rebel=True)
    assert events == (RevealRebel(REBEL), RevolutionMade(REBEL, 1), TurnStarted(REBEL))
    state = table.now()
    assert (table.seat(6).life, table.seat(6).max_life, state.sheriff) == (3, 5, 6)
    assert (state.revolution, state.turn, state.phase) == (Revolution(REBEL, 1), REBEL, Phase.PLAYING)


def test_another_role_ends_the_game_as_ever(table: RebelTable) -> None:
    table.end_turns_until(2)
    table.shoot(1)
    assert table.answer(2, is_rebel=False)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)
    roles = (Role.SHERIFF, Role.REBEL, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW)
    assert table.refusal(DeclareRoles(roles)) is GameReason.NOT_THE_REBEL


def test_the_gatling_is_finished_before_anybody_is_asked_and_may_win_for_the_law() -> None:
    table = at_rebels_turn(4)
    table.fall(1, 2, 3)
    for seat in (1, 2):
        table.ask(Eliminate(SeatNo(seat), SeatNo(4), table.deal[seat - 1], Cause.PLAYER))
        assert table.now().revolution_question is None
    last = Eliminate(SeatNo(3), SeatNo(4), Role.RENEGADE, Cause.PLAYER)
    assert table.ask(last)[-1] == RevolutionAsked(SeatNo(4))
    won = GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)
    assert table.answer(4, is_rebel=True)[-1] == won
    _, outcome = sheet(table)
    assert (outcome.winners, outcome.current_sheriff, outcome.final_duel_lost) == ((4,), 4, ())


@pytest.mark.parametrize("simultaneous", ["end_of_effect", "elimination_order"])
def test_the_effect_ends_first_under_either_reading(simultaneous: str) -> None:
    table = at_rebels_turn(simultaneous=simultaneous)
    table.fall(1, 3)
    table.ask(Eliminate(SeatNo(1), REBEL, Role.SHERIFF, Cause.PLAYER))
    assert table.now().phase is Phase.PLAYING
    table.ask(Eliminate(SeatNo(3), REBEL, Role.DEPUTY, Cause.PLAYER))
    table.answer(6, is_rebel=True)
    table.shoot_enemies()
    _, outcome = sheet(table)
    assert (outcome.ending, outcome.winners, outcome.before_revolution) == (Ending.LAW_WINS, (6,), (1, 3))


@pytest.mark.parametrize(("by", "cause"), [(6, Cause.PLAYER), (None, Cause.DYNAMITE)])
def test_out_of_the_rebels_turn_the_sheriffs_fall_is_an_ending(by: int | None, cause: Cause) -> None:
    table = RebelTable()
    table.fall(1)
    killer = None if by is None else SeatNo(by)
    events = table.ask(Eliminate(SeatNo(1), killer, Role.SHERIFF, cause))
    assert events[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


def test_nobody_is_asked_where_the_rebel_is_out_or_somebody_else() -> None:
    out = RebelTable()
    out.shoot(6)
    out.end_turns_until(2)
    assert isinstance(out.shoot(1)[-1], GameEnded)
    elsewhere = at_rebels_turn()
    elsewhere.ask(RevealRebel(REBEL))
    elsewhere.end_turns_until(2)
    assert isinstance(elsewhere.shoot(1)[-1], GameEnded)


def test_a_rebel_who_is_shown_is_not_asked(table: RebelTable) -> None:
    assert table.ask(RevealRebel(REBEL)) == (RevealRebel(REBEL),)
    assert (table.seat(6).role, table.now().sheriff) == (Role.REBEL, 1)
    assert table.shoot(1)[1:] == (RevolutionMade(REBEL, 1), TurnStarted(REBEL))


def test_the_rebel_sheriffs_fall_is_the_end(table: RebelTable) -> None:
    table.shoot(1)
    table.answer(6, is_rebel=True)
    table.end_turns_until(2)
    assert table.shoot(6)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)
    assert table.refusal(AnswerRevolution(REBEL, is_rebel=True)) is GameReason.ENDED


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (RevealRebel(SeatNo(2)), GameReason.NOT_ITS_TURN),
        (RevealRebel(SeatNo(1)), GameReason.ROLE_OF_SHERIFF),
        (RevealRebel(SeatNo(9)), GameReason.NO_SEAT),
        (AnswerRevolution(SeatNo(1), is_rebel=False), GameReason.NO_REVOLUTION_QUESTION),
    ],
)
def test_what_cannot_be_shown_is_refused(command: GameCommand, reason: GameReason) -> None:
    assert RebelTable().refusal(command) is reason


def test_a_role_that_everybody_saw_cannot_be_another_later(table: RebelTable) -> None:
    table.ask(RevealRebel(REBEL))
    assert table.refusal(RevealRebel(REBEL)) is GameReason.REBEL_KNOWN
    table.fall(2, 6)
    as_rebel = Eliminate(SeatNo(2), REBEL, Role.REBEL, Cause.PLAYER)
    assert table.refusal(as_rebel) is GameReason.ROLE_USED_UP
    as_outlaw = Eliminate(REBEL, SeatNo(2), Role.OUTLAW, Cause.PLAYER)
    assert table.refusal(as_outlaw) is GameReason.SHOWN_OTHERWISE
    table.ask(EndByTimeLimit())
    roles = (Role.SHERIFF, Role.REBEL, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW)
    assert table.refusal(DeclareRoles(roles)) is GameReason.SHOWN_OTHERWISE


def test_no_rebel_plays_where_the_option_is_off() -> None:
    table = ScriptedTable(edition("championship-2022")).begun(6)
    assert table.refusal(RevealRebel(SeatNo(1))) is GameReason.NO_REBEL


@pytest.mark.parametrize(("starter", "begins"), [("sheriff", True), ("after_sheriff", False)])
def test_high_noon_follows_the_current_sheriff(starter: str, *, begins: bool) -> None:
    table = at_rebels_turn()
    noon = table.rules.high_noon
    assert noon is not None
    table.rules = replace(table.rules, high_noon=replace(noon, starter=type(noon.starter)(starter)))
    table.reshuffle(3)
    table.shoot(1)
    events = table.answer(6, is_rebel=True)
    assert (HighNoonBegan(REBEL) in events) is begins
    table.end_turn()
    assert table.now().high_noon is HighNoon.ON


def test_undo_takes_the_revolution_back_to_the_state_before(table: RebelTable) -> None:
    table.shoot(1)
    before = table.now()
    table.answer(6, is_rebel=True)
    table.ask(Undo(1))
    assert table.now() == before
    table.answer(6, is_rebel=True)
    assert fold(table.log) == table.timeline


def test_time_that_is_over_closes_the_question(table: RebelTable) -> None:
    table.shoot(1)
    table.ask(EndByTimeLimit())
    assert (table.now().revolution_question, table.now().ending) == (None, Ending.NO_WINNER)


@pytest.mark.parametrize("killer", [OTHER_OUTLAW, REBEL])
@pytest.mark.parametrize("others", ["nobody", "hit by the same card", "in a passed turn"])
def test_when_time_is_over_before_the_rebel_is_asked_the_declared_roles_decide(
    killer: SeatNo, others: str
) -> None:
    table = RebelTable()
    if others == "in a passed turn":
        table.leave_with(seat_3=1)
        table.ask(CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), SetTurn(killer))
    else:
        table.end_turns_until(killer)
    table.fall(*((SHERIFF, OUTLAW) if others == "hit by the same card" else (SHERIFF,)))
    table.ask(Eliminate(SHERIFF, killer, Role.SHERIFF, Cause.PLAYER), EndByTimeLimit())
    assert table.now().ending is Ending.NO_WINNER
    _, result = sheet(table)
    is_rebel = killer == REBEL
    assert result.ending is (Ending.NO_WINNER if is_rebel else Ending.OUTLAWS_WIN)
    assert table.now().ending is result.ending
    assert (result.revolution is not None) is is_rebel


def test_the_rules_with_the_rebel_seat_tables_of_4_to_10() -> None:
    assert [row.players for row in rebel_rules().role_rows] == [4, 5, 6, 7, 8, 9, 10]


def test_a_rebel_who_falls_with_the_sheriff_makes_no_revolution_and_is_declared_the_rebel(
    table: RebelTable,
) -> None:
    table.fall(REBEL, 1)
    table.ask(Eliminate(REBEL, None, Role.REBEL, Cause.DYNAMITE))
    table.ask(Eliminate(SeatNo(1), REBEL, Role.SHERIFF, Cause.PLAYER))
    assert table.now().ending is Ending.OUTLAWS_WIN
    assert sheet(table)[1].revolution is None


def test_a_player_who_is_restored_leaves_the_revolution_where_it_was() -> None:
    table = RebelTable()
    table.shoot(3)
    table.revolution()
    table.ask(RestorePlayer(SeatNo(3), 2, "it was somebody else"))
    assert (table.now().phase, table.now().revolution) == (Phase.PLAYING, Revolution(REBEL, 1))
    table.shoot_enemies()
    assert table.now().ending is Ending.LAW_WINS
    assert sheet(table)[1].winners == (3, 6)


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
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.because) == (state.ending, state.because)
    assert sum(outcome.ending is ending for ending in Ending) == 1
    if outcome.ending is not Ending.NO_WINNER:
        assert set(outcome.alive) == set(in_play(state))
        assert outcome.revolution == state.revolution
        assert outcome.current_sheriff == state.sheriff
        assert outcome.winners
        assert all(winnings(game, table.rules)[seat - 1] > 0 for seat in outcome.winners)
