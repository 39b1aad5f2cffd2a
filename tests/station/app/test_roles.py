"""Every page for every role: open to those it declares, closed to all others, and without secrets."""

import re
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from html import unescape
from itertools import count
from pathlib import Path
from typing import Final

import httpx
import pytest
from litestar import Litestar, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from base.errors import OurFault
from core.game.ending.finished_game import FinishedGame
from core.game.ending.record_sheet import record_sheet
from core.text.sentence import dollars
from station.accounts.invitations import Invitations
from station.accounts.permissions import AccountRole, Permission, permissions_of
from station.audit import PREVIEW, Audit
from station.store.settings import BACKUP_RECIPIENT, KEY, PIN_SECRET, Settings
from station.terminals.service import Terminals
from station.web.http_rules import CSRF
from station.web.pages import declared_pages
from tests.station.app.test_every_route import FEW, STATES, STREAMS, addresses, fetch
from tests.station.browser import PASSWORD, Browser, logged_in_as
from tests.station.computer.test_computer_pages import Computer
from tests.station.conftest import OPEN, Station

ASKING: Final = (None, *AccountRole)
"""Everybody who may ask; None for strangers."""


def _between(station: Station) -> None:
    station.opens(10)
    station.plays_round("first")
    station.plays_round("second")


HALLS: Final = {
    name: STATES[name] for name in ("registration", "draw made", "playing", "ranking published", "duels")
} | {"between rounds": _between}


@pytest.fixture
def hall(request: pytest.FixtureRequest, station: Station) -> Station:
    HALLS[str(request.param)](station)
    return station


@pytest.fixture
def browser(request: pytest.FixtureRequest, hall: Station, tmp_path: Path) -> Browser:
    """Return a browser logged in with a role, at an appliance."""
    made, role = Computer(hall, tmp_path).made, request.param
    return Browser(hall, appliance=made) if role is None else logged_in_as(hall, role, appliance=made)


def routes(browser: Browser) -> list[tuple[str, str]]:
    """Return the methods and paths of all routes, with parameters in braces."""
    routes_found = {
        (method, route.path_format)
        for route in browser.app.routes
        if isinstance(route, HTTPRoute)
        for method in route.methods
    }
    assert len(routes_found) > 150
    return sorted(routes_found, key=lambda route: (route[1], route[0]))


def permission_of(browser: Browser, method: str, path: str) -> Permission:
    if method == "OPTIONS":
        return Permission.PUBLIC_PAGES
    needs: Permission = browser.app.state.pages[f"{method} {path}"].needs
    return needs


def sent(browser: Browser, method: str, address: str) -> httpx.Response:
    """Send an empty form or a GET request, without following redirects."""
    if address.endswith(STREAMS) and method == "GET":
        return browser.beginning(address)
    data = {"_csrf_token": browser._token}
    asking = browser._client.request(method, address, data=data, follow_redirects=False)
    return browser.station.run(asking)


def is_sent_to_login(answer: httpx.Response) -> bool:
    return answer.status_code == 401 or answer.headers.get("location", "").startswith("/login?next=")


@pytest.mark.slow
@pytest.mark.parametrize("hall", ["playing"], indirect=True)
@pytest.mark.parametrize(
    "browser", ASKING, indirect=True, ids=lambda role: "stranger" if role is None else role.value
)
def test_every_route_is_open_to_the_roles_of_the_table_and_to_nobody_else(
    hall: Station, browser: Browser, request: pytest.FixtureRequest
) -> None:
    """Programs have tokens instead (test_exits.py)."""
    role: AccountRole | None = request.node.callspec.params["browser"]
    wrong = []
    known = [(method, path, next(addresses(path, hall))) for method, path in routes(browser)]
    token = "none yet"
    for method, path, address in known:
        if token != browser.cookie(CSRF):
            browser.get("/login")  # for the form's token
            token = browser.cookie(CSRF)
        answer = sent(browser, method, address)
        if permission_of(browser, method, path) in permissions_of(role):
            is_right = path.startswith("/api/") or (
                answer.status_code not in {401, 403} and (path == "/login" or not is_sent_to_login(answer))
            )
        else:
            is_right = is_sent_to_login(answer) if role is None else answer.status_code == 403
        if not is_right or answer.status_code >= 500:
            wrong.append((answer.status_code, method, address))
        has_changed = method == "POST" and answer.status_code != 403
        if role is not None and has_changed and browser.status("/judge").status_code != 200:
            browser.log_in("Roy" if role is AccountRole.HEAD_JUDGE else role.value)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.by_day(1)
