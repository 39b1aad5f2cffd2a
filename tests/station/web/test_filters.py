"""How values are written on pages."""

import re
from fractions import Fraction

import pytest
from tests.station.conftest import OPEN, Station, seed
from tests.station.web.conftest import Browser

from saloon.core.text.sentence import amounts_in
from saloon.core.tournament.commands import DrawLots, PublishRanking
from saloon.core.tournament.events import Waivers
from saloon.station.web.filters import exact, table_sizes


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(1095), "1,095"),
        (Fraction(13600, 9), "1,511.11 (13600/9)"),
        (Fraction(450), "450"),
        (None, "–"),
    ],
)
def test_an_exact_value_parts_its_thousands_whole_or_not(value: object, written: str) -> None:
    assert exact(value) == written


def test_the_sizes_of_many_tables_are_counted() -> None:
    assert table_sizes((5, 5, 6)) == "5, 5, 6"
    assert table_sizes((6,) * 4 + (5,) * 190) == "190 × 5, 4 × 6"
    assert table_sizes(()) == ""


def test_italians_read_amounts_with_their_separator(station: Station, judge: Browser) -> None:
    assert amounts_in("-$1,234,500 and $250, 1,000 points", "it") == "-$1.234.500 and $250, 1,000 points"
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    for path in (f"/t/{OPEN}", f"/t/{OPEN}/rules", f"/t/{OPEN}/statistics", f"/t/{OPEN}/why/p001"):
        assert "$1," in judge.get(path), path
        page = judge.get(path, "it")
        assert "$1." in page, path
        assert re.findall(r"\$\d+,\d{3}", page) == [], path
