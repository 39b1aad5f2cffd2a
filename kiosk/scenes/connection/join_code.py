"""The pad on which the code is typed that lets this terminal in."""

from typing import ClassVar

import msgspec

from saloon.kiosk.intents import TryCode
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext
from saloon.kiosk.scenes.widgets.keyboard import CODE_KEYS, typed_text_parts
from saloon.kiosk.scenes.widgets.page_parts import back_button, page
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle, Paragraph, Part
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme
from saloon.kiosk.view.table_view import CodeOutcome
from saloon.sync.enrolment.join_code import LENGTH, in_groups
from saloon.sync.terminal.agent_contract import LinkPhase


class JoinCodeScene(msgspec.Struct, frozen=True):
    """typed: characters so far. tried: the code was sent; what came of it is shown until a key is touched."""

    typed: str = ""
    tried: bool = False

    name: ClassVar[str] = "join-code"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the typed code, the question or result, and the keys."""
        mm = stage.mm
        rect, foot = page(stage)
        room = Rect(0, 0, rect.w, rect.h)
        gap = mm(GAP_MM)
        waits = stage.table.enrolment.outcome is CodeOutcome.TRYING
        row, room = room.split_top(mm(13), gap)
        upright = room.h > room.w
        back, row = row.split_left(mm(20) if not upright else row.w // 2 - gap, gap)
        try_it, slip = row.split_right(mm(28), gap) if not upright else (row, row)
        if upright:
            slip, room = room.split_top(mm(13), gap)
        keys, words = room.split_bottom(max(CODE_KEYS.height(stage, room.w), room.h * 7 // 10), gap)
        _ = stage.words.gettext
        enough = len(self.typed) == LENGTH and not waits
        addresses = stage.table.enrolment.addresses
        intent = TryCode(addresses[0] if addresses else "", self.typed)
        attempt = OnTouch(Reply(intents=(intent,), becomes=JoinCodeScene("", tried=True)))
        parts: tuple[Part, ...] = (
            back_button(stage, back, 3.6),
            *typed_text_parts(stage, slip, in_groups(self.typed), _("Station code")),
            Button(
                try_it, "try-code", _("Try it"), ButtonStyle.MAIN, "check", size_px=mm(4.2),
                enabled=enough, action=attempt,
            ),
            Paragraph(words, self._said(stage), mm(4.4), theme.CREAM),
            *CODE_KEYS.parts(stage, keys, self.typed, JoinCodeScene, enabled=not waits),
        )  # fmt: skip
        return (Block("page", rect, parts), foot)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the station does not know the terminal yet."""
        return stage.table.delivery.link is not LinkPhase.CONNECTED

    def _said(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        enrolment = stage.table.enrolment
        if not self.tried:
            where = enrolment.addresses[0] if enrolment.addresses else _("the station on the cable")
            return _(
                "Judge: tap “Show a code” on the Terminals page. It will be checked with {where}."
            ).format(where=where)
        match enrolment.outcome:
            case CodeOutcome.TRYING:
                return _("One moment: this takes a few seconds…")
            case CodeOutcome.WRONG:
                return _("That code is wrong and can't be used again. Get a new one from the station.")
            case CodeOutcome.NOT_VALID:
                return _("The station has no valid code right now. Get a new one from it.")
            case CodeOutcome.NOT_REACHED:
                return _("The station isn't answering. Check its address and the cable, then try again.")
            case CodeOutcome.NOT_PROVEN:
                return _(
                    "This station couldn't prove that the code is its own. Don't trust it; call the judge."
                )
            case CodeOutcome.NONE:
                return _("The terminal is enrolled.")
