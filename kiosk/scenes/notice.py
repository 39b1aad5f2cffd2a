"""A refusal, trouble or what the judge has done, over whatever scene there is, until it is read."""

from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.furniture import NOWHERE, Head, Offer, Tone, middle
from saloon.kiosk.scenes.scene import Stage
from saloon.kiosk.ui.parts import Block, Button, Look


def with_notice(stage: Stage, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks with the notice of the table, in the middle of a ring or instead of a page."""
    if not stage.table.notice and not stage.table.done:
        return blocks
    _ = stage.words.gettext
    head = Head(stage.table.notice, "", "warning", Tone.LOUD)
    if not stage.table.notice:
        head = Head(stage.table.done, "", "key")
    read = Offer(Button(NOWHERE, "dismiss", _("OK"), Look.MAIN, "check", size_px=stage.mm(5)), 2)
    if not any(block.id == "middle" for block in blocks):
        return dialog(stage, head, (read,))
    return tuple(
        middle(stage, block.rect, head, (read,), quarter_turns=block.quarter_turns)
        if block.id == "middle"
        else block
        for block in blocks
    )
