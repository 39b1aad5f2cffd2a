"""Hostile names of players, clubs and tournaments on every page, in every export: whole, and only as text."""

import io
import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser

import pytest
import python_calamine

from base.right_to_left import without_isolates
from core.rule_set import RuleSet
from core.terms import PlayerId
from core.tournament.penalties import WarnPlayer, WithdrawPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.state.tournament import Player, Waivers
from station.accounts.permissions import AccountRole
from station.projectors.service import Projectors
from station.seasons.service import Season, Seasons
from tests.station.app.test_every_route import FEW, addresses, templates
from tests.station.browser import Browser, logged_in_as, proof_faults
from tests.station.conftest import OPEN, Station
from tests.station.paper.test_papers import HOSTILE

NAMES = (
    *HOSTILE,
    '<script>document.title="owned"</script>',
    "Robert'); DROP TABLE entries;--",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "山田 太郎",
    "👩‍👩‍👧‍👦 Familie",
)
REASON = "<b>late</b>, =again() & {name} 😀"
TITLE = '<i>Cup</i> "2026" {n} %(n)s דוד'
STREAMS = "/events"


@pytest.fixture
def hall(station: Station) -> Station:
    """Return a station with a published tournament of two rounds, with warnings and a player who left."""
    station.does(OpenTournament(OPEN, TITLE, RuleSet("championship-2022"), "2026-11-21", Waivers(rounds=1)))
    people = tuple(
        Player(PlayerId(f"p{number:03}"), name, NAMES[-number]) for number, name in enumerate(NAMES, 1)
    )
    station.does(RegisterPlayers(people))
    terminal = station.terminal(1)
    round_ = station.publishes()
    terminal.plays()
    station.accepts(round_, *(table.table for table in round_.tables[1:]))
    station.does(WarnPlayer(PlayerId("p013"), REASON))
    station.does(WithdrawPlayer(PlayerId("p014"), REASON))
    station.publishes_ranking()
    station.run(station.service.of(Projectors).add(OPEN, '<u>Screen</u> "1"', "en"))
    station.run(station.service.of(Seasons).add(Season("", "<u>League</u>", (OPEN,))))
    return station


class Elements(HTMLParser):
    """Collects the elements that none of our pages has, and attributes that run scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in {"b", "i", "u"} and not attributes:
            self.strange.append(tag)
        if tag == "img" and attributes.get("src") == "x":
            self.strange.append(tag)
        if tag == "script" and not str(attributes.get("src", "")).startswith("/static/"):
            self.strange.append(tag)
        self.strange += [name for name in attributes if name.startswith("on")]


def pages(browser: Browser, hall: Station, *, few: bool) -> Iterator[tuple[str, str]]:
    for template in templates(browser):
        if template.endswith(STREAMS) or "{kind}" in template:
            continue
        for address in addresses(template, hall, strange=not few):
            answer = browser.beginning(address)
            if answer.status_code == 200 and "html" in answer.headers.get("content-type", ""):
                yield address, browser.get(address)


@pytest.mark.slow
@FEW
@pytest.mark.parametrize(
    "role", [None, AccountRole.HEAD_JUDGE], ids=lambda role: role.value if role else "all"
)
def test_no_name_is_more_than_text_on_any_page(hall: Station, role: AccountRole | None, *, few: bool) -> None:
    browser = Browser(hall) if role is None else logged_in_as(hall, role)
    wrong, read, seen = [], 0, set[str]()
    for address, page in pages(browser, hall, few=few):
        elements = Elements()
        elements.feed(page)
        text = unescape(re.sub(r"<b>|</b>", "", page))
        bold = [tag for tag in elements.strange if tag == "b" and "<b>late" in page]
        if [tag for tag in elements.strange if tag != "b"] or bold or " 49 " in text:
            wrong.append((address, elements.strange))
        seen |= {name for name in NAMES if name in without_isolates(text)}
        read += 1
    assert wrong == []
    assert read > 12
    assert seen == set(NAMES)


def test_data_and_interface_give_names_back_whole(hall: Station) -> None:
    judge = logged_in_as(hall, AccountRole.HEAD_JUDGE)
    workbook = judge.status(f"/judge/t/{OPEN}/data/workbook.xlsx").content
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(workbook))
    assert [row[2] for row in book.get_sheet_by_name("players").to_python()[1:]] == list(NAMES)
    listed = json.loads(judge.status(f"/api/v1/tournaments/{OPEN}/players").content)
    assert [one["name"] for one in listed] == list(NAMES)
    assert json.loads(judge.status(f"/api/v1/tournaments/{OPEN}").content)["name"] == TITLE
    assert proof_faults(hall) == ()


def test_names_of_files_are_harmless(hall: Station) -> None:
    judge = logged_in_as(hall, AccountRole.HEAD_JUDGE)
    for path in (f"/judge/t/{OPEN}/data/workbook.xlsx", f"/judge/t/{OPEN}/export"):
        disposition = judge.status(path).headers["content-disposition"]
        own = r"(; filename\*=UTF-8''[A-Za-z0-9%._-]+)?"
        assert re.fullmatch(r'attachment; filename="[a-z0-9.-]+"' + own, disposition), disposition
