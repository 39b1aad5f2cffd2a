"""A draw and a publication wait for what the tables owe, or for a judge's reason."""

from core.terms import GameId, RoundNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.sheets import WaiveOwedEntries
from core.tournament.state.decision import HallFacts, OwingTable
from core.tournament.state.reasons import TournamentReason
from tests.core.tournament.conftest import Judge, seed


def played_a_round(judge: Judge) -> tuple[OwingTable, ...]:
    judge.opens(10)
    table = judge.plays_round().tables[1]
    return (OwingTable(RoundNo(1), table.table, table.game, 14),)


def test_nothing_is_drawn_or_published_while_a_table_owes(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(SealDraw(seed=seed(2)))
    assert judge.refuses(MakeDraw(hall_word="word"), HallFacts(owing=owing)) is TournamentReason.TABLES_OWE
    judge.does(MakeDraw(hall_word="word"))
    assert judge.refuses(PublishDraw(), HallFacts(owing=owing)) is TournamentReason.TABLES_OWE
    judge.does(PublishDraw())


def test_a_judge_goes_on_with_a_reason_that_is_kept(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(SealDraw(seed=seed(2)))
    (event,) = judge.does(WaiveOwedEntries(owing, " the card is broken "))
    assert event.by
    judge.does(MakeDraw(hall_word="word"), HallFacts(owing=owing))
    judge.does(PublishDraw(), HallFacts(owing=owing))
    assert judge.state.owed_waived == (owing[0].game,)


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


def test_the_word_taken_back_the_gate_is_shut_again(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(SealDraw(seed=seed(2)))
    judge.does(WaiveOwedEntries(owing, "the card is broken"))
    judge.does(UndoSteps(1, "it was found"))
    assert judge.refuses(MakeDraw(hall_word=""), HallFacts(owing=owing)) is TournamentReason.TABLES_OWE


def test_a_draw_taken_back_does_not_take_the_word_back(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(SealDraw(seed=seed(2)))
    judge.does(WaiveOwedEntries(owing, "the card is broken"))
    judge.does(MakeDraw(hall_word=""), HallFacts(owing=owing))
    judge.does(UndoSteps(1, "drawn too early"))
    judge.does(MakeDraw(hall_word=""), HallFacts(owing=owing))


def test_the_log_alone_gives_the_decision_again(judge: Judge) -> None:
    owing = played_a_round(judge)
    judge.does(WaiveOwedEntries(owing, "the card is broken"))
    assert judge.decides_again()
