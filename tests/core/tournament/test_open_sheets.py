"""The gate before the next draw: open record sheets and missing entries hold it up or are waived."""

import msgspec
import pytest

from core.editions.edition import Edition
from core.terms import GameId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.sheets import AcceptSheet, DisputeSheet, SettleDispute, WaiveOpenSheets, WaiveOwedEntries
from core.tournament.standings.ranking import DrawLots
from core.tournament.state.decision import DisputedTable, HallFacts, OpenSheet, OwingTable
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Redraw, Source
from core.tournament.state.tournament import Stage, Waivers
from tests.core.tournament.conftest import Judge, outlaws_won, seed


@pytest.fixture
def judge(rules: Edition) -> Judge:
    """A judge whose tournament has ten players."""
    return Judge(rules).opens(10)


def test_a_redraw_asks_for_a_reason_and_the_first_draw_does_not(judge: Judge) -> None:
    judge.does(SealDraw(seed=seed(1), reason=""))
    judge.does(MakeDraw())
    assert judge.refuses(SealDraw(seed=seed(2), reason=" ")) is TournamentReason.EMPTY_REASON
    judge.does(SealDraw(seed=seed(2), reason=" a late player "))
    assert judge.state.redraws == (Redraw(RoundNo(1), 2, "a late player"),)
    judge.does(MakeDraw())
    judge.does(PublishDraw())
    judge.does(UndoSteps(3, "wrong list"))
    assert judge.state.redraws_of(RoundNo(1)) == (Redraw(RoundNo(1), 2, "a late player"),)
    judge.does(SealDraw(seed=seed(3), reason="wrong list"))
    assert [redraw.attempt for redraw in judge.state.redraws_of(RoundNo(1))] == [2, 3]
    assert judge.state.redraws_of(RoundNo(2)) == ()


def test_older_logs_without_a_reason_are_read_and_decided_as_they_were(judge: Judge) -> None:
    judge.draws_tables()
    (sealed,) = judge.does(SealDraw(seed=seed("again")))
    assert b"reason" not in msgspec.json.encode(sealed)
    old = msgspec.json.decode(msgspec.json.encode(sealed), type=TournamentDecision)
    assert old == sealed
    assert judge.decides_again()
    assert judge.state.redraws == (Redraw(RoundNo(1), 2, ""),)
    assert isinstance(sealed, SealDraw)


def played_but_for_one_sheet(judge: Judge) -> OpenSheet:
    first, second = judge.publishes().tables
    judge.accepts(first)
    return OpenSheet(RoundNo(1), second.table, second.game)


def test_a_missing_sheet_holds_up_the_draw_until_a_judge_says_why_it_does_not(judge: Judge) -> None:
    missing = played_but_for_one_sheet(judge)
    assert judge.refuses(SealDraw(seed=seed(2))) is TournamentReason.ROUND_RUNS
    assert judge.refuses(WaiveOpenSheets((missing,), " ")) is TournamentReason.EMPTY_REASON
    accepted = judge.state.published_rounds[0].tables[0]
    done = OpenSheet(RoundNo(1), accepted.table, accepted.game)
    assert judge.refuses(WaiveOpenSheets((done,), "why")) is TournamentReason.NOTHING_OPEN
    (waived,) = judge.does(WaiveOpenSheets((missing, done), "the sheet is lost"))
    assert waived == WaiveOpenSheets((missing,), "the sheet is lost", "Judge Roy")
    assert judge.decides_again()
    assert judge.refuses(WaiveOpenSheets((missing,), "again")) is TournamentReason.NOTHING_OPEN
    judge.publishes()
    assert judge.stage() is Stage.PLAYING
    assert judge.state.missing_sheets[0][1].game == missing.game


def test_the_missing_sheet_is_entered_afterwards_and_counts(judge: Judge) -> None:
    missing = played_but_for_one_sheet(judge)
    judge.does(WaiveOpenSheets((missing,), "the sheet is lost"))
    for table in judge.publishes().tables:
        judge.accepts(table)
    first = judge.state.published_rounds[0]
    late = next(table for table in first.tables if table.game == missing.game)
    judge.does(AcceptSheet(late.game, outlaws_won(first, late), Source.PAPER))
    assert judge.state.missing_sheets == ()
    assert judge.state.sheets_waived == ()
    assert judge.stage() is Stage.BETWEEN


def test_no_ranking_without_the_sheet_that_a_draw_went_on_without(rules: Edition) -> None:
    judge = Judge(rules).opens(10, Waivers(rounds=2))
    first = judge.publishes()
    judge.accepts(first.tables[0])
    left_out = first.tables[1]
    judge.does(WaiveOpenSheets((OpenSheet(RoundNo(1), left_out.table, left_out.game),), "lost"))
    judge.plays_round()
    assert judge.stage() is Stage.BETWEEN
    assert judge.refuses(DrawLots(seed("lots"))) is TournamentReason.SHEETS_MISSING
    assert judge.refuses(SealDraw(seed=seed("more"))) is TournamentReason.ALL_ROUNDS_PLAYED
    judge.does(AcceptSheet(left_out.game, outlaws_won(first, left_out), Source.PAPER))
    assert judge.stage() is Stage.FINISHED


