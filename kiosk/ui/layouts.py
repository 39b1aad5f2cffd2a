"""The places of a table's seats in each layout of the terminal."""

from functools import lru_cache
from typing import assert_never

from saloon.kiosk.preferences import Layout
from saloon.kiosk.ui.geometry import ScreenGeometry
from saloon.kiosk.ui.keeper import keeper_layout
from saloon.kiosk.ui.life_spots import LifeSpots, life_spots
from saloon.kiosk.ui.ring import TableLayout, ring_layout


@lru_cache(maxsize=16)
def table_layout(glass: ScreenGeometry, seats: int, layout: Layout) -> TableLayout:
    """Return the places of 2 to 10 seats in a layout."""
    match layout:
        case Layout.RING:
            return ring_layout(glass, seats)
        case Layout.KEEPER:
            return keeper_layout(glass, seats)
        case _:
            assert_never(layout)


@lru_cache(maxsize=16)
def life_spots_by_seat(glass: ScreenGeometry, seats: int, layout: Layout) -> tuple[LifeSpots, ...]:
    """Return the places of plus, minus and the life points on each seat's card, for 2 to 10 seats."""
    ring_layout = table_layout(glass, seats, layout)
    return tuple(life_spots(glass, ring_layout, seat) for seat in range(1, seats + 1))
