"""A change at one table costs the same in a hall of any size."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from core.terms import TableNo
from station.hall import tournaments
from station.hall.station_context import StationContext
from station.hall.tournaments import give_due_orders, give_orders
from tests.station.conftest import Station

FEW, MANY = 50, 200
"""Players in the halls: 10 and 40 tables of five."""
OURS = ("base.", "core.", "station.", "sync.")


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of calls of our own functions and of steps of our own generators."""
    count = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and str(frame.f_globals.get("__name__")).startswith(OURS)

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def halls(tmp_path: Path) -> Iterator[tuple[Station, Station]]:
    """A small and a large hall in the middle of a round, with a terminal at each table."""
    made = []
    for count in (FEW, MANY):
        folder = tmp_path / str(count)
        folder.mkdir()
        station = Station(folder)
        station.opens(count)
        for drawn in station.publishes().tables:
            station.terminal(drawn.table)
        made.append(station)
    yield made[0], made[1]
    for station in made:
        station.close()


@pytest.mark.slow
def test_orders_for_all_tables_cost_each_table_the_same(halls: tuple[Station, Station]) -> None:
    few, many = (calls_of(lambda one=one: one.run(give_due_orders(one.context))) for one in halls)  # type: ignore[misc]
    assert many / few < 1.3 * MANY / FEW


@pytest.mark.slow
def test_a_changed_table_on_the_floor_costs_the_same_in_any_hall(halls: tuple[Station, Station]) -> None:
    def looks_again(station: Station) -> None:
        station.context.feed.publish("table", TableNo(3))
        assert station.service.live_floor.card(station.service.tournaments()[0], 3) is not None

    for station in halls:
        looks_again(station)
    few, many = (calls_of(lambda one=one: looks_again(one)) for one in halls)  # type: ignore[misc]
    assert many <= 1.3 * few


def test_terminals_that_come_at_once_share_a_pass(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = 0
    context = station.context

    async def counted(one: StationContext) -> None:
        nonlocal passes
        passes += 1
        await give_orders(one)

    monkeypatch.setattr(tournaments, "give_orders", counted)

    async def all_come() -> None:
        async with context.lock:
            coming = [asyncio.create_task(give_due_orders(context)) for _ in range(50)]
            await asyncio.sleep(0)
        await asyncio.gather(*coming)

    station.run(all_come())
    assert passes == 1
    # Nobody who comes later is forgotten.
    station.run(give_due_orders(context))
    assert passes == 2
