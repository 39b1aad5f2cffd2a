"""Which character the pile turned up, turned to its player."""

from typing import ClassVar

import msgspec

from saloon.core.game.duel.commands import EnterCharacter
from saloon.core.game.setup.characters import Character
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.duel.grid import cards_page, character_card
from saloon.kiosk.scenes.scene import Reply, SceneContext, command_reply
from saloon.kiosk.scenes.widgets.page_parts import back_offer
from saloon.kiosk.ui.parts import Block


def enter_reply(seat: SeatNo, character: Character) -> Reply:
    """Return the reply that enters a character and closes the choice, if it was open."""
    return command_reply(EnterCharacter(seat, character), closes=True)


class EnterScene(msgspec.Struct, frozen=True):
    """The characters that may be the next of a pile."""

    seat: SeatNo

    name: ClassVar[str] = "duel-enter"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw one card for each character that was not seen yet."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        title = _("{name}: which character enters?").format(name=stage.seat(self.seat).name)
        cards = tuple(
            character_card(stage, who, enter_reply(self.seat, who)) for who in self._candidates(stage)
        )
        return cards_page(stage, title, (back_offer(stage, 2),), cards)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a character has to enter."""
        return stage.has_duel and bool(stage.duel.entering(self.seat))

    def _candidates(self, stage: SceneContext) -> tuple[Character, ...]:
        deck = stage.edition.characters.deck
        return tuple(who for who in stage.duel.may_enter(self.seat) if who in deck)
