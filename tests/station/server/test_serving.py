"""The station put together: pages, hub and service in one process, a real terminal's agent on TLS."""

import asyncio
import contextlib
import datetime as dt
import os
import re
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.x509 import load_pem_x509_certificate
from litestar import Litestar, get

from base.errors import BadData, Unavailable
from core.editions.loader import edition
from core.game.decide import decide
from core.game.events import GameStep
from core.game.orders import SeatGame
from core.rule_set import RuleSet
from core.terms import TableNo
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.state.tournament import Waivers
from station.accounts.judges import Judges
from station.app.app import web_app
from station.hall.station_service import StationService
from station.projections.cards import TerminalLink
from station.server.addresses import Address, address_of, hall_addresses, open_listener
from station.server.serving import ServeOptions, StationAddresses, serve
from station.store.data_folder import DataFolder
from station.store.settings import Settings
from station.terminals.service import Terminals
from station.web.page_certificate import page_certificate
from station.web.site import Site
from tests.station.conftest import JUDGE, OPEN, players, present, seed
from tests.station.hall_of_stations import Table

PATIENCE_S = 90.0
LOOPBACK = Address("127.0.0.1", 0)
Scenario = Callable[[StationAddresses, StationService], Awaitable[None]]
Pages = Callable[[StationService, Judges, Settings], Litestar]


def options_for(folder: Path, *, https: bool = False) -> ServeOptions:
    return ServeOptions(folder=DataFolder(folder), http=LOOPBACK, terminals=LOOPBACK, https=https)


def names(service: StationService, _judges: Judges, _settings: Settings) -> Litestar:
    """Return an app with one page: the names of all tournaments."""

    @get("/")
    async def _names() -> list[str]:
        return [state.name for state in service.tournaments()]

    return Litestar([_names], openapi_config=None)


def all_pages(service: StationService, judges: Judges, settings: Settings) -> Litestar:
    return web_app(Site(service, judges), settings)


def serve_for(
    options: ServeOptions, scenario: Scenario, number: int = signal.SIGTERM, pages: Pages = names
) -> None:
    """Run a station until the scenario is over, then stop it by a signal."""
    offices: list[StationService] = []

    def _pages(service: StationService, judges: Judges, settings: Settings) -> Litestar:
        offices.append(service)
        return pages(service, judges, settings)

    async def _run() -> None:
        tasks: list[asyncio.Task[None]] = []

        async def _play(served: StationAddresses) -> None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await scenario(served, offices[0])
            finally:
                os.kill(os.getpid(), number)

        await serve(options, _pages, lambda served: tasks.append(asyncio.create_task(_play(served))))
        await asyncio.gather(*tasks)

    asyncio.run(_run())


async def open_tournament(service: StationService) -> None:
    opening = OpenTournament(OPEN, "Open", RuleSet("championship-2022"), "2026-11-21", Waivers())
    for command in (opening, RegisterPlayers(players(10))):
        await service.decide(OPEN, command, JUDGE)


async def publish(service: StationService) -> None:
    for command in (SealDraw(seed=seed(1)), MakeDraw(hall_word="cactus"), PublishDraw()):
        await service.decide(OPEN, command, JUDGE)


@pytest.mark.slow
def test_a_terminal_enrols_takes_its_orders_and_reports_its_game(tmp_path: Path) -> None:
    async def _scenario(served: StationAddresses, service: StationService) -> None:
        await open_tournament(service)
        await publish(service)
        made = await service.of(Terminals).enrol(TableNo(1), JUDGE)
        assert made.count(f":{served.terminals_port}")
        terminal = Table(tmp_path / "terminal", made)
        terminal.agent.start()
        try:
            await asyncio.to_thread(terminal.waits_for_order, SeatGame)
            seating = terminal.ordered(SeatGame)[-1].seating
            step = GameStep(seating.game, decide(None, seating, edition("championship-2022")), 2)
            last = terminal.writes(msgspec.msgpack.encode(step))
            await asyncio.to_thread(terminal.waits_until_received, last)
            (card, paper) = service.floor(OPEN)
            assert present(card.game).round == 1
            assert card.terminal is not None
            assert card.terminal.link is TerminalLink.TCP
            assert card.terminal.owes == 0
            assert paper.terminal is None
            assert [timed.step for timed in service.story(seating.game)] == [step]
            await service.of(Terminals).revoke(terminal.id, JUDGE)
            assert service.terminals() == ()
        finally:
            await asyncio.to_thread(terminal.agent.stop)

    serve_for(options_for(tmp_path / "station"), _scenario)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_pages_answer_and_a_signal_ends_everything_in_order(tmp_path: Path, number: int) -> None:
    async def _first(served: StationAddresses, service: StationService) -> None:
        await open_tournament(service)
        async with httpx.AsyncClient() as client:
            assert (await client.get(served.pages)).json() == ["Open"]

    async def _second(served: StationAddresses, service: StationService) -> None:
        assert [state.name for state in service.tournaments()] == ["Open"]
        assert served.pages.startswith("http://127.0.0.1:")

    serve_for(options_for(tmp_path), _first, number)
    assert not (tmp_path / "station.sqlite-wal").exists()
    serve_for(options_for(tmp_path), _second, number)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_while_everything_starts_is_not_forgotten(tmp_path: Path, number: int) -> None:
    async def _run() -> None:
        def _pages(service: StationService, judges: Judges, settings: Settings) -> Litestar:
            os.kill(os.getpid(), number)
            return Litestar([], openapi_config=None)

        async with asyncio.timeout(PATIENCE_S):
            await serve(options_for(tmp_path), _pages, lambda _served: None)

    asyncio.run(_run())
    assert not (tmp_path / "station.sqlite-wal").exists()
    with DataFolder(tmp_path).exclusive_lock():
        pass


