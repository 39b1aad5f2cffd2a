"""A station behind a reverse proxy: a whole hall's phones come from one address."""

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from litestar import Litestar

from station.accounts.judges import Judges
from station.app.app import web_app
from station.hall.station_service import StationService
from station.server.addresses import Address
from station.server.serving import ServeOptions, StationAddresses, serve
from station.store.data_folder import DataFolder
from station.store.settings import Settings
from station.web.site import Site
from tests.faults.siege import many_files

PHONES = 2_000
PROXY = "127.0.0.8"
PATIENCE_S = 90.0
_TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')


def serve_behind_a_proxy(folder: Path, scenario: Callable[[int], Awaitable[None]]) -> None:
    options = ServeOptions(
        folder=DataFolder(folder),
        http=Address("127.0.0.1", 0),
        terminals=Address("127.0.0.1", 0),
        announce=False,
        trusted_proxies=frozenset({PROXY}),
    )

    def _pages(service: StationService, judges: Judges, settings: Settings) -> Litestar:
        return web_app(Site(service, judges), settings)

    async def _run() -> None:
        tasks: list[asyncio.Task[None]] = []

        async def _play(served: StationAddresses) -> None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await scenario(int(served.pages.rpartition(":")[2]))
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        await serve(options, _pages, lambda served: tasks.append(asyncio.create_task(_play(served))))
        await asyncio.gather(*tasks)

    asyncio.run(_run())


class ReverseProxy:
    """Forwards each connection with the address that it came from."""

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self.at_once = self.most = 0

    async def serve(self) -> asyncio.Server:
        return await asyncio.start_server(self._carry, "127.0.0.1", 0, backlog=PHONES)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            named = f"X-Forwarded-For: {writer.get_extra_info('peername')[0]}\r\n\r\n".encode()
            back, forth = await asyncio.open_connection("127.0.0.1", self._pages, local_addr=(PROXY, 0))
            forth.write(head.removesuffix(b"\r\n") + named)
            while data := await back.read(65_536):
                writer.write(data)
            forth.close()
        writer.close()
        self.at_once -= 1


async def fetch(port: int, number: int) -> bytes:
    """Return the response to a phone with an address of its own."""
    own = (f"127.40.{number // 250}.{number % 250 + 1}", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=own)
    writer.write(b"GET /static/star.svg HTTP/1.1\r\nHost: station\r\nConnection: close\r\n\r\n")
    answer = await reader.read(-1)
    writer.close()
    return answer


@pytest.mark.nightly  # 2,000 at once take longer than a page server waits, where others use the processor
@pytest.mark.slow
def test_two_thousand_phones_behind_one_address_are_all_answered(tmp_path: Path) -> None:
    async def _scenario(pages: int) -> None:
        proxy = ReverseProxy(pages)
        async with await proxy.serve() as server:
            port = server.sockets[0].getsockname()[1]
            answers = await asyncio.gather(*(fetch(port, number) for number in range(PHONES)))
        assert [answer for answer in answers if not answer.startswith(b"HTTP/1.1 200 ")] == []
        assert proxy.most > PHONES / 4

    with many_files():
        serve_behind_a_proxy(tmp_path, _scenario)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("is_named", [True, False])
def test_tries_to_log_in_are_counted_for_each_phone(tmp_path: Path, *, is_named: bool) -> None:
    async def _scenario(pages: int) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=PROXY if is_named else "127.0.0.9")
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{pages}") as client:

            async def _tries(phone: str) -> int:
                client.headers["X-Forwarded-For"] = phone
                token = _TOKEN.search((await client.get("/login")).text)
                assert token is not None
                fields = {"name": "Roy", "password": "wrong wrong", "_csrf_token": token[1]}
                return (await client.post("/login", data=fields)).status_code

            one = [await _tries("10.0.0.1") for _ in range(21)]
            assert one == [*[302] * 20, 429]
            assert await _tries("10.0.0.2") == (302 if is_named else 429)

    serve_behind_a_proxy(tmp_path, _scenario)
