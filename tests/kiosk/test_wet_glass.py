"""Water drops on the screen: short contacts change nothing for a long time, and lock the table."""

import random

import pytest

from kiosk.touch import DROPS, Pointer, PointerPhase, WetGlass
from kiosk.ui.touch_recogniser import LEAST_CONTACT_MS
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable


def drip(table: VirtualTable, chance: random.Random, contacts: int) -> None:
    """Let water drops touch the screen for 3 to 24 ms, about eight times a second."""
    for _ in range(contacts):
        table.fingers.lay(1, chance.randrange(800), chance.randrange(480))
        table.after(0)
        table.after(chance.randint(3, 24))
        table.fingers.lift(1)
        table.after(0)
        table.after(110)


@pytest.mark.by_day(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_wet_glass_locks_the_table_and_says_so(make_table: MakeTable, seed: int) -> None:
    table = make_table(Rigging())
    seated(table, seat_game(players=7))
    chance = random.Random(seed)
    drip(table, chance, 2 * DROPS)
    assert (table.scene(), "Dry the glass" in table.says()) == ("locked", True)
    game = table.game
    drip(table, chance, 40)
    assert (table.scene(), table.game) == ("locked", game)
    table.touch("unlock")
    assert (table.scene(), table.view.is_wet) == ("play", False)


@pytest.mark.parametrize(
    ("ms", "acts"), [(3, False), (LEAST_CONTACT_MS - 1, False), (LEAST_CONTACT_MS, True)]
)
def test_a_contact_counts_from_20_ms_on(table: VirtualTable, ms: int, *, acts: bool) -> None:
    seated(table)
    life, (x, y, width, height) = table.game.seats[1].life, table.target("seat-2-minus").rect
    table.fingers.lay(1, x + width // 2, y + height // 2)
    table.after(0)
    table.after(ms)
    table.fingers.lift(1)
    table.after(0)
    assert table.game.seats[1].life == life - acts


def test_many_quick_taps_in_one_place_are_no_drops_nor_are_slow_ones_all_over() -> None:
    for ms, spread in ((20, 0), (60, 100)):
        glass, at_ms = WetGlass(400, 400), 0
        for number in range(40):
            x = y = number * spread % 400
            down = glass.is_found_by(Pointer(1, PointerPhase.DOWN, x, y, at_ms))
            assert not down
            assert not glass.is_found_by(Pointer(1, PointerPhase.UP, x, y, at_ms + ms))
            at_ms += 100


def test_taps_that_arrive_at_one_moment_are_no_drops() -> None:
    """After a suspension, the events of whole taps have the same time."""
    glass = WetGlass(800, 480)
    places = [(x, y) for x in range(50, 800, 150) for y in (50, 250, 450)]
    for finger, (x, y) in enumerate(places):
        assert not glass.is_found_by(Pointer(finger, PointerPhase.DOWN, x, y, 1000))
        assert not glass.is_found_by(Pointer(finger, PointerPhase.UP, x, y, 1000))
