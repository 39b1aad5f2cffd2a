"""The panels of the players at the edge of the table, drawn as cards with a row for the name."""

import enum
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from core.characters import Character
from core.game.ending.rebel import current_role
from core.game.state.game import Phase, Seat
from core.terms import Role
from kiosk.i18n import role_name
from kiosk.scenes import pages
from kiosk.scenes.scene import Effect, OnTouch, Reply, SceneContext
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect, rotated_size
from kiosk.ui.table_layout import GAP_MM, name_row_mm
from kiosk.view import theme
from kiosk.view.theme import Colour


def name_label(stage: SceneContext, seat: Seat, room: Rect, size_px: int, colour: Colour) -> Label:
    """Draw a player's name, shortened if there is no room."""
    brief = brief_name(seat, stage.game.seats)
    if stage.types.width(brief or seat.name, Typeface.BOLD, stage.legible_px) > room.w:
        brief = _first_name(stage, seat) or brief
    return Label(
        room, seat.name, size_px, colour, Typeface.BOLD, Align.LEFT, own_words=False, brief=brief,
        least_px=stage.legible_px,
    )  # fmt: skip


def _first_name(stage: SceneContext, seat: Seat) -> str:
    """Return a player's first name; empty if another player at the table has the same."""
    first, *others = seat.name.split() or [""]
    names = [other.name.split()[0] for other in stage.game.seats if other.name.strip()]
    return first if others and names.count(first) == 1 else ""


def short_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return the players' names for sentences: short ones, or full ones where there are none."""
    return tuple(brief_name(seat, seats) or seat.name for seat in seats)


def brief_name(seat: Seat, seats: Sequence[Seat]) -> str:
    """Return a player's first name and an initial, such as Maximiliana W.

    Empty if the name is a single word, or if another player at the table has the same short name.
    """
    brief = _abridge(seat.name)
    return brief if [_abridge(other.name) for other in seats].count(brief) == 1 else ""


@lru_cache(maxsize=64)
def _abridge(name: str) -> str:
    first, *others = name.split() or [""]
    if not others:
        return ""
    # Skip particles such as "von" and "della".
    initial = next((word for word in others if word[0].isupper()), others[-1])[0]
    # Scripts without capitals, such as Arabic, have no initials either.
    return f"{first} {initial}." if initial.upper() != initial.lower() else ""


MENU_HOLD_MS: Final = 500
"""The time to hold a panel to open its player's menu."""
_ROUND_MM = 1.6
_FRAME_MM = 0.8
_LOWER_MM = 0.35
_NAME_MM = 5.0
_CHARACTER_MM = 3.7
_CHARACTER_LEAST_MM = 3.4
_WIDE_MM = 58.0
"""The width of a card from which the character is as large as the name."""
_NARROW_MM = 26.0
_CROWDED: Final = 8
_CROWDED_MM: Final = 4.3
_ROW = (1.4, 4.6, 0.8)
_NARROW_ROW = (0.6, 3.2, 0.3)
"""The margin, icon size and gaps of a name row in millimetres; then those of a narrow card."""
_APART_MM = 1.4
"""The gap between a name and the text beside it."""


class SeatCardState(enum.Enum):
    """The state of a seat that the colour of its card shows."""

    PLAIN = "plain"
    ON = "on"
    """The player is in turn, or has to answer a question."""
    OUT = "out"


