"""The pages' port: nobody keeps a connection without using it, and the silent make way for newcomers."""

import asyncio
import contextlib
import socket
import ssl
import struct
import time
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from structlog.testing import capture_logs

from base.clock import SystemClock
from base.errors import BadData
from station.server.forwarded import ForwardedClients, proxies_of
from station.server.limited_http import PageTimes
from station.server.page_server import MOST_HANDSHAKES, PageServer, page_limits
from sync.station.limits import ConnectionLimits, LimitSettings
from sync.tls.certificates import own_identity
from tests.station.conftest import on_loop

TIMES = PageTimes(head_s=0.5, silent_s=0.5, slowest_body=20_000, unread_s=0.5, linger_s=0.2)
LIMITS = LimitSettings(at_once=300, from_one=16, burst=2_000, each_s=500, pause_ms=100)
Files = tuple[Path, Path]
MANY = msgspec.structs.replace(LIMITS, at_once=1_000, from_one=1_000)
SOON_S = 3.0
"""Long enough for a busy machine; what should be closed at once is closed within this time."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def app(scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
    """Serve the client's address at ``/``, a slow stream at ``/events`` and a huge body at ``/large``."""
    if scope["type"] != "http":
        return
    body = b""
    more = scope["path"] == "/read"
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/events":
        for _ in range(100):
            await send({"type": "http.response.body", "body": b"data: x\n\n", "more_body": True})
            await asyncio.sleep(0.3)
    if scope["path"] == "/large":
        for _ in range(200):
            await send({"type": "http.response.body", "body": bytes(65_536), "more_body": True})
    said = f"{scope['client'][0]} {scope['scheme']} {len(body)}"
    await send({"type": "http.response.body", "body": said.encode()})


@contextlib.asynccontextmanager
async def served(
    files: Files | None = None,
    limits: LimitSettings = LIMITS,
    proxies: frozenset[str] = frozenset(),
    times: PageTimes = TIMES,
) -> AsyncIterator["Hall"]:
    clock = SystemClock()
    behind = ForwardedClients(app, proxies, ConnectionLimits(clock, limits))
    key, certificate = files or (None, None)
    config = uvicorn.Config(
        behind,
        log_config=None,
        proxy_headers=False,
        ws="none",
        ssl_keyfile=key,
        ssl_certfile=certificate,
        timeout_graceful_shutdown=1,
    )
    ready = asyncio.Event()
    server = PageServer(config, ConnectionLimits(clock, limits, proxies), ready.set, times)
    door = socket.create_server(("127.0.0.1", 0))
    running = asyncio.create_task(server._serve([door]))
    await ready.wait()
    hall = Hall(door.getsockname()[1], server)
    try:
        yield hall
    finally:
        for phone in hall.phones:
            phone.close()
        server.should_exit = True
        await running


class Phone:
    """A connection from one of this computer's addresses."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.socket = socket.socket()
        self.socket.bind((address, 0))
        self.socket.setblocking(False)
        self._port = port

    async def connect(self) -> "Phone":
        await asyncio.get_running_loop().sock_connect(self.socket, ("127.0.0.1", self._port))
        return self

    async def say(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def read(self, count: int = 65_536) -> bytes:
        """Return the bytes that arrive, or b"" if the other end has closed the connection."""
        try:
            return await asyncio.get_running_loop().sock_recv(self.socket, count)
        except ConnectionError:
            return b""

    async def rest(self) -> bytes:
        """Return all bytes until the other end closes the connection."""
        received = b""
        while data := await self.read():
            received += data
        return received

    async def ask(self, path: str = "/", head: str = "") -> bytes:
        await self.say(f"GET {path} HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
        received = b""
        while not received.endswith(b"0\r\n\r\n") and (data := await self.read()):
            received += data
        return received

    async def is_closed_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self.rest()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self.socket.close()


class Hall:
    """The pages' port, with the phones connected to it."""

    def __init__(self, port: int, server: PageServer) -> None:
        self.port = port
        self.server = server
        self.phones: list[Phone] = []

    async def phone(self, address: str = "127.0.0.1", buffer: int = 0) -> Phone:
        self.phones.append(Phone(self.port, address))
        if buffer:
            self.phones[-1].socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        return await self.phones[-1].connect()

    @property
    def connections(self) -> int:
        return sum(len(door._open) for door in self.server._doors)


