"""The format of values on pages."""

import re
from fractions import Fraction

import pytest

from core.text.sentence import amounts_in, number_in
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.tournament import Waivers
from station.text.filters import exact, table_sizes
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, seed


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


@pytest.mark.parametrize(
    ("language", "amounts", "number"),
    [
        ("en", "-$1,234,500 and $250, 1,000 points", "1,511.11"),
        ("it", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("de", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("es", "-$1.234.500 and $250, 1,000 points", "1.511,11"),
        ("fr", "-$1\u202f234\u202f500 and $250, 1,000 points", "1\u202f511,11"),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, amounts: str, number: str) -> None:
    assert amounts_in("-$1,234,500 and $250, 1,000 points", language) == amounts
    assert number_in("1,511.11", language) == number


def test_every_language_reads_amounts_with_its_separator(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    for path in (f"/t/{OPEN}", f"/t/{OPEN}/rules", f"/t/{OPEN}/statistics", f"/t/{OPEN}/why/p001"):
        assert "$1," in judge.get(path), path
        for language, amount in (("it", "$1."), ("de", "$1."), ("fr", "$1\u202f"), ("es", "$1.")):
            page = judge.get(path, language)
            assert amount in page, (path, language)
            assert re.findall(r"\$\d+,\d{3}", page) == [], (path, language)
