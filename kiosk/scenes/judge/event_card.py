"""The judge's page for event cards that return eliminated players to a game with the Rebel!."""

from typing import Final

from core.game.in_words import EVENT_CARDS
from core.game.rebel.comebacks import ShowEventCard
from core.game.state.game import EventCard
from kiosk.scenes.scene import PersistentScene, SceneContext, judge_command_reply
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle


class EventCardScene(PersistentScene):
    """The effects of the event cards, with a button to hold for each."""

    name: Final = "event-card"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw each event card that may be in force now, with its effect and a button."""
        _ = stage.words.gettext
        text = _(
            "Ghost Town: eliminated players play their turns as ghosts. Dead Man: the first "
            "eliminated player returns on their turn. The card counts until the Sheriff's next turn."
        )
        cards: tuple[EventCard | None, ...] = (*EventCard, None)
        offers = [_show(stage, card) for card in cards if stage.allows(ShowEventCard(card))]
        return dialog(stage, Heading(_("Event card"), text, "cards"), (*offers, back_offer(stage, 1.6)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether an event card may be turned over now."""
        return stage.table.game is not None and may_show_event_card(stage)


def may_show_event_card(stage: SceneContext) -> bool:
    """Return whether the game has the Rebel! and no question is open."""
    return any(stage.allows(ShowEventCard(card)) for card in EventCard)


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
