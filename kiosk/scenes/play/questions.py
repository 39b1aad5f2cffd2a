"""The questions that interrupt a game: last life points, a Revolution, and turns that weren't entered."""

import msgspec

from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import last_card
from core.game.play.turns import SetTurn
from core.game.play.wounds import Rescue, SaveLastLife, beer_has_effect
from core.game.state.game import HighNoon, Seat
from core.game.state.seats import players_hit_from
from core.rule_set import RecordMode
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.guide import add_rule, high_noon_sign
from kiosk.scenes.play.play import beer_of, life_panel, plain_panel
from kiosk.scenes.play.player_menu import elimination_of, new_sheriff, out_too_offers
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, fate_aside, on_ring
from kiosk.scenes.widgets.dialogs import question_page, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    command_offer,
    judge_offer,
    offer,
    redo_offers,
    table_offers,
    table_page,
    undo_offer,
)
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, Button, ButtonStyle


@scene("revolution")
def revolution(stage: SceneContext) -> tuple[Block, ...]:
    """Ask the player who eliminated the Sheriff whether they are the Rebel!, which is no secret any more."""
    questioned = stage.game.revolution_question
    assert questioned is not None  # this scene is shown only while there is a question
    seat = stage.seat(questioned)
    stage = stage.in_language_of(seat.seat)
    _ = stage.words.gettext
    head = Heading(
        _("Is {name} the Rebel!?").format(name=seat.name),
        _("You eliminated the Sheriff. If you're the Rebel!, show your card now."),
        "star",
        Tone.LOUD,
        brief=_("Show your card."),
        badge=high_noon_sign(stage),
    )
    yes, no = (AnswerRevolution(seat.seat, is_rebel=is_it) for is_it in (True, False))
    revolution = Reply(command_reply(yes).intents, opens=new_sheriff(seat.seat))
    offers = (
        offer(
            stage, "revolution-yes", _("Hold: Yes"), revolution, 2, look=ButtonStyle.MAIN, icon="star",
            hold_ms=HOLD_MS, said=_("Yes: Revolution"),
        ),
        offer(
            stage, "revolution-no", _("Hold: No"), command_reply(no), 2, look=ButtonStyle.GRAVE,
            icon="cards", hold_ms=HOLD_MS, said=_("No: the game is over"),
        ),
        *out_too_offers(stage),
        undo_offer(stage, 1.2),
    )  # fmt: skip
    head = add_rule(stage, head)
    return question_page(stage, plain_panel, head, offers)


@scene("last-life")
def last_life(stage: SceneContext) -> tuple[Block, ...]:
    """Ask a player with no life points left, on a page without panels if the middle has no room."""
    seat = stage.seat(stage.game.pending[0])
    stage = stage.in_language_of(seat.seat)
    title = stage.words.gettext("{name}: no life points left").format(name=seat.name)
    # Without room for the sentence, the button shows how many Beers are needed.
    warning = Heading(
        title, _text(stage, seat), "warning", Tone.LOUD, badge=high_noon_sign(stage),
        is_optional=stage.allows(SaveLastLife(seat.seat, Rescue.BEER)),
    )  # fmt: skip
    head = add_rule(stage, warning)
    offers, middle = _offers(stage, seat), stage.ring.middle
    if stage.game.mode is RecordMode.LIGHT or not fits_in_the_middle(
        stage, middle, head, offers, upright=True
    ):
        count, beer, main = 1 - seat.life, beer_of(stage, seat), ButtonStyle.MAIN
        words = stage.words.ngettext("{count} Beer", "{count} Beers", count).format(count=count)
        save = command_offer(stage, "rescue-beer", words, beer, 1.6, look=main, icon="beer")
        return question_page(stage, life_panel, head, (save, *offers))

    def panel(stage: SceneContext, other: Seat) -> Block:
        return life_panel(stage, other, is_dying=other is seat)

    return table_page(stage, panel, head, offers)


