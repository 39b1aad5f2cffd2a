"""docs/setup/hardware.md: its tables are those of the numbers, and its figure is the measured one."""

import pytest

from bench.figure import Figure
from tools.workshop.__main__ import PAGE, page
from tools.workshop.builds import builds, goods
from tools.workshop.card_life import BLOCK, CARDS, games_of
from tools.workshop.page import WRITTEN, MissingMarker, tables, with_table


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
