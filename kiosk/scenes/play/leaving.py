"""The page on which a player leaves the tournament during a game, confirmed by a judge."""

from functools import partial

from core.game.commands import Abandon
from core.terms import SeatNo
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, ask_judge, back_offer, offer
from kiosk.ui.blocks import ButtonStyle


def _may_leave(stage: SceneContext, seat: SeatNo) -> bool:
    return stage.allows(Abandon(seat))


@dialog("leaving", holds=_may_leave)
def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what leaving means, and ask the judge to confirm it."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "If you leave, your hand is discarded and your character stays in play, passive: it "
        "skips its turns, plays nothing and can be hit. You can't come back in this "
        "tournament."
    )
    if stage.game.duel is not None:
        text = _("If you leave, your opponent wins the duel.")
    name = stage.seat(seat).name
    leave = offer(
        stage, f"seat-{seat}-abandon", _("Judge, hold: {name} leaves").format(name=name),
        partial(_leave, stage, seat), 4, look=ButtonStyle.GRAVE, icon="away", hold_ms=HOLD_MS,
        enabled=stage.allows(Abandon(seat)),
    )  # fmt: skip
    head = Heading(_("{name} leaves?").format(name=name), text, "away")
    return Dialog(stage, head, (back_offer(stage, 1.4), leave))


def _leave(stage: SceneContext, seat: SeatNo) -> Reply:
    done = stage.shared_words.gettext("{name} has left.").format(name=stage.seat(seat).name)
    return ask_judge(stage, Abandon(seat), done, leaves=True)
