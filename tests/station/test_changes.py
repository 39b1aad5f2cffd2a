"""The feed that live pages follow."""

import asyncio

from tests.station.conftest import OPEN, Station

from saloon.core.terms import TableNo
from saloon.station.services.changes import Change, ChangeFeed


async def next_of(feed: ChangeFeed, since: int | None, count: int) -> list[Change]:
    found = []
    async for change in feed.changes(since):
        found.append(change)
        if len(found) == count:
            break
    return found


def test_whoever_follows_gets_each_change_once_in_order() -> None:
    async def _followed() -> list[Change]:
        feed = ChangeFeed()
        following = asyncio.create_task(next_of(feed, None, 3))
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


def test_whoever_was_away_gets_what_was_missed() -> None:
    async def _followed() -> list[Change]:
        feed = ChangeFeed()
        for table in range(1, 6):
            feed.publish("table", TableNo(table))
        return await next_of(feed, 3, 2)

    assert [change.number for change in asyncio.run(_followed())] == [4, 5]


def test_whoever_missed_too_much_is_told_to_look_at_everything() -> None:
    async def _followed(since: int) -> list[Change]:
        feed = ChangeFeed()
        for _ in range(2_000):
            feed.publish("table", TableNo(1))
        return await next_of(feed, since, 3)

    for since in (0, 5_000):
        assert [c.what for c in asyncio.run(_followed(since))] == ["tournament", "terminals", "calls"]


def test_entries_of_a_table_change_its_card(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    seen = station.context.feed._number
    terminal.seats()
    terminal.sends()

    async def _next() -> Change:
        return await anext(aiter(station.service.context.feed.changes(seen)))

    assert station.run(_next()) == Change(seen + 1, "table", TableNo(1))
    assert station.service.floor(OPEN)[0].game is not None


def test_a_page_that_shows_much_gets_the_first_change_at_once_and_the_rest_together() -> None:
    async def _followed() -> list[tuple[Change, ...]]:
        feed = ChangeFeed()
        batches = feed.batches(0.05)
        first = asyncio.ensure_future(anext(batches))
        await asyncio.sleep(0)
        feed.publish("table", TableNo(2))
        found = [await first]
        rest = asyncio.ensure_future(anext(batches))
        for table in (3, 4, 3):
            await asyncio.sleep(0)
            feed.publish("table", TableNo(table))
        found.append(await rest)
        await batches.aclose()
        return found

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
        found = [change.what for change in await first]
        await batches.aclose()
        return found

    assert asyncio.run(_followed()) == ["tournament", "terminals", "calls"]
