"""Forms: how much of them is read, and from whom; and those that are answered by a page.

Requests of strangers are limited; one to a judge's page is not read at all. Of judges' pages that answer a
form instead of a redirect, browsers keep none, and can go back to all.
"""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator
from typing import Final

import httpx
import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from station.accounts.judges import Judge
from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser, first_group, logged_in_as
from tests.station.conftest import OPEN, Station

LARGEST_FORM = 64 * 1024
UPLOADS = frozenset({
    "/judge/new/house-rules", "/judge/tournaments", "/judge/t/{tournament:str}/players/import",
    "/judge/t/{tournament:str}/players/import/confirm", "/judge/t/{tournament:str}/players/import/keep",
    "/judge/take-in", "/judge/take-in/frame",
    "/judge/updates/bring", "/judge/t/{tournament:str}/document", "/judge/new/file",
    "/judge/t/{tournament:str}/change-rules", "/judge/t/{tournament:str}/change-rules/house-rules",
    "/judge/t/{tournament:str}/change-rules/preview", "/judge/seasons/{season:str}/packs",
    "/judge/t/{tournament:str}/print/letterhead",
    "/judge/t/{tournament:str}/check-in/door/frame",
})  # fmt: skip
_PARAMETER = re.compile(r"\{(\w+):(\w+)\}")


def app_of(browser: Browser) -> Litestar:
    transport = browser._client._transport
    assert isinstance(transport, httpx.ASGITransport)
    assert isinstance(transport.app, Litestar)
    return transport.app


def forms_of(app: Litestar) -> list[tuple[str, HTTPRouteHandler]]:
    """Return all pages that accept a form, with their handlers."""
    return [
        (route.path, handler)
        for route in app.routes
        for handler in route.route_handlers  # type: ignore[union-attr]  # there are no sockets here
        if isinstance(handler, HTTPRouteHandler) and "POST" in handler.http_methods
    ]


def test_only_pages_that_take_files_take_more_than_64_kilobytes(visitor: Browser) -> None:
    limits = {path: handler.resolve_request_max_body_size() for path, handler in forms_of(app_of(visitor))}
    assert len(limits) > 40
    assert {path for path, limit in limits.items() if limit is None or limit > LARGEST_FORM} == UPLOADS


def test_nothing_that_a_stranger_sends_to_a_judges_page_is_read(visitor: Browser) -> None:
    pages = [path for path, _ in forms_of(app_of(visitor)) if path.startswith("/judge")]
    assert len(pages) > 35
    read: list[str] = []

    async def body(path: str) -> AsyncIterator[bytes]:
        read.append(path)
        yield bytes(4096)

    for path in pages:
        filled = _PARAMETER.sub(lambda match: "1" if match[2] == "int" else "x", path)
        assert visitor.streamed(filled, body(path), **FORM) == 401, path
        assert visitor.streamed(f"//{filled}", body(path), **FORM) in {401, 404}, path
    assert read == []


FORM = {"content-type": "application/x-www-form-urlencoded"}
UPLOAD = {"content-type": "multipart/form-data; boundary=x"}
CHUNKED = {"content-length": "10", "transfer-encoding": "chunked"}


@pytest.mark.parametrize(
    ("role", "headers", "status"),
    [
        pytest.param(None, UPLOAD, 401, id="stranger"),
        pytest.param(None, UPLOAD | {"content-length": "900000"}, 401, id="stranger with much"),
        pytest.param(None, UPLOAD | {"content-length": "many"}, 401, id="stranger with a length in words"),
        pytest.param(
            None, UPLOAD | {"content-length": "10", "transfer-encoding": "chunked"}, 401, id="chunked"
        ),
        pytest.param(AccountRole.FLOOR_JUDGE, FORM, 403, id="floor judge"),
    ],
)
def test_no_upload_is_read_without_a_role_that_may_send_it_though_the_browser_is_known(
    station: Station, role: AccountRole | None, headers: dict[str, str], status: int
) -> None:
    browser = Browser(station) if role is None else logged_in_as(station, role)
    browser.get("/login")
    read = []

    async def body() -> AsyncIterator[bytes]:
        read.append(1)
        yield bytes(1024)

    assert browser.streamed("/judge/updates/bring", body(), **headers) == status
    assert read == []


def test_a_stranger_who_sends_too_much_is_stopped_early(visitor: Browser) -> None:
    read = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield b"language=" + bytes(4096)

    assert visitor.streamed("/language", body(), **FORM) == 413
    assert read < 20


def test_a_judge_may_send_house_rules_and_players_that_are_larger(station: Station, judge: Browser) -> None:
    station.opens()
    rows = "\n".join(f"Пётр {number} Иванов\tГранада" for number in range(2_000))
    too_large = judge.send_file("/judge/new/house-rules", "file", "cup.toml", bytes(300_000), 413)
    assert "this page takes up to 256 kB" in too_large
    assert "Пётр 1999 Иванов" in judge.send(f"/judge/t/{OPEN}/players/import/confirm", {"rows": rows})