def _text(stage: SceneContext, seat: Seat) -> str:
    _ = stage.words.gettext
    if seat.passive:
        return _("The player has left: nobody can play a Beer for a passive character.")
    players = players_hit_from(stage.game)
    if beer_of(stage, seat).same_card:
        names = ", ".join(stage.seat(out.seat).name for out in last_card(stage.game))
        text = _("A Beer only has an effect if the card that took {names} hit this player too.")
        return text.format(names=names)
    if not beer_has_effect(life=seat.life, max_life=seat.max_life, players_left=players):
        return _("Only two players are left: a Beer has no effect.")
    missing = 1 - seat.life
    return stage.words.ngettext(
        "{count} Beer would save the player.", "{count} Beers would save the player.", missing
    ).format(count=missing)


def _offers(stage: SceneContext, seat: Seat) -> tuple[Offer, ...]:
    _, sid = stage.words.gettext, SaveLastLife(seat.seat, Rescue.SID_KETCHUM)
    out, grave = elimination_of(seat.seat, stage), ButtonStyle.GRAVE
    eliminated = offer(stage, "eliminated", _("Eliminated"), out, 2.2, look=grave, icon="tombstone")
    sids = offer(
        stage, "rescue-sid-ketchum", "Sid Ketchum", command_reply(sid), 2, look=ButtonStyle.MAIN,
        icon="cards",
    )  # fmt: skip
    # No menu on this page has a redo button.
    redo = (msgspec.structs.replace(each, is_optional=False) for each in redo_offers(stage))
    more = (*redo, *((sids,) if stage.allows(sid) else ()))
    # The smallest screens have no room for all buttons.
    judge = msgspec.structs.replace(judge_offer(stage), is_optional=bool(more))
    return (*reversed(more), eliminated, undo_offer(stage), judge)


@scene("whose-turn")
def whose_turn(stage: SceneContext) -> tuple[Block, ...]:
    """Ask whose turn it is when turns begin to count; each panel is an answer."""
    _ = stage.words.gettext
    text = _("Tap that player's panel.")
    if stage.game.high_noon is HighNoon.WAITING:
        text = _("High Noon is near, so turns now count. Tap that player's panel.")
    head = Heading(_("Whose turn is it?"), text, "sun", Tone.LOUD, brief=_("Tap that player's panel."))
    head = add_rule(stage, head, Rule.HIGH_NOON)
    return table_page(stage, _turn_panel, head, table_offers(stage))


def _turn_panel(stage: SceneContext, seat: Seat) -> Block:
    command = SetTurn(seat.seat)
    if not stage.allows(command):
        return plain_panel(stage, seat)
    parts, body = card(stage, seat, SeatCardState.PLAIN, fate_aside(stage, seat))
    button = Button(
        body.inset(stage.mm(1), stage.mm(0.6)), f"seat-{seat.seat}-turn", stage.words.gettext("My turn"),
        ButtonStyle.MAIN, size_px=stage.type_mm(5),
        said=stage.words.gettext("It's {name}'s turn").format(name=seat.name),
        action=OnTouch(command_reply(command)),
    )  # fmt: skip
    return on_ring(stage, seat, (*parts, button))


@scene("still-in-play")
def still_in_play(stage: SceneContext) -> tuple[Block, ...]:
    """Ask whether a player with one life point survived a turn under High Noon that nobody entered."""
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
    out = elimination_of(seat.seat, stage)
    offers = (
        offer(stage, "still-in-play", _("Still in play"), survives, 2.4, look=ButtonStyle.CARD),
        offer(stage, "eliminated", _("Eliminated"), out, 2.4, look=ButtonStyle.GRAVE, icon="tombstone"),
        undo_offer(stage),
        judge_offer(stage),
    )
    return question_page(stage, plain_panel, add_rule(stage, head, Rule.HIGH_NOON), offers)
