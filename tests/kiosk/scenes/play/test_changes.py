"""Recent changes, as everybody at the table sees them."""

import msgspec
import pytest

from core.game.play.wounds import LoseLife
from core.terms import SeatNo
from kiosk.preferences import Layout, Preferences
from kiosk.scenes.widgets.life import SHOWN_MS
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.blocks import Label
from tests.kiosk.scenes.conftest import GLASSES
from tests.scenarios.moments import Table

SEAT = SeatNo(3)


def sums(screen: TableScreen) -> list[str]:
    """Return the signed numbers on a seat's panel."""
    panel = next(block for block in screen._blocks if block.id == f"seat-{SEAT}")
    return [part.text for part in panel.parts if isinstance(part, Label) and part.text[:1] in "+−"]


@pytest.mark.slow
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("size", GLASSES)
@pytest.mark.parametrize("seats", [4, 7])
def test_taps_add_up_to_one_sum_that_stays_for_three_seconds(size: str, layout: Layout, seats: int) -> None:
    table, screen = Table(seats).begun(), TableScreen(GLASSES[size], failsafe=False)
    now_ms = table.view().now_ms

    def show(at_ms: int) -> list[str]:
        chosen = Preferences(layout=layout)
        screen.advance(at_ms)
        screen.update(msgspec.structs.replace(table.view(), now_ms=at_ms, preferences=chosen))
        return sums(screen)

    assert show(now_ms) == []
    table.do(LoseLife(SEAT))
    assert set(show(now_ms + 100)) == {"−1"}
    table.do(LoseLife(SEAT))
    assert set(show(now_ms + 1_900)) == {"−2"}
    assert set(show(now_ms + 1_900 + SHOWN_MS - 1)) == {"−2"}
    assert show(now_ms + 1_900 + SHOWN_MS) == []
