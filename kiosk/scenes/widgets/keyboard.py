"""A keyboard on the screen, and a page to type a text.

A scene holds the text typed so far. The reply of each key leads to the scene with the next text.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from kiosk.scenes.scene import CLOSE, OnTouch, Reply, Scene, SceneContext
from kiosk.scenes.widgets.page_parts import back_button, beside_rotation, page, page_room
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

KEY_MM: Final = 12.0
"""The minimum height and width of a key."""
_ERASE: Final = "<"
_ERASE_SHARE: Final = 3
_NAMES: Final = {".": "dot", ":": "colon", "-": "dash", ",": "comma", " ": "space", _ERASE: "erase"}


class Keyboard(msgspec.Struct, frozen=True):
    """A keyboard.

    wide, narrow: its rows in a wide and in a narrow area; ``<`` erases.
    longest: the maximum length of the text.
    begins_large: the first letter is a capital.
    """

    wide: tuple[str, ...]
    narrow: tuple[str, ...]
    longest: int
    begins_large: bool = False

    def height(self, stage: SceneContext, width: int) -> int:
        """Return the least height of the keyboard at a width, in pixels."""
        rows = len(self._rows(stage, width))
        return rows * stage.mm(KEY_MM) + (rows - 1) * stage.mm(GAP_MM)

    def parts(
        self,
        stage: SceneContext,
        room: Rect,
        typed: str,
        after: Callable[[str], Scene],
        *,
        enabled: bool = True,
    ) -> tuple[Part, ...]:
        """Draw the keys. ``after`` returns the scene with another text."""
        gap = stage.mm(GAP_MM)
        rows = self._rows(stage, room.w)
        columns = max(map(len, rows))
        may_type = enabled and len(typed) < self.longest
        keys: list[Part] = []
        for line, row in zip(room.rows([1] * len(rows), gap), rows, strict=True):
            at = 0
            cells = line.columns([1] * columns, gap)
            for key in row:
                share = min(_ERASE_SHARE, columns - at) if key == _ERASE else 1
                spot = Rect(cells[at].x, line.y, cells[at + share - 1].right - cells[at].x, line.h)
                on = enabled and bool(typed) if key == _ERASE else may_type
                face = self._character_of(typed, key)
                text = typed[:-1] if key == _ERASE else (typed + face)[: self.longest]
                keys.append(_key(stage, spot, key, face, Reply(becomes=after(text)), enabled=on))
                at += share
        return tuple(keys)

    def _character_of(self, typed: str, key: str) -> str:
        return key.upper() if self.begins_large and not typed.strip() else key

    def _rows(self, stage: SceneContext, width: int) -> tuple[str, ...]:
        columns = max(map(len, self.wide))
        broad = columns * stage.mm(KEY_MM) + (columns - 1) * stage.mm(GAP_MM)
        return self.wide if width >= broad else self.narrow


def typed_text_parts(stage: SceneContext, room: Rect, typed: str, hint: str) -> tuple[Part, ...]:
    """Draw the text typed so far, or a hint while there is none."""
    mm = stage.mm
    paper = Box(room, theme.PARCHMENT, mm(1.2))
    inside = room.inset(mm(2), mm(0.6))
    if not typed:
        return (paper, Label(inside, hint, mm(4.6), theme.INK_SOFT, align=Align.LEFT))
    words = Label(inside, typed, mm(7), theme.INK, Typeface.BOLD, Align.LEFT, own_words=False)
    return (paper, words)


def _key(stage: SceneContext, spot: Rect, key: str, face: str, reply: Reply, *, enabled: bool) -> Button:
    look, icon, said = ButtonStyle.CARD, "", ""
    if key == _ERASE:
        look, icon, said = ButtonStyle.QUIET, "back", stage.words.gettext("Delete")
    elif key == " ":
        icon, said = "minus", stage.words.gettext("Space")
    return Button(
        spot, f"key-{_NAMES.get(key, key)}", "" if icon else face, look, icon, said=said,
        size_px=0 if icon else stage.mm(7), enabled=enabled, on_down=True, action=OnTouch(reply),
    )  # fmt: skip


ADDRESS_KEYS: Final = Keyboard(
    wide=("1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm.:<"),
    narrow=("123456", "7890.:", "abcdef", "ghijkl", "mnopqr", "stuvwx", "yz-<"),
    longest=64,
)
"""The keys for addresses such as ``192.168.1.10:7373`` and ``station.local:7373``."""

CODE_KEYS: Final = Keyboard(
    wide=("0123456789", "ABCDEFGHJK", "MNPQRSTVWX", "YZ<"),
    narrow=("012345", "6789AB", "CDEFGH", "JKMNPQ", "RSTVWX", "YZ<"),
    longest=10,
)
"""The keys for codes in Crockford's base 32, which lacks I, L, O and U because they are easily misread."""

WORD_KEYS: Final = Keyboard(
    wide=("1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm, <"),
    narrow=("123456", "7890-,", "abcdef", "ghijkl", "mnopqr", "stuvwx", "yz <"),
    longest=80,
    begins_large=True,
)
"""The keys for a few words, such as a judge's reason."""


_ROW_MM: Final = 12.0
_BACK_MM: Final = 26
_DONE_MM: Final = 30
_HIGHER_MM: Final = 14
"""The extra height of a keyboard that has room."""


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
    """Draw a page to type a text.

    done: the button to use the text, which is placed here.
    hint: shown while there is no text.
    after: returns the scene with another text.
    """
    mm, gap, room = stage.mm, stage.mm(GAP_MM), page_room(stage)
    top, pad = room.split_top(mm(_ROW_MM), gap)
    if room.w < room.h:
        line, pad = pad.split_top(mm(_ROW_MM), gap)
        top, rotation = beside_rotation(stage, top)
        leave, go = top.columns([1, 1], gap)
    else:
        leave, top = top.split_left(mm(_BACK_MM), gap)
        top, rotation = beside_rotation(stage, top)
        go, line = top.split_right(mm(_DONE_MM), gap)
    pad = pad.split_bottom(min(pad.h, keys.height(stage, pad.w) + mm(_HIGHER_MM)))[0]
    parts = (
        back_button(stage, leave, 4.4, back),
        *rotation,
        *typed_text_parts(stage, line, typed, hint),
        msgspec.structs.replace(done, rect=go, size_px=mm(4.4)),
        *keys.parts(stage, pad, typed, after),
    )
    return page(stage, parts)
