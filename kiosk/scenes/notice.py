"""Notices over any scene until they are dismissed: refusals, problems and actions by the judge."""

from typing import Final

import msgspec

from saloon.kiosk.intents import DismissNotice
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, Offer, Tone, dialog, head_parts, middle, offer
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Block, ButtonStyle
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
    gone = Reply((DismissNotice(),))
    read = offer(stage, "dismiss", _("OK"), gone, 2, size_mm=5, look=ButtonStyle.MAIN, icon="check")
    if not any(block.id == "middle" for block in blocks):
        return dialog(stage, head, (read,))
    return tuple(
        _in_the_middle(stage, block, head, read) if block.id == "middle" else block for block in blocks
    )


def _in_the_middle(stage: SceneContext, block: Block, head: Heading, read: Offer) -> Block:
    mm, turns = stage.mm, block.quarter_turns
    width, height = rotated_size(block.rect, turns)
    if width < mm(_WIDE_MM) or height > mm(_LOW_MM):
        return middle(stage, block.rect, head, (read,), quarter_turns=turns)
    spot, room = Rect(0, 0, width, height).split_right(mm(_BUTTON_MM), mm(GAP_MM))
    button = msgspec.structs.replace(read.button, rect=spot)
    return Block("middle", block.rect, (*head_parts(stage, room, head), button), turns)
