"""Players who leave or are ejected, mistaken withdrawals, and the report to the publisher."""

import msgspec
import pytest
from msgspec.structs import replace

from base.errors import Refused
from base.immutable import GrowingTuple
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.game.events import StepOrigin
from core.game.state.game import Abandonment
from core.game.state.offences import Offence, is_ejected_by, offence_rule
from core.terms import MatchKind, PlayerId, RoundNo, SeatNo
from core.text.ejections import ejections, must_report, report_to_publisher
from core.text.sentence import English
from core.tournament.decisions import TournamentDecision, UndoSteps, decide
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import (
    EjectPlayer,
    ReinstatePlayer,
    WarnPlayer,
    WithdrawPlayer,
    unrecorded_departures,
)
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.decision import HallFacts
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import RecordedWarning, TournamentState
from tests.core.tournament.conftest import Judge, one_group, outlaws_won, row_of, seed

RULES = edition("championship-2022")
P1 = PlayerId("p001")
AT_TABLE = StepOrigin("terminal", "e" * 16, 7)


@pytest.fixture
def judge(rules: Edition) -> Judge:
    """A judge whose tournament has ten players."""
    return Judge(rules).opens(10)


@pytest.mark.parametrize(("warnings", "ejected"), [(0, False), (1, False), (2, True), (3, True)])
def test_s3_the_second_warning_ejects(warnings: int, *, ejected: bool) -> None:
    assert is_ejected_by(warnings) is ejected


def test_every_category_rests_on_a_printed_rule_where_the_edition_has_one() -> None:
    new, old = edition("championship-2022"), edition("championship-2010")
    assert offence_rule(Offence.SLOW_PLAY, new) == "Championship 2022/23 v1.4, 2"
    assert offence_rule(Offence.OTHER, new) == "Championship 2022/23 v1.4, 3"
    assert offence_rule(Offence.SWEARING, old) == "Championship 2010 v1.1, 2"
    assert offence_rule(Offence.SLOW_PLAY, one_group()) == ""


def test_a_warning_keeps_its_category_and_the_round(judge: Judge) -> None:
    judge.publishes()
    judge.does(WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY))
    assert judge.state.entrants[0].warnings == (
        RecordedWarning("five minutes a turn", Offence.SLOW_PLAY, RoundNo(1)),
    )
    _, ejected = judge.does(WarnPlayer(P1, "swore", offence=Offence.SWEARING))
    assert isinstance(ejected, EjectPlayer)
    assert (ejected.automatic, ejected.offence) == (True, Offence.SWEARING)
    assert judge.decides_again()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        pytest.param(
            RULES,
            (
                "Category: Cheating (Championship 2022/23 v1.4, 2)",
                "Reason: marked cards",
                "Warning: five minutes a turn – Slow play (Championship 2022/23 v1.4, 2), round 1",
            ),
            id="championship",
        ),
        pytest.param(
            one_group(),
            ("During or after game 1.", "five minutes a turn – Slow play, game 1"),
            id="one group",
        ),
    ],
)
def test_the_report_names_category_rule_and_round_or_game(rules: Edition, said: tuple[str, ...]) -> None:
    judge = Judge(rules).opens(10 if rules is RULES else 5)
    judge.publishes()
    judge.does(WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY))
    judge.does(EjectPlayer(P1, "marked cards", offence=Offence.CHEATING))
    letter = report_to_publisher(judge.state, judge.rules, English())
    assert letter.subject == "Players ejected from Open, 2026-11-20"
    for words in said:
        assert words in letter.body


def test_logs_from_before_categories_are_read_and_decided_as_they_were(judge: Judge) -> None:
    old = b'{"event":"player-warned","player":"p001","reason":"slow play","by":"Roy"}'
    event = msgspec.json.decode(old, type=TournamentDecision)
    assert event == WarnPlayer(P1, "slow play", "Roy")
    assert decide(judge.state, event, judge.rules, "Roy") == (event,)
    ejected = (
        b'{"event":"player-ejected","player":"p001","reason":"x","by":"Roy",'
        b'"automatic":false,"during":null,"rounds_planned":null}'
    )
    assert msgspec.json.decode(ejected, type=TournamentDecision) == EjectPlayer(P1, "x", "Roy")


def test_a_warning_at_a_table_is_recorded_once_even_after_it_was_taken_back(judge: Judge) -> None:
    command = WarnPlayer(P1, "five minutes a turn", offence=Offence.SLOW_PLAY, origin=AT_TABLE)
    judge.does(command)
    assert judge.state.warnings_taken == (AT_TABLE,)
    judge.does(UndoSteps(1, "wrong player"))
    assert judge.state.entrants[0].warnings == ()
    assert judge.refuses(command) is TournamentReason.WARNING_TAKEN


def test_a_warning_at_a_table_of_somebody_already_out_is_kept_and_ejects_nobody(judge: Judge) -> None:
    judge.does(EjectPlayer(P1, "marked cards", offence=Offence.CHEATING))
    (event,) = judge.does(WarnPlayer(P1, "shouted", offence=Offence.OFFENDED, origin=AT_TABLE))
    assert isinstance(event, WarnPlayer)
    assert len(judge.state.entrants[0].warnings) == 1
    assert judge.refuses(WarnPlayer(P1, "again", offence=Offence.OTHER)) is TournamentReason.PLAYER_IS_OUT


