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
from saloon.kiosk.scenes.widgets.page_parts import back_button, page
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme


class ChoiceScene(msgspec.Struct, frozen=True):
    """All characters of the deck, turned to the player who chooses."""

    seat: SeatNo

    name: ClassVar[str] = "characters"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the deck as a grid; characters of other seats cannot be taken."""
        stage = stage.in_language_of(self.seat)
        rect, foot = page(stage)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        room = Rect(0, 0, *rotated_size(rect, turns))
        gap, mm, _ = stage.mm(GAP_MM), stage.mm, stage.words.gettext
        top, grid = room.split_top(mm(12), gap)
        back, title = top.split_left(mm(24), mm(3))
        deck = stage.edition.characters.deck
        columns = 4 if room.w >= room.h else 3
        lines = grid.rows([1] * -(-len(deck) // columns), gap)
        cells = [cell for line in lines for cell in line.columns([1] * columns, gap)]
        words = _("{name} chooses").format(name=stage.seat(self.seat).name)
        parts: tuple[Part, ...] = (
            back_button(stage, back, 4),
            Label(title, words, mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False),
            *(self._button(stage, cell, who) for cell, who in zip(cells, deck, strict=False)),
        )
        return (Block("choice", rect, parts, turns), foot)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether characters are being chosen."""
        return stage.table.game is not None and stage.game.phase is Phase.CHARACTERS

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
            action=OnTouch(msgspec.structs.replace(command_reply(command), closes=True)),
        )


def life_words(stage: SceneContext, seat: SeatNo, character: Character) -> str:
    """Return the life points of a character at a seat; a Sheriff has more."""
    extra = stage.edition.characters.sheriff_extra_life if seat == SHERIFF_SEAT else 0
    points = life_points(character) + extra
    return stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)