@pytest.mark.by_day(1)
@pytest.mark.parametrize(("many", "refused"), [(12, 0), (30, 12)])
def test_few_passwords_are_checked_at_once_and_a_few_more_wait(
    visitor: Browser, monkeypatch: pytest.MonkeyPatch, many: int, refused: int
) -> None:
    app = app_of(visitor)
    judges = app.state.site.judges
    check, lock = judges.check, threading.Lock()
    now = most = 0

    def counted(name: str, password: str) -> Judge | None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        try:
            # As long as a real check of a password takes, whatever these tests hash with.
            time.sleep(0.1)
            judge: Judge | None = check(name, password)
            return judge
        finally:
            with lock:
                now -= 1

    monkeypatch.setattr(judges, "check", counted)

    async def at_once() -> list[httpx.Response]:
        async def log_in(number: int) -> httpx.Response:
            transport = httpx.ASGITransport(app=app, client=(f"10.0.0.{number}", 1))  # type: ignore[arg-type]
            async with httpx.AsyncClient(transport=transport, base_url="http://station") as client:
                token = first_group(r'name="_csrf_token" value="([^"]+)"', (await client.get("/login")).text)
                fields = {"name": "Roy", "password": PASSWORD, "_csrf_token": token}
                return await client.post("/login", data=fields)

        return await asyncio.gather(*(log_in(number) for number in range(many)))

    answers = visitor.station.run(at_once())
    assert most == 2
    assert sum(answer.status_code == 429 for answer in answers) == refused
    assert all(answer.headers["location"] == "/judge" for answer in answers if answer.status_code != 429)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("text/plain", b"\xff"), ("text/plain; charset=bogus", b"x"), ("text/plain; charset=utf-16", b"x")],
)
@pytest.mark.parametrize("page", ["/login", "/judge/messages"])
def test_a_form_in_no_encoding_is_no_fault_of_the_station(
    judge: Browser, page: str, kind: str, value: bytes
) -> None:
    """Anybody may send such a form, and each would write a traceback to the log."""
    part = b'--B\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: %s\r\n\r\n%s\r\n--B--\r\n'

    async def body() -> AsyncIterator[bytes]:
        yield part % (kind.encode(), value)

    assert judge.streamed(page, body(), **{"content-type": "multipart/form-data; boundary=B"}) == 400


_T: Final = "/judge/t/{tournament:str}"
_TABLE: Final = _T + "/tables/{round_no:int}/{table:int}"
PREVIEWS: Final = {
    "/judge/new/file", "/judge/new/house-rules", f"{_T}/change-rules/house-rules",
    f"{_T}/change-rules/preview", f"{_T}/draw/change/what-if", f"{_T}/players", f"{_T}/players/import",
    f"{_T}/players/import/keep",
    f"{_T}/players/{{player:str}}/eject/what-if", f"{_T}/players/{{player:str}}/warn",
    f"{_T}/players/{{player:str}}/withdraw/what-if", f"{_T}/undo/what-if", f"{_TABLE}/sheet",
    f"{_TABLE}/sheet/again", f"{_TABLE}/sheet/confirm", f"{_TABLE}/sheet/take", "/judge/take-in",
}  # fmt: skip
SHOWN_ONCE: Final = {
    "/judge/accounts/invitations", "/judge/accounts/tokens", "/judge/devices", "/judge/devices/all",
}  # fmt: skip
REFUSED: Final = {
    "/judge/seasons", "/judge/seasons/{season:str}", "/judge/tournaments", "/judge/terminals/cards/files",
    "/judge/terminals/cards/image", f"{_T}/change-rules", f"{_T}/players/move",
    f"{_T}/prizes/{{number:int}}",
}  # fmt: skip
OF_JUDGES: Final = PREVIEWS | SHOWN_ONCE | REFUSED | {"/judge/station/power", f"{_T}/check-in/door"}
OF_OTHERS: Final = {"/device/{word:str}", "/first/restore", "/invitation", "/login", "/me/{code:str}/results"}
VALUES: Final = {
    "tournament": str(OPEN), "player": "p001", "season": "x", "round_no": "1", "table": "1", "number": "0",
}  # fmt: skip

IS_POSTED = re.compile(r"<body[^>]* data-posted")


def answers_with_page(handler: HTTPRouteHandler) -> bool:
    return "Template" in str(handler.parsed_fn_signature.return_type.annotation)


def test_all_forms_that_are_answered_by_a_page_are_known(visitor: Browser) -> None:
    """For a new one, check what Back does in a browser; redirect if possible."""
    paths = {path for path, handler in forms_of(app_of(visitor)) if answers_with_page(handler)}
    assert paths == OF_JUDGES | OF_OTHERS


@pytest.mark.by_day(8)
@pytest.mark.parametrize("path", sorted(OF_JUDGES))
def test_the_address_of_such_a_page_leads_to_a_page(station: Station, judge: Browser, path: str) -> None:
    """Back loads the address, as browsers don't keep the page itself."""
    station.opens(10)
    station.publishes()
    filled = re.sub(r"\{(\w+):\w+\}", lambda match: VALUES[match[1]], path)
    has_computer = path == "/judge/station/power"
    judge.get(filled, expected=404 if has_computer else 200)


def test_scripts_know_a_page_of_judges_that_answers_a_form(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    here = f"/judge/t/{OPEN}/tables/1/1/sheet"
    assert "data-posted" not in judge.get(here)
    answer = judge.answer(f"{here}/again", {})
    assert IS_POSTED.search(answer.text)
    assert answer.headers["cache-control"] == "no-store"
    judge.judges.sessions.end_all_of("Roy")
    assert not IS_POSTED.search(judge.send(f"{here}/again", {}, 401))
