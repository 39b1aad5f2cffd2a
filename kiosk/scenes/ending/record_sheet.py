"""The table's record sheet, for the judge to confirm."""

from typing import Final

from saloon.core.game.commands import ConfirmSheet
from saloon.core.game.events import Confirmation
from saloon.kiosk.scenes.connection.offline_transfer import CarryScene, carry_offers
from saloon.kiosk.scenes.ending.declaration import DeclarationScene
from saloon.kiosk.scenes.ending.record_sheet_paper import record_sheet_parts
from saloon.kiosk.scenes.judge.pin import PinScene
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.story.story import StoryScene
from saloon.kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    NOWHERE,
    Offer,
    common,
    judge_offer,
    page,
    placed_offers,
    rows_of,
    undo_offer,
)
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.kiosk.ui.ring import GAP_MM


class SheetScene(RootScene):
    """The record sheet: seats, roles, fates and winnings of this game."""

    name: Final = "sheet"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the sheet as paper, with the buttons below."""
        rect, foot = page(stage)
        mm, gap = stage.mm, stage.mm(GAP_MM)
        room = Rect(0, 0, rect.w, rect.h)
        rows = rows_of(stage, room.w, self._offers(stage))
        buttons, paper = room.foot(len(rows) * (mm(14.5) + gap) - gap, gap)
        return (
            Block(
                "page",
                rect,
                (*record_sheet_parts(stage, paper), *placed_offers(stage, buttons, rows)),
            ),
            foot,
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Confirm with the judge's key, or ask for the PIN without it; open other scenes."""
        if target == "roles-again":
            return Reply(opens=DeclarationScene.of(stage))
        if target == "carry":
            return Reply(opens=CarryScene())
        if target == "story":
            return Reply(opens=StoryScene())
        return confirm_reply(target, stage) or common(target) or Reply()

    def _offers(self, stage: SceneContext) -> tuple[Offer, ...]:
        _ = stage.words.gettext
        again = Button(NOWHERE, "roles-again", _("Change roles"), icon="cards", size_px=stage.mm(4))
        return (
            confirm_offer(stage),
            Offer(again, 2),
            story_offer(stage),
            *carry_offers(stage),
            undo_offer(stage),
            judge_offer(stage),
        )


def story_offer(stage: SceneContext) -> Offer:
    """Return the button for the game's story, which helps with disputes here as well."""
    _, size = stage.words.gettext, stage.mm(3.6)
    said = _("Story of the game")
    return Offer(Button(NOWHERE, "story", _("Story"), icon="chart", said=said, size_px=size))


def confirm_offer(stage: SceneContext) -> Offer:
    """Return the judge's confirm button: to hold with the key present, or to tap and enter the PIN."""
    _, size = stage.words.gettext, stage.mm(4.6)
    if stage.table.judge_present:
        words = _("Judge: hold to confirm")
        return Offer(
            Button(NOWHERE, "confirm-sheet", words, ButtonStyle.GRAVE, "key", size_px=size, hold_ms=HOLD_MS),
            3.2,
        )
    words = _("Judge: confirm")
    return Offer(Button(NOWHERE, "confirm-sheet", words, ButtonStyle.MAIN, "lock", size_px=size), 3.2)


def confirm_reply(target: str, stage: SceneContext) -> Reply | None:
    """Return the reply to the confirm button, or None for other targets."""
    if target != "confirm-sheet":
        return None
    if stage.table.judge_present:
        return command_reply(ConfirmSheet(Confirmation.KEY))
    return Reply(opens=PinScene(then=ConfirmSheet(Confirmation.PIN)))
