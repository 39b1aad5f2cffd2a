"""Agreement with an ending changes no result; whoever has left is not asked."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectElimination
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.finished_game import finished_game
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    WaiveAgreement,
    WithdrawAgreement,
    awaited_seats,
    seats_to_agree,
)
from core.game.ending.winnings import winnings
from core.game.events import GameStep
from core.game.play.abandonment import Abandon
from core.game.state.decisions import Undo
from core.game.state.game import Agreement, CallReason, Confirmation, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import Timeline, extend, fold, undoable
from core.rule_set import AgreementForm
from core.terms import Ending, SeatNo
from tests.core.game.conftest import ROLES, MakeGame, ScriptedTable

RULES = edition("championship-2022")
SEATS = st.integers(1, 5).map(SeatNo)
WORDS: st.SearchStrategy[GameCommand] = st.one_of(
    st.builds(AgreeEnding, SEATS),
    st.builds(AgreeEnding, SEATS),
    st.builds(WithdrawAgreement, SEATS),
    st.builds(DisputeEnding, SEATS),
    st.builds(WaiveAgreement, SEATS),
    st.just(CallJudge()),
    st.just(AnswerJudgeCall()),
    st.just(DeclareRoles(ROLES[5])),
)
ONE, TWO, THREE, FOUR, FIVE = map(SeatNo, range(1, 6))


def ended(table: ScriptedTable) -> ScriptedTable:
    """The Sheriff falls after a Deputy, with seat 4 gone."""
    table.kill(3)
    table.ask(Abandon(FOUR))
    table.kill(1, by=2)
    assert table.now().phase is Phase.ENDED
    return table


def test_one_player_agrees_for_all_where_the_organiser_allows_it(rules: Edition) -> None:
    table = ended(ScriptedTable(rules).begun(5, agreement=AgreementForm.ONE_FOR_ALL))
    table.ask(AgreeEnding(THREE))
    assert awaited_seats(table.now()) == ()
    table.ask(DisputeEnding(FIVE))
    assert awaited_seats(table.now()) == (FIVE,)
    assert table.refusal(DeclareRoles(ROLES[5])) is GameReason.DISPUTED
    table.ask(WithdrawAgreement(FIVE))
    table.declare()


def test_the_sheriff_and_one_other_agree_for_all(rules: Edition) -> None:
    table = ended(ScriptedTable(rules).begun(5, agreement=AgreementForm.SHERIFF_AND_ONE))
    table.ask(AgreeEnding(TWO))
    assert awaited_seats(table.now()) == (ONE,)
    table.ask(WithdrawAgreement(TWO), AgreeEnding(ONE))
    assert awaited_seats(table.now()) == (TWO, THREE, FIVE)
    table.ask(AgreeEnding(FIVE))
    assert awaited_seats(table.now()) == ()


def test_who_was_eliminated_is_asked_and_who_left_is_not(make_game: MakeGame) -> None:
    table = ended(make_game(5))
    assert seats_to_agree(table.now()) == awaited_seats(table.now()) == (ONE, TWO, THREE, FIVE)
    assert table.refusal(AgreeEnding(FOUR)) is GameReason.NOT_ASKED
    table.ask(*(AgreeEnding(seat) for seat in (ONE, TWO, THREE)))
    assert awaited_seats(table.now()) == (FIVE,)
    table.ask(AgreeEnding(FIVE))
    assert awaited_seats(table.now()) == ()


def test_a_dispute_calls_the_judge_and_bars_the_roles_until_it_is_settled(make_game: MakeGame) -> None:
    table = ended(make_game(5))
    table.ask(DisputeEnding(TWO))
    assert (table.now().judge_called, table.now().call_reason) == (True, CallReason.DISPUTE)
    assert table.refusal(DeclareRoles(ROLES[5])) is GameReason.DISPUTED
    assert table.refusal(DisputeEnding(TWO)) is GameReason.DISPUTED_ALREADY
    table.ask(AgreeEnding(TWO))
    assert table.now().agreement == Agreement(agreed=(TWO,))
    table.declare()


def test_the_judge_goes_on_without_somebody_and_the_dispute_stays_on_record(make_game: MakeGame) -> None:
    table = ended(make_game(5))
    table.ask(DisputeEnding(TWO), WaiveAgreement(TWO), WaiveAgreement(FIVE))
    assert table.now().agreement == Agreement(disputed=(TWO,), waived=(TWO, FIVE))
    assert awaited_seats(table.now()) == (ONE, THREE)
    table.declare()
    assert table.now().agreement.disputed == (TWO,)


def test_the_station_confirms_from_paper_also_where_somebody_disputes(make_game: MakeGame) -> None:
    table = ended(make_game(5))
    table.ask(DisputeEnding(TWO), ConfirmSheet(Confirmation.STATION))
    assert table.now().phase is Phase.CONFIRMED


@pytest.mark.parametrize("how", [TimeLimit.NO_WINNER, TimeLimit.JUDGE])
def test_nobody_is_asked_about_a_judges_ruling(table: ScriptedTable, how: TimeLimit) -> None:
    table.ask(EndByTimeLimit(how, Ending.LAW_WINS, "seen by all"))
    assert awaited_seats(table.now()) == ()
    assert table.refusal(DisputeEnding(TWO)) is GameReason.NOT_ASKED


def test_nobody_is_asked_while_the_game_runs_or_after_the_roles(table: ScriptedTable) -> None:
    assert table.refusal(AgreeEnding(TWO)) is GameReason.RUNNING
    ended(table).declare()
    assert awaited_seats(table.now()) == ()
    assert table.refusal(AgreeEnding(TWO)) is GameReason.ENDED


def test_a_change_of_the_game_takes_all_agreements_away(make_game: MakeGame) -> None:
    table = ended(make_game(5))
    table.ask(*(AgreeEnding(seat) for seat in (ONE, TWO)), DisputeEnding(FIVE))
    correction = CorrectElimination(THREE, FIVE, table.now().eliminations[0].cause, ROLES[5][2], "seen")
    table.ask(correction)
    assert table.now().agreement == Agreement()
    table.ask(Undo(1))
    assert table.now().agreement == Agreement((ONE, TWO), (FIVE,))


def decide_or_none(timeline: Timeline, command: GameCommand) -> GameStep | None:
    state, may_undo = timeline.state, undoable(timeline)
    if why_not(state, command, RULES, may_undo=may_undo) is not None:
        return None
    return GameStep(state.game, decide(state, command, RULES, may_undo=may_undo))


def without_words(state: GameState) -> tuple[object, ...]:
    return state.seats, state.eliminations, state.ending, state.because, state.phase, state.turns


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.lists(WORDS, max_size=20))
def test_words_on_an_ending_change_no_winnings_and_are_taken_back_step_by_step(
    words: list[GameCommand],
) -> None:
    table = ended(ScriptedTable(RULES).begun(5))
    assert table.timeline is not None
    timeline, log = table.timeline, list(table.log)
    plain = ScriptedTable(RULES).begun(5)
    ended(plain).declare()
    for command in words:
        step = decide_or_none(timeline, command)
        if step is None:
            continue
        before, timeline = timeline, extend(timeline, step)
        log.append(step)
        if not isinstance(command, DeclareRoles):
            assert without_words(timeline.state) == without_words(before.state)
        if len(timeline.moments) > len(before.moments):
            back = decide_or_none(timeline, Undo(1))
            assert back is not None
            restored = extend(timeline, back).state
            assert restored.agreement == before.state.agreement
            assert without_words(restored) == without_words(before.state)
    assert fold(log) == timeline
    if timeline.state.phase is Phase.SHEET:
        assert finished_game(timeline.state) == finished_game(plain.now())
        assert winnings(finished_game(timeline.state), RULES) == winnings(finished_game(plain.now()), RULES)
