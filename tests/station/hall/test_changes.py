"""The change feed that live pages follow."""

import asyncio
from collections.abc import AsyncIterator

from core.terms import TableNo
from station.hall.changes import Change, ChangeFeed
from tests.station.conftest import OPEN, Station

LOST_S = 10
"""A change that has not come by then is lost."""


async def next_of(changes: AsyncIterator[Change], count: int) -> list[Change]:
    async with asyncio.timeout(LOST_S):
        return [await anext(changes) for _ in range(count)]


def test_whoever_follows_gets_each_change_once_in_order() -> None:
    async def _followed() -> list[Change]:
        feed = ChangeFeed()
        following = asyncio.create_task(next_of(feed.changes(), 3))
        await asyncio.sleep(0)
        feed.publish("tournament")
        feed.publish("table", TableNo(2))
        await asyncio.sleep(0)
        feed.publish("terminals")
        return await following

    assert asyncio.run(_followed()) == [
        Change(1, "tournament"),
        Change(2, "table", TableNo(2)),
        Change(3, "terminals"),
    ]


def test_what_happens_before_a_follower_begins_to_read_counts() -> None:
    async def _followed() -> tuple[list[Change], tuple[Change, ...]]:
        feed = ChangeFeed()
        feed.publish("tournament")
        changes, batches = feed.changes(), feed.batches(0.0)
        feed.publish("table", TableNo(2))
        async with asyncio.timeout(LOST_S):
            return await next_of(changes, 1), await anext(batches)

    change = Change(2, "table", TableNo(2))
    assert asyncio.run(_followed()) == ([change], (change,))


def test_whoever_missed_too_much_is_told_to_look_at_everything() -> None:
    async def _followed(before: int) -> list[Change]:
        feed = ChangeFeed()
        changes = feed.changes()
        for _ in range(before):
            feed.publish("table", TableNo(1))
        await next_of(changes, before)
        for _ in range(2_000):
            feed.publish("table", TableNo(1))
        return await next_of(changes, 3)

    for before in (0, 1):
        assert [c.what for c in asyncio.run(_followed(before))] == ["tournament", "terminals", "calls"]


def test_entries_of_a_table_change_its_card(station: Station) -> None:
    terminal = station.round_with_terminal()
    feed = station.context.feed
    seen, changes = feed.number, feed.changes()
    terminal.seats()
    terminal.sends()
    assert station.run(next_of(changes, 1)) == [Change(seen + 1, "table", TableNo(1))]
    assert station.service.floor(OPEN)[0].game is not None


def test_a_page_that_shows_much_gets_the_first_change_at_once_and_the_rest_together() -> None:
    async def _followed() -> list[tuple[Change, ...]]:
        feed = ChangeFeed()
        batches = feed.batches(0.05)
        first = asyncio.ensure_future(anext(batches))
        await asyncio.sleep(0)
        feed.publish("table", TableNo(2))
        changes = [await first]
        rest = asyncio.ensure_future(anext(batches))
        for table in (3, 4, 3):
            await asyncio.sleep(0)
            feed.publish("table", TableNo(table))
        changes.append(await rest)
        return changes

    assert asyncio.run(_followed()) == [
        (Change(1, "table", TableNo(2)),),
        (Change(4, "table", TableNo(3)), Change(3, "table", TableNo(4))),
    ]


def test_a_page_that_missed_more_than_is_kept_loads_everything_again() -> None:
    async def _followed() -> list[str]:
        feed = ChangeFeed()
        batches = feed.batches(0.0)
        first = asyncio.ensure_future(anext(batches))
        await asyncio.sleep(0)
        for _ in range(1_001):
            feed.publish("table", TableNo(2))
        return [change.what for change in await first]

    assert asyncio.run(_followed()) == ["tournament", "terminals", "calls"]
