"""A tournament plays at its own tables of the hall, typed by a judge, and takes nobody else's."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.editions.loader import edition
from core.terms import MatchKind, TableNo
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.registration import OpenTournament
from core.tournament.state.decision import HallFacts, TableInUse
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Round
from core.tournament.state.table_list import LAST_TABLE, TableList, list_from, list_of, read_tables
from tests.core.game.conftest import refused
from tests.core.tournament.conftest import Judge


def from_table(first: int) -> MoveTables:
    return MoveTables(tables=list_from(TableNo(first)))


def tables_of(round_: Round) -> list[int]:
    return [drawn.table for drawn in round_.tables]


@pytest.mark.parametrize("tables", ["1, 3", "7, 98-140", "12, 3-4"])
def test_sheets_of_tables_whose_numbers_have_a_gap_are_kept(judge: Judge, tables: str) -> None:
    hall = read_tables(tables)
    judge.opens(12, tables=hall)
    assert [drawn.table for drawn in judge.plays_round().tables] == [hall.find_number(1), hall.find_number(2)]
    assert judge.state.rounds[0].complete
    assert len(judge.plays_round().sheets) == 2


def test_a_draw_is_played_at_the_tournaments_own_tables(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(11)))
    assert tables_of(judge.plays_round()) == [11, 12]
    drawn = next(step.events[0] for step in judge.steps if isinstance(step.events[0], MakeDraw))
    # The draw itself, which anybody can make again from its seed, counts from 1.
    assert [table.table for table in drawn.tables] == [1, 2]
    assert [table.game for table in drawn.tables] == ["open-r1-t1-a1", "open-r1-t2-a1"]


def test_other_tables_are_chosen_for_a_draw_that_is_not_published(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(3)))
    judge.plays_round()
    judge.draws_tables()
    players_drawn = [table.players for table in judge.state.rounds[-1].tables]
    judge.does(from_table(21))
    assert [tables_of(round_) for round_ in judge.state.rounds] == [[3, 4], [21, 22]]
    assert [table.players for table in judge.state.rounds[-1].tables] == players_drawn
    judge.does(UndoSteps(1, "these are free after all"))
    assert tables_of(judge.state.rounds[-1]) == [3, 4]
    judge.does(from_table(1))
    judge.does(PublishDraw())
    for table in judge.state.rounds[-1].tables:
        judge.accepts(table)
    assert [tables_of(round_) for round_ in judge.state.rounds] == [[3, 4], [1, 2]]


def test_tables_do_not_change_while_a_round_runs(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(1)))
    judge.publishes()
    assert judge.refuses(from_table(5)) is TournamentReason.ROUND_RUNS


def test_a_table_has_up_to_three_digits(judge: Judge) -> None:
    assert refused(judge.opens, 10, tables=list_from(TableNo(0))) is TournamentReason.TABLE_OUT_OF_RANGE
    judge.opens(10, tables=list_from(TableNo(1)))
    assert judge.refuses(from_table(0)) is TournamentReason.TABLE_OUT_OF_RANGE
    assert judge.refuses(from_table(1)) is TournamentReason.SAME_TABLES


def test_tables_of_a_list_are_drawn_in_its_order_and_moved_place_by_place(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(1)))
    judge.does(MoveTables(tables=read_tables("8")))
    assert judge.refuses(SealDraw(seed="1" * 64)) is TournamentReason.TOO_FEW_TABLES
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


def test_a_publication_names_the_tables_that_stand_in_the_way(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(1)))
    judge.draws_tables()
    others = [(2, "Side event"), (1, "Duels"), (3, "Duels"), (2, "Duels")]
    in_use = tuple(TableInUse(TableNo(table), name) for table, name in others)
    refusal = judge.refusal(PublishDraw(), HallFacts(in_use=in_use))
    assert refusal.reason is TournamentReason.TABLES_IN_USE
    assert refusal.fields["tables"] == "2 (Side event); 1, 2 (Duels)"
    judge.does(from_table(4))
    judge.does(PublishDraw(), HallFacts(in_use=in_use))


def test_finals_are_played_at_the_tournaments_own_tables() -> None:
    judge = Judge(edition("championship-2010"))
    judge.opens(10, tables=list_from(TableNo(7)))
    judge.plays_rounds(3)
    judge.draws_lots()
    judge.does(PublishRoundsRanking())
    in_use = (TableInUse(TableNo(8), "Side event"),)
    refusal = judge.refusal(BeginDuels(kind=MatchKind.SHORT_DUEL), HallFacts(in_use=in_use))
    assert refusal.fields["tables"] == "8 (Side event)"
    judge.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
    open_duels = [drawn.table for _, drawn in judge.finals.open_duels]
    assert open_duels == [7, 8]
    assert judge.refusal(from_table(1)).fields["tables"] == "7, 8"


def test_each_step_can_be_decided_again_from_its_events(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(5)))
    judge.draws_tables()
    judge.does(from_table(9))
    judge.does(MoveTables(tables=read_tables("12, 2")))
    judge.does(PublishDraw(), HallFacts(in_use=(TableInUse(TableNo(1), "Side event"),)))
    assert judge.decides_again()


def test_a_tournament_from_before_begins_with_table_1(judge: Judge) -> None:
    judge.opens(10, tables=list_from(TableNo(1)))
    opened = judge.steps[0].events[0]
    written = msgspec.to_builtins(opened)
    del written["first_table"], written["tables"]
    read = msgspec.convert(written, TournamentDecision)
    assert isinstance(read, OpenTournament)
    assert (read.first_table, read.tables) == (1, None)


numbers = st.integers(1, LAST_TABLE).map(TableNo)
lists = st.lists(numbers, min_size=1, max_size=40, unique=True).map(list_of)


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("7", [7]),
        ("1-3, 20", [1, 2, 3, 20]),
        ("20 1–3", [20, 1, 2, 3]),
        (" 4 - 5;9 ", [4, 5, 9]),
        ("998-", [998, 999]),
        ("998+", [998, 999]),
    ],
)
def test_tables_are_typed_as_people_write_them(typed: str, places: list[int]) -> None:
    tables = read_tables(typed)
    assert tables.capacity == len(places)
    assert [tables.find_number(place) for place in range(1, len(places) + 1)] == places


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        *(
            (typed, TournamentReason.TABLES_UNREADABLE)
            for typed in ("", " , ", "first", "1-2-3", "-4", "²", "9" * 400)
        ),
        ("0", TournamentReason.TABLE_OUT_OF_RANGE),
        ("5-1000", TournamentReason.TABLE_OUT_OF_RANGE),
        ("12-3", TournamentReason.TABLES_BACKWARDS),
        ("1-9, 9", TournamentReason.TABLE_TWICE),
        ("30-, 31", TournamentReason.TABLE_TWICE),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(typed: str, reason: TournamentReason) -> None:
    assert refused(read_tables, typed) is reason


def test_a_list_without_end_is_refused_before_it_is_parsed() -> None:
    """Parsing takes quadratic time: the spaces of a whole form would stop the station for 20 seconds."""
    with pytest.raises(Refused) as refusal:
        read_tables("1" + " " * 10_000)
    assert refusal.value.reason is TournamentReason.TABLES_UNREADABLE
    assert len(str(refusal.value.fields["typed"])) < 50


@given(st.text(max_size=30))
def test_nothing_that_is_typed_breaks_it(typed: str) -> None:
    try:
        tables = read_tables(typed)
    except Refused:
        return
    assert read_tables(tables.describe()) == tables


@given(lists)
def test_what_is_shown_can_be_typed_again(tables: TableList) -> None:
    assert read_tables(tables.describe()) == tables


@given(lists, st.integers(1, 60))
def test_place_and_number_belong_together_also_beyond_the_list(tables: TableList, place: int) -> None:
    number = tables.find_number(place)
    if place <= tables.capacity:
        assert tables.find_place(number) == place
    assert tables.describe(place).split(", ")[0].split("-")[0] == str(tables.ranges[0].first)


def test_a_table_outside_the_list_has_no_place() -> None:
    assert read_tables("3-5, 9").find_place(TableNo(7)) == 0
    assert list_from(TableNo(4)).find_place(TableNo(3)) == 0


def test_only_the_tables_in_use_are_named_where_their_number_is_known() -> None:
    assert list_from(TableNo(5)).describe() == "5-"
    assert list_from(TableNo(5)).describe(3) == "5-7"
    assert read_tables("20, 3-9").describe(3) == "20, 3-4"
