"""A player's card at the edge: name, star, and room for what the scene puts on it."""

import enum
from functools import partial

from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Seat
from saloon.core.terms import SeatNo
from saloon.kiosk.i18n import role_name
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext
from saloon.kiosk.scenes.widgets.player_names import brief_name, name_label
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Align, Block, Box, Button, Icon, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM, name_row_mm
from saloon.kiosk.ui.text import SMALLEST_SHARE
from saloon.kiosk.view import theme

_ROOM_MM = 27
"""The least room for a name with something beside it."""
_ROUND_MM = 1.6
_FRAME_MM = 0.8
_LOWER_MM = 0.35
_SHORT = 6
"""Letters that stand beside a name even on a narrow card."""
_ASIDE = 0.44
"""The most of a name row that goes to what is beside the name."""
_LETTER = 0.42
"""About the width of a letter, in sizes of the font."""
_SHRUNK = 0.8
"""How small a whole name may become beside something else; else it is the brief one."""


class SeatCardState(enum.Enum):
    """State of a seat that its card shows at a glance."""

    PLAIN = "plain"
    ON = "on"
    """It is this player's turn, or question."""
    OUT = "out"


def card(
    stage: SceneContext,
    seat: Seat,
    mood: SeatCardState,
    aside: Label | None = None,
    *,
    head: Rect | None = None,
) -> tuple[tuple[Part, ...], Rect]:
    """Draw the card with its name row; return it with the room below the row, as the player sees it.

    aside: the label at the end of the name row; its rectangle is not used. head: the row, and what
    belongs to it below; the usual one where none is given.
    """
    mm = stage.mm
    place = stage.ring.places[seat.seat - 1]
    whole = Rect(0, 0, *rotated_size(place.rect, place.quarter_turns))
    row, body = whole.split_top(mm(name_row_mm(stage.glass)) if head is None else head.h)
    paper, edge, ink, soft = theme.PARCHMENT, theme.PARCHMENT_EDGE, theme.INK, theme.INK_SOFT
    parts: list[Part] = []
    if mood is SeatCardState.OUT:
        paper, edge, ink, soft = theme.ASHES, theme.PLANK_EDGE, theme.CREAM, theme.CREAM_SOFT
    if mood is SeatCardState.ON:
        ink, soft = theme.SOOT, theme.SOOT
        frame = mm(_FRAME_MM)
        inner = Rect(frame, body.y, whole.w - 2 * frame, body.h - frame)
        parts += [Box(whole, theme.BRASS, mm(_ROUND_MM)), Box(inner, paper, mm(1.0))]
    else:
        parts.append(Box(whole, paper, mm(_ROUND_MM), edge, max(1, mm(0.25))))
    # A little lower than the middle: carons stand high.
    words = row.split_top(mm(name_row_mm(stage.glass)))[0].inset(mm(1.4), 0).move(0, mm(_LOWER_MM))
    if head is not None and head.w < whole.w:
        words = words.split_left(head.w - mm(1.4))[0]
    if seat.seat == stage.game.sheriff and stage.game.duel is None:
        star, words = words.split_left(mm(4.6), mm(0.8))
        parts.append(
            Icon(star, "star", ink, theme.BRASS if mood is not SeatCardState.ON else theme.PARCHMENT)
        )
    if mood is SeatCardState.ON:
        arrow, words = words.split_left(mm(3.6), mm(0.8))
        parts.append(Icon(arrow, "arrow", ink))
    if seat.passive:
        hat, words = words.split_left(mm(4.6), mm(0.8))
        parts.append(Icon(hat, "away", ink, paper))
    if aside is not None and _stands_beside(stage, seat, aside, words.w):
        end, words = words.split_right(int(words.w * _aside_share(stage, seat, aside, words.w)), mm(1))
        colour = {theme.INK_SOFT: soft, theme.INK: ink}.get(aside.colour, aside.colour)
        parts.append(Label(end, aside.text, aside.size_px, colour, aside.face, Align.RIGHT, own_words=False))
    parts.append(name_label(stage, seat, words, mm(4.8), ink))
    return tuple(parts), body


def _stands_beside(stage: SceneContext, seat: Seat, aside: Label, room: int) -> bool:
    """Return whether a label fits beside a name; a character is dropped before a name is cut."""
    if len(aside.text) <= _SHORT:
        return True
    own, other = _widths(stage, brief_name(stage, seat) or seat.name, aside)
    is_cut = (own + other) * SMALLEST_SHARE > room and aside.face is Typeface.TEXT
    return room >= stage.mm(_ROOM_MM) and not is_cut


def _aside_share(stage: SceneContext, seat: Seat, aside: Label, room: int) -> float:
    """Return a row's share, by its width in pixels, for the label beside a name: less for a long name."""
    own, other = _widths(stage, seat.name, aside)
    brief = brief_name(stage, seat)
    if brief and (own + other) * _SHRUNK > room:
        own, other = _widths(stage, brief, aside)
    if own <= room * (1 - _ASIDE):
        return _ASIDE
    return min(_ASIDE, other / (own + other))


def _widths(stage: SceneContext, name: str, aside: Label) -> tuple[float, float]:
    """Estimate the widths of a name and of the label beside it."""
    return len(name) * stage.mm(4.8) * _LETTER, len(aside.text) * aside.size_px * _LETTER


def on_ring(stage: SceneContext, seat: Seat, parts: tuple[Part, ...]) -> Block:
    """Return the block of a seat's card."""
    place = stage.ring.places[seat.seat - 1]
    return Block(f"seat-{seat.seat}", place.rect, parts, place.quarter_turns)


def character_aside(stage: SceneContext, seat: Seat) -> Label | None:
    """Return the seat's character for the end of the name row."""
    if seat.character is None:
        return None
    return Label(Rect(0, 0, 0, 0), seat.character.value, stage.mm(3.7), theme.INK_SOFT)


def fate_aside(stage: SceneContext, seat: Seat) -> Label | None:
    """Return the seat's character; or that it is passive, without ability, or showed the Rebel!."""
    rebel = seat.role is Role.REBEL and seat.seat != stage.game.sheriff
    if not seat.passive and not rebel:
        return character_aside(stage, seat)
    words = stage.words.gettext("passive") if seat.passive else role_name(stage.words, Role.REBEL)
    return Label(Rect(0, 0, 0, 0), words, stage.mm(3.9), theme.INK, Typeface.BOLD)


def with_menu(stage: SceneContext, body: Rect, seat: Seat) -> tuple[Rect, Button]:
    """Place the small button of the player's menu; return it with the room that is left."""
    _ = stage.words.gettext
    mm = stage.mm
    room = body.inset(mm(1), mm(0.2))
    if body.w >= body.h * 1.2:
        spot, rest = room.split_right(mm(12), mm(GAP_MM))
    else:
        spot, rest = room.split_bottom(mm(12), mm(GAP_MM))
    said = _("{name}'s menu").format(name=seat.name)
    opens = OnTouch(partial(_open_player_menu, seat.seat))
    return rest, Button(spot, f"seat-{seat.seat}-menu", "", icon="menu", said=said, action=opens)


def _open_player_menu(seat: SeatNo) -> Reply:
    from saloon.kiosk.scenes.play.player_menu import PlayerMenuScene

    return Reply(opens=PlayerMenuScene(seat))


def character_id(character: Character) -> str:
    """Return the target of a character: ``character-slab-the-killer``."""
    return f"character-{character.value.lower().replace(' ', '-')}"
