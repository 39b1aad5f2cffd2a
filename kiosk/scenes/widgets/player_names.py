"""Short names of players: the first name and an initial, preferred to cut-off names."""

from collections.abc import Sequence
from functools import lru_cache

from core.game.state.game import Seat
from kiosk.scenes.scene import SceneContext
from kiosk.ui.blocks import Align, Label, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view.theme import Colour


def name_label(stage: SceneContext, seat: Seat, room: Rect, size_px: int, colour: Colour) -> Label:
    """Return a left-aligned label with a player's name, shortened if there is no room."""
    brief = brief_name(stage, seat)
    if stage.types.width(brief or seat.name, Typeface.BOLD, stage.legible_px) > room.w:
        brief = first_name(stage, seat) or brief
    return Label(
        room, seat.name, size_px, colour, Typeface.BOLD, Align.LEFT, own_words=False, brief=brief,
        least_px=stage.legible_px,
    )  # fmt: skip


def brief_name(stage: SceneContext, seat: Seat) -> str:
    """Return the first name and an initial, such as Maximiliana W.

    Empty if the name is a single word, or another player at the table has the same short name.
    """
    return _brief(seat, stage.game.seats)


def first_name(stage: SceneContext, seat: Seat) -> str:
    """Return the first name, or an empty text if another player at the table has the same."""
    first, *others = seat.name.split() or [""]
    names = [other.name.split()[0] for other in stage.game.seats if other.name.strip()]
    return first if others and names.count(first) == 1 else ""


def short_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return the players' short names, or full names where there are none, for use in sentences."""
    return tuple(_brief(seat, seats) or seat.name for seat in seats)


def _brief(seat: Seat, seats: Sequence[Seat]) -> str:
    brief = _abridge(seat.name)
    if not brief:
        return ""
    others = (other for other in seats if other.seat != seat.seat)
    return "" if any(_abridge(other.name) == brief for other in others) else brief


@lru_cache(maxsize=64)
def _abridge(name: str) -> str:
    first, *others = name.split() or [""]
    if not others:
        return ""
    # Skip particles such as "von" and "della".
    main = next((word for word in others if word[0].isupper()), others[-1])
    return f"{first} {main[0]}."
