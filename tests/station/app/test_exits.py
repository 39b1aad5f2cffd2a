"""Every way out of the station, in one table: until publication, money and roles are the head judge's."""

import io
import re
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from typing import Final

import httpx
import pytest

from core.terms import Role
from core.tournament.prizes import ChangePrizes
from core.tournament.state.prizes import Prize, PrizeBasis
from station.accounts.api_tokens import ApiTokens
from station.accounts.permissions import AccountRole
from station.exports import DataTable
from station.paper.papers import PaperKind
from tests.station.app.test_every_route import FEW, addresses, templates
from tests.station.app.test_roles import money
from tests.station.browser import Browser, logged_in_as
from tests.station.conftest import OPEN, Station

Asker = AccountRole | None
"""None for strangers."""
NOBODY: Final[frozenset[Asker]] = frozenset()
HEAD: Final[frozenset[Asker]] = frozenset({AccountRole.HEAD_JUDGE})
AT_TABLES: Final[frozenset[Asker]] = HEAD | {AccountRole.FLOOR_JUDGE}
"""Floor judges enter record sheets, so that they read those, but no totals."""

_T: Final = "/t/{tournament}"
_J: Final = f"/judge{_T}"
_V1: Final = "/api/v1/tournaments"
EXITS: Final[Mapping[str, frozenset[Asker]]] = {
    _V1: NOBODY,
    f"{_V1}/{{tournament}}": NOBODY,
    f"{_V1}/{{tournament}}/players": NOBODY,
    f"{_V1}/{{tournament}}/rounds": NOBODY,
    f"{_V1}/{{tournament}}/tables": NOBODY,
    f"{_V1}/{{tournament}}/penalties": NOBODY,
    f"{_V1}/{{tournament}}/results": HEAD,
    f"{_V1}/{{tournament}}/ranking": HEAD,
    f"{_V1}/{{tournament}}/prizes": HEAD,
    "/api/openapi.json": NOBODY,
    "/api": NOBODY,
    "/api/{path}": NOBODY,
    "/health": NOBODY,
    "/me/{code}": NOBODY,
    "/static/fonts/han.ttf": NOBODY,
    "/projector/{key}": NOBODY,
    "/projector/{key}/pages": NOBODY,
    "/projector/{key}/overlay": NOBODY,
    "/projector/{key}/overlay/pages": NOBODY,
    _T: NOBODY,
    f"{_T}/find": NOBODY,
    f"{_T}/player/{{player}}": NOBODY,
    f"{_T}/table/{{table}}": NOBODY,
    f"{_T}/register": NOBODY,
    f"{_T}/rounds/{{round_no}}/draw": NOBODY,
    f"{_T}/rounds/{{round_no}}/seats": NOBODY,
    f"{_T}/statistics": HEAD,
    f"{_T}/results.html": HEAD,
    f"{_T}/why/{{player}}": NOBODY,
    f"{_T}/prizes": NOBODY,
    "/season/{season}": NOBODY,
    "/judge/audit/audit.csv": HEAD,
    "/judge/audit/audit.jsonl": HEAD,
    "/judge/backup": HEAD,
    "/judge/backup/encrypted": NOBODY,
    "/judge/calls/certificate": NOBODY,
    "/judge/terminals/cards/labels": NOBODY,
    f"{_J}/data/{{table}}/file.csv": HEAD,
    f"{_J}/data/workbook.xlsx": HEAD,
    f"{_J}/export": HEAD,
    f"{_J}/proof": NOBODY,
    f"{_J}/players/ejected.txt": NOBODY,
    "/judge/rehearsal/live": NOBODY,
    f"{_J}/print/{{kind}}/file": AT_TABLES,
    "/judge/seasons/{season}/qualifiers": NOBODY,
    "/judge/terminals/{terminal}/trouble/export": NOBODY,
}
"""Each address that leaves the station as data, or that everybody can open, and who finds a secret there."""
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    f"{_J}/data/{{table}}/file.csv": tuple(table.value for table in DataTable),
    f"{_J}/print/{{kind}}/file": tuple(kind.value for kind in PaperKind),
}
"""The values of a last parameter that is a word of the exit, not of the tournament."""
PRINTED: Final = ("/print/record-sheets/", "/api/openapi.json")
"""Exits with names of roles on every copy, also on a blank one."""
PICTURES: Final = (
    "/static/", "/print/{kind}/pages/", "/print/{kind}/thumbnail", "/device", "/in/", "/rules/{edition}",
)  # fmt: skip
"""Assets, the pictures of papers (tried as PDF), and pages of single players' phones."""


