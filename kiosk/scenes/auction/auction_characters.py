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
from saloon.kiosk.scenes.widgets.page_parts import back_button, page
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme


class RevealCharactersScene(msgspec.Struct, frozen=True):
    """The Sheriff's entry of the characters turned up. up: those touched so far, in this order."""

    up: tuple[Character, ...]

    name: ClassVar[str] = "turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the deck without kept characters, turned to the Sheriff."""
        stage = stage.in_language_of(SHERIFF_SEAT)
        _, mm = stage.words.gettext, stage.mm
        wanted = _count_without_character(stage)
        enter = msgspec.structs.replace(command_reply(RevealCharacters(self.up)), closes=True)
        done = Button(
            Rect(0, 0, 0, 0), "turned-up", _("Confirm"), ButtonStyle.MAIN, "check", size_px=mm(4.6),
            enabled=len(self.up) == wanted, action=OnTouch(enter),
        )  # fmt: skip
        words = _("{count} of {wanted} characters").format(count=len(self.up), wanted=wanted)
        kept = {seat.character for seat in stage.game.seats}
        deck = tuple(character for character in stage.edition.characters.deck if character not in kept)
        rect, foot = page(stage)
        turns = stage.ring.places[SHERIFF_SEAT - 1].quarter_turns
        room = Rect(0, 0, *rotated_size(rect, turns))
        grid, head = _head(stage, room, words, done)
        full = len(self.up) == wanted
        cards = character_grid(stage, None, grid, deck, self._turn, chosen=self.up, full=full)
        return (Block("turn-up", rect, (*head, *cards), turns), foot)

    def _turn(self, character: Character) -> Reply:
        """Add or remove a character."""
        others = tuple(other for other in self.up if other is not character)
        up = others if character in self.up else (*self.up, character)
        return Reply(becomes=RevealCharactersScene(up))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the auction still waits for the characters."""
        if stage.table.game is None or stage.game.phase is not Phase.AUCTION:
            return False
        auction = auction_of(stage)
        return (
            not auction.revealed and not auction.keepers and len(self.up) <= _count_without_character(stage)
        )


class TakeCharacterScene(msgspec.Struct, frozen=True):
    """The choice of a leftover character by a player who could not bid."""

    seat: SeatNo

    name: ClassVar[str] = "take"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the characters left over, turned to the player."""
        stage = stage.in_language_of(self.seat)
        rect, foot = page(stage)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        room = Rect(0, 0, *rotated_size(rect, turns))
        words = stage.words.gettext("{name} takes a character").format(name=stage.seat(self.seat).name)
        grid, head = _head(stage, room, words)
        cards = character_grid(stage, self.seat, grid, auction_of(stage).free, self._take)
        return (Block("take", rect, (*head, *cards), turns), foot)

    def _take(self, character: Character) -> Reply:
        return msgspec.structs.replace(command_reply(TakeCharacter(self.seat, character)), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn to take a character."""
        if stage.table.game is None or stage.game.phase is not Phase.AUCTION:
            return False
        return auction_of(stage).taker == self.seat


def _count_without_character(stage: SceneContext) -> int:
    return sum(seat.character is None for seat in stage.game.seats)


def _head(
    stage: SceneContext, room: Rect, words: str, done: Button | None = None
) -> tuple[Rect, tuple[Part, ...]]:
    """Return the rectangle below the head, and the head: back, title and the done button."""
    mm = stage.mm
    top, rest = room.split_top(mm(12), mm(GAP_MM))
    back, title = top.split_left(mm(24), mm(3))
    parts: tuple[Part, ...] = (back_button(stage, back, 4),)
    if done is not None:
        spot, title = title.split_right(mm(34), mm(GAP_MM))
        parts = (*parts, msgspec.structs.replace(done, rect=spot))
    label = Label(title, words, mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False)
    return rest, (*parts, label)
