"""Limits on guessing hold back those who guess: a right password, badge or screen gets in meanwhile."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest
from litestar.exceptions import TooManyRequestsException

from station.accounts.judges import Judge
from station.projectors.service import Projectors
from station.web.limits import Asker, FailedTries, PasswordQueue, network_of
from tests.station.browser import PASSWORD, Browser, first_group
from tests.station.conftest import OPEN, Station

WRONG = "wrong wrong"
Client = httpx.AsyncClient


@pytest.fixture
def slow_passwords(visitor: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make password checks take as long as on a fast computer."""
    check, lock = visitor.judges.check, threading.Lock()

    def slow(name: str, password: str) -> Judge | None:
        time.sleep(0.05)
        with lock:
            judge: Judge | None = check(name, password)
        return judge

    monkeypatch.setattr(visitor.judges, "check", slow)


def at(visitor: Browser, address: str) -> Client:
    transport = httpx.ASGITransport(app=visitor.app, client=(address, 1))  # type: ignore[arg-type]
    return Client(transport=transport, base_url="http://station")


async def log_in(client: Client, password: str) -> int:
    token = first_group(r'name="_csrf_token" value="([^"]+)"', (await client.get("/login")).text)
    fields = {"name": "Roy", "password": password, "_csrf_token": token}
    answer = await client.post("/login", data=fields)
    wrong = "/login" in answer.headers.get("location", "")
    return 401 if wrong else answer.status_code


def besieged(visitor: Browser, addresses: list[str], work: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Try wrong passwords from all these addresses without pause, and run something meanwhile."""

    wrong, is_under_way = Counter[str](), asyncio.Event()

    async def try_passwords(address: str, is_over: asyncio.Event) -> None:
        async with at(visitor, address) as client:
            while not is_over.is_set():
                wrong[address] += await log_in(client, WRONG) == 401
                if all(map(wrong.__getitem__, addresses)):
                    is_under_way.set()

    async def siege() -> int:
        is_over = asyncio.Event()
        trying = [asyncio.create_task(try_passwords(address, is_over)) for address in addresses]
        try:
            await asyncio.wait_for(is_under_way.wait(), 60)
            return await work()
        finally:
            is_over.set()
            await asyncio.gather(*trying)

    return visitor.station.run(siege())


@pytest.mark.usefixtures("slow_passwords")
def test_from_30_addresses_nobody_keeps_a_judge_from_logging_in(visitor: Browser) -> None:
    async def first_login() -> int:
        async with at(visitor, "192.0.2.77") as client:
            return await log_in(client, PASSWORD)

    assert besieged(visitor, [f"10.0.0.{number}" for number in range(1, 31)], first_login) == 302


@pytest.mark.usefixtures("slow_passwords")
def test_behind_one_address_a_browser_that_has_logged_in_before_gets_in(visitor: Browser) -> None:
    """All browsers share an address, as behind a proxy that the station does not trust."""
    known = at(visitor, "10.0.0.1")
    assert visitor.station.run(log_in(known, PASSWORD)) == 302
    name, cookie = next(pair for pair in known.cookies.items() if pair[0].startswith("known-browser-"))
    known.cookies.clear()
    known.cookies.set(name, cookie)

    async def again() -> int:
        return await log_in(known, PASSWORD)

    assert besieged(visitor, ["10.0.0.1"] * 30, again) == 302
    forged = at(visitor, "10.0.0.1")
    forged.cookies.set(name, cookie[:-1] + ("0" if cookie[-1] != "0" else "1"))
    assert 429 in [visitor.station.run(log_in(forged, WRONG)) for _ in range(21)]
    assert visitor.station.run(log_in(forged, PASSWORD)) == 429
    assert visitor.station.run(again()) == 302
    for client in (known, forged):
        visitor.station.run(client.aclose())


def test_a_known_browser_cannot_try_passwords_without_end(visitor: Browser) -> None:
    async def tries() -> list[int]:
        async with at(visitor, "10.0.0.1") as client:
            await log_in(client, PASSWORD)
            return [await log_in(client, WRONG) for _ in range(21)]

    assert visitor.station.run(tries()) == [*[401] * 20, 429]


def test_logging_in_again_without_the_cookie_gives_no_further_tries(visitor: Browser) -> None:
    async def tries() -> list[int]:
        statuses = []
        for _ in range(2):
            async with at(visitor, "10.0.0.1") as client:
                await log_in(client, PASSWORD)
                statuses += [await log_in(client, WRONG) for _ in range(20)]
        return statuses

    assert visitor.station.run(tries()) == [*[401] * 20, *[429] * 20]


@pytest.mark.parametrize("wrong", ["/me/000000000{}", "/projector/000000000{}/pages", "/in/000000000{}"])
def test_a_right_badge_opens_whatever_others_tried(station: Station, visitor: Browser, wrong: str) -> None:
    station.opens()
    screen = station.run(station.service.of(Projectors).add(OPEN, "Stage", "en"))
    right = (station.own_page(), f"/projector/{screen.key}/pages")

    async def statuses() -> tuple[list[int], list[int]]:
        async with at(visitor, "10.0.0.1") as client:
            guesses = [(await client.get(wrong.format(digit))).status_code for digit in "23456789" * 4]
            return guesses, [(await client.get(path, follow_redirects=True)).status_code for path in right]

    guesses, opened = visitor.station.run(statuses())
    assert (guesses[0], guesses[-1], opened) == (404, 429, [200, 200])


def test_a_full_queue_counts_against_nobody_and_of_an_address_two_wait(station: Station) -> None:
    queue, begun = PasswordQueue(1, 3), threading.Event()

    async def run() -> list[str]:
        order: list[str] = []

        async def ask(name: str, asker: Asker) -> None:
            try:
                await queue.run(asker, begun.wait, 5)
                order.append(name)
            except TooManyRequestsException:
                order.append(f"no {name}")

        tasks = []
        for name, asker in (
            ("first", Asker("a")), ("second", Asker("a", 3)), ("third", Asker("a", 3)),
            ("fourth", Asker("a", 3)),
            ("other", Asker("b", 1)), ("honest", Asker("c")), ("known", Asker("d", 9, is_known=True)),
        ):  # fmt: skip
            tasks.append(asyncio.create_task(ask(name, asker)))
            await asyncio.sleep(0.01)
        begun.set()
        await asyncio.gather(*tasks)
        return order

    assert station.run(run()) == ["no fourth", "no third", "no second", "first", "known", "honest", "other"]


def test_a_place_of_somebody_who_went_away_is_given_on(station: Station) -> None:
    queue, begun = PasswordQueue(1, 3), threading.Event()

    async def run() -> str:
        first = asyncio.create_task(queue.run(Asker("a"), begun.wait, 5))
        gone = asyncio.create_task(queue.run(Asker("b"), begun.wait, 5))
        await asyncio.sleep(0.01)
        gone.cancel()
        begun.set()
        await first
        return await queue.run(Asker("c"), lambda: "a turn")

    assert station.run(run()) == "a turn"


def test_of_ipv6_the_network_is_counted(visitor: Browser) -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9%eth0") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("") == ""
    tries = FailedTries()
    assert [tries.begin(network_of(f"2001:db8::{number}"), 0) for number in range(1, 22)][-1] is False

    async def statuses() -> list[int]:
        codes = []
        for number in range(1, 22):
            async with at(visitor, f"2001:db8::{number}") as client:
                codes.append(await log_in(client, WRONG))
        return codes

    assert visitor.station.run(statuses()) == [*[401] * 20, 429]
