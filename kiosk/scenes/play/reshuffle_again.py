"""The question about a reshuffle that follows another within seconds."""

from typing import Final

from saloon.core.game.commands import Reshuffle
from saloon.core.game.state import Phase
from saloon.kiosk.intents import AskGame
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, Tone, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block


class ReshuffleAgainScene:
    """Ask whether the deck was reshuffled twice; opened by the second press."""

    name: Final = "reshuffle-again"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the number of reshuffles so far, and the two answers."""
        _, ngettext, count = stage.words.gettext, stage.words.ngettext, stage.game.reshuffles
        text = ngettext(
            "{count} reshuffle has been counted so far.",
            "{count} reshuffles have been counted so far.",
            count,
        ).format(count=count)
        again = Reply(intents=(AskGame(Reshuffle(), is_certain=True),), closes=True)
        yes, no = _("Yes, count another"), _("No, it was counted")
        offers = (
            offer(stage, "reshuffled-again", yes, again, 2.6, icon="shuffle"),
            back_offer(stage, label=no, share=2.6),
        )
        return dialog(stage, Heading(_("Reshuffled again?"), text, "shuffle", Tone.LOUD), offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the game is being played."""
        return stage.is_in(Phase.PLAYING)
