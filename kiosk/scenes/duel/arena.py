"""The duel itself: two halves, and between them the turn, the line and help."""

from typing import Final

from saloon.core.game.commands import EndTurn
from saloon.core.game.match import MatchKind
from saloon.kiosk.scenes.duel.half import duel_half
from saloon.kiosk.scenes.duel.line import LineScene
from saloon.kiosk.scenes.locked import fitting_lock_offer
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.story.guide import add_rule, undone_head
from saloon.kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    judge_offer,
    menu_offer,
    middle,
    offer,
    strip,
    undo_offer,
)
from saloon.kiosk.ui.parts import Block, ButtonStyle


class DuelScene(PersistentScene):
    """Life points, turns, and who enters."""

    name: Final = "duel"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the halves turned to their players, and the middle turned to the player in turn."""
        turn = stage.duel.turn
        turns = 0 if turn is None else stage.ring.places[turn - 1].quarter_turns
        stage = stage if turn is None else stage.in_language_of(turn)
        head = self._head(stage)
        return (
            *(duel_half(stage, seat) for seat in stage.game.seats),
            middle(stage, stage.ring.middle, head, self._offers(stage), quarter_turns=turns),
            strip(stage, stage.ring.strip),
        )

    def _head(self, stage: SceneContext) -> Heading:
        _, duel = stage.words.gettext, stage.duel
        name = "" if duel.turn is None else stage.seat(duel.turn).name
        is_long = duel.kind is MatchKind.LONG_DUEL
        rule = _("All five must fall.") if is_long else _("First to five with a lead of two; eight at most.")
        number = _("Turn {number}").format(number=stage.game.turns)
        title = _("{name}'s turn").format(name=name)
        return undone_head(stage, title) or add_rule(stage, Heading(title, f"{number} · {rule}"))

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
            undo_offer(stage),
            judge_offer(stage),
            menu_offer(stage),
            *fitting_lock_offer(stage),
        )