async def until(wanted: Callable[[], bool]) -> None:
    for _ in range(int(SOON_S / 0.01)):
        if wanted():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return own_identity(tmp_path, "pages")


def trusting(files: Files) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=files[1])
    context.check_hostname = False
    return context


def client_hello() -> bytes:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


HALVES = {
    "nothing": (b"",),
    "half a head": (b"GET / HTTP/1.1\r\nHost:",),
    "a head by the byte": tuple(bytes([byte]) for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 200),
    "a body that stops": (
        b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + b"x" * 30_000,
    ),
    "a body by the byte": (
        b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n",
        *([b"x"] * 200),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HALVES)
@on_loop
async def test_who_does_not_finish_what_was_begun_is_sent_away(name: str) -> None:
    async with served() as hall:
        phone = await hall.phone()
        begun = time.monotonic()

        async def say() -> None:
            with contextlib.suppress(OSError):
                for piece in HALVES[name]:
                    await phone.say(piece)
                    await asyncio.sleep(0.05)

        saying = asyncio.create_task(say())
        assert await phone.is_closed_within(SOON_S), name
        assert time.monotonic() - begun > 0.4
        saying.cancel()
        assert b"200 OK" in await (await hall.phone()).ask()
        assert hall.server.server_state.connections


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [b"", b"\x16", client_hello()[:100], client_hello()],
    ids=["nothing", "a byte", "a part", "a whole hello"],
)
@on_loop
async def test_with_tls_a_handshake_that_is_not_finished_is_ended(files: Files, said: bytes) -> None:
    async with served(files) as hall:
        phone = await hall.phone()
        await phone.say(said)
        assert await phone.is_closed_within(SOON_S)


@pytest.mark.slow
@on_loop
async def test_handshakes_that_stop_halfway_are_few_and_the_oldest_ends_first(files: Files) -> None:
    context = trusting(files)
    async with served(files, MANY, times=PageTimes()) as hall:
        hello = client_hello()
        stopped = [await hall.phone() for _ in range(MOST_HANDSHAKES + 1)]
        for phone in stopped:
            await phone.say(hello)
            assert await phone.read()
        assert await stopped[0].is_closed_within(0.1)
        assert hall.connections == MOST_HANDSHAKES
        # A browser that finishes its handshake counts no more, and is answered.
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.port, ssl=context)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"127.0.0.1 https 0" in await reader.readuntil(b"0\r\n\r\n")
        writer.close()


@pytest.mark.flaky(reruns=2)  # the machine may be slower than its limits of seconds
@pytest.mark.slow
@on_loop
async def test_a_crowd_of_handshakes_does_not_take_the_place_of_a_browser_that_answers(files: Files) -> None:
    context = trusting(files)
    async with served(files, MANY, times=PageTimes(handshake_s=20.0)) as hall:
        received, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(received, to_send)
        browser = await hall.phone()
        with contextlib.suppress(ssl.SSLWantReadError):
            tls.do_handshake()
        await browser.say(to_send.read())
        received.write(await browser.read())
        hello = client_hello()
        for _ in range(MOST_HANDSHAKES + 40):
            await (await hall.phone()).say(hello)
        await asyncio.sleep(0.3)
        # The browser was slow to answer, as on a busy Wi-Fi.
        tls.do_handshake()
        tls.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        await browser.say(to_send.read())
        received.write(await browser.rest())
        assert b"127.0.0.1 https 0" in b"".join(iter(lambda: tls.read(65_536), b""))


