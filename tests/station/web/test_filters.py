"""How values are written on pages."""

from fractions import Fraction

import pytest

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
