"""Notices over any scene until they are dismissed: refusals, problems and actions by the judge."""

from typing import Final

import msgspec

from saloon.kiosk.scenes.scene import SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, Tone, head_parts, middle
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.kiosk.ui.ring import GAP_MM

_WIDE_MM: Final = 60.0
_LOW_MM: Final = 36.0
"""In a lower middle the button is beside the text, which then has the full height."""
_BUTTON_MM: Final = 20.0


def add_notice(stage: SceneContext, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks with the table's notice, in the middle of a ring or instead of a page."""
    if not stage.table.notice and not stage.table.done:
        return blocks
    _ = stage.words.gettext
    head = Heading(stage.table.notice, "", "warning", Tone.LOUD)
    if not stage.table.notice:
        head = Heading(stage.table.done, "", "key")
    read = Button(NOWHERE, "dismiss", _("OK"), ButtonStyle.MAIN, "check", size_px=stage.mm(5))
    if not any(block.id == "middle" for block in blocks):
        return dialog(stage, head, (Offer(read, 2),))
    return tuple(
        _in_the_middle(stage, block, head, read) if block.id == "middle" else block for block in blocks
    )


def _in_the_middle(stage: SceneContext, block: Block, head: Heading, read: Button) -> Block:
    mm, turns = stage.mm, block.quarter_turns
    width, height = rotated_size(block.rect, turns)
    if width < mm(_WIDE_MM) or height > mm(_LOW_MM):
        return middle(stage, block.rect, head, (Offer(read, 2),), quarter_turns=turns)
    spot, room = Rect(0, 0, width, height).end(mm(_BUTTON_MM), mm(GAP_MM))
    button = msgspec.structs.replace(read, rect=spot)
    return Block("middle", block.rect, (*head_parts(stage, room, head), button), turns)