@pytest.mark.slow
@on_loop
async def test_a_connection_that_waits_for_a_handshake_makes_way_and_is_closed(files: Files) -> None:
    limits = msgspec.structs.replace(LIMITS, at_once=1_000, from_one=64)

    async with served(files, limits, times=PageTimes(handshake_s=30.0, head_s=30.0)) as hall:
        hello = client_hello()
        for number in range(MOST_HANDSHAKES):
            await (await hall.phone(f"127.0.0.{number // 64 + 2}")).say(hello)
        waiting = [await hall.phone("127.0.0.9") for _ in range(64)]
        for phone in waiting:
            await phone.say(hello)
        await asyncio.sleep(0.3)
        await hall.phone("127.0.0.9")
        assert await waiting[0].is_closed_within(SOON_S)
        assert not await waiting[1].is_closed_within(0.1)


@pytest.mark.slow
@on_loop
async def test_with_tls_a_page_is_answered_and_a_silent_connection_closed(files: Files) -> None:
    context = trusting(files)

    async with served(files) as hall:
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.port, ssl=context)
        for _ in range(3):
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"127.0.0.1 https 0" in await reader.readuntil(b"0\r\n\r\n")
        async with asyncio.timeout(SOON_S):
            assert await reader.read() == b""
        writer.close()
        assert not hall.server.server_state.connections


@pytest.mark.slow
@on_loop
async def test_plain_http_at_the_port_of_https_is_sent_on(files: Files) -> None:
    async with served(files) as hall:
        phone = await hall.phone()
        await phone.say(b"GET /judge HTTP/1.1\r\n")
        await phone.say(b"Host: saloon.local:1\r\n\r\n")
        answer = await phone.rest()
        assert answer.startswith(b"HTTP/1.1 307 ")
        assert b"\r\nLocation: https://saloon.local:%d/judge\r\n" % hall.port in answer
        silent = await hall.phone()
        await silent.say(b"G")
        assert await silent.is_closed_within(SOON_S)
        await until(lambda: hall.connections == 0)


@on_loop
async def test_a_connection_with_tls_takes_little_memory(files: Files) -> None:
    async with served(files) as hall:
        protocol = hall.server._protocol(None)  # type: ignore[arg-type]  # it is not connected
        assert isinstance(protocol, SSLProtocol)
        assert len(protocol.get_buffer(-1)) <= 16 * 1024
        SSLProtocol.connection_lost(protocol, None)


