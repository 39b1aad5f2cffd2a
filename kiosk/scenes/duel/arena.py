"""The duel itself: two halves, and between them the turn, the line and help."""

from typing import Final

from saloon.core.game.commands import EndTurn
from saloon.core.game.match import MatchKind
from saloon.kiosk.scenes.duel.half import duel_half
from saloon.kiosk.scenes.duel.line import LineScene
from saloon.kiosk.scenes.locked import fitting_lock_offer
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.story.guide import guided, undone_head
from saloon.kiosk.scenes.widgets.page_parts import Heading, Offer, offer, table_offers, table_page
from saloon.kiosk.ui.parts import Block, ButtonStyle


class DuelScene(PersistentScene):
    """Life points, turns, and who enters."""

    name: Final = "duel"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the halves turned to their players, and the middle turned to the player in turn."""
        turn = stage.duel.turn
        stage = stage if turn is None else stage.in_language_of(turn)
        head = self._head(stage)
        panels = (duel_half(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, head, self._offers(stage))

    def _head(self, stage: SceneContext) -> Heading:
        _, duel = stage.words.gettext, stage.duel
        name = "" if duel.turn is None else stage.seat(duel.turn).name
        is_long = duel.kind is MatchKind.LONG_DUEL
        rule = _("All five must fall.") if is_long else _("First to five with a lead of two; eight at most.")
        number = _("Turn {number}").format(number=stage.game.turns)
        title = _("{name}'s turn").format(name=name)
        return undone_head(stage, title) or guided(stage, Heading(title, f"{number} · {rule}"))

    def _offers(self, stage: SceneContext) -> tuple[Offer, ...]:
        _, duel = stage.words.gettext, stage.duel
        end = offer(
            stage, "end-turn", _("End turn"), command_reply(EndTurn()), 2.4, size_mm=5,
            look=ButtonStyle.MAIN, icon="arrow", enabled=stage.allows(EndTurn()),
        )  # fmt: skip
        line: tuple[Offer, ...] = ()
        if duel.kind is MatchKind.LONG_DUEL and duel.turn is not None:
            may = duel.may_choose_line and len(duel.side(duel.turn).in_play) > 1
            opens = Reply(opens=LineScene(duel.turn))
            line = (offer(stage, "line", _("Front and rear"), opens, 2.4, icon="cards", enabled=may),)
        return (
            end,
            *line,
            *table_offers(stage),
            *fitting_lock_offer(stage),
        )
