"""The places of a table's seats in each layout of the terminal."""

from functools import lru_cache
from typing import assert_never

from saloon.kiosk.preferences import Layout
from saloon.kiosk.ui.geometry import Glass
from saloon.kiosk.ui.keeper import keeper
from saloon.kiosk.ui.life_spots import LifeSpots, life_spots
from saloon.kiosk.ui.ring import Ring, ring


@lru_cache(maxsize=16)
def places_of(glass: Glass, seats: int, layout: Layout) -> Ring:
    """Return the places of 2 to 10 seats in a layout."""
    match layout:
        case Layout.RING:
            return ring(glass, seats)
        case Layout.KEEPER:
            return keeper(glass, seats)
        case _:
            assert_never(layout)


@lru_cache(maxsize=16)
def spots_of(glass: Glass, seats: int, layout: Layout) -> tuple[LifeSpots, ...]:
    """Return the places of plus, minus and the life points on each seat's card, for 2 to 10 seats."""
    ring = places_of(glass, seats, layout)
    return tuple(life_spots(glass, ring, seat) for seat in range(1, seats + 1))
