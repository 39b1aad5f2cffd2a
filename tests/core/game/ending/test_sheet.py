"""The end of a game: the judge, agreement with the ending, the record sheet, results from paper."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectElimination
from core.game.decide import GameCommand, why_not
from core.game.ending.finished_game import FinishedGame, check_finished, finished_game
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.record_sheet import Fate, record_sheet
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    VoidGame,
    WaiveAgreement,
    WithdrawAgreement,
    awaited_seats,
    seats_to_agree,
)
from core.game.ending.winnings import winnings
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.state.decisions import Redo, Undo
from core.game.state.game import (
    Abandonment,
    Agreement,
    Because,
    CallReason,
    Cause,
    Confirmation,
    Elimination,
    GameState,
    Phase,
)
from core.game.state.offences import Offence
from core.game.state.reasons import GameReason
from core.game.timeline import fold, undoable
from core.rule_set import AgreementForm
from core.terms import Ending, PlayerId, Role, SeatNo
from tests.core.game.conftest import ROLES, D, MakeGame, O, R, S, ScriptedTable, refused

PIN = ConfirmSheet(Confirmation.PIN)


def duel_lost(make_game: MakeGame) -> ScriptedTable:
    """Deputy and Outlaws out, then the Renegade loses the final duel; seat 4 had left."""
    table = make_game()
    table.kill(3, by=4)
    table.ask(Abandon(SeatNo(4)))
    table.kill(2)
    table.kill(4, by=5)
    table.kill(5)
    return table


def test_s1_1_roles_then_the_judge_closes_the_sheet(make_game: MakeGame) -> None:
    table = duel_lost(make_game)
    assert table.refusal(PIN) is GameReason.ROLES_NOT_DECLARED
    table.declare()
    table.declare()
    assert table.now().phase is Phase.SHEET
    table.ask(PIN)
    assert (table.now().phase, table.now().confirmed) == (Phase.CONFIRMED, Confirmation.PIN)
    for command in (PIN, DeclareRoles(ROLES[5]), CallJudge(), EndTurn()):
        assert table.refusal(command) is GameReason.CONFIRMED


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        ((S, O, D, O), GameReason.ROLES_BY_SEAT),
        ((D, O, S, O, R), GameReason.ROLE_OF_SHERIFF),
        ((S, O, D, D, R), GameReason.ROLES_DO_NOT_FIT),
        ((S, O, R, O, D), GameReason.SHOWN_OTHERWISE),
    ],
)
def test_declared_roles_agree_with_the_table_and_with_what_was_shown(
    make_game: MakeGame, roles: tuple[Role, ...], reason: GameReason
) -> None:
    assert duel_lost(make_game).refusal(DeclareRoles(roles)) is reason


def test_roles_are_declared_after_the_end_only(table: ScriptedTable) -> None:
    assert table.refusal(DeclareRoles(ROLES[5])) is GameReason.RUNNING
    assert table.refusal(PIN) is GameReason.RUNNING
    with pytest.raises(Refused):
        finished_game(table.now())


def test_s1_3_the_time_limit_ends_a_game_without_a_winner(table: ScriptedTable, rules: Edition) -> None:
    table.kill(2)
    table.fall(4)
    table.ask(EndByTimeLimit())
    assert (table.now().ending, table.now().because) == (Ending.NO_WINNER, Because.TIME_LIMIT)
    assert table.now().pending == ()
    table.declare()
    assert winnings(finished_game(table.now()), rules) == (0, 0, 0, 0, 0)


def test_the_station_may_confirm_a_game_that_it_has_on_paper(table: ScriptedTable) -> None:
    table.ask(ConfirmSheet(Confirmation.STATION), order=7)
    assert table.now().phase is Phase.CONFIRMED
    with pytest.raises(Refused):
        finished_game(table.now())


def test_a_game_is_taken_back_once(table: ScriptedTable) -> None:
    table.fall(2)
    table.ask(VoidGame("wrong draw"))
    assert (table.now().phase, table.now().pending) == (Phase.VOIDED, ())
    assert table.refusal(VoidGame("again")) is GameReason.VOIDED
    assert table.refusal(PIN) is GameReason.VOIDED


def test_a_call_may_be_given_a_reason_as_long_as_it_is_open(table: ScriptedTable) -> None:
    dispute, rule = GiveCallReason(CallReason.DISPUTE), GiveCallReason(CallReason.RULE)
    for early in (rule, AnswerJudgeCall()):
        assert table.refusal(early) is GameReason.JUDGE_NOT_CALLED
    assert table.ask(CallJudge()) == (CallJudge(),)
    assert table.refusal(CallJudge()) is GameReason.JUDGE_CALLED
    assert table.now().call_reason is None
    assert table.ask(dispute, rule) == (GiveCallReason(CallReason.RULE),)
    assert (table.now().judge_called, table.now().call_reason) == (True, CallReason.RULE)
    assert table.ask(AnswerJudgeCall()) == (AnswerJudgeCall(),)
    assert table.now().call_reason is None
    table.ask(CallJudge())
    assert table.now().call_reason is None


def test_a_record_sheet_says_why_each_amount(make_game: MakeGame, rules: Edition) -> None:
    table = duel_lost(make_game)
    table.declare()
    sheet = record_sheet(finished_game(table.now()), rules)
    assert (sheet.ending, sheet.source) == (Ending.LAW_WINS, rules.source)
    assert [(line.role, line.fate, line.by, line.won, line.winnings) for line in sheet.lines] == [
        (S, Fate.ALIVE, None, True, 1200),
        (O, Fate.ELIMINATED, 1, False, 0),
        (D, Fate.ELIMINATED, 4, True, 1200),
        (O, Fate.LEFT_AND_ELIMINATED, 5, False, 0),
        (R, Fate.ELIMINATED, 1, False, 250),
    ]
    renegade = sheet.lines[4]
    assert renegade.final_duel_lost
    assert renegade.reason.printed == "Renegade eliminated last, by the Sheriff"
    assert renegade.reason.because is Because.NO_OUTLAW_OR_RENEGADE_LEFT
    assert winnings(finished_game(table.now()), rules) == tuple(line.winnings for line in sheet.lines)


@pytest.mark.parametrize(
    ("ejected", "fates"),
    [(False, [Fate.LEFT_AND_ELIMINATED, Fate.PASSIVE]), (True, ["ejected, then eliminated", "ejected"])],
)
def test_who_left_or_was_ejected_reads_so_and_is_paid_normally(
    table: ScriptedTable, rules: Edition, fates: list[object], *, ejected: bool
) -> None:
    for seat in (3, 4):
        table.ask(Abandon(SeatNo(seat), ejected=ejected, offence=Offence.SEEN_HAND, reason="cards"))
    table.kill(3, 1, by=2)
    table.declare()
    lines = record_sheet(finished_game(table.now()), rules).lines
    assert [line.fate for line in lines[2:4]] == [Fate(fate) for fate in fates]
    assert lines[3].winnings == 1800


def out(seat: int, by: int | None, effect: int, role: Role, cause: Cause = Cause.PLAYER) -> Elimination:
    eliminator = None if by is None else SeatNo(by)
    return Elimination(SeatNo(seat), eliminator, SeatNo(1), effect, cause, role)


Change = Callable[[FinishedGame], FinishedGame]


def with_eliminations(*eliminations: Elimination) -> Change:
    return lambda game: msgspec.structs.replace(game, eliminations=eliminations)


def with_fields(**fields: object) -> Change:
    return lambda game: msgspec.structs.replace(game, **fields)


OUT_2, OUT_4, OUT_5 = out(2, 1, 1, O), out(4, 3, 2, O), out(5, 1, 3, R)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (with_fields(players=(PlayerId("a"), PlayerId("b"))), GameReason.TABLE_SIZE),
        (with_fields(players=tuple(map(PlayerId, "abcda"))), GameReason.SEATED_TWICE),
        (with_fields(roles=(S, O, D, O, O)), GameReason.ROLES_DO_NOT_FIT),
        (with_fields(turns_played=(1, 2)), GameReason.TURNS_PLAYED),
        (with_fields(turns_played=(1, 2, 3, 4, -5)), GameReason.TURNS_PLAYED),
        (with_fields(ending=Ending.OUTLAWS_WIN), GameReason.SHERIFF_IN_PLAY),
        (with_fields(ending=Ending.NO_WINNER), GameReason.ENDING_DIFFERS),
        (with_eliminations(OUT_2, OUT_4), GameReason.RENEGADE_IN_PLAY),
        (with_eliminations(OUT_2), GameReason.OUTLAW_IN_PLAY),
        (with_eliminations(out(1, 2, 1, S)), GameReason.LAW_WITHOUT_SHERIFF),
        (with_fields(ending=Ending.RENEGADE_WINS), GameReason.NO_RENEGADE_LEFT),
        (
            with_fields(ending=Ending.RENEGADE_WINS, eliminations=(OUT_2, OUT_4)),
            GameReason.RENEGADE_NOT_ALONE,
        ),
        (with_eliminations(OUT_2, OUT_4, OUT_5, out(3, 1, 4, D)), GameReason.AFTER_THE_END),
        (with_eliminations(OUT_2, out(2, 3, 2, O), OUT_5), GameReason.ELIMINATED_TWICE),
        (with_eliminations(OUT_2, out(4, 2, 2, O), OUT_5), GameReason.BY_SOMEBODY_OUT),
        (with_eliminations(OUT_2, out(4, 4, 2, O), OUT_5), GameReason.BY_ONESELF),
        (with_eliminations(OUT_2, out(4, 1, 2, O, Cause.HIGH_NOON), OUT_5), GameReason.BY_NOBODY),
        (with_eliminations(OUT_2, out(4, 8, 2, O), OUT_5), GameReason.NO_SEAT),
        (with_eliminations(OUT_2, out(0, 1, 2, O), OUT_5), GameReason.NO_SEAT),
        (with_eliminations(OUT_2, out(4, 1, 2, D), OUT_5), GameReason.SHOWN_OTHERWISE),
        (with_eliminations(OUT_2, out(4, 1, 3, O), OUT_5), GameReason.EFFECTS_OUT_OF_ORDER),
        (with_eliminations(out(2, 1, 0, O), OUT_4, OUT_5), GameReason.EFFECTS_OUT_OF_ORDER),
        (with_fields(abandonments=(Abandonment(SeatNo(3), 4),)), GameReason.ABANDONED_WHEN),
        (with_fields(abandonments=(Abandonment(SeatNo(4), 2),)), GameReason.ABANDONED_WHEN_OUT),
        (with_fields(abandonments=(Abandonment(SeatNo(9), 0),)), GameReason.NO_SEAT),
        (with_fields(abandonments=(Abandonment(SeatNo(4), 0),) * 2), GameReason.ABANDONED_TWICE),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_the_reason(
    table: ScriptedTable, rules: Edition, change: Change, reason: GameReason
) -> None:
    table.kill(2, 4, 5)
    table.declare()
    game = msgspec.structs.replace(finished_game(table.now()), eliminations=(OUT_2, OUT_4, OUT_5))
    assert check_finished(game, rules).ending is Ending.LAW_WINS
    assert refused(check_finished, change(game), rules) is reason


def test_on_paper_nobody_may_know_who_did_it(table: ScriptedTable, rules: Edition) -> None:
    table.kill(1, by=2)
    table.declare()
    game = finished_game(table.now())
    unknown = with_eliminations(msgspec.structs.replace(game.eliminations[0], by=None))(game)
    assert check_finished(unknown, rules).winners == (2, 4)


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


def without_words(state: GameState) -> tuple[object, ...]:
    return state.seats, state.eliminations, state.ending, state.because, state.phase, state.turns


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.lists(WORDS, max_size=20))
def test_words_on_an_ending_change_no_winnings_and_are_taken_back_step_by_step(
    words: list[GameCommand],
) -> None:
    table, plain = (ended(ScriptedTable(RULES).begun(5)) for _ in range(2))
    plain.declare()
    for command in words:
        before = table.timeline
        assert before is not None
        if why_not(before.state, command, RULES, may_undo=undoable(before)) is not None:
            continue
        table.ask(command)
        now, done = table.now(), table.timeline
        if not isinstance(command, DeclareRoles):
            assert without_words(now) == without_words(before.state)
        if done is not None and len(done.moments) > len(before.moments):
            table.ask(Undo(1))
            assert table.now().agreement == before.state.agreement
            assert without_words(table.now()) == without_words(before.state)
            table.ask(Redo())
            assert table.now() == now
    assert fold(table.log) == table.timeline
    if table.now().phase is Phase.SHEET:
        assert finished_game(table.now()) == finished_game(plain.now())
        assert winnings(finished_game(table.now()), RULES) == winnings(finished_game(plain.now()), RULES)
