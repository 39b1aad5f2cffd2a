"""Phones and tablets as terminals: codes for the judge to show, and the proxy to the terminal's page."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec
import segno
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Response, Stream, Template

from base.errors import BadData, Refused, Unavailable
from core.terms import TableNo
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind, Unrecorded
from station.devices.model import BrowserTerminal, DeviceScreen
from station.devices.service import BrowserTerminals, DeviceRefusal
from station.hall.published import running_tables
from station.projections.cards import TerminalLink
from station.text.reasons import Done, FormReason, Missing
from station.web.forms import Fields
from station.web.tournament_context import AtStation, PageContext, station_routes

_HERE: Final = "/judge/devices"
_DEVICE: Final = "/device"
_GONE: Final = 410
_PAGE: Final = frozenset({"page.css", "page.js", "keyboard.js", "words", "screen.json", "stream"})
"""The parts of a terminal's page that a browser may load, besides its fonts."""
_FONTS: Final = "fonts/"
_SENT: Final = frozenset({"fingers", "touch"})
"""The requests that a browser may send, limited to what touching the screen can cause."""
_KEPT: Final = "device-"
_LONGEST_SIDE: Final = 10_000


class DeviceCode(msgspec.Struct, frozen=True):
    """A code that makes a device the terminal of a table. ``picture`` is a QR code as a data URI."""

    table: TableNo
    link: str
    picture: str


@get("/", needs=Permission.FLOOR)
async def devices(here: AtStation) -> Template:
    """Show the devices used as terminals, and the tables that could have one."""
    return here.page(
        "judge/devices.html",
        devices=_devices(here).terminals(),
        bare=_tables_without_terminal(here),
    )


@post(
    "/",
    needs=Permission.FLOOR,
    audit=Audit(
        "Showed a code to use a phone or tablet as a terminal", keeps="table", kind=AuditKind.TERMINALS
    ),
    status_code=200,
)
async def offer(here: AtStation) -> Template | Redirect:
    """Show a table's code, once."""
    fields = await here.fields()
    try:
        table = fields.table()
        if table is None:
            return here.refuse(FormReason.NO_TABLE, _HERE)
        codes = (await _code(here, table),)
    except (Refused, BadData, Unavailable) as error:
        return here.refuse(error, _HERE)
    return here.page("judge/device_codes.html", codes=codes)


@post(
    "/all",
    needs=Permission.FLOOR,
    audit=Audit("Showed codes to use phones and tablets as terminals", kind=AuditKind.TERMINALS),
    status_code=200,
)
async def offer_all(here: AtStation) -> Template | Redirect:
    """Show the codes of all running tables without a terminal, for printing or for walking around."""
    try:
        codes = [await _code(here, table) for table in _tables_without_terminal(here)]
    except (Refused, BadData, Unavailable) as error:
        return here.refuse(error, _HERE)
    return here.page("judge/device_codes.html", codes=codes) if codes else Redirect(_HERE)


@post(
    "/{key:str}/end",
    needs=Permission.FLOOR,
    audit=Audit("Stopped using a phone or tablet as a terminal", kind=AuditKind.TERMINALS),
)
async def end(here: AtStation, key: FromPath[str]) -> Redirect:
    """End a terminal in a browser."""
    for look in _devices(here).terminals():
        if look.terminal.key == key:
            here.recorded.known["table"] = str(look.terminal.table)
    return await here.act(_devices(here).end(key, here.judge), _HERE, Done.DEVICE_ENDED)


def _devices(here: PageContext) -> BrowserTerminals:
    return here.service.of(BrowserTerminals)


def _tables_without_terminal(here: PageContext) -> tuple[TableNo, ...]:
    served = {one.table for one in here.service.terminals() if one.link is not TerminalLink.AWAY}
    served |= {look.terminal.table for look in _devices(here).terminals() if look.terminal.is_held}
    running = {
        table.drawn.table
        for state in here.service.tournaments()
        for table in running_tables(state)
        if table.is_awaited
    }
    return tuple(sorted(running - served))


async def _code(here: PageContext, table: TableNo) -> DeviceCode:
    word = await _devices(here).offer(table, here.judge)
    link = f"{here.address_for_others()}{_DEVICE}/{word}"
    return DeviceCode(table, link, segno.make(link, error="m", micro=False).svg_data_uri(border=2))


@get("/{word:str}", needs=Permission.PUBLIC_PAGES)
async def ask(here: AtStation, word: FromPath[str]) -> Template:
    """Ask whether this device should become the terminal, so that a link preview does not use up the link."""
    return here.page("public/device.html", terminal=_offered(here, word), word=word)


