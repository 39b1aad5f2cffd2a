"""A tournament plays at its own tables of the hall, and takes nobody else's."""

import msgspec
import pytest

from base.errors import Refused
from core.editions.loader import edition
from core.rule_set import RuleSet
from core.terms import MatchKind, TableNo, TournamentId
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.decision import HallFacts, TableInUse
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Round
from core.tournament.state.table_list import list_from, read_tables
from core.tournament.state.tournament import Waivers
from tests.core.tournament.conftest import Judge, players


def opens_at(judge: Judge, first: int, waivers: Waivers | None = None) -> None:
    rules = RuleSet(judge.rules.key)
    opening = OpenTournament(
        TournamentId("open"),
        "Open",
        rules,
        "2026-11-20",
        waivers or Waivers(),
        tables=list_from(TableNo(first)),
    )
    judge.does(opening)
    judge.does(RegisterPlayers(players(10)))


def tables_of(round_: Round) -> list[int]:
    return [drawn.table for drawn in round_.tables]


@pytest.mark.parametrize("tables", ["1, 3", "7, 98-140", "12, 3-4"])
def test_sheets_of_tables_whose_numbers_have_a_gap_are_kept(judge: Judge, tables: str) -> None:
    hall = read_tables(tables)
    rules = RuleSet(judge.rules.key)
    judge.does(OpenTournament(TournamentId("open"), "Open", rules, "2026-11-20", Waivers(), tables=hall))
    judge.does(RegisterPlayers(players(12)))
    assert [drawn.table for drawn in judge.plays_round().tables] == [hall.find_number(1), hall.find_number(2)]
    assert judge.state.rounds[0].complete
    assert len(judge.plays_round().sheets) == 2


def test_a_draw_is_played_at_the_tournaments_own_tables(judge: Judge) -> None:
    opens_at(judge, 11)
    assert tables_of(judge.plays_round()) == [11, 12]
    drawn = next(step.events[0] for step in judge.steps if isinstance(step.events[0], MakeDraw))
    # The draw itself, which anybody can make again from its seed, counts from 1.
    assert [table.table for table in drawn.tables] == [1, 2]
    assert [table.game for table in drawn.tables] == ["open-r1-t1-a1", "open-r1-t2-a1"]


def test_other_tables_are_chosen_for_a_draw_that_is_not_published(judge: Judge) -> None:
    opens_at(judge, 3)
    judge.plays_round()
    judge.draws_tables()
    players_drawn = [table.players for table in judge.state.rounds[-1].tables]
    judge.does(MoveTables(tables=list_from(TableNo(21))))
    assert [tables_of(round_) for round_ in judge.state.rounds] == [[3, 4], [21, 22]]
    assert [table.players for table in judge.state.rounds[-1].tables] == players_drawn
    judge.does(UndoSteps(1, "these are free after all"))
    assert tables_of(judge.state.rounds[-1]) == [3, 4]
    judge.does(MoveTables(tables=list_from(TableNo(1))))
    judge.does(PublishDraw())
    for table in judge.state.rounds[-1].tables:
        judge.accepts(table)
    assert [tables_of(round_) for round_ in judge.state.rounds] == [[3, 4], [1, 2]]


def test_tables_do_not_change_while_a_round_runs(judge: Judge) -> None:
    opens_at(judge, 1)
    judge.publishes()
    assert judge.refusal(MoveTables(tables=list_from(TableNo(5)))).reason is TournamentReason.ROUND_RUNS


def test_a_table_has_up_to_three_digits(judge: Judge) -> None:
    with pytest.raises(Refused) as refusal:
        opens_at(judge, 0)
    assert refusal.value.reason is TournamentReason.TABLE_OUT_OF_RANGE
    opens_at(judge, 1)
    assert (
        judge.refusal(MoveTables(tables=list_from(TableNo(0)))).reason is TournamentReason.TABLE_OUT_OF_RANGE
    )
    assert judge.refusal(MoveTables(tables=list_from(TableNo(1)))).reason is TournamentReason.SAME_TABLES