@pytest.mark.slow
def test_pages_by_https_have_a_certificate_that_browsers_take(tmp_path: Path) -> None:
    async def _scenario(served: StationAddresses, service: StationService) -> None:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "pages-certificate.pem"))
        async with httpx.AsyncClient(verify=trusted) as client:
            assert (await client.get(served.pages)).json() == []
        assert served.pages.startswith("https://")

    serve_for(options_for(tmp_path, https=True), _scenario)
    certificate = load_pem_x509_certificate((tmp_path / "pages-certificate.pem").read_bytes())
    assert isinstance(certificate.public_key(), EllipticCurvePublicKey)


def test_a_name_with_other_letters_is_in_the_certificate_as_browsers_ask_for_it(tmp_path: Path) -> None:
    now = dt.datetime(2026, 11, 28, tzinfo=dt.UTC)
    _, file = page_certificate(tmp_path, ("café.example",), now)
    names = load_pem_x509_certificate(file.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert "xn--caf-dma.example" in names.value.get_values_for_type(x509.DNSName)
    with pytest.raises(BadData, match="can't be a name in the pages' certificate"):
        page_certificate(tmp_path, ("café..example",), now)


def test_the_pages_certificate_is_kept_until_it_nearly_expires(tmp_path: Path) -> None:
    began = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    made = []
    for days, hosts in ((0, ("192.0.2.1",)), (300, ("192.0.2.1",)), (380, ("192.0.2.1",)), (380, ("hall",))):
        files = page_certificate(tmp_path, hosts, began + dt.timedelta(days=days))
        made.append(files[1].read_bytes())
    assert made[0] == made[1]
    assert len(set(made)) == 3


@pytest.mark.slow
def test_a_second_station_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    async def _scenario(served: StationAddresses, service: StationService) -> None:
        with pytest.raises(Unavailable, match="running here"), DataFolder(tmp_path).exclusive_lock():
            pass

    serve_for(options_for(tmp_path), _scenario)


def test_an_address_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = Address("127.0.0.1", taken.getsockname()[1])
        with pytest.raises(Unavailable, match=str(address)):
            open_listener(address)


@pytest.mark.parametrize("text", ["", "8080", "localhost:", "localhost:http", "localhost:70000", "::1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadData, match="HOST:PORT"):
        address_of(text, "--http")


def test_addresses_are_read_as_people_write_them() -> None:
    assert address_of("127.0.0.1:8080", "x") == Address("127.0.0.1", 8080)
    assert address_of("[::1]:8080", "x") == Address("::1", 8080)
    assert address_of(":8080", "x") == Address("0.0.0.0", 8080)
    assert str(Address("::1", 1)) == "[::1]:1"


def test_the_loopback_is_the_last_address_to_try() -> None:
    *others, last = hall_addresses(7373)
    assert last == "127.0.0.1:7373"
    assert not [one for one in others if one.startswith("127.")]


PHONES = 2_000
PROXY = "127.0.0.8"
_TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')


def behind_a_proxy(folder: Path) -> ServeOptions:
    return msgspec.structs.replace(options_for(folder), announce=False, trusted_proxies=frozenset({PROXY}))


class ReverseProxy:
    """Hand each connection on, with the address that it came from."""

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
    """Return the answer to a phone with its own address."""
    own = (f"127.40.{number // 250}.{number % 250 + 1}", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=own)
    writer.write(b"GET /static/star.svg HTTP/1.1\r\nHost: station\r\nConnection: close\r\n\r\n")
    answer = await reader.read(-1)
    writer.close()
    return answer


@pytest.mark.nightly  # 2,000 at once take longer than a page server waits, where others use the processor
@pytest.mark.slow
def test_two_thousand_phones_behind_one_address_are_all_answered(tmp_path: Path) -> None:
    async def _scenario(served: StationAddresses, _service: StationService) -> None:
        proxy = ReverseProxy(int(served.pages.rpartition(":")[2]))
        async with await proxy.serve() as server:
            port = server.sockets[0].getsockname()[1]
            answers = await asyncio.gather(*(fetch(port, number) for number in range(PHONES)))
        assert [answer for answer in answers if not answer.startswith(b"HTTP/1.1 200 ")] == []
        assert proxy.most > PHONES / 4

    from tests.faults.siege import many_files

    with many_files():
        serve_for(behind_a_proxy(tmp_path), _scenario, pages=all_pages)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("is_named", [True, False])
def test_tries_to_log_in_are_counted_for_each_phone(tmp_path: Path, *, is_named: bool) -> None:
    async def _scenario(served: StationAddresses, _service: StationService) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=PROXY if is_named else "127.0.0.9")
        async with httpx.AsyncClient(transport=transport, base_url=served.pages) as client:

            async def _tries(phone: str) -> int:
                client.headers["X-Forwarded-For"] = phone
                token = present(_TOKEN.search((await client.get("/login")).text))
                fields = {"name": "Roy", "password": "wrong wrong", "_csrf_token": token[1]}
                return (await client.post("/login", data=fields)).status_code

            one = [await _tries("10.0.0.1") for _ in range(21)]
            assert one == [*[302] * 20, 429]
            assert await _tries("10.0.0.2") == (302 if is_named else 429)

    serve_for(behind_a_proxy(tmp_path), _scenario, pages=all_pages)
