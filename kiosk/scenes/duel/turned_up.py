"""The judge touches the characters that lie face up, and the players pick from them."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.duel.commands import PickCharacter, TurnUpCharacters
from saloon.core.game.duel.state import TURNED_UP, DuelPhase
from saloon.core.game.setup.characters import Character
from saloon.kiosk.scenes.duel.grid import cards_page, character_card
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.widgets.page_parts import back_offer, offer, table_offers
from saloon.kiosk.ui.parts import Block, ButtonStyle


class TurnUpScene(msgspec.Struct, frozen=True):
    """The whole deck; up: touched so far."""

    up: tuple[Character, ...] = ()

    name: ClassVar[str] = "duel-turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a card for each character of the deck, and the number still missing."""
        _ = stage.words.gettext
        title = _("{count} of {all} face up").format(count=len(self.up), all=TURNED_UP)
        enter = TurnUpCharacters(self.up)
        done = offer(
            stage, "turned-up", _("Confirm"), command_reply(enter, closes=True), 2.2,
            size_mm=5, look=ButtonStyle.MAIN, icon="check", enabled=stage.allows(enter),
        )  # fmt: skip
        full = len(self.up) >= TURNED_UP
        cards = tuple(
            character_card(
                stage, who, self._turn(who), chosen=who in self.up, enabled=who in self.up or not full
            )
            for who in stage.edition.characters.deck
        )
        return cards_page(stage, title, (done, back_offer(stage, 2)), cards)

    def _turn(self, who: Character) -> Reply:
        """Turn a card up or down."""
        others = tuple(other for other in self.up if other is not who)
        return Reply(becomes=TurnUpScene(others if who in self.up else (*self.up, who)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the characters are being turned up."""
        return stage.has_duel and stage.duel.phase is DuelPhase.FACE_UP


class DraftScene(PersistentScene):
    """The ten, turned to the player who picks now."""

    name: Final = "duel-draft"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the ten characters; those already picked show their owner."""
        duel = stage.duel
        picker = duel.picker or stage.game.seats[0].seat
        stage = stage.in_language_of(picker)
        _ = stage.words.gettext
        owners = {who: side.seat for side in duel.sides for who in side.picks}
        cards = tuple(
            character_card(
                stage, who, command_reply(PickCharacter(picker, who)), enabled=who not in owners,
                small=stage.seat(owners[who]).name if who in owners else "",
            )
            for who in duel.face_up
        )  # fmt: skip
        title = _("{name} picks").format(name=stage.seat(picker).name)
        offers = table_offers(stage)
        return cards_page(stage, title, offers, cards)
