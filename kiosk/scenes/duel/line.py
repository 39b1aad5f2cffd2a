"""The line of a duel: the choice of the front character, at first and at the start of each turn."""

from typing import ClassVar

import msgspec

from core.characters import Character
from core.game.duel.fight import ChooseLine
from core.game.duel.opening import ShowLine
from core.game.state.duel import DuelPhase
from core.terms import SeatNo
from kiosk.scenes.duel.grid import cards_page, character_card
from kiosk.scenes.scene import Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import character_id
from kiosk.scenes.widgets.page_parts import Heading, back_offer, dialog, offer
from kiosk.ui.blocks import Block, ButtonStyle


class ShowLineScene(msgspec.Struct, frozen=True):
    """The page on which a player reveals a front and a rear character; the others stay secret."""

    seat: SeatNo
    front: Character | None = None

    name: ClassVar[str] = "duel-show-line"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the player's five cards, turned towards the player."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        title = _("Tap the character in front") if self.front is None else _("Now the one at the rear")
        cards = tuple(
            character_card(
                stage, who, self._take(who), chosen=who is self.front,
                small=_("in front") if who is self.front else "", enabled=who is not self.front,
            )
            for who in stage.duel.side(self.seat).picks
        )  # fmt: skip
        return cards_page(stage, title, (back_offer(stage, 2),), cards)

    def _take(self, who: Character) -> Reply:
        """Return the reply that takes the first touch as the front character, the second as the rear."""
        if self.front is None:
            return Reply(becomes=ShowLineScene(self.seat, who))
        return command_reply(ShowLine(self.seat, self.front, who), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether this player hasn't revealed both characters yet."""
        return stage.has_duel and stage.duel.phase is DuelPhase.LINES and not stage.duel.side(self.seat).shown


class LineScene(msgspec.Struct, frozen=True):
    """The choice of the front character before drawing. jailed: the character in Jail this turn."""

    seat: SeatNo
    jailed: Character | None = None

    name: ClassVar[str] = "duel-line"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the choice of the front character, and of the one in Jail."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        front, held = _("{character} in front"), _("{character} in Jail")
        side = stage.duel.side(self.seat)
        now = None if side.front is None else side.front.character
        in_play = [fighter.character for fighter in side.in_play]
        fronts = (
            offer(
                stage, f"front-{character_id(who)}", front.format(character=who.value),
                command_reply(ChooseLine(self.seat, who, self.jailed), closes=True), 4.2,
                look=ButtonStyle.MAIN, icon="star", small=_("current") if who is now else "",
                enabled=stage.allows(ChooseLine(self.seat, who, self.jailed)),
            )
            for who in in_play
        )  # fmt: skip
        jails = (
            offer(
                stage, f"jailed-{character_id(who)}", held.format(character=who.value),
                Reply(becomes=LineScene(self.seat, None if who is self.jailed else who)), 4.2,
                look=ButtonStyle.CHOSEN if who is self.jailed else ButtonStyle.QUIET, icon="lock",
            )
            for who in in_play
        )  # fmt: skip
        text = _("Before drawing. A character staying in Jail this turn can't be in front.")
        head = Heading(_("Front and rear"), text, "cards")
        return dialog(stage, head, (*fronts, *jails, back_offer(stage, 2)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether this player may still choose."""
        return stage.has_duel and stage.duel.turn == self.seat and stage.duel.may_choose_line
