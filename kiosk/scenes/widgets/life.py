"""Life points as a numeral and bullets, with their latest change, readable across a table."""

from typing import Final

from core.characters import Character
from core.game.state.game import GameState, Phase
from core.terms import SeatNo
from kiosk.scenes.scene import LifePointsChange, SceneContext
from kiosk.ui.blocks import Align, Box, Icon, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.text import CAP_HEIGHT
from kiosk.view import theme

SHOWN_MS: Final = 3000
_Place = tuple[SeatNo, Character | None]


def changes_after(
    before: GameState | None, after: GameState | None, changes: tuple[LifePointsChange, ...], now_ms: int
) -> tuple[LifePointsChange, ...]:
    """Return the changes to show after an update, added up for each seat or character."""
    if before is None or after is None or before.game != after.game:
        return ()
    fresh = {(change.seat, change.character): change for change in changes if change.until_ms > now_ms}
    old = _life(before)
    for place, life in _life(after).items():
        points = life - old.get(place, life)
        if points:
            earlier = fresh[place].points if place in fresh else 0
            fresh[place] = LifePointsChange(place[0], earlier + points, now_ms + SHOWN_MS, place[1])
    return tuple(change for change in fresh.values() if change.points)


def _life(game: GameState) -> dict[_Place, int]:
    """Return the life points that can change now, by seat or by character of a duel."""
    if game.phase is Phase.PLAYING:
        return {(seat.seat, None): seat.life for seat in game.seats if seat.in_play}
    if game.duel is None:
        return {}
    return {
        (side.seat, fighter.character): fighter.life for side in game.duel.sides for fighter in side.in_play
    }


_NUMERAL_MM: Final = 12.8
_LARGEST_MM: Final = 18.0
_LOW_BULLETS_MM: Final = 3.6
_FIGURE_MM: Final = 9.2
_NARROWEST_MM: Final = 3.8
_APART_MM: Final = 0.6
"""The gap between numeral and bullets, by which both may move towards the buttons."""
_SIGN_MM: Final = 3.0
_LEAST_SIGN_MM: Final = 1.6
_SIGN_BELOW_MM: Final = 8.0
"""The height from which the menu icon has a row of its own, below the bullets."""
_DIGIT: Final = 1.5
"""The height of a digit, as a multiple of its width."""
_CHIP_MM: Final = 6.8
_WIDE_MM: Final = 24.0
_USUAL: Final = 4
_BULLET_WIDTH: Final = 0.52
"""The width of a bullet, as a share of its square icon."""
_NEARLY: Final = 0.95
"""The height at which bullets in fewer rows are preferred, as a share of the greatest possible height."""


