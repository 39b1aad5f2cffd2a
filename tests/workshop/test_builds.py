"""Parts lists: every part is known, every part is used, and the sums are sums."""

import re

import pytest

from tools.workshop.__main__ import PAGE
from tools.workshop.builds import SPARES, TABLES, builds, goods, sum_of
from tools.workshop.page import table_text

KNOWN = goods()
BUILDS = builds(KNOWN)


def test_there_are_three_builds_and_no_part_that_none_of_them_has() -> None:
    assert list(BUILDS) == ["cheapest", "usual", "hall"]
    used = {part for build in BUILDS.values() for part in (*build.terminal, *build.hall)}
    assert used == set(KNOWN)


def rows_of_parts() -> list[list[str]]:
    """Return the cells of the parts list, without marks of money and weight."""
    rows = table_text(PAGE.read_text(encoding="utf-8"), "parts").splitlines()[2:]
    return [[re.sub(r"[*€,]", "", cell).strip() for cell in row.strip("|").split("|")] for row in rows]


@pytest.mark.parametrize(("column", "key"), tuple(enumerate(BUILDS, start=2)))
def test_each_column_of_the_parts_list_adds_up(column: int, key: str) -> None:
    rows = rows_of_parts()
    names = [row[0] for row in rows]
    one, all_of_them = names.index("one terminal"), names.index(f"a hall of {TABLES}")

    def cost(some: list[list[str]]) -> int:
        return sum(int(row[1]) * int(row[column]) for row in some if row[column] != "–")

    terminal = int(rows[one][column])
    assert cost(rows[:one]) == terminal
    assert int(rows[one + 1][column]) == TABLES + SPARES
    assert cost(rows[one + 2 : all_of_them]) + (TABLES + SPARES) * terminal == int(rows[all_of_them][column])
    total = sum_of(BUILDS[key], KNOWN)
    assert (terminal, int(rows[all_of_them][column])) == (total.eur, total.hall_eur)


def test_no_supply_of_a_build_gives_less_than_its_terminal_takes() -> None:
    gives_ma = {"supply-micro-usb": 2500, "supply-usb-c": 3000, "step-down": 5000}
    for build in BUILDS.values():
        (supply,) = (part for part in build.terminal if part in gives_ma)
        assert sum_of(build, KNOWN).peak_ma <= gives_ma[supply]
