"""A proof pack in which a judge went on without entries that a table owed."""

from core.terms import RoundNo
from core.tournament.decisions import UndoSteps
from core.tournament.sheets import WaiveOwedEntries
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.decision import HallFacts, OwingTable
from tests.core.cli.conftest import game_lines, pack_of, whole_tournament
from tests.core.proof.test_verify import problems, respelt


def test_going_on_is_decided_again_and_a_forged_one_is_found() -> None:
    judge, steps = whole_tournament()
    table = judge.state.published_rounds[0].tables[1]
    owing = (OwingTable(RoundNo(1), table.table, table.game, 3),)
    judge.does(UndoSteps(1, "a table owes"))
    judge.does(WaiveOwedEntries(owing, "its card broke"))
    judge.does(PublishRanking(), HallFacts(owing=owing))
    assert problems(pack_of(judge, game_lines(steps))) == []
    forged = respelt(pack_of(judge, game_lines(steps)), b'"its card broke"', b'" "')
    assert any("the rules refuse it" in problem for problem in problems(forged))


def test_going_on_and_back_leaves_a_pack_that_holds() -> None:
    judge, steps = whole_tournament()
    table = judge.state.published_rounds[0].tables[1]
    judge.does(UndoSteps(1, "a table owes"))
    judge.does(WaiveOwedEntries((OwingTable(RoundNo(1), table.table, table.game, None),), "why not"))
    judge.does(UndoSteps(1, "they came after all"))
    judge.does(PublishRanking())
    assert judge.state.owed_waived == ()
    assert problems(pack_of(judge, game_lines(steps))) == []
