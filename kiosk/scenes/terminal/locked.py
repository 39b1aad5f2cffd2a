"""A locked table: life points are visible, but only the unlock and judge-call buttons work."""

from typing import Final

from kiosk.scenes.duel.half import duel_half
from kiosk.scenes.heads.high_noon_head import with_high_noon
from kiosk.scenes.play.life_panel import life_panel
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Tone, judge_offer, offer, table_page
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import LockTable


class LockedScene(PersistentScene):
    """The locked table, which ignores accidental touches."""

    name: Final = "locked"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the panels without buttons, and the lock in the middle."""
        game = stage.game
        if game.duel is None:
            stage = stage.for_turn_player()
        _ = stage.words.gettext
        turn = game.turn if game.duel is None else game.duel.turn
        text = "" if turn is None else _("{name}'s turn").format(name=stage.seat(turn).name)
        unlock = offer(
            stage, "unlock", _("Hold to unlock"), Reply(intents=(LockTable(is_locked=False),)), 2.4,
            size_mm=5, look=ButtonStyle.MAIN, icon="lock", hold_ms=HOLD_MS,
        )  # fmt: skip
        panels = (
            life_panel(stage, seat, touchable=False)
            if game.duel is None
            else duel_half(stage, seat, touchable=False)
            for seat in game.seats
        )
        # Water drops must not call the judge.
        offers = (unlock,) if stage.table.is_wet else (unlock, judge_offer(stage))
        head = Heading(_("The table is locked"), text, "lock", brief_title=_("Locked"), is_optional=True)
        if stage.table.is_wet:
            text = _("Drops touch the glass. Dry it, then check the last entries.")
            head = Heading(_("Dry the glass"), text, "warning", Tone.LOUD, is_optional=True)
        if game.duel is None:
            head = with_high_noon(stage, head)
        return table_page(stage, panels, head, offers)
