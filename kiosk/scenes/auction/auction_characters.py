"""Scenes of the auction: enter the characters turned up, and take one of those left over."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import RevealCharacters, TakeCharacter
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.auction.auction_panel import auction_of
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.setup.character_grid import character_grid
from saloon.kiosk.scenes.widgets.page_parts import page, page_head
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class RevealCharactersScene(msgspec.Struct, frozen=True):
    """The Sheriff's entry of the characters turned up. up: those touched so far, in this order."""

    up: tuple[Character, ...]

    name: ClassVar[str] = "turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the deck without kept characters, turned to the Sheriff."""
        stage = stage.in_language_of(SHERIFF_SEAT)
        _, mm = stage.words.gettext, stage.mm
        wanted = _wanted(stage)
        enter = command_reply(RevealCharacters(self.up), closes=True)
        done = Button(
            Rect(0, 0, 0, 0), "turned-up", _("Confirm"), ButtonStyle.MAIN, "check", size_px=mm(4.6),
            enabled=len(self.up) == wanted, action=OnTouch(enter),
        )  # fmt: skip
        words = _("{count} of {wanted} characters").format(count=len(self.up), wanted=wanted)
        kept = {seat.character for seat in stage.game.seats}
        deck = tuple(character for character in stage.edition.characters.deck if character not in kept)
        grid, head = page_head(stage, words, done)
        full = len(self.up) == wanted
        cards = character_grid(stage, None, grid, deck, self._turn, chosen=self.up, full=full)
        return page(stage, (*head, *cards), "turn-up")

    def _turn(self, character: Character) -> Reply:
        """Add or remove a character."""
        others = tuple(other for other in self.up if other is not character)
        up = others if character in self.up else (*self.up, character)
        return Reply(becomes=RevealCharactersScene(up))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the auction still waits for the characters."""
        if not stage.is_in(Phase.AUCTION):
            return False
        auction = auction_of(stage)
        return not auction.revealed and not auction.keepers and len(self.up) <= _wanted(stage)


class TakeCharacterScene(msgspec.Struct, frozen=True):
    """The choice of a leftover character by a player who could not bid."""

    seat: SeatNo

    name: ClassVar[str] = "take"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the characters left over, turned to the player."""
        stage = stage.in_language_of(self.seat)
        words = stage.words.gettext("{name} takes a character").format(name=stage.seat(self.seat).name)
        grid, head = page_head(stage, words)
        cards = character_grid(stage, self.seat, grid, auction_of(stage).free, self._take)
        return page(stage, (*head, *cards), "take")

    def _take(self, character: Character) -> Reply:
        return command_reply(TakeCharacter(self.seat, character), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn to take a character."""
        return stage.is_in(Phase.AUCTION) and auction_of(stage).taker == self.seat


def _wanted(stage: SceneContext) -> int:
    return sum(seat.character is None for seat in stage.game.seats)
