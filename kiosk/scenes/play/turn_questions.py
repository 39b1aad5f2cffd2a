"""Questions about turns that weren't entered: whose turn it is, and players who may be eliminated."""

from typing import Final

from core.game.play.effects import SurviveHighNoon
from core.game.play.turns import SetTurn
from core.game.state.game import HighNoon, Seat
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.play.life_panel import life_panel
from kiosk.scenes.play.player_menu import elimination_of
from kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, fate_aside, on_ring
from kiosk.scenes.widgets.dialogs import question_page
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Tone,
    judge_offer,
    offer,
    table_offers,
    table_page,
    undo_offer,
)
from kiosk.ui.blocks import Block, Button, ButtonStyle


class UnknownTurnScene(PersistentScene):
    """The question of whose turn it is if turns weren't entered so far; each panel is an answer."""

    name: Final = "whose-turn"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button on the panel of each player who can be in turn."""
        _ = stage.words.gettext
        text = _("Tap that player's panel.")
        if stage.game.high_noon is HighNoon.WAITING:
            text = _("High Noon is near, so turns now count. Tap that player's panel.")
        head = Heading(_("Whose turn is it?"), text, "sun", Tone.LOUD, brief=_("Tap that player's panel."))
        head = add_rule(stage, head, Rule.HIGH_NOON)
        panels = (_turn_panel(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, head, table_offers(stage))


def _turn_panel(stage: SceneContext, seat: Seat) -> Block:
    stage = stage.in_language_of(seat.seat)
    command = SetTurn(seat.seat)
    if not stage.allows(command):
        return life_panel(stage, seat, touchable=False)
    parts, body = card(stage, seat, SeatCardState.PLAIN, fate_aside(stage, seat))
    button = Button(
        body.inset(stage.mm(1), stage.mm(0.6)), f"seat-{seat.seat}-turn", stage.words.gettext("My turn"),
        ButtonStyle.MAIN, size_px=stage.type_mm(5),
        said=stage.words.gettext("It's {name}'s turn").format(name=seat.name),
        action=OnTouch(command_reply(command)),
    )  # fmt: skip
    return on_ring(stage, seat, (*parts, button))


class DoubtScene(PersistentScene):
    """The question of whether a player with one life point survived a High Noon turn that was passed."""

    name: Final = "still-in-play"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Ask about one player at a time, turned towards that player."""
        seat = stage.seat(stage.game.doubtful[0])
        stage = stage.in_language_of(seat.seat)
        _ = stage.words.gettext
        text = _("High Noon takes a life point each turn, and {name} had only one left.")
        head = Heading(
            _("{name}: still in play?").format(name=seat.name),
            text.format(name=seat.name),
            "sun",
            Tone.LOUD,
            brief=_("High Noon took a life point."),
            brief_title=seat.name,
        )
        survives = command_reply(SurviveHighNoon(seat.seat))
        out = Reply(opens=elimination_of(seat.seat, stage))
        offers = (
            offer(stage, "still-in-play", _("Still in play"), survives, 2.4, look=ButtonStyle.CARD),
            offer(stage, "eliminated", _("Eliminated"), out, 2.4, look=ButtonStyle.GRAVE, icon="tombstone"),
            undo_offer(stage),
            judge_offer(stage),
        )
        panels = (life_panel(stage, other, touchable=False) for other in stage.game.seats)
        return question_page(stage, panels, add_rule(stage, head, Rule.HIGH_NOON), offers)