def card(
    stage: SceneContext,
    seat: Seat,
    mood: SeatCardState,
    aside: Label | None = None,
    *,
    head: Rect | None = None,
) -> tuple[tuple[Part, ...], Rect]:
    """Draw a card with its name row. Return the card, and the area below the row in the player's orientation.

    aside: a label for the end of the name row.
    head: a larger area to use as the head, if it contains more than the name row.
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
    edge_mm, icon_mm, gap_mm = _ROW if whole.w >= mm(_NARROW_MM) else _NARROW_ROW
    # Slightly lower than the middle, as letters may have accents above.
    words = row.split_top(mm(name_row_mm(stage.glass)))[0].inset(mm(edge_mm), 0).move(0, mm(_LOWER_MM))
    if head is not None and head.w < whole.w:
        words = words.split_left(head.w - mm(edge_mm))[0]
    if seat.seat == stage.game.sheriff and stage.game.duel is None:
        star, words = words.split_left(mm(icon_mm), mm(gap_mm))
        parts.append(
            Icon(star, "star", ink, theme.BRASS if mood is not SeatCardState.ON else theme.PARCHMENT)
        )
    if mood is SeatCardState.ON and (hint := _fitting_hint(stage, seat, words.w)):
        size = stage.type_mm(_NAME_MM)
        label = Label(words, hint, size, ink, Typeface.BOLD, Align.LEFT, least_px=panel_px(stage))
        return (*parts, label), body
    if mood is SeatCardState.ON:
        arrow, words = words.split_left(mm(3.6), mm(gap_mm))
        parts.append(Icon(arrow, "arrow", ink))
    if seat.passive:
        hat, words = words.split_left(mm(icon_mm), mm(gap_mm))
        parts.append(Icon(hat, "away", ink, paper))
    beside = None if aside is None else _beside(stage, seat, aside, words.w)
    if aside is not None and beside is not None:
        end, words = words.split_right(beside.rect.w, mm(_APART_MM))
        colour = {theme.INK_SOFT: soft, theme.INK: ink}.get(aside.colour, aside.colour)
        parts.append(msgspec.structs.replace(beside, rect=end, colour=colour))
    parts.append(name_label(stage, seat, words, stage.type_mm(_NAME_MM), ink))
    return tuple(parts), body


def turn_hints(stage: SceneContext, seat: Seat) -> tuple[str, ...]:
    """Return what a player who is new to BANG! does in this turn, the longest form first; empty for others.

    Source: base game.
    """
    game = stage.game
    is_in_turn = stage.is_in(Phase.PLAYING) and game.turn == seat.seat and not game.is_turn_unknown
    if not is_in_turn or seat.passive or not seat.in_play or not stage.is_learning(seat.seat):
        return ()
    _ = stage.words.gettext
    long, short = _("Draw 2, play, only one BANG!, keep up to {count}"), _("Draw 2, one BANG!, keep {count}")
    if seat.character is Character.WILLY_THE_KID:
        long, short = _("Draw 2, play, keep up to {count}"), _("Draw 2, keep {count}")
    texts = (long, short, _("Draw 2, keep {count}"), _("Hold: help"))
    return tuple(text.format(count=max(0, seat.life)) for text in texts)


def _fitting_hint(stage: SceneContext, seat: Seat, width: int) -> str:
    least, hints = panel_px(stage), turn_hints(stage, seat)
    return next((each for each in hints if stage.types.width(each, Typeface.BOLD, least) <= width), "")


def panel_px(stage: SceneContext) -> int:
    """Return the smallest size of what a panel says, which is a little smaller at crowded tables."""
    return stage.mm(_CROWDED_MM) if len(stage.game.seats) >= _CROWDED else stage.legible_px


def _beside(stage: SceneContext, seat: Seat, aside: Label, room: int) -> Label | None:
    """Fit a label beside a readable name. Return None if it doesn't fit.

    A long label is more important than a long name.
    """
    room -= stage.mm(_APART_MM)
    names = list(
        dict.fromkeys(filter(None, (seat.name, brief_name(seat, stage.game.seats), _first_name(stage, seat))))
    )
    own_px = (stage.type_mm(_NAME_MM), stage.legible_px)
    for text in filter(None, dict.fromkeys((aside.text, aside.brief))):
        least = stage.legible_px if aside.brief and text == aside.text else aside.least_px
        for name in names:
            for name_px in dict.fromkeys(own_px):
                left = room - stage.types.width(name, Typeface.BOLD, name_px)
                wide = stage.types.width(text, aside.face, aside.size_px)
                size = min(aside.size_px, aside.size_px * left // max(1, wide))
                if size < aside.size_px:
                    wide = stage.types.width(text, aside.face, size) if size >= least else wide
                if size >= least and wide <= left:
                    return Label(
                        Rect(0, 0, wide, 0), text, size, aside.colour, aside.face, Align.RIGHT,
                        own_words=False,
                    )  # fmt: skip
    return None


def on_ring(stage: SceneContext, seat: Seat, parts: tuple[Part, ...]) -> Block:
    """Return a block with a seat's card, at its place in the ring."""
    place = stage.ring.places[seat.seat - 1]
    return Block(f"seat-{seat.seat}", place.rect, parts, place.quarter_turns)


def character_aside(stage: SceneContext, seat: Seat) -> Label | None:
    """Return a label for the name row with the seat's character, or None if it has none."""
    if seat.character is None:
        return None
    place = stage.ring.places[seat.seat - 1]
    wide, _high = rotated_size(place.rect, place.quarter_turns)
    size = stage.type_mm(_NAME_MM if wide >= stage.mm(_WIDE_MM) else _CHARACTER_MM)
    least = min(size, stage.mm(_CHARACTER_LEAST_MM))
    return Label(Rect(0, 0, 0, 0), seat.character.value, size, theme.INK_SOFT, least_px=least)


def fate_aside(stage: SceneContext, seat: Seat) -> Label | None:
    """Return a label for the name row with the character, preceded by "passive" or "Rebel!"."""
    rebel = current_role(stage.game, seat.seat) is Role.REBEL
    character = character_aside(stage, seat)
    if not seat.passive and not rebel:
        return character
    words = stage.words.gettext("passive") if seat.passive else role_name(stage.words, Role.REBEL)
    both = words if character is None else f"{words} · {character.text}"
    beside = word_aside(stage, both, brief=words)
    # The icon of a passive character says the same, so the label may be left out.
    return msgspec.structs.replace(beside, least_px=beside.size_px) if seat.passive else beside


