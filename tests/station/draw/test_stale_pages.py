"""A page about a draw, a round or the finals that stayed open while another judge went on."""

import re
from collections.abc import Iterator, Mapping
from html import unescape

from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import PublishRoundsRanking
from core.tournament.registration import RenameTournament
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, Station, seed

JUDGE = f"/judge/t/{OPEN}"
PAGES = (f"{JUDGE}/draw", f"{JUDGE}/floor", f"{JUDGE}/finals", f"{JUDGE}/standings")
CHANGING = re.compile(r"/(draw|clock|finals|standings)(/|$)")
FORM = re.compile(r'<form method="post" action="([^"]+)".*?</form>', re.DOTALL)
TYPED = {"missing": "seat", "reason": "spilt coffee", "do": "start", "kind": "long-duel"}
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')

Form = tuple[str, Mapping[str, str]]


def forms(judge: Browser) -> Iterator[Form]:
    """Yield the forms of all pages that change a draw, a round or the finals."""
    for page in PAGES:
        for form in FORM.finditer(judge.get(page)):
            hidden = {name: unescape(value) for name, value in HIDDEN.findall(form[0])}
            if CHANGING.search(form[1]) and not form[1].endswith("/undo/what-if"):
                yield form[1], hidden


def test_no_button_of_a_page_left_open_does_anything_later(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=2, time_limit_min=60), "championship-2010")
    stale: list[Form] = []

    def goes_on(said: str, *, are_clocks_stale: bool = False) -> None:
        steps = station.service.steps_written(OPEN)
        for action, hidden in stale:
            if are_clocks_stale or not action.endswith("/clock"):
                answer = judge.send(action, {**TYPED, **hidden})
                shows(answer, "This page was out of date, so nothing was done.", said, "spilt coffee")
        assert station.service.steps_written(OPEN) == steps
        stale[:] = [*forms(judge)]

    goes_on("")
    assert [action for action, _ in stale] == [f"{JUDGE}/draw/seal"]
    station.does(SealDraw(seed=seed("cactus")))
    goes_on("seed sealed (Judge Roy, ")
    station.does(MakeDraw(hall_word="tumbleweed"))
    goes_on("draw 1: drawn (Judge Roy, ")
    assert {f"{JUDGE}/draw/{part}" for part in ("publish", "seal", "change/what-if")} == dict(stale).keys()
    first = station.does(PublishDraw()).rounds[-1]
    goes_on("Round 1 published (Judge Roy, ")
    assert f"{JUDGE}/clock" in dict(stale)
    station.accepts(first, *(table.table for table in first.tables))
    second = station.publishes("second")
    goes_on("Meanwhile: Round 2", are_clocks_stale=True)
    station.accepts(second, *(table.table for table in second.tables))
    station.breaks_ties()
    stale[:] = [*forms(judge)]
    assert f"{JUDGE}/finals/rounds" in dict(stale)
    station.does(PublishRoundsRanking())
    goes_on("Ranking of the rounds published")
    judge.send(f"{JUDGE}/finals/begin", {"kind": "long-duel"})
    goes_on("Semifinalists called to their tables")


def test_an_undo_that_comes_too_late_says_who_was_faster_and_leads_on(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    seen = str(station.service.steps_written(OPEN))
    station.does(RenameTournament("Monday", "2026-12-01"), by="Ben Floor")
    page = judge.send(f"{JUDGE}/undo/last", {"seen": seen})
    shows(page, "Nothing was undone, as another step followed: Tournament renamed:", "(Ben Floor, ")
    assert f'<a href="{JUDGE}/history">History</a>' in page