def still_in(state: TournamentState) -> tuple[PlayerId, ...]:
    return tuple(leaver.player for leaver in unrecorded_departures(state))


def seat_2_left(round_no: Round, table: DrawnTable) -> FinishedGame:
    left = (Abandonment(SeatNo(2), 0),) if table.table == 1 else ()
    return replace(outlaws_won(round_no, table), abandonments=left)


def test_nobody_draws_before_who_left_is_withdrawn() -> None:
    judge = Judge(RULES).opens(12)
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


def test_an_undo_or_a_correction_takes_the_question_back_but_no_withdrawal() -> None:
    judge = Judge(RULES).opens(10)
    drawn = judge.plays_round(seat_2_left)
    table = drawn.tables[0]
    assert still_in(judge.state)
    judge.does(UndoSteps(2, "wrong table"))
    assert still_in(judge.state) == ()
    for played in drawn.tables:
        judge.accepts(played, seat_2_left)
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
    (leaver,) = unrecorded_departures(judge.state)
    assert (leaver.round, leaver.table, leaver.ejected) == (1, 1, False)
    publish = PublishRoundsRanking if judge.state.with_finals else PublishRanking
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(publish(), HallFacts(left=(leaver.player,)))
    judge.does(WithdrawPlayer(leaver.player, "left at table 1"))
    assert unrecorded_departures(judge.state) == ()
    row = row_of(rounds_standings(judge.state, edition(key)), leaver.player)
    assert row.withdrawn
    assert not row.bonus


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
    with pytest.raises(Refused, match="Left or ejected at the table"):
        judge.does(BeginDuels(kind=MatchKind.LONG_DUEL), HallFacts(left=judge.finals.finalists[:1]))


ANN = PlayerId("p003")
BACK = ReinstatePlayer(ANN, "it was her brother")


def test_a_withdrawal_is_taken_back_with_a_reason(judge: Judge) -> None:
    judge.plays_round()
    before = judge.state
    judge.does(WithdrawPlayer(ANN, "gone"))
    assert judge.refuses(ReinstatePlayer(ANN, " ")) is TournamentReason.EMPTY_REASON
    judge.does(BACK)
    assert judge.decides_again()
    assert judge.state.entrants == before.entrants
    assert ANN in {player for table in judge.plays_round().tables for player in table.players}


def test_who_missed_a_round_stays_out(rules: Edition) -> None:
    judge = Judge(rules).opens(11)
    judge.plays_round()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.plays_round()
    assert judge.refuses(BACK) is TournamentReason.MISSED_A_ROUND


def test_before_the_first_round_and_during_a_game(judge: Judge) -> None:
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.does(BACK)
    drawn = judge.publishes()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.does(BACK)
    for table in drawn.tables:
        judge.accepts(table)
    assert len(judge.plays_round().tables) == 2


def test_only_a_withdrawal_is_taken_back(judge: Judge) -> None:
    assert judge.refuses(BACK) is TournamentReason.NOT_WITHDRAWN
    judge.does(EjectPlayer(ANN, "looked at hands"))
    assert judge.refuses(BACK) is TournamentReason.NOT_WITHDRAWN


def test_a_draft_without_the_player_is_drawn_again(rules: Edition) -> None:
    judge = Judge(rules).opens(12)
    judge.plays_round()
    judge.does(WithdrawPlayer(ANN, "gone"))
    judge.draws_tables()
    judge.does(BACK)
    assert judge.refuses(PublishDraw()) is TournamentReason.DRAW_IS_STALE


def test_only_ejected_players_are_reported_with_reason_and_warnings() -> None:
    judge = Judge(RULES).opens(10)
    first, second = (entrant.player for entrant in judge.state.entrants[:2])
    judge.does(EjectPlayer(first, "marked cards"))
    judge.does(WithdrawPlayer(second, "train"))
    (ejection,) = ejections(judge.state)
    assert ejection.reason == "marked cards"
    letter = report_to_publisher(judge.state, RULES, English()).letter(English())
    assert "To: organizedplay@dvgames.com" in letter
    assert "Reason: marked cards" in letter
    assert "train" not in letter


def test_an_ejection_that_only_the_table_recorded_is_reported_without_a_reason() -> None:
    judge = Judge(RULES).opens(10)
    drawn = judge.publishes()
    judge.accepts(drawn.tables[0])
    sheet = judge.state.rounds[0].sheets[0]
    left = replace(sheet.result, abandonments=(Abandonment(SeatNo(2), 0, ejected=True),))
    changed = replace(judge.state.rounds[0], sheets=GrowingTuple([replace(sheet, result=left)]))
    state = replace(judge.state, rounds=(changed,))
    (ejection,) = ejections(state)
    assert (ejection.round, ejection.table) == (1, drawn.tables[0].table)
    letter = report_to_publisher(state, RULES, English()).letter(English())
    assert "Reason: not recorded; please add it" in letter
    assert "During the game at table 1 (round 1)." in letter


def test_only_the_championships_ask_for_a_report() -> None:
    assert must_report(RULES)
    assert not must_report(edition("official-2003"))
    report = report_to_publisher(Judge(RULES).opens(10).state, RULES, English())
    assert "Nobody was ejected." in report.body
