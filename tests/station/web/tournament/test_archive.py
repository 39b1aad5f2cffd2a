"""A tournament that is over leaves the lists of the day, and can be brought back."""

import pytest
from tests.station.conftest import OPEN, Station, outlaws_won
from tests.station.web.conftest import Browser

from saloon.core.tournament.commands import AcceptSheet
from saloon.core.tournament.events import Source, Waivers

BASE = f"/judge/t/{OPEN}"


@pytest.fixture(autouse=True)
def _opened(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))


def listed(browser: Browser, path: str) -> tuple[bool, bool]:
    """Return whether the tournament is on the list of the day, and on that of archived ones."""
    day, _, archived = browser.get(path).partition("<summary>Archived")
    return f"/t/{OPEN}" in day, f"/t/{OPEN}" in archived


def test_an_archived_tournament_leaves_the_lists_and_comes_back(station: Station, judge: Browser) -> None:
    assert [listed(judge, path) for path in ("/", "/judge")] == [(True, False)] * 2
    judge.get(BASE)
    assert "The tournament is archived." in judge.post(f"{BASE}/archive")
    assert [listed(judge, path) for path in ("/", "/judge")] == [(False, True)] * 2
    page = judge.get(BASE)
    assert "This tournament is archived" in page
    assert "10 players" in judge.get(f"{BASE}/history")
    judge.post(f"{BASE}/archive")
    judge.get(BASE)
    assert "back on the lists" in judge.post(f"{BASE}/reopen")
    assert [listed(judge, path) for path in ("/", "/judge")] == [(True, False)] * 2


def test_a_tournament_that_is_played_is_not_archived(station: Station, judge: Browser) -> None:
    drawn = station.publishes()
    judge.get(BASE)
    page = judge.post(f"{BASE}/archive")
    assert "These tables are still playing: 1, 2." in page
    for table in drawn.tables:
        station.does(AcceptSheet(table.game, outlaws_won(drawn, table.table), Source.PAPER))
    judge.get(BASE)
    assert "The tournament is archived." in judge.post(f"{BASE}/archive")


def test_an_archive_outlives_a_restart(station: Station, judge: Browser) -> None:
    judge.get(BASE)
    judge.post(f"{BASE}/archive")
    assert station.run(type(station.service.archive)(station.service.context).ids()) == {OPEN}
