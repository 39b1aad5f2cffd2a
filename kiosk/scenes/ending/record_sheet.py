"""The table's record sheet, for the judge to confirm."""

from typing import Final

from saloon.core.game.commands import ConfirmSheet
from saloon.core.game.events import Confirmation
from saloon.kiosk.scenes.connection.offline_transfer import carry_offers
from saloon.kiosk.scenes.ending.declaration import DeclarationScene
from saloon.kiosk.scenes.ending.record_sheet_paper import record_sheet_parts
from saloon.kiosk.scenes.judge.pin import PinScene
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.story.story import StoryScene
from saloon.kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    Offer,
    judge_offer,
    offer,
    page,
    placed_offers,
    rows_of,
    undo_offer,
)
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.kiosk.ui.ring import GAP_MM


class SheetScene(PersistentScene):
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

    def _offers(self, stage: SceneContext) -> tuple[Offer, ...]:
        _ = stage.words.gettext
        change = Reply(opens=DeclarationScene.of(stage))
        return (
            confirm_offer(stage),
            offer(stage, "roles-again", _("Change roles"), change, 2, size_mm=4, icon="cards"),
            story_offer(stage),
            *carry_offers(stage),
            undo_offer(stage),
            judge_offer(stage),
        )


def story_offer(stage: SceneContext, share: float = 1.0, *, size_mm: float = 3.6) -> Offer:
    """Return the button for the game's story, which helps with disputes here as well."""
    _, opens = stage.words.gettext, Reply(opens=StoryScene())
    said = _("Story of the game")
    return offer(stage, "story", _("Story"), opens, share, size_mm=size_mm, icon="chart", said=said)


def confirm_offer(stage: SceneContext) -> Offer:
    """Return the judge's confirm button: to hold with the key present, or to tap and enter the PIN."""
    _, target = stage.words.gettext, "confirm-sheet"
    if stage.table.judge_present:
        words, confirm = _("Judge: hold to confirm"), command_reply(ConfirmSheet(Confirmation.KEY))
        grave = ButtonStyle.GRAVE
        return offer(stage, target, words, confirm, 3.2, look=grave, icon="key", hold_ms=HOLD_MS)
    opens = Reply(opens=PinScene(then=ConfirmSheet(Confirmation.PIN)))
    return offer(stage, target, _("Judge: confirm"), opens, 3.2, look=ButtonStyle.MAIN, icon="lock")
