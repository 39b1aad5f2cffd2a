"""The choice of a character: the whole deck, or a few characters side by side."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import msgspec

from core.characters import Character, life_points
from core.game.setup import BeginGame, ChooseCharacter
from core.game.state.game import Phase
from core.terms import SHERIFF_SEAT, SeatNo
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import character_id
from kiosk.scenes.widgets.page_parts import NOWHERE, page, page_head, page_room
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM


class ChoiceScene(msgspec.Struct, frozen=True):
    """All characters of the deck, turned towards the player who chooses.

    With ``goes_on``, the next player without a character chooses afterwards.
    """

    seat: SeatNo
    goes_on: bool = False

    name: ClassVar[str] = "characters"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the deck as a grid, with other seats' characters disabled."""
        stage = stage.in_language_of(self.seat)
        room = page_room(stage)
        words = stage.words.gettext("{name} chooses")
        grid, head = page_head(stage, words.format(name=stage.seat(self.seat).name), self._begin(stage))
        deck = stage.edition.characters.deck
        columns = 4 if room.w >= room.h else 3
        cells = grid.grid(len(deck), columns, stage.mm(GAP_MM))
        parts: tuple[Part, ...] = (
            *head,
            *(self._button(stage, cell, who) for cell, who in zip(cells, deck, strict=False)),
        )
        return page(stage, parts, "choice")

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.is_in(Phase.CHARACTERS)

    def _begin(self, stage: SceneContext) -> Button | None:
        """Return the button that begins the game without the missing characters."""
        if not self.goes_on or not stage.allows(BeginGame()):
            return None
        words = stage.words.gettext("Begin without")
        begin = OnTouch(command_reply(BeginGame(), closes=True))
        return Button(NOWHERE, "begin-game", words, size_px=stage.mm(4), icon="arrow", action=begin)

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
            size_px=stage.type_mm(5),
            enabled=stage.allows(command),
            action=OnTouch(self._reply(stage, command)),
        )

    def _reply(self, stage: SceneContext, command: ChooseCharacter) -> Reply:
        following = next_without_character(stage, self.seat) if self.goes_on else None
        if following is None:
            return command_reply(command, closes=True)
        return Reply(command_reply(command).intents, becomes=ChoiceScene(following, goes_on=True))


def next_without_character(stage: SceneContext, after: SeatNo | None = None) -> SeatNo | None:
    """Return the next seat clockwise without a character, or None if all others have one."""
    seats = stage.game.seats[after or 0 :] + stage.game.seats[: (after or 1) - 1]
    return next((seat.seat for seat in seats if seat.character is None and not seat.passive), None)


def life_words(stage: SceneContext, seat: SeatNo, character: Character) -> str:
    """Describe a character's life points at a seat; the Sheriff has one more."""
    extra = stage.edition.characters.sheriff_extra_life if seat == SHERIFF_SEAT else 0
    points = life_points(character) + extra
    return stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)


_MOST_MM = 22.0
_FEW = 3
_FEW_MM = 44.0
"""The height of two or three cards, which stand upright as there is room."""


def character_grid(
    stage: SceneContext,
    seat: SeatNo | None,
    room: Rect,
    characters: Sequence[Character],
    reply: Callable[[Character], Reply],
    *,
    chosen: Sequence[Character | None] = (),
    full: bool = False,
) -> Iterator[Button]:
    """Draw a button for each character, with its life points at this seat.

    reply: returns the reply to a touch.
    full: only chosen characters may be touched, to give them back.
    """
    gap = stage.mm(GAP_MM)
    columns = min(4 if room.w >= room.h else 3, max(1, len(characters)))
    count = -(-len(characters) // columns)
    few = len(characters) <= _FEW
    high = count * (stage.mm(_FEW_MM if few else _MOST_MM) + gap) - gap
    room = room.centre(room.w, high) if few else room.split_top(high)[0]
    for cell, character in zip(room.grid(len(characters), columns, gap), characters, strict=False):
        taken = character in chosen
        yield Button(
            cell,
            character_id(character),
            character.value,
            ButtonStyle.CHOSEN if taken else ButtonStyle.CARD,
            small="" if seat is None else life_words(stage, seat, character),
            size_px=stage.mm(6.4 if few else 4.6),
            enabled=taken or not full,
            action=OnTouch(reply(character)),
        )
