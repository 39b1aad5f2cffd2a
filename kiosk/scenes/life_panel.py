"""A player's panel during the game: minus, the numeral and bullets, plus; or the tombstone."""

from saloon.core.game.commands import LoseLife, RegainLife
from saloon.core.game.state import Seat
from saloon.kiosk import theme
from saloon.kiosk.role_words import role_name
from saloon.kiosk.scenes.abandonment import PlayerMenuScene
from saloon.kiosk.scenes.card import Mood, card, character_aside, fate_aside, on_ring
from saloon.kiosk.scenes.furniture import MENU_HOLD_MS, NOWHERE
from saloon.kiosk.scenes.scene import Change, Reply, Stage, asks, seat_in
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Button, Face, Icon, Label, Look, Part
from saloon.kiosk.ui.ring import GAP_MM, NUMERAL_MM, life_button_mm
from saloon.kiosk.ui.text import CAP_HEIGHT

_NUMERAL_MM = 12.2
_BUTTON_BEST_MM = 24.0
_BULLET_WIDTH = 0.52
"""Of the drawing's square."""
_NEARER_MM = 0.5
_SLENDER = 1.6
_MANY = 4


def life_panel(stage: Stage, seat: Seat, *, touchable: bool = True) -> Block:
    """The panel of a seat. touchable: False where a question must be answered first."""
    stage = stage.spoken_by(seat.seat)
    if not seat.in_play:
        return _panel_of_dead(stage, seat)
    on = stage.game.turn == seat.seat
    change = next((c for c in stage.changes if c.seat == seat.seat), None)
    aside = fate_aside(stage, seat) if change is None else change_label(stage, change, NOWHERE, on=on)
    parts, body = card(stage, seat, Mood.ON if on else Mood.PLAIN, aside)
    least = stage.mm(life_button_mm(stage.glass, len(stage.game.seats)))
    gap = stage.mm(GAP_MM)
    if body.w >= 2 * least + 2 * gap + stage.mm(8):
        side = min(stage.mm(_BUTTON_BEST_MM), (body.w - 2 * gap - stage.mm(16)) // 2)
        minus, rest = body.left(max(least, side), gap)
        plus, centre = rest.end(max(least, side), gap)
    elif body.h >= stage.mm(NUMERAL_MM) + 2 * (least + gap):
        centre, buttons = body.top(stage.mm(NUMERAL_MM), gap)
        # The next panel's hold lies right beside it.
        centre = centre.inset(stage.mm(_NEARER_MM), 0)
        plus, minus = buttons.rows([1, 1], gap)
    else:
        buttons, centre = body.left(least, gap)
        plus, minus = buttons.rows([1, 1], gap)
    if not touchable:
        minus, plus, centre = NOWHERE, NOWHERE, body.inset(stage.mm(2), stage.mm(1))
    life = life_parts(stage, (seat.life, seat.max_life), centre)
    signs = _buttons(stage, seat, (minus, plus, centre)) if touchable else ()
    return on_ring(stage, seat, (*parts, *life, *signs))


def life_reply(target: str) -> Reply | None:
    """What minus, plus and the panel's menu ask for; None for other targets."""
    if target.endswith("-minus"):
        return asks(LoseLife(seat_in(target)))
    if target.endswith("-plus"):
        return asks(RegainLife(seat_in(target)))
    if target.endswith("-menu"):
        return Reply(opens=PlayerMenuScene(seat_in(target)))
    return None


def change_label(stage: Stage, change: Change, room: Rect, *, on: bool = False) -> Label:
    """Life points lost or won just now. on: it stands on brass."""
    sign, colour = ("+", theme.SAGE) if change.points > 0 else ("−", theme.BRICK)
    colour = theme.SOOT if on else colour
    return Label(room, f"{sign}{abs(change.points)}", stage.mm(5.4), colour, Face.BOLD, Align.RIGHT)


def _buttons(stage: Stage, seat: Seat, spots: tuple[Rect, Rect, Rect]) -> tuple[Part, ...]:
    _ = stage.words.gettext
    minus, plus, centre = spots
    # A hold beside a press may be a little nearer: a finger that strays onto it does nothing.
    centre = centre.inset(-stage.mm(_NEARER_MM), 0)
    number, room = seat.seat, stage.mm(0.7)
    menu = _("Menu of {name}").format(name=seat.name)
    less = _("{name}: a life point less").format(name=seat.name)
    more = _("{name}: a life point more").format(name=seat.name)
    return (
        Button(centre, f"seat-{number}-menu", "", Look.BARE, said=menu, hold_ms=MENU_HOLD_MS),
        Button(
            minus, f"seat-{number}-minus", "", Look.LESS, "minus", said=less,
            enabled=stage.allows(LoseLife(number)), on_down=True, room_px=room,
        ),
        Button(
            plus, f"seat-{number}-plus", "", Look.MORE, "plus", said=more,
            enabled=stage.allows(RegainLife(number)), on_down=True, room_px=room,
        ),
    )  # fmt: skip


def life_parts(stage: Stage, points: tuple[int, int], room: Rect) -> tuple[Part, ...]:
    """The numeral, and a bullet for each life point; spent ones in outline. points: now, and the most."""
    mm, (life, most) = stage.mm, points
    room = room.inset(0, mm(0.7))
    if room.w >= mm(24):
        figure, bullets = room.left(max(mm(11), int(room.w * 0.4)), mm(1))
        bullets = bullets.centred(bullets.w, mm(8))
    else:
        figure, bullets = room.top(mm(_NUMERAL_MM), mm(0.4))
        bullets = bullets.centred(bullets.w, mm(14))
    size = max(figure.h * 1.0, mm(_NUMERAL_MM) / CAP_HEIGHT)
    numeral = Label(
        figure.inset(-mm(1.5), 0),
        str(life).replace("-", "−"),
        int(min(size, mm(20))),
        theme.INK,
        Face.BOLD,
    )
    return (numeral, *_bullets(bullets, max(0, life), most))


def _bullets(room: Rect, full: int, most: int) -> tuple[Part, ...]:
    """A row of bullets, each as high as fits; where the room is high, a row of three and the rest."""
    most = max(most, full, 1)
    rows = 1 if room.w * _SLENDER > room.h or most < _MANY else 2
    columns = -(-most // rows)
    side = int(min(room.h / rows, room.w / columns / _BULLET_WIDTH))
    pitch = min(room.w / columns, side * 0.62)
    parts: list[Part] = []
    for number in range(most):
        row, column = divmod(number, columns)
        x = room.x + room.w / 2 + (column - (columns - 1) / 2) * pitch - side / 2
        y = room.bottom - (rows - row) * side if rows > 1 else room.y + (room.h - side) / 2
        spot = Rect(round(x), round(y), side, side)
        if number < full:
            parts.append(Icon(spot, "bullet", theme.BULLET, theme.BULLET_TIP))
        else:
            parts.append(Icon(spot, "spent", theme.SPENT))
    return tuple(parts)


def _panel_of_dead(stage: Stage, seat: Seat) -> Block:
    _ = stage.words.gettext
    parts, body = card(stage, seat, Mood.OUT, character_aside(stage, seat))
    room = body.inset(stage.mm(2), stage.mm(2))
    side = min(stage.mm(13), room.h, room.w // 2)
    spot, words = room.left(side, stage.mm(2))
    role = role_name(stage.words, seat.role) if seat.role is not None else ""
    upper, lower = words.rows([1.3, 1], 0)
    return on_ring(
        stage,
        seat,
        (
            *parts,
            Icon(spot, "tombstone", theme.CREAM_SOFT, theme.ASHES),
            Label(upper, role, stage.mm(6), theme.CREAM, Face.BOLD, Align.LEFT),
            Label(lower, _("eliminated"), stage.mm(4), theme.CREAM_SOFT, align=Align.LEFT),
        ),
    )
