"""The characters of the deck, turned to the player who chooses one."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import ChooseCharacter
from saloon.core.game.setup.characters import Character, life_points
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import OnTouch, SceneContext, command_reply
from saloon.kiosk.scenes.widgets.card import character_id
from saloon.kiosk.scenes.widgets.page_parts import page, page_head, page_room
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle, Part
from saloon.kiosk.ui.ring import GAP_MM


class ChoiceScene(msgspec.Struct, frozen=True):
    """All characters of the deck, turned to the player who chooses."""

    seat: SeatNo

    name: ClassVar[str] = "characters"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the deck as a grid; characters of other seats cannot be taken."""
        stage = stage.in_language_of(self.seat)
        room = page_room(stage)
        gap, words = stage.mm(GAP_MM), stage.words.gettext("{name} chooses")
        grid, head = page_head(stage, words.format(name=stage.seat(self.seat).name))
        deck = stage.edition.characters.deck
        columns = 4 if room.w >= room.h else 3
        lines = grid.rows([1] * -(-len(deck) // columns), gap)
        cells = [cell for line in lines for cell in line.columns([1] * columns, gap)]
        parts: tuple[Part, ...] = (
            *head,
            *(self._button(stage, cell, who) for cell, who in zip(cells, deck, strict=False)),
        )
        return page(stage, parts, "choice")

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether characters are being chosen."""
        return stage.is_in(Phase.CHARACTERS)

    def _button(self, stage: SceneContext, cell: Rect, character: Character) -> Button:
        owner = next((s for s in stage.game.seats if s.character is character), None)
        command = ChooseCharacter(self.seat, character)
        mine = owner is not None and owner.seat == self.seat
        return Button(
            cell,
            character_id(character),
            character.value,
            ButtonStyle.CHOSEN if mine else ButtonStyle.CARD,
            small=life_words(stage, self.seat, character) if owner is None or mine else owner.name,
            size_px=stage.mm(4.6),
            enabled=stage.allows(command),
            action=OnTouch(command_reply(command, closes=True)),
        )


def life_words(stage: SceneContext, seat: SeatNo, character: Character) -> str:
    """Return the life points of a character at a seat; a Sheriff has more."""
    extra = stage.edition.characters.sheriff_extra_life if seat == SHERIFF_SEAT else 0
    points = life_points(character) + extra
    return stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)
