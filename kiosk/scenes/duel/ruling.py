"""The judge names the winner of a duel whose time is over."""

from typing import Final

from saloon.core.game.duel.commands import RuleDuel
from saloon.kiosk.scenes.scene import Reply, Stage, judged, seat_in
from saloon.kiosk.scenes.widgets.common import HOLD_MS, NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.ui.parts import Block, Button, Look


class RulingScene:
    """Who wins, by a hold."""

    name: Final = "rule-duel"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """A button to hold for each player of the duel."""
        _ = stage.words.gettext
        offers = [
            Offer(
                Button(
                    NOWHERE, f"seat-{seat.seat}-rules", _("Hold: {name} wins").format(name=seat.name),
                    Look.GRAVE, size_px=stage.mm(4.4), hold_ms=HOLD_MS,
                    enabled=stage.allows(RuleDuel(seat.seat, "…")),
                ),
                3,
            )
            for seat in stage.game.seats
        ]  # fmt: skip
        text = _("The duel ends at once with the winner that you name. The record sheet says that you ruled.")
        return dialog(stage, Head(_("Time is over"), text, "clock"), (*offers, back_offer(stage, 1.6)))

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Rules, and leaves the judge's menu."""
        _ = stage.words.gettext
        if not target.endswith("-rules"):
            return common(target) or Reply()
        seat = seat_in(target)
        words = _("You ruled: {name} wins.").format(name=stage.seat(seat).name)
        return judged(RuleDuel(seat, _("The time limit was reached.")), words)

    def still_holds(self, stage: Stage) -> bool:
        """While a ruling is possible."""
        return stage.table.game is not None and any(
            stage.allows(RuleDuel(seat.seat, "…")) for seat in stage.game.seats
        )
