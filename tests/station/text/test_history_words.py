"""The authors of steps, in the language of the reader of the history."""

import pytest

from core.terms import RoundNo, TournamentId
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import SealDraw
from core.tournament.registration import RenameTournament
from station.text.events_in_words import history_lines
from station.text.i18n import Words
from tests.core.tournament.conftest import Judge, one_group
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("terminal 4 (PIN)", "terminal of table 4, by PIN"),
        ("terminal 12 (key)", "terminal of table 12, by key"),
        ("Ada", "Ada"),
    ],
)
def test_who_confirmed_at_a_table_is_told_in_words(by: str, said: str) -> None:
    step = TournamentStep(
        TournamentId("open"),
        (SealDraw(round=RoundNo(1), attempt=1, seed="seed", seal="seal", by=by),),
        "2026-11-21T10:00:00+00:00",
    )
    (line,) = history_lines((step,), Judge(one_group()).opens(5).state, Words("en"))
    assert line.by == said


def test_a_long_history_is_shown_page_by_page(station: Station, judge: Browser) -> None:
    station.opens(10)
    for number in range(120):
        station.does(RenameTournament(f"Name {number}", "2026-11-21"))
    base = f"/judge/t/{OPEN}/history"
    pages = [judge.get(f"{base}{query}") for query in ("", "?page=2", "?page=99", "?page=-3")]
    assert pages[0].count("<time>") == 100
    assert "Name 119" in pages[0]
    assert f"{base}?page=2" in pages[0]
    assert pages[1].count("<time>") == len(station.service.history(OPEN)) - 100
    assert f"{base}?page=1" in pages[1]
    assert f"{base}?page=3" not in pages[1]
    assert [page.count("<time>") for page in pages[2:]] == [pages[1].count("<time>"), 100]
