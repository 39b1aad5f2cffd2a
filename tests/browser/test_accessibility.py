"""Everybody can use every page: axe-core finds nothing serious, on a screen by day and a phone by night."""

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from demo.hall import Hall, Table
from tests.browser.conftest import begin_round, confirm_law_wins, log_in, publish_ranking

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
LOOKS: dict[str, tuple[Literal["light", "dark"], ViewportSize]] = {
    "screen": ("light", {"width": 1280, "height": 720}),
    "phone": ("dark", {"width": 390, "height": 844}),
}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
BAD = {"serious", "critical"}
_NO_PAGE = re.compile(r"/(static|backup|export|provisioning)|\.\w+$")
_ID = re.compile(r"(?<=/)(?:\d+|p\d+|[0-9a-f-]{8,})(?=/|$)")


def kind_of(path: str, tournament: str) -> str:
    """Return what pages of the same kind have in common: the address without its numbers and names."""
    return _ID.sub("n", path.partition("?")[0].replace(tournament, "T"))


def check(page: Page, where: str) -> list[str]:
    """Return what axe-core finds on a page that is open, in each look."""
    faults = []
    for look, (scheme, size) in LOOKS.items():
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        for fault in Axe().run(page, options=RULES).response["violations"]:
            if fault["impact"] in BAD:
                nodes = "; ".join(node["html"][:140] for node in fault["nodes"][:3])
                faults.append(f"{where} ({look}): {fault['id']}: {nodes}")
    return faults


def crawl(page: Page, start: str, tournament: str, seen: set[str]) -> list[str]:
    waiting, faults = [start], []
    while waiting:
        path = waiting.pop(0)
        if kind_of(path, tournament) in seen:
            continue
        seen.add(kind_of(path, tournament))
        answer = page.goto(path)
        assert answer is not None
        assert answer.status < 400, path
        faults += check(page, path)
        links = page.locator("a[href^='/']:not([download])").evaluate_all(
            "links => links.map(link => link.getAttribute('href').split('#')[0])"
        )
        waiting += [link for link in links if not _NO_PAGE.search(link)]
    return faults


def test_no_page_keeps_anybody_out(station: Hall, table: Table, page: Page, tmp_path: Path) -> None:
    faults = []
    for path in ("/", "/login", "/no-such-page"):
        page.goto(path)
        faults += check(page, path)
    log_in(page)
    begin_round(page, "Open", tmp_path)
    tournament = re.search(r"/t/([^/]+)", page.url)
    assert tournament is not None
    seen: set[str] = set()
    faults += crawl(page, "/judge", tournament[1], seen)
    page.set_viewport_size(LOOKS["screen"][1])
    page.goto(f"/judge/t/{tournament[1]}/floor")
    confirm_law_wins(page, 1, 2)
    publish_ranking(page)
    faults += crawl(page, f"/t/{tournament[1]}", tournament[1], seen - {"/t/T"})

    assert len(seen) > 44
    assert faults == []