@pytest.mark.slow
@on_loop
async def test_events_go_on_for_as_long_as_somebody_reads_them() -> None:
    async with served() as hall:
        phone = await hall.phone()
        await phone.say(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        end, received = time.monotonic() + 5 * TIMES.head_s, b""
        while time.monotonic() < end:
            data = await phone.read()
            assert data
            received += data
        assert received.count(b"data: x") >= 5


@pytest.mark.slow
@on_loop
async def test_an_answer_that_nobody_reads_does_not_wait_for_ever() -> None:
    async with served() as hall:
        phone = await hall.phone(buffer=4_096)
        await phone.say(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        await until(lambda: bool(hall.server.server_state.connections))
        await until(lambda: not hall.server.server_state.connections)


@on_loop
async def test_who_goes_on_sending_after_the_answer_is_not_listened_to() -> None:
    async with served() as hall:
        phone = await hall.phone()
        await phone.say(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - begun < SOON_S:
                await phone.say(b"1000\r\n" + bytes(4_096) + b"\r\n")
                await asyncio.sleep(0.02)
        assert time.monotonic() - begun < SOON_S


@pytest.mark.slow
@on_loop
async def test_a_body_that_goes_on_arriving_is_read_however_long_it_takes() -> None:
    async with served() as hall:
        phone = await hall.phone()
        await phone.say(b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n")
        for _ in range(20):
            await phone.say(bytes(10_000))
            await asyncio.sleep(0.1)
        assert b"200000" in await phone.rest()


@pytest.mark.slow
@pytest.mark.parametrize(("addresses", "each"), [(1, 400), (300, 3)])
@on_loop
async def test_the_silent_make_way_for_newcomers(addresses: int, each: int) -> None:
    async with served() as hall:
        for number in range(addresses * each):
            await hall.phone(f"127.0.{number % addresses // 100 + 1}.{number % addresses % 100 + 1}")
        for address in ("127.0.1.1", "127.7.7.7"):
            phone = await hall.phone(address)
            assert address.encode() in await phone.ask()
        assert hall.connections <= (LIMITS.at_once if addresses > 1 else LIMITS.from_one + 1)


@pytest.mark.slow
@on_loop
async def test_those_who_are_served_do_not_make_way() -> None:
    async with served() as hall:
        reading = [await hall.phone("127.0.0.9") for _ in range(LIMITS.from_one)]
        for phone in reading:
            await phone.say(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"200 OK" in await phone.read()
        newcomer = await hall.phone("127.0.0.9")
        assert await newcomer.is_closed_within(SOON_S)
        for phone in reading:
            assert await phone.read()


@on_loop
async def test_only_of_a_trusted_proxy_the_forwarded_address_counts() -> None:
    async with served(proxies=frozenset({"127.0.0.8"})) as hall:
        proxy = await hall.phone("127.0.0.8")
        forged = "X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2, 10.0.0.3\r\n"
        assert b"10.0.0.3 http" in await proxy.ask(head=forged)
        assert b"10.0.0.4 https" in await proxy.ask(
            head="X-Forwarded-For: 10.0.0.4:51000\r\nX-Forwarded-Proto: https\r\n"
        )
        assert b"2001:db8::1 http" in await proxy.ask(head="X-Forwarded-For: [2001:db8::1]:443\r\n")
        assert b"127.0.0.8 http" in await proxy.ask(head="X-Forwarded-For: nobody\r\n")
        other = await hall.phone("127.0.0.1")
        assert b"127.0.0.1 http" in await other.ask(head=forged + "X-Forwarded-Proto: https\r\n")


@on_loop
async def test_a_proxy_that_is_not_trusted_is_named_in_the_log_once() -> None:
    with capture_logs() as logs:
        async with served() as hall:
            proxy = await hall.phone("127.0.0.1")
            for _ in range(3):
                await proxy.ask(head="X-Forwarded-For: 10.0.0.1\r\n")
    advice = [line["advice"] for line in logs if line["log_level"] == "warning"]
    assert advice == ["if it is your proxy, serve with --trusted-proxy 127.0.0.1"]


@pytest.mark.slow
@on_loop
async def test_through_a_proxy_each_client_has_a_share_and_the_others_theirs() -> None:
    async with served(proxies=frozenset({"127.0.0.8"})) as hall:
        greedy = [await hall.phone("127.0.0.8") for _ in range(LIMITS.from_one + 4)]
        heads = []
        for phone in greedy:
            await phone.say(b"GET /events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n")
            heads.append(await phone.read())
        assert sum(b"200 OK" in head for head in heads) == LIMITS.from_one
        assert sum(b"503 " in head for head in heads) == 4
        other = await hall.phone("127.0.0.8")
        assert b"200 OK" in await other.ask(head="X-Forwarded-For: 10.0.0.2\r\n")


def test_a_proxy_is_named_by_its_address() -> None:
    assert proxies_of(["192.168.1.2", "2001:DB8::1"], "--trusted-proxy") == {"192.168.1.2", "2001:db8::1"}
    with pytest.raises(BadData, match="--trusted-proxy"):
        proxies_of(["proxy.hall"], "--trusted-proxy")


def test_terminals_keep_half_of_the_files_that_may_be_open() -> None:
    assert page_limits(1_024, is_tls=False).at_once == 512
    assert page_limits(524_288, is_tls=False).at_once == 4_000
    assert page_limits(524_288, is_tls=True).at_once == 2_000


@on_loop
async def test_a_connection_that_is_reset_at_once_leaves_nothing() -> None:
    async with served() as hall:
        for said in (b"", b"GET"):
            phone = await hall.phone()
            await phone.say(said)
            phone.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            phone.close()
        await until(lambda: not hall.connections)