def test_tables_of_a_list_are_drawn_in_its_order_and_moved_place_by_place(judge: Judge) -> None:
    opens_at(judge, 1)
    judge.does(MoveTables(tables=read_tables("20, 3-5")))
    judge.draws_tables()
    assert tables_of(judge.state.rounds[-1]) == [20, 3]
    judge.does(MoveTables(tables=read_tables("9, 20")))
    assert tables_of(judge.state.rounds[-1]) == [9, 20]
    refusal = judge.refusal(MoveTables(tables=read_tables("30")))
    assert refusal.reason is TournamentReason.TOO_FEW_TABLES
    assert refusal.fields == {"needed": 2, "count": 1, "tables": "30"}
    judge.does(PublishDraw())
    game = judge.state.rounds[-1].tables[1]
    # A game keeps the name that the draw gives it, wherever it is played.
    assert (game.table, game.game) == (20, "open-r1-t2-a1")


def test_a_draw_is_not_sealed_for_more_tables_than_there_are(judge: Judge) -> None:
    opens_at(judge, 1)
    judge.does(MoveTables(tables=read_tables("8")))
    assert judge.refuses(SealDraw(seed="1" * 64)) is TournamentReason.TOO_FEW_TABLES


def test_a_publication_names_the_tables_that_stand_in_the_way(judge: Judge) -> None:
    opens_at(judge, 1)
    judge.draws_tables()
    others = [(2, "Side event"), (1, "Duels"), (3, "Duels"), (2, "Duels")]
    in_use = tuple(TableInUse(TableNo(table), name) for table, name in others)
    refusal = judge.refusal(PublishDraw(), HallFacts(in_use=in_use))
    assert refusal.reason is TournamentReason.TABLES_IN_USE
    assert refusal.fields["tables"] == "2 (Side event); 1, 2 (Duels)"
    judge.does(MoveTables(tables=list_from(TableNo(4))))
    judge.does(PublishDraw(), HallFacts(in_use=in_use))


def test_finals_are_played_at_the_tournaments_own_tables() -> None:
    judge = Judge(edition("championship-2010"))
    opens_at(judge, 7)
    for _ in range(3):
        judge.plays_round()
    if rounds_standings(judge.state, judge.rules).draw_groups:
        judge.does(DrawLots("5" * 64))
    judge.does(PublishRoundsRanking())
    in_use = (TableInUse(TableNo(8), "Side event"),)
    refusal = judge.refusal(BeginDuels(kind=MatchKind.SHORT_DUEL), HallFacts(in_use=in_use))
    assert refusal.fields["tables"] == "8 (Side event)"
    judge.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    assert judge.state.finals is not None
    open_duels = [drawn.table for _, drawn in judge.state.finals.open_duels]
    assert open_duels == [7, 8]
    assert judge.refusal(MoveTables(tables=list_from(TableNo(1)))).fields["tables"] == "7, 8"


def test_each_step_can_be_decided_again_from_its_events(judge: Judge) -> None:
    opens_at(judge, 5)
    judge.draws_tables()
    judge.does(MoveTables(tables=list_from(TableNo(9))))
    judge.does(MoveTables(tables=read_tables("12, 2")))
    judge.does(PublishDraw(), HallFacts(in_use=(TableInUse(TableNo(1), "Side event"),)))
    assert judge.decides_again()


def test_a_tournament_from_before_begins_with_table_1(judge: Judge) -> None:
    opens_at(judge, 1)
    opened = judge.steps[0].events[0]
    written = msgspec.to_builtins(opened)
    del written["first_table"], written["tables"]
    read = msgspec.convert(written, TournamentDecision)
    assert isinstance(read, OpenTournament)
    assert (read.first_table, read.tables) == (1, None)