def life_parts(
    stage: SceneContext,
    points: tuple[int, int],
    room: Rect,
    change: LifePointsChange | None = None,
    *,
    is_held: bool = False,
    reach_mm: float = 0,
) -> tuple[Part, ...]:
    """Draw a numeral, and a bullet for each life point, of which lost ones are outlines.

    points: current and maximum.
    change: drawn instead of the bullets.
    is_held: draw the icon of the player's menu, which opens when the area is held.
    reach_mm: how far a row of bullets may reach into the gaps beside the room.
    """
    mm, (life, _most) = stage.mm, points
    room = room.inset(0, min(mm(0.3), max(0, room.h - mm(_NUMERAL_MM)) // 2))
    if room.w >= mm(_WIDE_MM):
        figure, beside = room.split_left(max(mm(11), int(room.w * 0.4)), mm(1))
        beside = beside.centre(beside.w, mm(9))
    elif room.h >= mm(_NUMERAL_MM + _LOW_BULLETS_MM):
        tall = max(mm(_NUMERAL_MM), min(mm(_LARGEST_MM), int(room.h * 0.62), int(room.w * _DIGIT)))
        room = room.centre(room.w, max(min(room.h, tall + mm(9.6)), tall))
        figure, beside = room.inset(-mm(reach_mm), 0).split_top(tall, mm(0.4))
    else:
        room = room.inset(-mm(_APART_MM), 0)
        figure, beside = room.split_left(min(room.w, max(mm(_FIGURE_MM), room.w // 2)), mm(_APART_MM))
        beside = beside.centre(beside.w, mm(11.5))
    numeral = Label(
        figure if beside.w >= mm(_NARROWEST_MM) else room,
        str(life).replace("-", "−"),
        int(max(mm(_NUMERAL_MM), min(figure.h, mm(_LARGEST_MM))) / CAP_HEIGHT),
        theme.INK,
        Typeface.BOLD,
    )
    if beside.w < mm(_NARROWEST_MM):
        side = min(mm(_SIGN_MM), (room.w - int(room.h / _DIGIT)) // 2)
        corner = room.split_top(side)[0].split_right(side)[0]
        return (numeral, *((_menu_icon(corner),) if is_held and side >= mm(_LEAST_SIGN_MM) else ()))
    if change is not None:
        return (numeral, *change_chip(stage, change, beside))
    if not is_held:
        return (numeral, *bullet_parts(beside, points))
    bullets, sign = with_menu_sign(stage, beside)
    return (numeral, *bullet_parts(bullets, points), sign)


def with_menu_sign(stage: SceneContext, room: Rect, *, on: bool = False) -> tuple[Rect, Icon]:
    """Draw the icon of the player's menu at the end of an area. Return the rest of the area, and the icon.

    on: the background is brass.
    """
    mm = stage.mm
    if room.h >= mm(_SIGN_BELOW_MM):
        below, rest = room.split_bottom(mm(_SIGN_MM), mm(_APART_MM))
        return rest, _menu_icon(below, on=on)
    side = min(mm(_SIGN_MM), room.h, room.w // 4)
    end, rest = room.split_right(side, mm(_APART_MM))
    return rest, _menu_icon(end, on=on)


def hold_words(stage: SceneContext) -> str:
    """Explain how to open a player's menu; empty after the first turn."""
    return "" if stage.game.turns > 1 else stage.words.gettext("Menu: hold your panel.")


def _menu_icon(room: Rect, *, on: bool = False) -> Icon:
    return Icon(room, "menu", theme.SOOT if on else theme.INK_SOFT)


def is_narrow(stage: SceneContext, room: Rect) -> bool:
    """Return whether an area has room only for the numeral."""
    low = room.h < stage.mm(_NUMERAL_MM + _LOW_BULLETS_MM + 1)
    return low and room.w < stage.mm(_FIGURE_MM + _NARROWEST_MM)


def change_chip(stage: SceneContext, change: LifePointsChange, room: Rect) -> tuple[Part, ...]:
    """Draw how many life points were just lost or gained."""
    mm = stage.mm
    lost = change.points < 0
    words = f"{'−' if lost else '+'}{abs(change.points)}"
    chip = room.centre(min(room.w, mm(16)), min(max(room.h, mm(4.4)), mm(_CHIP_MM)))
    sign, ground = (theme.BLUSH, theme.BRICK) if lost else (theme.MINT, theme.SAGE)
    return (
        Box(chip, ground, mm(1.2)),
        Label(chip.inset(mm(0.6), 0), words, int(chip.h * 1.16), sign, Typeface.BOLD, Align.CENTRE),
    )


def bullet_parts(
    room: Rect, points: tuple[int, int], *, on: bool = False, align: Align = Align.CENTRE
) -> tuple[Part, ...]:
    """Draw bullets in one to three rows, whichever makes them largest.

    points: current and maximum.
    on: the background is brass.
    """
    full, most = max(0, points[0]), max(points[1], points[0], 1)
    sides = {rows: int(_side(room, most, rows)) for rows in (1, 2, 3) if rows <= most}
    # Panels of similar widths get the same number of rows.
    rows = min(rows for rows, side in sides.items() if side >= _NEARLY * max(sides.values()))
    side, columns = sides[rows], -(-most // rows)
    pitch = min(room.w / columns, side * 0.62)
    case, tip, spent = (
        (theme.SOOT, theme.SOOT, theme.SOOT) if on else (theme.BULLET, theme.BULLET_TIP, theme.SPENT)
    )
    start = room.x + (0 if align is Align.LEFT else (room.w - pitch * columns) / 2)
    parts: list[Part] = []
    for number in range(most):
        row, column = divmod(number, columns)
        x = start + (column + 0.5) * pitch - side / 2
        y = room.y + (room.h - rows * side) / 2 + row * side
        spot = Rect(round(x), round(y), side, side)
        if number < full:
            parts.append(Icon(spot, "bullet", case, tip))
        else:
            parts.append(Icon(spot, "spent", spent))
    return tuple(parts)


def _side(room: Rect, count: int, rows: int) -> float:
    """Return the height of bullets in this number of rows; one to three are no higher than four."""
    return min(room.h / rows, room.w / -(-max(count, _USUAL) // rows) / _BULLET_WIDTH)