def word_aside(stage: SceneContext, words: str, *, brief: str = "") -> Label:
    """Return a label for the name row that stays readable. ``brief`` is its short form."""
    size, least = stage.legible_px, min(stage.legible_px, stage.mm(4.2))
    return Label(Rect(0, 0, 0, 0), words, size, theme.INK, Typeface.BOLD, brief=brief, least_px=least)


def with_menu(stage: SceneContext, body: Rect, seat: Seat) -> tuple[Rect, Button]:
    """Place the button of the player's menu at the end of an area. Return the rest of it, and the button."""
    mm = stage.mm
    room = body.inset(mm(1), mm(0.2))
    if body.w >= body.h * 1.2:
        spot, rest = room.split_right(mm(12), mm(GAP_MM))
    else:
        spot, rest = room.split_bottom(mm(12), mm(GAP_MM))
    return rest, msgspec.structs.replace(
        held_menu(stage, seat, spot), look=ButtonStyle.QUIET, icon="menu", hold_ms=0
    )


def held_menu(stage: SceneContext, seat: Seat, rect: Rect) -> Button:
    """Return an invisible button that opens the player's menu when it is held."""
    said, opens = stage.words.gettext("{name}'s menu").format(name=seat.name), pages.player_menu(seat.seat)
    return Button(
        rect, f"seat-{seat.seat}-menu", "", ButtonStyle.BARE, said=said, hold_ms=MENU_HOLD_MS,
        action=OnTouch(opens),
    )  # fmt: skip


def answer_panel(
    stage: SceneContext,
    seat: Seat,
    target: str,
    label: str,
    effect: Effect,
    *,
    said: str = "",
    small: str = "",
) -> Block:
    """Draw a seat's card as one large button, for a player who taps it as an answer."""
    parts, body = card(stage, seat, SeatCardState.PLAIN if seat.in_play else SeatCardState.OUT)
    button = Button(
        body.inset(stage.mm(0.4), stage.mm(0.6)), target, label, small=small, said=said,
        size_px=stage.type_mm(5), action=OnTouch(effect),
    )  # fmt: skip
    return on_ring(stage, seat, (*parts, button))


def status_parts(stage: SceneContext, room: Rect, icon: str, words: str) -> tuple[Part, ...]:
    """Draw an icon and a text for a player who has nothing to do."""
    spot, text = room.inset(stage.mm(1), 0).split_left(stage.mm(5.5), stage.mm(1))
    return (
        Icon(spot, icon, theme.INK),
        Label(text, words, stage.type_mm(5), theme.INK, Typeface.BOLD, Align.LEFT),
    )


def two_lines(stage: SceneContext, room: Rect, upper: str, lower: str) -> tuple[Part, ...]:
    """Draw a bold line above a faint one; either may be empty."""
    mm = stage.mm
    room = room.inset(mm(1), 0).centre(room.w, mm(13))
    if not (upper and lower):
        size = mm(5) if upper else mm(4.2)
        ink, face = (theme.INK, Typeface.BOLD) if upper else (theme.INK_SOFT, Typeface.TEXT)
        return (Label(room, upper or lower, size, ink, face, Align.LEFT),)
    high, low = room.rows([1.3, 1], 0)
    name: Part = Label(high, upper, mm(5.4), theme.INK, Typeface.BOLD, Align.LEFT)
    if room.w < mm(_NARROW_MM):
        high, low = room.rows([2.2, 1], 0)
        name = Paragraph(high, upper, mm(4.6), theme.INK, Typeface.BOLD)
    return name, Label(low, lower, mm(4.2), theme.INK_SOFT, align=Align.LEFT)


def character_button(
    spot: Rect, character: Character, reply: Reply, small: str, size_px: int, *, chosen: bool = False,
    enabled: bool = True,
) -> Button:  # fmt: skip
    """Return a character's card as a button. ``small`` is the text below the name."""
    look = ButtonStyle.CHOSEN if chosen else ButtonStyle.CARD
    return Button(
        spot, character_id(character), character.value, look, small=small, size_px=size_px,
        enabled=enabled, action=OnTouch(reply),
    )  # fmt: skip


def ability_hints(stage: SceneContext) -> tuple[str, str]:
    """Return how to read a character's ability, in a long and a short form."""
    _ = stage.words.gettext
    return _("Hold a card to read the ability."), _("Hold: ability")


def with_abilities(stage: SceneContext, cards: Iterable[Button]) -> Iterator[Button]:
    """Yield the buttons of characters, each with an invisible one that explains its ability when held."""
    characters = {character_id(character): character for character in Character}
    for button in cards:
        yield button
        character = characters.get(button.id)
        if character is not None:
            said = stage.words.gettext("{character}'s ability").format(character=character.value)
            yield Button(
                button.rect, button.id.replace("character-", "ability-"), "", ButtonStyle.BARE, said=said,
                hold_ms=MENU_HOLD_MS, action=OnTouch(pages.ability(character, stage.spoken_to)),
            )  # fmt: skip


def character_id(character: Character) -> str:
    """Return the target's name for a character, such as ``character-slab-the-killer``."""
    return f"character-{character.value.lower().replace(' ', '-')}"
