"""docs/setup/hardware.md: its tables are those of the numbers, and its figure is the measured one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.figure import Figure
from tools.workshop.__main__ import PAGE, page
from tools.workshop.builds import SPARES, TABLES, builds, goods, sum_of
from tools.workshop.cables import ChainTooLong, chain_v, drop_v, longest_m
from tools.workshop.card_life import BLOCK, CARDS, games_of
from tools.workshop.page import WRITTEN, MissingMarker, table_text, tables, with_table


def test_the_page_is_as_its_numbers_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make hardware-page"


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(MissingMarker):
        with_table("nothing", "builds", "| a |")


def test_a_card_lasts_by_its_blocks_and_the_writes_of_a_game() -> None:
    card = CARDS[0]
    games = games_of(card, writes=200, unit=BLOCK)
    assert games * 200 * BLOCK <= card.size_gb * 10**9 * card.cycles / 2 < (games + 1) * 200 * BLOCK


def test_the_cards_table_follows_the_measured_figure() -> None:
    known = goods()
    few, many = (
        tables(
            known,
            builds(known),
            [Figure(WRITTEN, "kB", 900, "bare", 10, more=f"{writes} writes, 90 entries")],
        )
        for writes in (200, 400)
    )
    assert few["cards"] != many["cards"]
    assert "A game writes 900 kB in 200 writes" in few["cards"]
    assert "not measured" in tables(known, builds(known), [])["cards"]


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


@given(st.floats(0.05, 3), st.floats(0.1, 5), st.floats(0.05, 2))
def test_a_cable_of_the_longest_length_takes_just_that_voltage(
    area: float, ampere: float, volts: float
) -> None:
    assert drop_v(longest_m(area, ampere, volts), area, ampere) == pytest.approx(volts)


def test_a_chain_of_one_is_a_cable() -> None:
    (volts,) = chain_v(1, 5, 1.5, 12, 24)
    assert volts == pytest.approx(24 - drop_v(5, 1.5, 12 / volts))


@given(st.integers(1, 8), st.floats(1, 6), st.floats(1, 12))
def test_each_piece_of_a_chain_carries_what_lies_behind_it(tables: int, spacing: float, watts: float) -> None:
    volts = chain_v(tables, spacing, 2.5, watts, 24)
    assert volts == sorted(volts, reverse=True)
    for at in range(1, tables):
        behind = sum(watts / here for here in volts[at:])
        assert volts[at - 1] - volts[at] == pytest.approx(drop_v(spacing, 2.5, behind), rel=1e-3)


def test_a_chain_that_cannot_be_fed_is_refused() -> None:
    with pytest.raises(ChainTooLong):
        chain_v(40, 10, 0.5, 15, 24)
