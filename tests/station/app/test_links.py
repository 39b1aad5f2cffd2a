"""Every place, tab and link that a page shows can be opened by whoever is logged in there."""

import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from station.accounts.permissions import AccountRole
from tests.station.app.test_every_route import STATES, STREAMS
from tests.station.browser import Browser, logged_in_as
from tests.station.computer.test_computer_pages import Computer
from tests.station.conftest import Station

LINK: Final = re.compile(r'\b(?:href|hx-get|src)="(/[^"#]*)')
_ID: Final = re.compile(r"(?<=[/=])(?:\d+|p\d+|[0-9a-f-]{8,})(?=/|$|&)")
A_KIND: Final = 2
"""So many pages are opened of those that differ only by a number or an id."""


def follow_links(browser: Browser, start: str) -> dict[str, int]:
    """Open every page that links lead to, and return the status of each."""
    waiting, statuses, opened = [start], dict[str, int](), Counter[str]()
    while waiting:
        address = waiting.pop(0)
        kind = _ID.sub("n", address)
        if address in statuses or opened[kind] >= A_KIND or address.startswith("/static/"):
            continue
        opened[kind] += 1
        is_stream = address.partition("?")[0].endswith(STREAMS)
        answer = browser.beginning(address) if is_stream else browser.status(address)
        statuses[address] = answer.status_code
        if answer.is_redirect:
            waiting.append(answer.headers["location"])
        elif "text/html" in answer.headers.get("content-type", ""):
            waiting += map(unescape, LINK.findall(answer.text))
    return statuses


@pytest.mark.slow
@pytest.mark.parametrize(
    "state", [pytest.param(name, marks=() if name == "playing" else pytest.mark.nightly) for name in STATES]
)
@pytest.mark.parametrize("role", list(AccountRole), ids=lambda role: role.value)
@pytest.mark.parametrize(
    "is_appliance", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["", "appliance"]
)
def test_no_link_leads_to_a_page_that_cannot_be_opened(
    station: Station, tmp_path: Path, state: str, role: AccountRole, *, is_appliance: bool
) -> None:
    STATES[state](station)
    made = Computer(station, tmp_path).made if is_appliance else None
    statuses = follow_links(logged_in_as(station, role, appliance=made), "/judge")
    assert {address: status for address, status in statuses.items() if status >= 400} == {}
    assert len(statuses) > 5
