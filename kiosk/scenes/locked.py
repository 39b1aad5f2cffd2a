"""A locked table: life points can be read from every side, and nothing but the lock can be touched."""

from typing import Final

from saloon.core.game.state import GameState, Phase
from saloon.kiosk.intents import LockTable
from saloon.kiosk.scenes.duel.half import duel_half
from saloon.kiosk.scenes.furniture import (
    HOLD_MS,
    NOWHERE,
    Head,
    Offer,
    common,
    judge_offer,
    middle,
    strip,
)
from saloon.kiosk.scenes.life_panel import life_panel
from saloon.kiosk.scenes.scene import OfTheMoment, Reply, Stage
from saloon.kiosk.ui.parts import Block, Button, Look
from saloon.kiosk.ui.ring import GAP_MM

_BUTTON_MM: Final = 12.0
_HEAD_MM: Final = 9.0
_OFFERS: Final = 7
"""Buttons in the middle of a game with the lock, and the question mark of its rule."""


class LockedScene(OfTheMoment):
    """Nobody's elbow changes anything."""

    name: Final = "locked"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """The panels large and still, the lock in the middle."""
        _ = stage.words.gettext
        game = stage.game
        turn = game.turn if game.duel is None else game.duel.turn
        text = "" if turn is None else _("{name}'s turn").format(name=stage.seat(turn).name)
        unlock = Button(
            NOWHERE, "unlock", _("Hold to unlock"), Look.MAIN, "lock", size_px=stage.mm(5), hold_ms=HOLD_MS
        )
        panels = (
            life_panel(stage, seat, touchable=False)
            if game.duel is None
            else duel_half(stage, seat, touchable=False)
            for seat in game.seats
        )
        offers = (Offer(unlock, 2.4), judge_offer(stage))
        head = Head(_("The table is locked"), text, "lock", brief_title=_("Locked"))
        return (*panels, middle(stage, stage.ring.middle, head, offers), strip(stage, stage.ring.strip))

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Unlocks after the hold; the judge can be called at any time."""
        del stage
        if target == "unlock":
            return Reply(intents=(LockTable(is_locked=False),))
        return common(target) or Reply()


def shows_lock(game: GameState) -> bool:
    """Whether a locked table shows the lock: while nothing has to be answered."""
    return game.phase in {Phase.PLAYING, Phase.DUEL} and not game.pending and game.revolution_question is None


def lock_button(stage: Stage, size_px: int) -> Button:
    """Locks the table."""
    _ = stage.words.gettext
    return Button(NOWHERE, "lock", _("Lock"), icon="lock", said=_("Lock the table"), size_px=size_px)


def lock_offer(stage: Stage) -> tuple[Offer, ...]:
    """The lock on the table's screen; nothing where the middle has no room: there it is in the menu."""
    width, height = stage.ring.middle.w, stage.ring.middle.h
    button, gap = stage.mm(_BUTTON_MM), stage.mm(GAP_MM)
    rows = -(-_OFFERS // max(1, (width + gap) // (button + gap)))
    if rows * (button + gap) + stage.mm(_HEAD_MM) > height:
        return ()
    return (Offer(lock_button(stage, stage.mm(3.6))),)


def lock_reply(target: str) -> Reply | None:
    """Locks; None for other targets."""
    if target != "lock":
        return None
    return Reply(intents=(LockTable(is_locked=True),))
