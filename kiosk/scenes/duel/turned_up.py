"""The judge touches the characters that lie face up, and the players pick from them."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.duel.commands import PickCharacter, TurnUpCharacters
from saloon.core.game.duel.state import TURNED_UP, DuelPhase
from saloon.core.game.setup.characters import Character
from saloon.kiosk.scenes.duel.grid import CardGrid, cards_page, character_card
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.settings.menu import MenuScene
from saloon.kiosk.scenes.widgets.card import character_id
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Offer,
    back_offer,
    common,
    judge_offer,
    menu_offer,
    undo_offer,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class TurnUpScene(msgspec.Struct, frozen=True):
    """The whole deck; up: touched so far."""

    up: tuple[Character, ...] = ()

    name: ClassVar[str] = "duel-turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a card for each character of the deck, and the number still missing."""
        _ = stage.words.gettext
        title = _("{count} of {all} face up").format(count=len(self.up), all=TURNED_UP)
        done = Button(
            NOWHERE, "turned-up", _("Confirm"), ButtonStyle.MAIN, "check", size_px=stage.mm(5),
            enabled=stage.allows(TurnUpCharacters(self.up)),
        )  # fmt: skip
        full = len(self.up) >= TURNED_UP
        cards = tuple(
            character_card(stage, who, chosen=who in self.up, enabled=who in self.up or not full)
            for who in stage.edition.characters.deck
        )
        return cards_page(stage, CardGrid(title, (Offer(done, 2.2), back_offer(stage, 2)), cards))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Turn a card up or down, or enter all ten."""
        if target == "turned-up":
            return Reply(command_reply(TurnUpCharacters(self.up)).intents, closes=True)
        for who in stage.edition.characters.deck:
            if target == character_id(who):
                others = tuple(other for other in self.up if other is not who)
                return Reply(becomes=TurnUpScene(others if who in self.up else (*self.up, who)))
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the characters are being turned up."""
        game = stage.table.game
        return game is not None and game.duel is not None and game.duel.phase is DuelPhase.FACE_UP


class DraftScene(RootScene):
    """The ten, turned to the player who picks now."""

    name: Final = "duel-draft"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Free ones can be touched; the others show who has them."""
        duel = stage.duel
        picker = duel.picker or stage.game.seats[0].seat
        stage = stage.spoken_by(picker)
        _ = stage.words.gettext
        owners = {who: side.seat for side in duel.sides for who in side.picks}
        cards = tuple(
            character_card(
                stage, who, enabled=who not in owners,
                small=stage.seat(owners[who]).name if who in owners else "",
            )
            for who in duel.face_up
        )  # fmt: skip
        title = _("{name} picks").format(name=stage.seat(picker).name)
        offers = (undo_offer(stage), judge_offer(stage), menu_offer(stage))
        turns = stage.ring.places[picker - 1].quarter_turns
        return cards_page(stage, CardGrid(title, offers, cards, turns))

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Enter the picked character."""
        picker = stage.duel.picker
        for who in stage.duel.free:
            if target == character_id(who) and picker is not None:
                return command_reply(PickCharacter(picker, who))
        return Reply(opens=MenuScene()) if target == "menu" else common(target) or Reply()
