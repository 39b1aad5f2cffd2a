"""The plain port, which only sends browsers on; the certificate that follows the addresses."""

import asyncio
import datetime as dt
import socket
import ssl
from pathlib import Path

import pytest

from base.errors import Unavailable
from station.server.addresses import Address
from station.server.page_server import redirect_response, redirect_to_https
from station.web.page_certificate import format_fingerprint, page_certificate, reload_certificate, watch_clock
from tests.station.conftest import on_loop

NOW = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)
HEAD = b"GET /judge?x=1 HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n\r\n"


@pytest.mark.parametrize(
    ("host", "port", "location"),
    [
        (b"saloon.local", 443, b"https://saloon.local/judge?x=1"),
        (b"10.73.1.1:80", 443, b"https://10.73.1.1/judge?x=1"),
        (b"10.73.1.1:8080", 8443, b"https://10.73.1.1:8443/judge?x=1"),
        (b"[fe80::1]:80", 443, b"https://[fe80::1]/judge?x=1"),
    ],
)
def test_a_browser_without_tls_is_sent_to_the_same_page(host: bytes, port: int, location: bytes) -> None:
    answer = redirect_response(HEAD % host, port)
    assert answer.startswith(b"HTTP/1.1 307 ")
    assert b"\r\nLocation: " + location + b"\r\n" in answer


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: saloon.local\r\n\r\n",
        b"GET / HTTP/1.1\r\nAccept: */*\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        b"GET /\xc3\xa0 HTTP/1.1\r\nHost: saloon.local\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"",
    ],
)
def test_whatever_else_comes_is_refused_and_nothing_of_it_is_said_back(head: bytes) -> None:
    answer = redirect_response(head, 443)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"\r\n\r\nOpen this address with https:// at its beginning.\n")


@on_loop
async def test_the_plain_port_answers_and_shuts() -> None:
    async def _ask(port: int, head: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head)
        answer = await reader.read()
        writer.close()
        return answer

    with pytest.raises(Unavailable, match="--redirect"):
        async with redirect_to_https(Address("192.0.2.77", 80), 443):
            pass
    async with redirect_to_https(None, 443):
        pass
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    async with redirect_to_https(Address("127.0.0.1", port), 443):
        assert b"https://saloon.local/judge?x=1" in await _ask(port, HEAD % b"saloon.local")
        assert await _ask(port, b"x" * 10_000) == b""


@pytest.mark.slow
@pytest.mark.parametrize("addresses", [1, 10])
@on_loop
async def test_silent_connections_to_the_plain_port_keep_nobody_out(addresses: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with redirect_to_https(Address("127.0.0.1", port), 443):
        silent = [
            await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(f"127.0.9.{number % addresses + 1}", 0)
            )
            for number in range(100)
        ]
        for own in ("127.0.9.1", "127.0.9.99"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(own, 0))
            writer.write(HEAD % b"saloon.local")
            assert b"https://saloon.local/judge?x=1" in await reader.read()
            writer.close()
        for _, writer in silent:
            writer.close()


def test_a_certificate_keeps_the_addresses_it_had(tmp_path: Path) -> None:
    _, file = page_certificate(tmp_path, ("192.168.1.10",), NOW)
    first = file.read_bytes()
    page_certificate(tmp_path, ("10.73.1.1", "saloon.local"), NOW)
    second = file.read_bytes()
    assert second != first
    page_certificate(tmp_path, ("192.168.1.10",), NOW)
    assert file.read_bytes() == second, "back in the first network nobody is warned anew"


def test_a_certificate_from_what_is_now_the_future_is_made_anew(tmp_path: Path) -> None:
    _, file = page_certificate(tmp_path, ("10.73.1.1",), NOW)
    before = file.read_bytes()
    page_certificate(tmp_path, ("10.73.1.1",), NOW - dt.timedelta(days=400))
    assert file.read_bytes() != before


def test_a_cut_between_key_and_certificate_keeps_no_station_from_starting(tmp_path: Path) -> None:
    key, file = page_certificate(tmp_path, ("192.168.1.10",), NOW)
    before = file.read_bytes()
    page_certificate(tmp_path, ("10.73.1.1",), NOW)
    file.write_bytes(before)
    # Next time in the first network again, whose certificate is there; or with a key that is no more.
    for damage in (key.read_bytes(), b""):
        key.write_bytes(damage)
        page_certificate(tmp_path, ("192.168.1.10",), NOW)
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(file, key)


def test_the_fingerprint_is_shown_as_browsers_show_it(tmp_path: Path) -> None:
    _, file = page_certificate(tmp_path, ("10.73.1.1",), NOW)
    text = format_fingerprint(file)
    assert len(text) == 32 * 3 - 1
    assert text == text.upper()


@on_loop
async def test_browsers_that_connect_later_see_the_new_certificate(tmp_path: Path) -> None:
    key, file = page_certificate(tmp_path, ("127.0.0.1",), NOW)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, key)

    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    seen = [await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port))]
    page_certificate(tmp_path, ("10.0.0.1",), NOW)
    reload_certificate(context, (str(file), str(key)))
    seen.append(await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port)))
    assert seen[1].strip() == file.read_text().strip() != seen[0].strip()
    reload_certificate(context, (str(tmp_path / "nothing"), str(key)))
    server.close()
    await server.wait_closed()


class SetClock:
    """A clock that can be set: only wall_ms jumps."""

    def __init__(self) -> None:
        self.wall = int(dt.datetime(2016, 1, 1, tzinfo=dt.UTC).timestamp() * 1000)
        self.passed = 0

    def wall_ms(self) -> int:
        return self.wall + self.passed

    def monotonic_ms(self) -> int:
        return self.passed


@pytest.mark.slow
@on_loop
async def test_the_certificate_is_renewed_when_the_clock_is_set_and_once_a_day(tmp_path: Path) -> None:
    clock = SetClock()
    looks: list[str] = []

    def look() -> None:
        now = dt.datetime.fromtimestamp(clock.wall_ms() / 1000, dt.UTC)
        _, certificate = page_certificate(tmp_path, ("10.0.0.5",), now)
        looks.append(format_fingerprint(certificate))

    look()
    watching = asyncio.create_task(watch_clock(clock, look, 0.001))

    async def after(change_ms: int = 0, passed_ms: int = 0) -> int:
        clock.wall += change_ms
        clock.passed += passed_ms
        known = len(looks)
        for _ in range(300):
            await asyncio.sleep(0.001)
            if len(looks) > known:
                break
        return len(looks) - known

    assert await after(passed_ms=3600_000) == 0
    assert await after(change_ms=10 * 365 * 24 * 3600_000) == 1
    assert looks[-1] != looks[-2]
    assert await after(passed_ms=23 * 3600_000) == 0
    assert await after(passed_ms=3600_000) == 1
    assert looks[-1] == looks[-2]
    watching.cancel()
