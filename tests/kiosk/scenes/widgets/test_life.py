"""Life points look the same on cards of the same size."""

import pytest

from kiosk.preferences import Layout
from kiosk.ui.blocks import Block, Icon
from kiosk.ui.geometry import rotated_size, screen_geometry_for
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.moments import moments


def rows_of_bullets(card: Block) -> int:
    """Return the number of rows in which a card's bullets are drawn."""
    bullets = [part for part in card.parts if isinstance(part, Icon) and part.name in {"bullet", "spent"}]
    return len({bullet.rect.y for bullet in bullets})


@pytest.mark.parametrize("size", ["800x480", "1280x720", "1024x600"])
def test_the_two_at_the_far_end_have_their_bullets_in_as_many_rows(size: str) -> None:
    moment = next(m for m in moments(10, rebel_rules()) if m.picture == "play")
    blocks = {block.id: block for block in laid_out(GLASSES[size], moment, "en", Layout.KEEPER)._blocks}
    assert rows_of_bullets(blocks["seat-5"]) == rows_of_bullets(blocks["seat-6"]) > 0


@pytest.mark.parametrize("seats", [4, 7, 10])
@pytest.mark.parametrize("panel", [(800, 480), (480, 800), (1024, 600), (1280, 720), (720, 1280)])
def test_no_life_point_is_cut_by_the_edge_of_its_card(panel: tuple[int, int], seats: int) -> None:
    glass = screen_geometry_for(panel)
    moment = next(m for m in moments(seats, rebel_rules()) if m.picture == "play")
    for layout in Layout:
        for card in laid_out(glass, moment, "en", layout)._blocks:
            width = rotated_size(card.rect, card.quarter_turns)[0]
            for part in card.parts if card.id.startswith("seat-") else ():
                if isinstance(part, Icon) and part.name in {"bullet", "spent"}:
                    middle, half = part.rect.x + part.rect.w / 2, part.rect.w * 0.26
                    assert glass.mm(0.4) <= middle - half, (layout, card.id)
                    assert middle + half <= width - glass.mm(0.4), (layout, card.id)
