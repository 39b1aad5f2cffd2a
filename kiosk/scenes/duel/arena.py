"""The duel itself: two halves, and between them the turn, the line and help."""

from typing import Final

from saloon.core.game.commands import EndTurn
from saloon.core.game.match import MatchKind
from saloon.kiosk.scenes.duel.half import duel_half, half_reply
from saloon.kiosk.scenes.duel.line import LineScene
from saloon.kiosk.scenes.locked import lock_offer, lock_reply
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.settings.menu import MenuScene
from saloon.kiosk.scenes.story.guide import guided, undone_head
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Heading,
    Offer,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class DuelScene(RootScene):
    """Life points, turns, and who enters."""

    name: Final = "duel"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the halves turned to their players, and the middle turned to the player in turn."""
        turn = stage.duel.turn
        turns = 0 if turn is None else stage.ring.places[turn - 1].quarter_turns
        stage = stage if turn is None else stage.spoken_by(turn)
        head = self._head(stage)
        return (
            *(duel_half(stage, seat) for seat in stage.game.seats),
            middle(stage, stage.ring.middle, head, self._offers(stage), quarter_turns=turns),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Send a command to the game, or open a choice."""
        match target:
            case "end-turn":
                return command_reply(EndTurn())
            case "line" if stage.duel.turn is not None:
                return Reply(opens=LineScene(stage.duel.turn))
            case "menu":
                return Reply(opens=MenuScene())
            case _:
                return half_reply(target, stage) or lock_reply(target) or common(target) or Reply()

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
        end = Button(
            NOWHERE, "end-turn", _("End turn"), ButtonStyle.MAIN, "arrow", size_px=stage.mm(5),
            enabled=stage.allows(EndTurn()),
        )  # fmt: skip
        line: tuple[Offer, ...] = ()
        if duel.kind is MatchKind.LONG_DUEL and duel.turn is not None:
            may = duel.may_choose_line and len(duel.side(duel.turn).in_play) > 1
            button = Button(
                NOWHERE, "line", _("Front and rear"), icon="cards", size_px=stage.mm(4.6), enabled=may
            )
            line = (Offer(button, 2.4),)
        return (
            Offer(end, 2.4),
            *line,
            undo_offer(stage),
            judge_offer(stage),
            menu_offer(stage),
            *lock_offer(stage),
        )
