"""The keypad for the judge's PIN."""

from typing import ClassVar, Final

import msgspec

from core.game.decide import GameCommand
from core.game.ending.sheet import ConfirmSheet
from core.game.play.abandonment import Abandon
from core.game.state.decisions import Undo
from core.game.state.game import Phase
from kiosk.scenes import pages
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import ROTATE_MM, back_button, beside_rotation, page, page_room
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import TryPin, UnlockGlass
from kiosk.view.table_view import PinState

_KEYS: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "clear", "0", "ok")
_LONGEST: Final = 12
_SHORTEST: Final = 4
_WORDS_MM: Final = 4.0
"""The type size below which only the essential part of the text is shown."""


class PinScene(msgspec.Struct, frozen=True):
    """The keypad for the judge's PIN.

    then: what the PIN allows, or None to open the judge's menu.
    typed: the digits so far.
    tried: the PIN is being checked.
    accepted: how many commands a PIN had allowed when the page was opened.
    done, more: as for ``AskGame``.
    leaves: close all opened pages afterwards.
    """

    then: GameCommand | UnlockGlass | None
    typed: str = ""
    tried: bool = False
    accepted: int = 0
    done: str = ""
    leaves: bool = False
    more: tuple[GameCommand, ...] = ()

    name: ClassVar[str] = "pin"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the keys, and a dot for each digit or the remaining lock-out time."""
        room = page_room(stage)
        mm = stage.mm
        if room.w >= room.h:
            pad, words = room.split_right(min(mm(78), room.w * 3 // 5), mm(5))
        else:
            pad, words = room.split_bottom(room.h * 3 // 5, mm(5))
        return page(stage, (*self._words(stage, words), *self._pad(stage, pad)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the PIN is still needed; a record sheet needs it until the sheet is confirmed."""
        if isinstance(self.then, ConfirmSheet):
            return stage.is_in(Phase.SHEET)
        return self.then is None or self.leaves or not self._is_accepted(stage)

    def on_update(self, stage: SceneContext) -> Reply:
        """Close the page once the PIN was right or the key is present, and open the menu if it was wanted."""
        right = self.tried and stage.table.pin is PinState.RIGHT
        if self.then is None and (right or stage.table.judge_present):
            return Reply(closes=True, opens=pages.JUDGE_MENU)
        if self.leaves and self._is_accepted(stage):
            return Reply(leaves=True)
        return Reply(closes=stage.table.judge_present)

    def _is_accepted(self, stage: SceneContext) -> bool:
        return self.then is not None and stage.table.pins_accepted > self.accepted

    def _typing(self, typed: str, *, tried: bool = False) -> "PinScene":
        return msgspec.structs.replace(self, typed=typed, tried=tried)

    def _words(self, stage: SceneContext, room: Rect) -> tuple[Part, ...]:
        _ = stage.words.gettext
        mm = stage.mm
        back, room = room.split_bottom(mm(13), mm(2))
        spot, _rest = back.split_left(min(back.w, mm(36)))
        top, room = room.split_top(mm(ROTATE_MM), mm(1))
        top, rotation = beside_rotation(stage, top)
        sign, title = top.split_left(mm(11), mm(2))
        dots, room = room.split_top(mm(10), mm(1))
        minutes, seconds = divmod(stage.table.pin_wait_s, 60)
        is_locked = stage.table.pin is PinState.LOCKED
        field = f"{minutes}:{seconds:02}" if is_locked else "•" * len(self.typed)
        lock, text = self._answer(stage)
        brief = _("Use the key.") if lock == "lock" else self._why(stage)
        return (
            *rotation,
            Icon(sign, lock, theme.BRASS, theme.WOOD),
            Label(title, _("Judge's PIN"), mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT),
            Label(dots, field, mm(12), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False),
            Paragraph(room, text, mm(4.6), theme.CREAM, brief=brief, least_px=mm(_WORDS_MM)),
            back_button(stage, spot, 4.4),
        )

    def _answer(self, stage: SceneContext) -> tuple[str, str]:
        _ = stage.words.gettext
        match stage.table.pin:
            case PinState.LOCKED:
                return "lock", _("Too many wrong PINs. Wait, use the key, or confirm at the station.")
            case PinState.UNSET:
                return "lock", _(
                    "This terminal doesn't accept a PIN yet. Use the key, or confirm at the station."
                )
            case PinState.CHECKING:
                return "clock", _("One moment…")
            case PinState.WRONG if not self.typed:
                return "warning", _("That PIN is wrong. Each table has its own.")
            case _:
                text = _("Judge only: everyone else, please look away.")
                return "key", f"{self._why(stage)} {text}".lstrip()

    def _why(self, stage: SceneContext) -> str:
        """Explain why a judge is needed, where the previous page hasn't done so."""
        _ = stage.words.gettext
        match self.then:
            case Undo() if stage.game.is_turn_unknown:
                return _("You can't undo that many steps without a judge.")
            case Undo():
                return _("This step belongs to an earlier turn: only a judge can undo it.")
            case Abandon(seat=seat):
                return _("{name} leaves?").format(name=stage.seat(seat).name)
            case _:
                return ""

    def _pad(self, stage: SceneContext, room: Rect) -> tuple[Part, ...]:
        _ = stage.words.gettext
        may = stage.table.pin not in {PinState.LOCKED, PinState.CHECKING, PinState.UNSET}
        attempt = TryPin(self.typed, self.then, self.done, self.more)
        ok = OnTouch(Reply(intents=(attempt,), becomes=self._typing("", tried=True)))
        enough, parts = may and len(self.typed) >= _SHORTEST, list[Part]()
        for key, cell in zip(_KEYS, room.grid(len(_KEYS), 3, stage.mm(GAP_MM)), strict=True):
            typed = "" if key == "clear" else (self.typed + key)[:_LONGEST]
            tap = OnTouch(Reply(becomes=self._typing(typed)))
            button = Button(
                cell, f"pin-{key}", key, ButtonStyle.CARD, size_px=stage.mm(8), enabled=may, action=tap,
                may_repeat=True,
            )  # fmt: skip
            if key == "clear":
                button = Button(cell, "pin-clear", "", icon="cross", said=_("Clear"), enabled=may, action=tap)
            if key == "ok":
                main, said = ButtonStyle.MAIN, _("OK")
                button = Button(cell, "pin-ok", "", main, "check", said=said, enabled=enough, action=ok)
            parts.append(button)
        return tuple(parts)
