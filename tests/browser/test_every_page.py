"""Every page in every state: axe-core, nesting, outline, widths, zoom, focus and the console find no fault.

The pages are made in this process and replayed to Chromium, so that all states and roles take minutes.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Route

from station.accounts.permissions import AccountRole
from tests.browser.conftest import close_windows
from tests.station.app.test_every_route import STATES, STREAMS, addresses, templates
from tests.station.browser import Browser, logged_in_as
from tests.station.computer.test_computer_pages import Computer
from tests.station.conftest import Station

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LOOKS: Final = {
    "phone": (390, 844, "light"),
    "laptop": (1280, 720, "dark"),
    "television": (1920, 1080, "light"),
    "zoomed": (640, 360, "light"),
}
"""Zoomed: a laptop at 200 %."""
WCAG: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SITE, NO_PAGE = "http://station", "/no-such-page"
SCREENS = ("/projector/",)
"""Pages for one television: text as large as its width allows, without landmarks."""
LIVE = """
window.EventSource = class extends EventTarget {
  readyState = 1;
  constructor() { super(); setTimeout(() => this.onopen?.(new Event("open"))); }
  close() {}
};
"""
FAULTS = r"""
() => {
  const faults = [], root = document.documentElement;
  const all = [...document.body.querySelectorAll("*")].filter(
    e => e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})
      && e.getClientRects().length && !e.closest(".spoken, .skip, [aria-hidden=true]"));
  const text = e => (e.textContent || "").trim().replace(/\s+/g, " ");
  const add = (rule, elements) => elements.slice(0, 3).forEach(
    e => faults.push(`${rule}: ${e.tagName}.${e.getAttribute("class")} "${text(e).slice(0, 40)}"`));
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
  add("cut", all.filter(e => {
    const style = getComputedStyle(e);
    if (!text(e) || style.clipPath !== "none" || e.closest("svg, [title], textarea")) return false;
    return /hidden|clip/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 1
      || /hidden|clip/.test(style.overflowY) && e.scrollHeight > e.clientHeight + 2;
  }));
  add("wider than its frame", all.filter(
    e => e.matches("button, .button, .badge, .choice span, summary")
      && e.clientWidth && e.scrollWidth > e.clientWidth + 2));
  add("no icon", all.filter(e => e.tagName === "use" && !e.getBBox().width).map(e => e.parentElement));
  add("no picture", all.filter(e => e.matches("img[src^='/static']") && e.complete && !e.naturalWidth));
  const heads = all.filter(e => /^H[1-6]$/.test(e.tagName)), level = e => Number(e?.tagName[1] ?? 0);
  add("heading too deep", heads.filter((e, n) => level(e) > level(heads[n - 1]) + 1));
  if (heads.filter(e => level(e) === 1).length > 1) faults.push("more than one h1");
  add("header without scope", [...document.querySelectorAll("th:not([scope])")].filter(text));
  add("label of several controls", [...document.querySelectorAll("label")].filter(
    e => e.querySelectorAll("input:not([type=hidden]), select, textarea, button").length > 1));
  return faults;
}
"""
UNFOCUSED = r"""
() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
  .filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true}) && !e.matches(".skip"))
  .flatMap(e => {
    e.focus();
    if (document.activeElement !== e) return [];
    const drawn = [e, e.nextElementSibling].some(one => one && getComputedStyle(one).outlineStyle !== "none");
    const box = e.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const bar = top?.closest(".main-menu, .hall > .calls");
    const name = `${e.tagName.toLowerCase()} "${(e.textContent || e.name || "").trim().slice(0, 40)}"`;
    return [drawn || `focus isn't visible: ${name}`, !bar || bar.contains(e) || `focus is covered: ${name}`];
  }).filter(fault => fault !== true).slice(0, 3)