@pytest.fixture
def hall(station: Station) -> Station:
    station.opens(10)
    station.does(ChangePrizes((Prize("Best game", PrizeBasis.BEST_GAME),)))
    station.plays_round("first")
    station.plays_round("second")
    return station


def token_of(browser: Browser, role: AccountRole) -> dict[str, str]:
    token = ApiTokens(browser.judges).make(f"program of {role.value}", role, "Roy")
    return {"authorization": f"Bearer {token}"}


def texts(answer: httpx.Response) -> Iterator[str]:
    """Yield all texts in a response, including those inside archives and papers."""
    content = answer.content
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from (archive.read(name).decode("latin-1") for name in archive.namelist())
    elif content.startswith(b"%PDF"):
        read = ["pdftotext", "-layout", "-", "-"]
        yield subprocess.run(read, input=content, check=True, capture_output=True).stdout.decode()
    else:
        yield content.decode("latin-1")


def secrets_in(answer: httpx.Response, amounts: set[str], address: str) -> list[str]:
    """Return the dollars and roles in a response."""
    # A page that announces the rules names roles in passing; data has them as words of their own.
    roles = [role.value for role in Role if role is not Role.SHERIFF]
    leaked = []
    for text in texts(answer):
        plain = text.replace(",", "")
        # As a word of its own: a form's random token may have the same digits between letters.
        leaked += [one for one in amounts if re.search(rf"\b{one}\b", plain)]
        if not any(part in address for part in PRINTED):
            leaked += [role for role in roles if re.search(rf"\b{role}\b", text, re.IGNORECASE)]
    return leaked


def tried(template: str, hall: Station, *, few: bool) -> list[str]:
    if template in VARIANTS:
        name = re.findall(r"\{(\w+)\}", template)[-1]
        filled = template.replace("{tournament}", OPEN)
        return [filled.replace(f"{{{name}}}", value) for value in VARIANTS[template]]
    every = addresses(template, hall, strange=not few)
    return [address for address in every if OPEN in address or "{t" not in template]


@pytest.mark.slow
@FEW
@pytest.mark.parametrize("asker", [None, *AccountRole], ids=lambda role: role.value if role else "stranger")
def test_no_secret_leaves_the_station_before_publication(hall: Station, asker: Asker, *, few: bool) -> None:
    """The head judge must find the secrets, or the search would prove nothing."""
    browser = Browser(hall) if asker is None else logged_in_as(hall, asker)
    hall.service.sealed_backups.set_passphrase("a long enough passphrase")
    single, totals = money(hall)
    amounts = {re.sub(r"\D", "", one) for one in single | totals}
    # Amounts of few digits are also numbers of something else.
    amounts = {one for one in amounts if len(one) > 2}
    headers = {} if asker is None else token_of(browser, asker)
    leaks, holding = {}, set()
    for template, allowed in EXITS.items():
        for address in tried(template, hall, few=few):
            answer = browser.status(address, **(headers if address.startswith("/api") else {}))
            secrets = secrets_in(answer, amounts, address) if answer.status_code == 200 else []
            if secrets and asker not in allowed:
                leaks[address] = secrets
            if secrets:
                holding.add(template)
    assert leaks == {}
    expected = {template for template, allowed in EXITS.items() if asker in allowed}
    if asker is AccountRole.HEAD_JUDGE:
        assert expected - holding <= {"/judge/audit/audit.csv", "/judge/audit/audit.jsonl"}


@pytest.mark.slow
def test_every_exit_is_in_the_table(hall: Station) -> None:
    """Exits are all responses that aren't HTML, and all that anybody may open."""
    browser = logged_in_as(hall, AccountRole.HEAD_JUDGE)
    missing = []
    for template in templates(browser):
        if template in EXITS or any(part in template for part in PICTURES) or template.endswith("/events"):
            continue
        is_public = template.startswith(("/t/", "/me/", "/projector/", "/season/", "/api"))
        is_page = all(
            "html" in answer.headers.get("content-type", "html")
            for address in list(addresses(template, hall))[:6]
            if (answer := browser.beginning(address)).status_code == 200
        )
        if is_public or not is_page:
            missing.append(template)
    assert missing == [f"{_V1}/{{tournament}}/changes", f"{_T}/document", f"{_T}/rules"]