@pytest.mark.parametrize("hall", ["playing"], indirect=True)
@pytest.mark.parametrize("browser", [AccountRole.HEAD_JUDGE], indirect=True)
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_no_route_answers_a_method_that_it_does_not_have(
    hall: Station, browser: Browser, method: str
) -> None:
    for _, path in routes(browser):
        assert sent(browser, method, next(addresses(path, hall))).status_code == 405, path


@pytest.mark.parametrize(
    "declared",
    [
        post("/forgotten", needs=Permission.PLAYERS),
        post("/forgotten", audit=PREVIEW),
        post("/forgotten", needs=Permission.PLAYERS, audit="Withdrew a player"),
        post("/forgotten", needs=Permission.PUBLIC_PAGES, audit=Audit("Withdrew a player")),
        get("/forgotten"),
    ],
)
def test_a_page_that_declares_too_little_keeps_the_station_from_starting(
    declared: Callable[[Callable[[], Awaitable[None]]], HTTPRouteHandler],
) -> None:
    async def forgotten() -> None: ...

    with pytest.raises(OurFault, match=r"(GET|POST) /forgotten"):
        declared_pages(Litestar([declared(forgotten)], openapi_config=None).routes)


LINK: Final = re.compile(r'\b(href|action|formaction|hx-get|sse-connect|data-frame)="(/[^"#]*)')


def page_links(page: str) -> Iterator[tuple[str, str]]:
    """Yield the method and address of each link and form on a page."""
    for tag in re.findall(r"<[^>]*>", page):
        for name, address in LINK.findall(tag):
            is_form = name in {"action", "formaction", "data-frame"} and 'method="get"' not in tag
            yield "POST" if is_form else "GET", unescape(address).partition("?")[0].rstrip("/") or "/"


def permissions_of_addresses(browser: Browser) -> Callable[[str, str], Permission]:
    """Return the permission of each real address: that of the matching route with the fewest parameters."""
    by_parameters = sorted(routes(browser), key=lambda route: route[1].count("{"))
    patterns = [(*route, re.compile(re.sub(r"\{[^}]+\}", "[^/]+", route[1]))) for route in by_parameters]

    @cache
    def permission(method: str, address: str) -> Permission:
        if address.startswith("/static/"):
            return Permission.PUBLIC_PAGES
        paths = (path for known, path, pattern in patterns if known == method and pattern.fullmatch(address))
        return permission_of(browser, method, next(paths))

    return permission


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "hall",
    [
        pytest.param(name, marks=() if name in {"playing", "between rounds"} else pytest.mark.nightly)
        for name in HALLS
    ],
    indirect=True,
)
@pytest.mark.parametrize("browser", list(AccountRole), indirect=True, ids=lambda role: role.value)
def test_pages_offer_only_what_the_role_may_do(
    hall: Station, browser: Browser, request: pytest.FixtureRequest
) -> None:
    mine = permissions_of(request.node.callspec.params["browser"])
    wrong, read, permission = set[tuple[str, ...]](), 0, permissions_of_addresses(browser)
    for method, path in routes(browser):
        if method != "GET" or path.startswith("/static") or permission_of(browser, method, path) not in mine:
            continue
        answer = fetch(browser, next(addresses(path, hall)))
        if answer.status_code != 200 or "text/html" not in answer.headers["content-type"]:
            continue
        read += 1
        wrong |= {(path, *link) for link in page_links(answer.text) if permission(*link) not in mine}
    assert wrong == set()
    assert read >= 5


def readable(browser: Browser, hall: Station, role: AccountRole, *, few: bool) -> Iterator[tuple[str, str]]:
    """Yield all responses that a role can get, in all variants or in a few."""
    mine = permissions_of(role)
    for method, path in routes(browser):
        if method != "GET" or path.startswith("/static"):
            continue
        if permission_of(browser, method, path) in mine:
            for address in addresses(path, hall, strange=not few):
                answer = fetch(browser, address)
                if answer.status_code == 200 and not address.endswith("/backup"):
                    yield address, unescape(answer.content.decode("latin-1"))


def money(station: Station) -> tuple[set[str], set[str]]:
    """Return the winnings of single games, and totals that equal none of them, as pages show them."""
    state, rules = station.service.tournament(OPEN), station.service.rules(OPEN)
    cards = [
        card for drawn in state.published_rounds for card in station.service.floor(OPEN, round_no=drawn.round)
    ]
    sheets = [record_sheet(card.accepted, rules) for card in cards if isinstance(card.accepted, FinishedGame)]
    single = {dollars(line.winnings) for sheet in sheets for line in sheet.lines if line.winnings}
    totals = {dollars(row.score) for row in station.service.standings(OPEN).rows if row.score}
    return single, totals - single


