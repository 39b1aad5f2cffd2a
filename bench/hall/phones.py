"""Players' phones with their own pages, in a separate process."""

import asyncio
import contextlib
import multiprocessing
import random
import re
import ssl
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Final, Self

import httpx
import msgspec

from station.players.codes import PATH

EVERY_S: Final = 15.0
"""The time between two requests for a page."""
_PHONES_AN_ADDRESS: Final = 10
_SEEN: Final = re.compile(r"seen=(\w+)")


class PhoneAnswer(msgspec.Struct, frozen=True):
    """A response: when it was requested, in monotonic seconds, and how long it took."""

    asked_s: float
    took_ms: float


class Phones:
    """Phones in a separate process, each with its own connection, so that they don't delay judges' pages.

    ``every_s`` is the time between two requests of a phone.
    """

    def __init__(self, pages: str, codes: Sequence[str], phones: int, every_s: float = EVERY_S) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        chosen = [codes[number % len(codes)] for number in range(phones)]
        self._process = context.Process(target=_follow_all, args=(pages, chosen, there, every_s), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        if not self._here.poll(180) or self._here.recv() != "open":
            raise RuntimeError("the players' pages did not open")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def answers(self) -> tuple[list[PhoneAnswer], int, float]:
        """Return each response, the number of failures, and the processor seconds."""
        self._here.send("over")
        took, failed, used_s = self._here.recv()
        return took, failed, used_s


def _follow_all(pages: str, codes: Sequence[str], pipe: Connection, every_s: float) -> None:
    asyncio.run(_Crowd(pages, codes, pipe, every_s).run())


class _Crowd:
    """The phones, inside their process."""

    def __init__(self, pages: str, codes: Sequence[str], pipe: Connection, every_s: float) -> None:
        self._pages, self._codes, self._pipe, self._every_s = pages, codes, pipe, every_s
        self._took: list[PhoneAnswer] = []
        self._failed = 0
        self._waiting = len(codes)
        self._all_open = asyncio.Event()

    async def run(self) -> None:
        """Open all pages, report that, and follow them until a message arrives."""
        # Share it, as creating one per client takes longer than all requests.
        trust = ssl.create_default_context()
        async with contextlib.AsyncExitStack() as stack:
            tasks = []
            for number, code in enumerate(self._codes):
                address = number // _PHONES_AN_ADDRESS
                source = f"127.1.{address // 200}.{address % 200 + 1}"
                transport = httpx.AsyncHTTPTransport(verify=trust, local_address=source)
                client = httpx.AsyncClient(base_url=self._pages, timeout=30.0, transport=transport)
                await stack.enter_async_context(client)
                tasks.append(asyncio.create_task(self._follow(client, code)))
            await self._all_open.wait()
            self._took.clear()
            began_s = time.process_time()
            self._pipe.send("open")
            await asyncio.to_thread(self._pipe.poll, None)
            self._pipe.send((self._took, self._failed, time.process_time() - began_s))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, client: httpx.AsyncClient, code: str) -> None:
        await asyncio.sleep(random.uniform(0, self._every_s))
        url, seen = f"{PATH}{code}", ""
        while True:
            began = time.perf_counter()
            try:
                answer = await client.get(f"{url}?seen={seen}" if seen else url)
                self._took.append(PhoneAnswer(began, (time.perf_counter() - began) * 1000))
                if answer.status_code == httpx.codes.OK:
                    self._waiting -= not seen
                    if not self._waiting:
                        self._all_open.set()
                    seen = _SEEN.findall(answer.text)[0]
                elif answer.status_code != httpx.codes.NO_CONTENT:
                    self._failed += 1
            except httpx.HTTPError:
                self._failed += 1
            await asyncio.sleep(self._every_s)
