"""Characters as cards in a grid that fills the glass, turned to the player who touches them."""

from collections.abc import Sequence

import msgspec

from saloon.core.game.setup.characters import Character, life_points
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext
from saloon.kiosk.scenes.widgets.card import character_id
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Offer, page, page_room, place_offers, rows_of
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Label, Typeface
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme

_ROW_MM = 12.4
_BACK_MM = 24.0
_FEW = 10


def cards_page(
    stage: SceneContext, title: str, offers: Sequence[Offer], cards: Sequence[Button]
) -> tuple[Block, ...]:
    """Draw a grid of cards below its title and buttons, and the strip."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    wide = room.w >= room.h
    if wide:
        top, below = room.split_top(mm(_ROW_MM), gap)
        ways = [offer for offer in offers if offer.button.id == "back"]
        others = [offer for offer in offers if offer not in ways]
        back, words = top.split_left(mm(_BACK_MM) if ways else 0, mm(3) if ways else 0)
        width = sum(mm(_ROW_MM * offer.share) + gap for offer in others)
        ends, words = words.split_right(width, mm(2) if others else 0)
        buttons = (*place_offers(stage, back, [ways]), *place_offers(stage, ends, [others]))
    else:
        words, rest = room.split_top(mm(9), mm(1))
        row, below = rest.split_top(mm(_ROW_MM), gap)
        buttons = place_offers(stage, row, rows_of(stage, row.w, offers))
    name = Label(words, title, mm(6.4), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False)
    spots = _cells(below, len(cards), gap, wide=wide)
    placed = (msgspec.structs.replace(card, rect=spot) for card, spot in zip(cards, spots, strict=False))
    return page(stage, (name, *buttons, *placed), "cards")


def _cells(room: Rect, count: int, gap: int, *, wide: bool) -> list[Rect]:
    """Divide a room into equal cells for a number of cards, filled from the top."""
    columns = (5 if count <= _FEW else 4) if wide else (2 if count <= _FEW else 3)
    columns = min(columns, max(count, 1))
    lines = room.rows([1] * -(-count // columns), gap) if count else ()
    return [cell for line in lines for cell in line.columns([1] * columns, gap)]


def character_card(
    stage: SceneContext, character: Character, reply: Reply, *, small: str = "", chosen: bool = False,
    enabled: bool = True,
) -> Button:  # fmt: skip
    """Return a card with the life points, or other words, below the name; the grid places it."""
    points = life_points(character)
    life = stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)
    return Button(
        NOWHERE,
        character_id(character),
        character.value,
        ButtonStyle.CHOSEN if chosen else ButtonStyle.CARD,
        small=small or life,
        size_px=stage.mm(4.6),
        enabled=enabled,
        action=OnTouch(reply),
    )
