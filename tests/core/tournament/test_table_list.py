"""A list of tables: typed by a judge, counted by a draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.terms import TableNo
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.table_list import LAST_TABLE, TableList, list_from, list_of, read_tables

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
        ("", TournamentReason.TABLES_UNREADABLE),
        (" , ", TournamentReason.TABLES_UNREADABLE),
        ("first", TournamentReason.TABLES_UNREADABLE),
        ("1-2-3", TournamentReason.TABLES_UNREADABLE),
        ("-4", TournamentReason.TABLES_UNREADABLE),
        ("²", TournamentReason.TABLES_UNREADABLE),
        ("9" * 400, TournamentReason.TABLES_UNREADABLE),
        ("0", TournamentReason.TABLE_OUT_OF_RANGE),
        ("5-1000", TournamentReason.TABLE_OUT_OF_RANGE),
        ("12-3", TournamentReason.TABLES_BACKWARDS),
        ("1-9, 9", TournamentReason.TABLE_TWICE),
        ("30-, 31", TournamentReason.TABLE_TWICE),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(typed: str, reason: TournamentReason) -> None:
    with pytest.raises(Refused) as refusal:
        read_tables(typed)
    assert refusal.value.reason is reason


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
