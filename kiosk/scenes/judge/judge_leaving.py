"""A player leaves by the judge's hand, or is sent away."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.commands import Abandon
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import Reply, SceneContext, judge_command_reply, parse_seat
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class PlayerLeavesScene:
    """Choice of the player who leaves, among those who still may."""

    name: Final = "player-leaves"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the names; nothing happens yet."""
        _ = stage.words.gettext
        offers = [
            Offer(
                Button(
                    NOWHERE, f"leaves-seat-{seat.seat}", seat.name, ButtonStyle.CARD, size_px=stage.mm(4.6)
                ),
                2.6,
            )
            for seat in stage.game.seats
            if stage.allows(Abandon(seat.seat))
        ]
        head = Heading(_("A player leaves"), _("Who's leaving or being ejected?"), "away")
        return dialog(stage, head, (*offers, back_offer(stage, 1.6)))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Open the page that explains what leaving means for this player."""
        del stage
        if target.startswith("leaves-"):
            return Reply(opens=SendAwayScene(parse_seat(target)))
        return common(target) or Reply()

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
        _, size = stage.words.gettext, stage.mm(4.4)
        if stage.game.duel is None:
            text = _(
                "The character stays in play but is passive: it skips its turns and can be hit. "
                "Players who leave or are ejected can't come back in this tournament."
            )
        else:
            text = _("The opponent wins the duel. Players who leave can't come back in this tournament.")
        leave, eject = (
            Button(
                NOWHERE,
                f"seat-{self.seat}-{id_}",
                label,
                ButtonStyle.GRAVE,
                icon,
                size_px=size,
                hold_ms=HOLD_MS,
            )
            for id_, label, icon in (
                ("abandon", _("Hold: has left"), "away"),
                ("eject", _("Hold: eject"), "cross"),
            )
        )
        offers = (back_offer(stage, 1.6), Offer(leave, 2.8), Offer(eject, 2.8))
        return dialog(stage, Heading(stage.seat(self.seat).name, text, "away"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Send the command in the judge's name, and leave the menu."""
        _ = stage.words.gettext
        name = stage.seat(self.seat).name
        if target.endswith("-abandon"):
            return judge_command_reply(Abandon(self.seat), _("{name} has left.").format(name=name))
        if target.endswith("-eject"):
            return judge_command_reply(
                Abandon(self.seat, ejected=True), _("{name} was ejected.").format(name=name)
            )
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether this player may leave."""
        return stage.table.game is not None and stage.allows(Abandon(self.seat))
