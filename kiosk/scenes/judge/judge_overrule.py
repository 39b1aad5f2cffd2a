"""The judge goes on without the word of somebody who walked away, or who disputes."""

from typing import Final

from saloon.core.game.commands import WaiveAgreement
from saloon.core.game.ending.agreement import awaited
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import Reply, Stage, judged, seat_in
from saloon.kiosk.scenes.widgets.common import HOLD_MS, NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.ui.parts import Block, Button, Look


class GoesOnScene:
    """A button to hold for each player whose word is missing."""

    name: Final = "goes-on"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What it means, and the names."""
        _ = stage.words.gettext
        text = _(
            "The ending stands without this player's word. The story says that you went on; "
            "who disputed stays named in it."
        )
        offers = [Offer(_without(stage, seat), 3) for seat in awaited(stage.game)]
        head = Head(_("Go on without somebody"), text, "away")
        return dialog(stage, head, (*offers, back_offer(stage, 1.6)))

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Goes on, and leaves the judge's menu."""
        _ = stage.words.gettext
        if not target.endswith("-waive"):
            return common(target) or Reply()
        seat = seat_in(target)
        words = _("The judge goes on without {name}.").format(name=stage.seat(seat).name)
        return judged(WaiveAgreement(seat), words)

    def still_holds(self, stage: Stage) -> bool:
        """While somebody's word is missing."""
        return stage.table.game is not None and bool(awaited(stage.game))


def _without(stage: Stage, seat: SeatNo) -> Button:
    words = stage.words.gettext("Hold: without {name}").format(name=stage.seat(seat).name)
    size = stage.mm(4.4)
    return Button(NOWHERE, f"seat-{seat}-waive", words, Look.GRAVE, size_px=size, hold_ms=HOLD_MS)
