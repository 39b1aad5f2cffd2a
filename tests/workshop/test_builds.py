"""Parts lists: every part is known, every part is used, and the sums are sums."""

import re

from tools.workshop.__main__ import PAGE
from tools.workshop.builds import SPARES, TABLES, builds, goods, sum_of
from tools.workshop.page import table_text

KNOWN = goods()
BUILDS = builds(KNOWN)
_MONEY = re.compile(r"\| \**([\d,]+)\** \|$")


def last_column(row: str) -> int:
    found = _MONEY.search(row)
    assert found is not None, row
    return int(found[1].replace(",", ""))


def test_there_are_three_builds_and_no_part_that_none_of_them_has() -> None:
    assert list(BUILDS) == ["cheapest", "usual", "hall"]
    used = {part for build in BUILDS.values() for part in (*build.terminal, *build.hall)}
    assert used == set(KNOWN)


def test_the_tables_of_the_page_add_up_row_by_row() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for key, build in BUILDS.items():
        rows = table_text(page, f"parts of {key}").splitlines()[2:]
        ends = [at for at, row in enumerate(rows) if row.startswith("| **")]
        assert len(ends) == 2
        assert sum(last_column(row) for row in rows[: ends[0]]) == last_column(rows[ends[0]])
        assert sum(last_column(row) for row in rows[ends[0] + 1 : ends[1]]) == last_column(rows[ends[1]])
        assert (TABLES + SPARES) * last_column(rows[ends[0]]) == last_column(rows[ends[0] + 1])
        total = sum_of(build, KNOWN)
        assert (last_column(rows[ends[0]]), last_column(rows[ends[1]])) == (total.eur, total.hall_eur)


def test_each_row_is_count_times_price() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for key in BUILDS:
        for row in table_text(page, f"parts of {key}").splitlines()[2:]:
            cells = [cell.strip().replace(",", "") for cell in row.strip("|").split("|")]
            if cells[1]:
                assert int(cells[1]) * int(cells[2]) == int(cells[3]), row


def test_no_supply_of_a_build_gives_less_than_its_terminal_takes() -> None:
    gives_ma = {"supply-micro-usb": 2500, "supply-usb-c": 3000, "step-down": 5000}
    for build in BUILDS.values():
        (supply,) = (part for part in build.terminal if part in gives_ma)
        assert sum_of(build, KNOWN).peak_ma <= gives_ma[supply]