"""
BEGINNING = "document.querySelector('main h1')?.getBoundingClientRect().bottom ?? 0"
_VOID: Final = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta source track wbr"))
_NOT_IN_A_PARAGRAPH: Final = frozenset(
    re.findall(r"\w+", "div dl fieldset footer form h1 h2 h3 h4 header main nav ol p section table ul")
)
_ASSET = re.compile(r"""(?:src=|href=|data-src=|url\()["']?(/[^"')#]+)""")


class Nesting(HTMLParser):
    """Elements that close in another order than they opened, or that a paragraph can't hold."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _NOT_IN_A_PARAGRAPH and "p" in self.open:
            self.faults.append(f"{tag} in p, line {self.getpos()[0]}")
        if tag not in _VOID and tag != "option":
            self.open.append(tag)
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.faults.append(f"attribute twice in {tag}, line {self.getpos()[0]}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Elements of pictures, and void elements, may close themselves."""

    def handle_endtag(self, tag: str) -> None:
        if tag == "option":
            return
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.faults.append(f"/{tag} in {self.open[-1:]}, line {self.getpos()[0]}")


Answer = tuple[str, bytes, str]
"""Type, body and content security policy."""


@dataclass(frozen=True)
class Site:
    """All that a reader gets, by address, and the addresses of whole pages, two of each kind."""

    answers: dict[str, Answer]
    pages: list[str]


def read_site(hall: Station, reader: Browser, language: str) -> Site:
    answers: dict[str, Answer] = {}
    pages: list[str] = []

    def read(address: str) -> Answer | None:
        answer = reader.status(address, **{"accept-language": language})
        if answer.status_code != (404 if address == NO_PAGE else 200):
            return None
        headers = answer.headers
        # A file that was downloaded has no policy.
        is_file = "attachment" in headers.get("content-disposition", "")
        policy = "" if is_file else headers.get("content-security-policy", "")
        answers[address] = headers.get("content-type", ""), answer.content, policy
        return answers[address]

    for template in [*templates(reader), NO_PAGE]:
        if template.startswith(("/api", "/static")) or template.endswith(STREAMS) or "backup" in template:
            continue
        for address in list(addresses(template, hall, strange=False))[:2]:
            answer = read(address)
            if answer and "html" in answer[0] and answer[1].lstrip()[:9].lower() == b"<!doctype":
                pages.append(address)
    read("/static/saloon.css")
    texts = [body.decode() for kind, body, _ in answers.values() if re.search("html|css", kind)]
    assets = {link for text in texts for link in _ASSET.findall(text) if link.startswith("/static")}
    for asset in sorted(assets):
        read(asset)
    return Site(answers, pages)


def replay(page: Page, site: Site) -> list[str]:
    """Let a page show the site, and return its console's errors as they come."""
    errors: list[str] = []

    def answer(route: Route) -> None:
        kind, body, policy = site.answers.get(route.request.url.removeprefix(SITE), ("", b"", ""))
        if not kind:
            route.fulfill(status=204)
        else:
            route.fulfill(body=body, headers={"content-type": kind, "content-security-policy": policy})

    page.context.route("**/*", answer)
    page.context.add_init_script(LIVE)
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def see(page: Page, look: str) -> None:
    width, height, scheme = LOOKS[look]
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": height})


def axe_faults(page: Page, rules: list[str]) -> Iterator[str]:
    for fault in Axe().run(page, options={"runOnly": rules}).response["violations"]:
        yield f"axe {fault['id']}: {fault['nodes'][0]['html'][:140]}"


def faults_of(page: Page, address: str) -> Iterator[str]:
    """Yield the faults of a page in each look."""
    page.goto(SITE + address)
    is_screen = address.startswith(SCREENS)
    rules = WCAG if is_screen else [*WCAG, "best-practice"]
    for look in LOOKS:
        see(page, look)
        if not is_screen:
            yield from (f"{look}: {fault}" for fault in page.evaluate(FAULTS))
        if look in {"phone", "laptop"}:
            yield from (f"{look}: {fault}" for fault in axe_faults(page, rules))
    # At 200 % the heading is within the upper part of the window.
    if page.evaluate(BEGINNING) > 0.6 * LOOKS["zoomed"][1] and not page.locator(".notice").count():
        yield "the heading is low at 200 %"
    see(page, "phone")
    page.keyboard.press("Tab")
    yield from page.evaluate(UNFOCUSED)


@pytest.fixture
def page(browser: Chromium) -> Iterator[Page]:
    yield browser.new_page()
    close_windows(browser)


def readers(hall: Station, folder: Path) -> dict[str, Browser]:
    """Return the browsers of all who read this hall's pages; an appliance has more of them."""
    if not hall.service.tournaments():
        appliance = Computer(hall, folder).made
        return {"head judge": logged_in_as(hall, AccountRole.HEAD_JUDGE, appliance=appliance)}
    roles = AccountRole.HEAD_JUDGE, AccountRole.FLOOR_JUDGE, AccountRole.ORGANISER
    return {role.value: logged_in_as(hall, role) for role in roles} | {"public": Browser(hall)}


def read_hall(state: str, folder: Path, language: str) -> dict[str, Site]:
    """Return what each reader gets in a hall of this state."""
    hall = Station(folder)
    try:
        STATES[state](hall)
        return {name: read_site(hall, reader, language) for name, reader in readers(hall, folder).items()}
    finally:
        hall.close()


def read_apart(state: str, folder: Path, language: str = "en") -> dict[str, Site]:
    """Read a hall in a thread of its own, as Playwright's loop occupies this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(read_hall, state, folder, language).result()


@pytest.mark.parametrize(
    "state", ["no tournament", "registration", "draw made", "playing", "ranking published", "duels"]
)
def test_no_page_has_a_fault(state: str, page: Page, tmp_path: Path) -> None:
    faults: dict[str, list[str]] = {}
    seen: set[bytes] = set()
    for name, site in read_apart(state, tmp_path).items():
        assert len(site.pages) > 10
        page.context.unroute_all()
        errors = replay(page, site)
        for address in site.pages:
            body = site.answers[address][1]
            # Readers with the same menu see the same page of another name.
            outline = re.sub(rb"(?<=>)[^<]+|[0-9a-f]{32,}", b"", body)
            if outline in seen:
                continue
            seen.add(outline)
            nesting = Nesting()
            nesting.feed(body.decode())
            errors.clear()
            bad = [*nesting.faults, *faults_of(page, address), *errors]
            if bad:
                faults[f"{name} {address}"] = bad
    assert not faults, "\n".join(f"{where}: {bad}" for where, bad in faults.items())


@pytest.mark.parametrize("state", ["playing", "duels"])
@pytest.mark.parametrize("language", ["it", "de", "fr", "es"])
def test_no_text_is_cut_in_any_language(state: str, language: str, page: Page, tmp_path: Path) -> None:
    site = read_apart(state, tmp_path, language)[AccountRole.HEAD_JUDGE.value]
    replay(page, site)
    faults: dict[str, list[str]] = {}
    for address in site.pages:
        if address.startswith(SCREENS):
            continue
        page.goto(SITE + address)
        for look in LOOKS:
            see(page, look)
            if bad := page.evaluate(FAULTS):
                faults[f"{look} {address}"] = bad
    assert not faults, "\n".join(f"{where}: {bad}" for where, bad in faults.items())
