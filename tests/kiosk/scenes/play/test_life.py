"""Life points look alike on cards that are alike."""

import pytest
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.moments import moments

from saloon.kiosk.preferences import Layout
from saloon.kiosk.ui.parts import Block, Icon


def rows_of_bullets(card: Block) -> int:
    """In how many rows the bullets of a card stand."""
    bullets = [part for part in card.parts if isinstance(part, Icon) and part.name in {"bullet", "spent"}]
    return len({bullet.rect.y for bullet in bullets})


@pytest.mark.parametrize("size", ["800x480", "1280x720", "1024x600"])
def test_the_two_at_the_far_end_have_their_bullets_in_as_many_rows(size: str) -> None:
    moment = next(m for m in moments(10, rebel_rules()) if m.picture == "play")
    blocks = {block.id: block for block in laid_out(GLASSES[size], moment, "en", Layout.KEEPER)._blocks}
    assert rows_of_bullets(blocks["seat-5"]) == rows_of_bullets(blocks["seat-6"]) > 0
