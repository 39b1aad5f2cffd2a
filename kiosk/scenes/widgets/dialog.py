"""A question that fills the glass, turned to whom it is put."""

from collections.abc import Sequence
from typing import Final

import msgspec

from saloon.kiosk.scenes.scene import SceneContext
from saloon.kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    head_parts,
    page,
    page_room,
    place_offers,
    rows_of,
)
from saloon.kiosk.ui.parts import Block
from saloon.kiosk.ui.ring import GAP_MM

_WIDE_MM: Final = 120.0
_FEW: Final = 5
_BUTTON_MM: Final = 16.0
_BUTTON_LEAST_MM: Final = 14.0
_HEAD_MM: Final = 34.0
_WORDS_MM: Final = 4.8
"""The least size of a button's words: all in a row look alike."""
_BACK: Final = 1.9
"""The least share of the way back: its icon is beside its label in every dialog."""


def dialog(stage: SceneContext, head: Heading, offers: Sequence[Offer]) -> tuple[Block, ...]:
    """Draw a head and buttons below it in the middle of the glass, and the strip."""
    mm, whole = stage.mm, page_room(stage)
    room = whole.centred(mm(_WIDE_MM) if len(offers) <= _FEW else whole.w, whole.h)
    rows = rows_of(stage, room.w, [_legible(stage, offer) for offer in offers])
    gaps = (len(rows) - 1) * mm(GAP_MM)
    fair = (room.h - mm(_HEAD_MM / 2) - gaps) // len(rows)
    tall = len(rows) * max(mm(_BUTTON_LEAST_MM), min(mm(_BUTTON_MM), fair)) + gaps
    upper = min(mm(_HEAD_MM), room.h - tall - mm(4))
    room = room.centred(room.w, upper + mm(4) + tall)
    top, rest = room.split_top(upper, mm(4))
    buttons, _spare = rest.split_top(tall)
    return page(stage, (*head_parts(stage, top, head), *place_offers(stage, buttons, rows)), "dialog")


def _legible(stage: SceneContext, offer: Offer) -> Offer:
    """Enlarge a button of the table's middle to the size of a dialog."""
    size = offer.button.size_px and max(offer.button.size_px, stage.mm(_WORDS_MM))
    share = max(offer.share, _BACK) if offer.button.id == "back" else offer.share
    return Offer(msgspec.structs.replace(offer.button, size_px=size), share)