@post(
    "/{word:str}",
    needs=Permission.PUBLIC_PAGES,
    audit=Audit("Made a phone or tablet a table's terminal", kind=AuditKind.TERMINALS),
)
async def take(here: AtStation, word: FromPath[str]) -> Redirect | Template:
    """Make this device the terminal."""
    screen = _screen(await here.fields())
    here.recorded.known["table"] = str(_offered(here, word).table)
    try:
        terminal, kept = await _devices(here).take(word, screen)
    except (Refused, Unavailable) as error:
        return here.page("public/device_over.html", 409, why=here.words.error(error))
    await _devices(here).wait_until_ready(terminal.key)
    there = f"{_DEVICE}/at/{terminal.key}/"
    answer = Redirect(there)
    answer.set_cookie(
        f"{_KEPT}{terminal.key}", kept, path=there, httponly=True, samesite="strict", max_age=24 * 3600
    )
    return answer


@get("/at/{key:str}", needs=Permission.PUBLIC_PAGES)
async def show(here: AtStation, key: FromPath[str]) -> Response[bytes] | Template:
    """Show the terminal's page to the browser that holds the terminal."""
    try:
        _check_holder(here, key)
        answer = await _devices(here).ask(key, "GET", "/")
    except (Refused, Unavailable) as error:
        return here.page("public/device_over.html", _GONE, why=here.words.error(error))
    return Response(answer.body, media_type=answer.kind, headers=_POLICY)


@get("/at/{key:str}/{name:path}", needs=Permission.PUBLIC_PAGES)
async def load(here: AtStation, key: FromPath[str], name: FromPath[str]) -> Response[bytes] | Stream:
    """Return a part of the terminal's page, or the stream of its pictures."""
    path = name.removeprefix("/")
    if path not in _PAGE and not path.startswith(_FONTS):
        raise NotFoundException(Missing.GONE.value)
    try:
        _check_holder(here, key)
        if path == "stream":
            return await _stream(here, key)
        answer = await _devices(here).ask(key, "GET", f"/{path}")
    except Refused:
        return Response(b"", status_code=_GONE)
    except Unavailable:
        return Response(b"", status_code=503)
    return Response(answer.body, media_type=answer.kind, status_code=answer.status)


@post(
    "/at/{key:str}/{name:path}",
    needs=Permission.PUBLIC_PAGES,
    audit=Unrecorded("touches; the terminal's entries show what came of them"),
    exclude_from_csrf=True,
)
async def send(here: AtStation, key: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Forward touches to the terminal. Other sites' forms have no cookie and cannot send JSON."""
    path = name.removeprefix("/")
    if path not in _SENT:
        raise NotFoundException(Missing.GONE.value)
    try:
        _check_holder(here, key)
        answer = await _devices(here).ask(key, "POST", f"/{path}", await here.request.body())
    except Refused:
        return Response(b"{}", status_code=_GONE, media_type="application/json")
    except Unavailable:
        return Response(b"{}", status_code=503, media_type="application/json")
    return Response(answer.body, media_type=answer.kind, status_code=answer.status)


_POLICY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}
"""The policy of all pages, plus pictures from a stream."""


async def _stream(here: PageContext, key: str) -> Stream:
    frames = _devices(here).frames(key)
    try:
        first = await anext(frames)
    except StopAsyncIteration as error:
        raise Unavailable("the terminal does not answer") from error

    async def _pieces() -> AsyncIterator[bytes]:
        async with contextlib.aclosing(frames):
            yield first
            async for piece in frames:
                yield piece

    return Stream(_pieces(), media_type="application/octet-stream")


def _offered(here: PageContext, word: str) -> BrowserTerminal:
    try:
        return _devices(here).offered(word)
    except Refused as error:
        raise NotFoundException(DeviceRefusal.WRONG_LINK.value) from error


def _check_holder(here: PageContext, key: str) -> None:
    _devices(here).held(key, here.request.cookies.get(f"{_KEPT}{key}", ""))


def _screen(fields: Fields) -> DeviceScreen:
    width, height, percent = (fields.number(name) for name in ("width", "height", "percent"))
    if not width or not height:
        return DeviceScreen(1024, 600)
    return DeviceScreen(min(width, _LONGEST_SIDE), min(height, _LONGEST_SIDE), (percent or 100) / 100)


routes = station_routes(_HERE, devices, offer, offer_all, end)
public_routes: Router = station_routes(_DEVICE, ask, take, show, load, send)
