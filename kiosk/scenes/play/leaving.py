"""The page on which a player leaves the tournament during a game, confirmed by a judge."""

from functools import partial
from typing import ClassVar

import msgspec

from core.game.commands import Abandon
from core.terms import SeatNo
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, ask_judge, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle


class LeavingScene(msgspec.Struct, frozen=True):
    """The effects of leaving, and a button to hold that asks the judge."""

    seat: SeatNo

    name: ClassVar[str] = "leaving"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain what leaving means, and draw the button."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        text = _(
            "If you leave, your hand is discarded and your character stays in play, passive: it "
            "skips its turns, plays nothing and can be hit. You can't come back in this "
            "tournament."
        )
        if stage.game.duel is not None:
            text = _("If you leave, your opponent wins the duel.")
        name = stage.seat(self.seat).name
        leave = offer(
            stage, f"seat-{self.seat}-abandon", _("Judge, hold: {name} leaves").format(name=name),
            partial(_leave, stage, self.seat), 4, look=ButtonStyle.GRAVE, icon="away", hold_ms=HOLD_MS,
            enabled=stage.allows(Abandon(self.seat)),
        )  # fmt: skip
        head = Heading(_("{name} leaves?").format(name=name), text, "away")
        return dialog(stage, head, (back_offer(stage, 1.4), leave))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the player may leave."""
        return stage.table.game is not None and stage.allows(Abandon(self.seat))


def _leave(stage: SceneContext, seat: SeatNo) -> Reply:
    done = stage.shared_words.gettext("{name} has left.").format(name=stage.seat(seat).name)
    return ask_judge(stage, Abandon(seat), done, leaves=True)
