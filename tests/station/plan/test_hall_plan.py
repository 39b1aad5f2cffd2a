"""The plan of the hall: no place has two tables, and no table gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData
from core.terms import TableNo
from station.plan.service import HallPlace, HallPlan, HallPlans, arranged
from tests.station.conftest import Station

TABLES = [TableNo(number) for number in range(1, 13)]
MOVES = st.lists(st.tuples(st.sampled_from(TABLES), st.integers(1, 8), st.integers(1, 6)), max_size=30)


def test_rows_have_aisles_between_all_tables() -> None:
    plan = arranged(TABLES, 4)
    assert (plan.columns, plan.rows) == (8, 6)
    assert [plan.places[TableNo(n)] for n in (1, 4, 5, 12)] == [
        HallPlace(1, 1),
        HallPlace(7, 1),
        HallPlace(1, 3),
        HallPlace(7, 5),
    ]


@given(MOVES)
def test_moves_lose_no_table_and_put_no_two_on_one_place(moves: list[tuple[TableNo, int, int]]) -> None:
    plan = arranged(TABLES, 4)
    for table, column, row in moves:
        plan = plan.moved(table, HallPlace(column, row))
        assert plan.places[table] == HallPlace(column, row)
    assert sorted(plan.places) == TABLES
    assert len(set(plan.places.values())) == len(TABLES)


def test_new_tables_take_the_first_free_places_and_new_rows_when_the_plan_is_full() -> None:
    plan = HallPlan(columns=2, rows=1, places={TableNo(7): HallPlace(1, 1)}).with_tables(TABLES[:3])
    assert plan.places == {7: HallPlace(1, 1), 1: HallPlace(2, 1), 2: HallPlace(1, 2), 3: HallPlace(2, 2)}
    assert plan.rows == 2
    assert plan.with_tables(TABLES[:3]) is plan


@pytest.mark.parametrize("place", [HallPlace(0, 1), HallPlace(1, 0), HallPlace(9, 1), HallPlace(1, 7)])
def test_a_place_outside_is_refused(place: HallPlace) -> None:
    with pytest.raises(BadData, match="outside a plan of 8 by 6"):
        arranged(TABLES, 4).moved(TableNo(1), place)


def test_a_hall_too_large_for_the_page_is_refused() -> None:
    with pytest.raises(BadData, match="at most 30 tables in a row"):
        arranged([TableNo(number) for number in range(1, 100)], 2)


def test_the_plan_is_kept(station: Station) -> None:
    plans = station.service.of(HallPlans)
    assert station.run(plans.plan()) == HallPlan()
    station.run(plans.arrange(TABLES, 4))
    station.run(plans.move(TABLES, TableNo(1), HallPlace(7, 5)))
    plan = station.run(plans.plan())
    assert (plan.places[TableNo(1)], plan.places[TableNo(12)]) == (HallPlace(7, 5), HallPlace(1, 1))