def test_a_disputed_sheet_holds_up_every_step_of_the_draw(judge: Judge) -> None:
    table = judge.plays_round().tables[1]
    judge.does(DisputeSheet(table.game, "who shot whom?"))
    disputed = (DisputedTable(RoundNo(1), table.table),)
    held_up = TournamentReason.DISPUTES_HOLD_UP
    assert judge.refuses(SealDraw(seed=seed(2)), HallFacts(disputed=disputed)) is held_up
    judge.does(SealDraw(seed=seed(2)))
    assert judge.refuses(MakeDraw(), HallFacts(disputed=disputed)) is held_up
    judge.does(MakeDraw())
    assert judge.refuses(PublishDraw(), HallFacts(disputed=disputed)) is held_up
    open_sheet = OpenSheet(RoundNo(1), table.table, table.game, is_disputed=True)
    judge.does(WaiveOpenSheets((open_sheet,), "it changes no seat"))
    judge.does(PublishDraw(), HallFacts(disputed=disputed))


def test_a_sheet_doubted_again_is_asked_about_again(judge: Judge) -> None:
    table = judge.plays_round().tables[1]
    open_sheet = OpenSheet(RoundNo(1), table.table, table.game, is_disputed=True)
    judge.does(DisputeSheet(table.game, "who shot whom?"))
    judge.does(WaiveOpenSheets((open_sheet,), "later"))
    judge.does(SettleDispute(table.game, "it was Ada"))
    judge.does(DisputeSheet(table.game, "it was not"))
    disputed = (DisputedTable(RoundNo(1), table.table),)
    held_up = judge.refuses(SealDraw(seed=seed(2)), HallFacts(disputed=disputed))
    assert held_up is TournamentReason.DISPUTES_HOLD_UP


def played_a_round(judge: Judge) -> tuple[OwingTable, ...]:
    table = judge.plays_round().tables[1]
    return (OwingTable(RoundNo(1), table.table, table.game, 14),)


def test_nothing_is_drawn_or_published_while_a_table_owes_unless_a_judge_goes_on_with_a_reason(
    judge: Judge,
) -> None:
    owing = played_a_round(judge)
    hall = HallFacts(owing=owing)
    judge.does(SealDraw(seed=seed(2)))
    assert judge.refuses(MakeDraw(hall_word="word"), hall) is TournamentReason.TABLES_OWE
    judge.does(MakeDraw(hall_word="word"))
    assert judge.refuses(PublishDraw(), hall) is TournamentReason.TABLES_OWE
    judge.does(UndoSteps(1, "a table owes"))
    (event,) = judge.does(WaiveOwedEntries(owing, " the card is broken "))
    assert event.by
    judge.does(MakeDraw(hall_word="word"), hall)
    judge.does(UndoSteps(1, "drawn too early"))  # the word holds
    judge.does(MakeDraw(hall_word="word"), hall)
    judge.does(PublishDraw(), hall)
    assert judge.state.owed_waived == (owing[0].game,)
    assert judge.decides_again()


def test_the_word_taken_back_the_gate_is_shut_again(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(SealDraw(seed=seed(2)))
    judge.does(WaiveOwedEntries(owing, "the card is broken"))
    judge.does(UndoSteps(1, "it was found"))
    assert judge.refuses(MakeDraw(hall_word=""), HallFacts(owing=owing)) is TournamentReason.TABLES_OWE


def test_the_word_holds_for_the_tables_it_names_and_no_others(judge: Judge) -> None:
    owing = played_a_round(judge)
    other = judge.state.published_rounds[0].tables[0]
    judge.does(WaiveOwedEntries(owing, "the card is broken"))
    judge.does(SealDraw(seed=seed(2)))
    both = (*owing, OwingTable(RoundNo(1), other.table, other.game, None))
    assert judge.refuses(MakeDraw(hall_word=""), HallFacts(owing=both)) is TournamentReason.TABLES_OWE


def test_going_on_needs_a_reason_a_table_and_a_published_game(judge: Judge) -> None:
    owing = played_a_round(judge)
    assert judge.refuses(WaiveOwedEntries(owing, "  ")) is TournamentReason.EMPTY_REASON
    assert judge.refuses(WaiveOwedEntries((), "why")) is TournamentReason.NOTHING_OWED
    strange = (OwingTable(RoundNo(1), TableNo(9), GameId("elsewhere"), 1),)
    assert judge.refuses(WaiveOwedEntries(strange, "why")) is TournamentReason.UNKNOWN_GAME
    judge.does(WaiveOwedEntries(owing, "why"))
    assert judge.refuses(WaiveOwedEntries(owing, "again")) is TournamentReason.NOTHING_OWED
