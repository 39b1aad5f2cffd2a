"""A whole page for text entry: a back button, the text so far, a done button and the keyboard."""

from collections.abc import Callable
from typing import Final

import msgspec

from saloon.kiosk.scenes.scene import CLOSE, Reply, Scene, SceneContext
from saloon.kiosk.scenes.widgets.keyboard import Keyboard, typed_text_parts
from saloon.kiosk.scenes.widgets.page_parts import back_button, page, page_room
from saloon.kiosk.ui.parts import Block, Button
from saloon.kiosk.ui.ring import GAP_MM

_ROW_MM: Final = 12.0
_BACK_MM: Final = 26
_DONE_MM: Final = 30
_HIGHER_MM: Final = 14
"""The extra height of the keyboard where there is room."""


def typing_page(
    stage: SceneContext,
    keys: Keyboard,
    typed: str,
    done: Button,
    *,
    hint: str,
    after: Callable[[str], Scene],
    back: Reply = CLOSE,
) -> tuple[Block, ...]:
    """Return the page's blocks.

    hint: shown while nothing is typed. done: a button yet to be placed. after: returns the scene that has
    this text.
    """
    mm, gap, room = stage.mm, stage.mm(GAP_MM), page_room(stage)
    top, pad = room.split_top(mm(_ROW_MM), gap)
    if room.w < room.h:
        line, pad = pad.split_top(mm(_ROW_MM), gap)
        leave, go = top.columns([1, 1], gap)
    else:
        leave, top = top.split_left(mm(_BACK_MM), gap)
        go, line = top.split_right(mm(_DONE_MM), gap)
    pad = pad.split_bottom(min(pad.h, keys.height(stage, pad.w) + mm(_HIGHER_MM)))[0]
    parts = (
        back_button(stage, leave, 4.4, back),
        *typed_text_parts(stage, line, typed, hint),
        msgspec.structs.replace(done, rect=go, size_px=mm(4.4)),
        *keys.parts(stage, pad, typed, after),
    )
    return page(stage, parts)
