"""The judge's page for event cards that return eliminated players to a game with the Rebel!."""

from core.game.commands import ShowEventCard
from core.game.in_words import EVENT_CARDS
from core.game.rebel.rebel_events import EventCard
from kiosk.scenes.scene import SceneContext, judge_command_reply
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, back_offer, offer
from kiosk.ui.blocks import ButtonStyle


def may_show_event_card(stage: SceneContext) -> bool:
    """Return whether the game has the Rebel! and no question is open."""
    return any(stage.allows(ShowEventCard(card)) for card in EventCard)


@dialog("event-card", when=may_show_event_card)
def event_card(stage: SceneContext) -> Dialog:
    """Offer each event card that may be in force now, and explain the effects."""
    _ = stage.words.gettext
    text = _(
        "Ghost Town: eliminated players play their turns as ghosts. Dead Man: the first "
        "eliminated player returns on their turn. The card counts until the Sheriff's next turn."
    )
    cards: tuple[EventCard | None, ...] = (*EventCard, None)
    offers = [_show(stage, card) for card in cards if stage.allows(ShowEventCard(card))]
    return Dialog(stage, Heading(_("Event card"), text, "cards"), (*offers, back_offer(stage, 1.6)))


def _show(stage: SceneContext, card: EventCard | None) -> Offer:
    _ = stage.words.gettext
    reply, target = ShowEventCard(card), "event-card-none" if card is None else f"event-card-{card.value}"
    if card is None:
        done, words = _("No card brings players back any more."), _("Hold: no card")
    else:
        name = _(EVENT_CARDS[card])
        done, words = _("{card} is face up.").format(card=name), _("Hold: {card}").format(card=name)
    return offer(
        stage, target, words, judge_command_reply(reply, done), 2.8, look=ButtonStyle.CARD, hold_ms=HOLD_MS
    )
