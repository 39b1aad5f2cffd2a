"""The judge takes a game back."""

from typing import Final

from saloon.core.game.commands import VoidGame
from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.furniture import HOLD_MS, NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.scene import Reply, Stage, judged
from saloon.kiosk.ui.parts import Block, Button, Look


class VoidScene:
    """It counts for nothing afterwards: told, then held."""

    name: Final = "void"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What will happen, and the button."""
        _ = stage.words.gettext
        text = _(
            "The game counts for nobody: no winnings, no winner. What was played stays in the story. "
            "Only the judge decides what is played instead."
        )
        void = Button(
            NOWHERE, "void-now", _("Hold: take the game back"), Look.GRAVE, "cross", size_px=stage.mm(4.6),
            hold_ms=HOLD_MS, enabled=stage.allows(VoidGame("")),
        )  # fmt: skip
        offers = (back_offer(stage, 1.6), Offer(void, 3.6))
        return dialog(stage, Head(_("Take the game back"), text, "cross"), offers)

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Takes it back and leaves the judge's menu."""
        _ = stage.words.gettext
        if target == "void-now":
            return judged(VoidGame(_("voided at the table")), _("The game was taken back."))
        return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """While there is a game to take back."""
        return stage.table.game is not None and stage.allows(VoidGame(""))
