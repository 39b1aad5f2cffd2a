"""A player leaves by the judge's hand, or is sent away."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.commands import Abandon
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import Reply, SceneContext, judge_command_reply
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, back_offer, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle


class PlayerLeavesScene:
    """Choice of the player who leaves, among those who still may."""

    name: Final = "player-leaves"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the names; nothing happens yet."""
        _ = stage.words.gettext
        offers = [
            offer(
                stage, f"leaves-seat-{seat.seat}", seat.name, Reply(opens=SendAwayScene(seat.seat)), 2.6,
                look=ButtonStyle.CARD,
            )
            for seat in stage.game.seats
            if stage.allows(Abandon(seat.seat))
        ]  # fmt: skip
        head = Heading(_("A player leaves"), _("Who's leaving or being ejected?"), "away")
        return dialog(stage, head, (*offers, back_offer(stage, 1.6)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether somebody may leave."""
        return stage.table.game is not None and any(
            stage.allows(Abandon(seat.seat)) for seat in stage.game.seats
        )


class SendAwayScene(msgspec.Struct, frozen=True):
    """Choose whether one player leaves or is ejected."""

    seat: SeatNo

    name: ClassVar[str] = "send-away"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw what leaving means, and two buttons to hold."""
        _, name = stage.words.gettext, stage.seat(self.seat).name
        if stage.game.duel is None:
            text = _(
                "The character stays in play but is passive: it skips its turns and can be hit. "
                "Players who leave or are ejected can't come back in this tournament."
            )
        else:
            text = _("The opponent wins the duel. Players who leave can't come back in this tournament.")
        left = judge_command_reply(Abandon(self.seat), _("{name} has left.").format(name=name))
        ejected = judge_command_reply(
            Abandon(self.seat, ejected=True), _("{name} was ejected.").format(name=name)
        )
        choices = (
            ("abandon", _("Hold: has left"), "away", left),
            ("eject", _("Hold: eject"), "cross", ejected),
        )
        offers = (
            offer(
                stage, f"seat-{self.seat}-{id_}", label, reply, 2.8, look=ButtonStyle.GRAVE, icon=icon,
                hold_ms=HOLD_MS,
            )
            for id_, label, icon, reply in choices
        )  # fmt: skip
        return dialog(stage, Heading(name, text, "away"), (back_offer(stage, 1.6), *offers))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether this player may leave."""
        return stage.table.game is not None and stage.allows(Abandon(self.seat))
