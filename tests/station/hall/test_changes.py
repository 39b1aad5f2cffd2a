"""The change feed that live pages follow."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from core.terms import TableNo
from station.hall import tournaments
from station.hall.changes import Change, ChangeFeed
from station.hall.station_context import StationContext
from station.hall.tournaments import give_due_orders, give_orders
from tests.station.conftest import OPEN, Station, on_loop

LOST_S = 10
"""A change that has not come by then is lost."""


async def next_of(changes: AsyncIterator[Change], count: int) -> list[Change]:
    async with asyncio.timeout(LOST_S):
        return [await anext(changes) for _ in range(count)]


@on_loop
async def test_whoever_follows_gets_each_change_once_in_order() -> None:
    feed = ChangeFeed()
    following = asyncio.create_task(next_of(feed.changes(), 3))
    await asyncio.sleep(0)
    feed.publish("tournament")
    feed.publish("table", TableNo(2))
    await asyncio.sleep(0)
    feed.publish("terminals")
    assert await following == [
        Change(1, "tournament"),
        Change(2, "table", TableNo(2)),
        Change(3, "terminals"),
    ]


@on_loop
async def test_what_happens_before_a_follower_begins_to_read_counts() -> None:
    feed = ChangeFeed()
    feed.publish("tournament")
    changes, batches = feed.changes(), feed.batches(0.0)
    feed.publish("table", TableNo(2))
    change = Change(2, "table", TableNo(2))
    async with asyncio.timeout(LOST_S):
        assert (await next_of(changes, 1), await anext(batches)) == ([change], (change,))


@pytest.mark.parametrize("before", [0, 1])
@on_loop
async def test_whoever_missed_too_much_is_told_to_look_at_everything(before: int) -> None:
    feed = ChangeFeed()
    changes = feed.changes()
    for _ in range(before):
        feed.publish("table", TableNo(1))
    await next_of(changes, before)
    for _ in range(2_000):
        feed.publish("table", TableNo(1))
    assert [change.what for change in await next_of(changes, 3)] == ["tournament", "terminals", "calls"]


def test_entries_of_a_table_change_its_card(station: Station) -> None:
    terminal = station.round_with_terminal()
    feed = station.context.feed
    seen, changes = feed.number, feed.changes()
    terminal.starts()
    assert station.run(next_of(changes, 1)) == [Change(seen + 1, "table", TableNo(1))]
    assert station.service.floor(OPEN)[0].game is not None


@on_loop
async def test_a_page_that_shows_much_gets_the_first_change_at_once_and_the_rest_together() -> None:
    feed = ChangeFeed()
    batches = feed.batches(0.05)
    first = asyncio.ensure_future(anext(batches))
    await asyncio.sleep(0)
    feed.publish("table", TableNo(2))
    assert await first == (Change(1, "table", TableNo(2)),)
    rest = asyncio.ensure_future(anext(batches))
    for table in (3, 4, 3):
        await asyncio.sleep(0)
        feed.publish("table", TableNo(table))
    assert await rest == (Change(4, "table", TableNo(3)), Change(3, "table", TableNo(4)))


@on_loop
async def test_a_page_that_missed_more_than_is_kept_loads_everything_again() -> None:
    feed = ChangeFeed()
    first = asyncio.ensure_future(anext(feed.batches(0.0)))
    await asyncio.sleep(0)
    for _ in range(1_001):
        feed.publish("table", TableNo(2))
    assert [change.what for change in await first] == ["tournament", "terminals", "calls"]


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
