"""The choice of the cards that a survivor keeps from the last game, turned to the player."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import KeepCards
from saloon.core.game.setup.character_choice import experience_of, may_keep_cards, starting_life
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.auction.auction_panel import dollars
from saloon.kiosk.scenes.scene import SceneContext, command_reply
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import Heading, back_offer, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle


class KeptCardsScene(msgspec.Struct, frozen=True):
    """A survivor's choice of cards to keep, limited only by the life points.

    No button is disabled by the player's budget, which is secret.
    """

    seat: SeatNo

    name: ClassVar[str] = "kept-cards"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show a button for each number of cards, with its price."""
        stage = stage.in_language_of(self.seat)
        _, ngettext = stage.words.gettext, stage.words.ngettext
        seat, rule = stage.seat(self.seat), experience_of(stage.edition)
        most, each = 0, 0
        if rule is not None and seat.character is not None:
            most = starting_life(seat.character, stage.edition, sheriff=seat.seat == SHERIFF_SEAT)
            each = rule.dollars
        numbers = tuple(
            offer(
                stage, f"cards-{count}", ngettext("{count} card", "{count} cards", count).format(count=count),
                msgspec.structs.replace(command_reply(KeepCards(self.seat, count)), closes=True), 1.3,
                look=ButtonStyle.CHOSEN if count == seat.cards.cards else ButtonStyle.CARD,
                small=dollars(count * each),
            )
            for count in range(most + 1)
        )  # fmt: skip
        text = _(
            "Keep cards that were in front of {name} at the end of the last game, for ${price} "
            "each. They go into the starting hand."
        ).format(name=seat.name, price=each)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        head = Heading(_("Keep cards?"), text, "cards")
        return dialog(stage, head, (*numbers, back_offer(stage, 1.3)), quarter_turns=turns)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the game has not begun and the player may still keep cards."""
        if stage.table.game is None or stage.game.phase is not Phase.CHARACTERS:
            return False
        seat = stage.seat(self.seat)
        return seat.character is not None and may_keep_cards(seat, stage.edition)
