"""Characters side by side, to be touched."""

from collections.abc import Callable, Iterator, Sequence

from saloon.core.game.setup.characters import Character
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext
from saloon.kiosk.scenes.setup.character_choice import life_words
from saloon.kiosk.scenes.widgets.card import character_id
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Button, ButtonStyle
from saloon.kiosk.ui.ring import GAP_MM

_MOST_MM = 22.0
_FEW = 3
_FEW_MM = 44.0
"""Two or three cards are as high as cards are, for there is room."""


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
    """Draw a button for each character, with its life points at a seat, if there is one.

    reply: returns the reply to a touch. full: no more may be chosen; those that are may be given back.
    """
    gap = stage.mm(GAP_MM)
    columns = min(4 if room.w >= room.h else 3, max(1, len(characters)))
    count = -(-len(characters) // columns)
    few = len(characters) <= _FEW
    high = count * (stage.mm(_FEW_MM if few else _MOST_MM) + gap) - gap
    room = room.centre(room.w, high) if few else room.split_top(high)[0]
    cells = [cell for line in room.rows([1] * count, gap) for cell in line.columns([1] * columns, gap)]
    for cell, character in zip(cells, characters, strict=False):
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