@pytest.mark.slow
@FEW
@pytest.mark.parametrize("hall", ["between rounds"], indirect=True)
@pytest.mark.parametrize(
    "browser",
    [
        pytest.param(role, marks=pytest.mark.nightly if role is AccountRole.HEAD_JUDGE else ())
        for role in AccountRole
    ],
    indirect=True,
    ids=lambda role: role.value,
)
def test_nothing_that_a_role_reads_holds_a_secret(
    hall: Station, browser: Browser, request: pytest.FixtureRequest, *, few: bool
) -> None:
    role: AccountRole = request.node.callspec.params["browser"]
    pins = [hall.service.pin(hall.terminal(number).id) for number in (8, 9)]
    hidden = dict(secrets_of(hall, browser))
    single, totals = money(hall)
    assert single
    assert totals
    if role is not AccountRole.HEAD_JUDGE:
        hidden |= {f"a total, {total}": total for total in totals}
    read = dict(readable(browser, hall, role, few=few))
    if role in {AccountRole.ORGANISER, AccountRole.DISPLAY}:
        hidden |= {
            f"a terminal's PIN, {form}": form for pin in pins for form in (pin, f"{pin[:3]}\xa0{pin[3:]}")
        }
        printed = " ".join(read[address] for address in read if "rules" in address or "/new" in address)
        hidden |= {f"winnings, {won}": won for won in single if won not in printed}
        hidden["the amounts of a record sheet"] = "Winnings</th>"
        named = ("rules", "/judge/new", "/t/open-2026/sheets")
        read = {address: text for address, text in read.items() if not any(one in address for one in named)}
    leaks = [
        (address, name)
        for address, text in read.items()
        for name, secret in hidden.items()
        if secret in text and re.search(rf"(?<![\d,]){re.escape(secret)}(?![\d,])", text)
    ]
    assert leaks == []
    assert len(read) >= 10


def secrets_of(station: Station, browser: Browser) -> Iterator[tuple[str, str]]:
    """Create secrets of every kind, and yield their names and the texts that nobody may read."""
    settings, service = Settings(station.database), station.service
    service.sealed_backups.set_passphrase("a long enough passphrase")
    token = station.run(service.of(Terminals).enrol(None, "Roy")).partition('token = "')[2].partition('"')[0]
    key = Invitations(browser.judges).make("Ann", AccountRole.ORGANISER, "Roy")
    yield "a hash of a password or PIN", "$argon2"
    yield "the secret of the PINs", str(settings.get(PIN_SECRET))
    yield "the station's key", str(settings.get(KEY) or "PRIVATE KEY").splitlines()[-1]
    yield "a private key", "PRIVATE KEY"
    yield "the key of cookies", str(settings.get("web-secret"))
    yield "what seals backups", str(settings.get(BACKUP_RECIPIENT))
    yield "a provisioning token", token
    yield "an invitation's key", key
    with station.database.transaction() as connection:
        for table in ("sessions", "invitations"):
            hashes = connection.exec_driver_sql(f"SELECT key_hash FROM {table}").scalars().all()
            numbers = count(1)
            yield from ((f"{table} {next(numbers)}", str(token_hash)) for token_hash in hashes)
        for token_hash in connection.exec_driver_sql("SELECT token_hash FROM tokens").scalars().all():
            # Pages name a card's file by its hash; an unused one admits nobody without its word.
            assert token_hash != token


@pytest.mark.parametrize("hall", ["between rounds"], indirect=True)
def test_a_floor_judges_correction_shows_the_table_and_not_the_standings(
    hall: Station, judge: Browser
) -> None:
    floor = logged_in_as(hall, AccountRole.FLOOR_JUDGE)
    sheet = f"/judge/t/{OPEN}/tables/1/1/sheet"
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)" checked', floor.get(sheet)))
    assert fields
    typed = {"role-1": "sheriff", **fields, "left-2": "yes"}
    assert "What would change" not in floor.send(sheet, typed)
    judge.get("/judge")
    judge.send(f"{sheet}/take", typed)
    assert "What would change" in judge.send(sheet, typed)


@pytest.mark.parametrize("hall", ["between rounds"], indirect=True)
@pytest.mark.parametrize("browser", [AccountRole.ORGANISER], indirect=True)
def test_an_organisers_backup_is_sealed_and_needs_a_passphrase_of_the_head_judge(
    hall: Station, browser: Browser
) -> None:
    assert "passphrase" in browser.get("/judge/backup/encrypted")
    hall.service.sealed_backups.set_passphrase("a long enough passphrase")
    answer = browser.status("/judge/backup/encrypted")
    assert answer.content.startswith(b"SALOON-SEALED-1\n")
    assert b"SQLite" not in answer.content
    name = r'attachment; filename="saloon-\d{4}-\d\d-\d\d-\d{4}\.sealed"'
    assert re.fullmatch(name, answer.headers["content-disposition"])
    assert PASSWORD.encode() not in answer.content
