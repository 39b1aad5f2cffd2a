"""The judge names the winner of a duel whose time is over."""

from saloon.core.game.duel.commands import RuleDuel
from saloon.kiosk.scenes.furniture import HOLD_MS, NOWHERE, Offer
from saloon.kiosk.scenes.scene import Reply, Stage, asks, seat_in
from saloon.kiosk.ui.parts import Button, Look


def ruling_offers(stage: Stage) -> tuple[Offer, ...]:
    """A button to hold for each player of the duel."""
    text = stage.words.gettext("Time is over: {name} wins")
    return tuple(
        Offer(
            Button(
                NOWHERE, f"seat-{seat.seat}-rules", text.format(name=seat.name), Look.GRAVE,
                size_px=stage.mm(4.2), hold_ms=HOLD_MS, enabled=stage.allows(RuleDuel(seat.seat, "…")),
            ),
            3.2,
        )
        for seat in stage.game.seats
    )  # fmt: skip


def ruling_reply(target: str, stage: Stage) -> Reply | None:
    """The ruling, for the player of the button; None for other targets."""
    if not target.endswith("-rules"):
        return None
    reason = stage.words.gettext("The time limit was reached.")
    return Reply(asks(RuleDuel(seat_in(target), reason)).intents, closes=True)
