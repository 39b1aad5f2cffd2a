"""Full-size drawings of the front plate and the box, in which one unit is a millimetre."""

from html import escape
from typing import Final

from tools.workshop.housing import PLATE_MM, Box, Cut, Plate

_INK, _SOFT, _CUT, _GLASS, _WOOD, _PAPER = "#2b1d12", "#6d5b4a", "#c62828", "#1565c0", "#efe2cc", "#ffffff"
_SHEETS: Final = (("A4", 297.0, 210.0), ("A3", 420.0, 297.0), ("A2", 594.0, 420.0))
_MARGIN: Final = 6.0
"""The margin that most printers can't print on."""
_RULER_MM: Final = 100.0
_ABOVE: Final = frozenset({"reshuffle", "end of turn", "judge", "lamp", "key"})
_SMALL: Final = 3.6
_EDGE: Final = 12.0

Points = tuple[tuple[float, float], ...]


class TooLarge(ValueError):
    """The drawing doesn't fit on any sheet."""


def sheet_for(width: float, height: float) -> tuple[str, float, float]:
    """Return name, width and height of the smallest landscape sheet for this size. Raises TooLarge."""
    for name, across, down in _SHEETS:
        if width + 2 * _MARGIN <= across and height + 2 * _MARGIN <= down:
            return name, across, down
    raise TooLarge(f"{width:.0f}×{height:.0f} mm fit no sheet up to A2")


def plate_svg(plate: Plate) -> str:
    """Return a full-size drawing of the front plate, with a ruler to check the printed scale."""
    sheet, across, down = sheet_for(plate.width, plate.height)
    x, y = (across - plate.width) / 2, (down - plate.height) / 2
    opening = plate.cut("picture")[0]
    return _page(
        across,
        down,
        f"Front plate for the {plate.screen.name}, 1:1 on {sheet}",
        f'<g transform="translate({x:g} {y:g})">',
        f'<rect class="edge" width="{plate.width:g}" height="{plate.height:g}" rx="6" fill="{_WOOD}" '
        f'stroke="{_CUT}" stroke-width="0.4"/>',
        _behind(plate.glass),
        *(_cut(cut) for cut in plate.cuts),
        *_names(plate),
        *_inside_opening(plate, opening, sheet),
        "</g>",
    )


def _behind(glass: Cut) -> str:
    return (
        f'<rect class="glass" x="{glass.x - glass.width / 2:g}" y="{glass.y - glass.height / 2:g}" '
        f'width="{glass.width:g}" height="{glass.height:g}" fill="none" stroke="{_GLASS}" stroke-width="0.3" '
        'stroke-dasharray="3 2"/>'
    )


def _cut(cut: Cut) -> str:
    data = f'class="cut" data-for="{escape(cut.what)}"'
    style = f'fill="{_PAPER}" stroke="{_CUT}" stroke-width="0.4"'
    if not cut.is_round:
        left, top = cut.x - cut.width / 2, cut.y - cut.height / 2
        sides = f'width="{cut.width:g}" height="{cut.height:g}"'
        return f'<rect {data} x="{left:g}" y="{top:g}" {sides} rx="1" {style}/>'
    return f'<circle {data} cx="{cut.x:g}" cy="{cut.y:g}" r="{cut.width / 2:g}" {style}/>{_cross(cut)}'


def _cross(cut: Cut) -> str:
    """Draw a cross that marks where to drill."""
    arm = min(3.0, cut.width / 2 + 1)
    return (
        f'<path d="M {cut.x - arm:g} {cut.y:g} h {2 * arm:g} M {cut.x:g} {cut.y - arm:g} v {2 * arm:g}" '
        f'stroke="{_SOFT}" stroke-width="0.2" fill="none"/>'
    )


def _names(plate: Plate) -> list[str]:
    """Draw each part's name above it, and its diameter below."""
    drawn = []
    for cut in plate.cuts:
        if cut.what in _ABOVE:
            drawn.append(_text(cut.x, cut.y - cut.width / 2 - 3, cut.what, 4, anchor="middle"))
            if cut.what != "lamp":
                drawn.append(
                    _text(
                        cut.x, cut.y + cut.width / 2 + 5.5, f"⌀ {cut.width:g}", _SMALL, _SOFT, anchor="middle"
                    )
                )
    lamp = plate.cut("lamp")[0]
    drawn.append(_text(lamp.x, lamp.y + 11, f"⌀ {lamp.width:g}", _SMALL, _SOFT, anchor="middle"))
    sound = plate.cut("sound")
    drawn.append(_text(sound[-1].x + 5, sound[-1].y + 1.3, f"sound, 3 × ⌀ {sound[0].width:g}", _SMALL, _SOFT))
    return drawn


def _inside_opening(plate: Plate, opening: Cut, sheet: str) -> list[str]:
    """Draw text and a ruler in the area that is cut out."""
    left, top = opening.x - opening.width / 2 + 8, opening.y - opening.height / 2 + 12
    screws, glass = plate.cut("bar")[0].width, plate.glass
    lines = [
        f"Plate {plate.width:g} × {plate.height:g} mm, {PLATE_MM:g} mm thick; {sheet}, landscape, at 100 %",
        f"Opening {opening.width:g} × {opening.height:g}; glass behind it {glass.width:g} × {glass.height:g}",
        f"Screws of the two bars, and of the corners: 8 × ⌀ {screws:g}",
        "The screen's numbers are from memory: lay yours",
        "on this sheet before anything is cut.",
    ]
    title = _text(left, top, plate.screen.name, 6, weight=700)
    told = [_text(left, top + 9 + 6 * row, line, 4.2, _SOFT) for row, line in enumerate(lines)]
    return [title, *told, _ruler(left, opening.y + opening.height / 2 - 14)]


def _ruler(x: float, y: float) -> str:
    ticks = " ".join(f"M {x + at * 10:g} {y:g} v {-4 if at % 5 == 0 else -2.5:g}" for at in range(11))
    line = f"M {x:g} {y:g} h {_RULER_MM:g}"
    return (
        f'<path class="ruler" d="{line}" stroke="{_INK}" stroke-width="0.4" fill="none"/>'
        f'<path d="{ticks}" stroke="{_INK}" stroke-width="0.3"/>'
        + _text(x, y + 6, "100 mm. Measure it: is it shorter, the printer has scaled.", 4.2, _SOFT)
    )


def box_svg(box: Box) -> str:
    """Return a full-size drawing of the box from the side, with the front at the left."""
    run, top, front = box.outline[1][0], box.outline[2][1], box.outline[3][1]
    sheet, across, down = sheet_for(run, top + 50)
    x, y = (across - run) / 2, (down + top) / 2
    name = box.plate.screen.name
    lies = "lies flat in the middle" if box.tilt == 0 else f"stands at one end, tilted by {box.tilt:g}°"
    return _page(
        across,
        down,
        f"Box for the {name} from the side: {lies}; 1:1 on {sheet}",
        _text(_EDGE, 14, f"Box for the {name}", 5, weight=700),
        _text(
            _EDGE,
            21,
            f"It {lies}: {run:.0f} mm deep, {front:.0f} high in front, {top:.0f} behind.",
            4.2,
            _SOFT,
        ),
        _text(_EDGE, 27, f"Print on {sheet}, landscape, at 100 %. Front at the left.", 4.2, _SOFT),
        _side(box, x, y),
        _text(
            _EDGE,
            down - 18,
            f"{box.room:.0f} mm of air between board and screen. Slots in the back",
            4.2,
            _SOFT,
        ),
        _text(_EDGE, down - 12, "above the board, holes in the floor below it, feet of 5 mm.", 4.2, _SOFT),
        _ruler(across - _RULER_MM - 42, down - 18),
    )


def _side(box: Box, x: float, y: float) -> str:
    left, bottom, width, height = box.board
    run, top = box.outline[1][0], box.outline[2][1]
    slots = " ".join(f"M {x + run - 1.5:g} {y - top * share:g} v -6" for share in (0.4, 0.55, 0.7))
    feet = " ".join(f"M {x + at - 6:g} {y + 2.5:g} h 12" for at in (16, run - 16))
    board = (
        f'<rect class="board" x="{x + left:g}" y="{y - bottom - height:g}" width="{width:g}" '
        f'height="{height:g}" fill="#cfe3d8" stroke="#2f6b4f" stroke-width="0.4"/>'
    )
    wood = f'<path d="{slots}" stroke="{_PAPER}" stroke-width="3"/>'
    rubber = f'<path d="{feet}" stroke="{_INK}" stroke-width="5"/>'
    over = (x + left + width / 2, y - bottom - height / 2)
    shapes = (
        _polygon(box.outline, (x, y), (_WOOD, _CUT), "outline"),
        _polygon(box.screen, (x, y), ("#d7e6f5", _GLASS), "screen"),
        _polygon(box.buttons, (x, y), ("#e9e9e9", _SOFT), "button"),
        board,
        wood,
        rubber,
        *(_named(word, x + _middle(of)[0], y - _middle(of)[1]) for word, of in _parts(box)),
        _named("board, on 6 mm spacers", *over),
    )
    return f'<g class="box" data-tilt="{box.tilt:g}">' + "".join(shapes) + "</g>"


def _named(word: str, x: float, y: float) -> str:
    return _text(x, y + 1, word, _SMALL, anchor="middle")


def _parts(box: Box) -> tuple[tuple[str, Points], ...]:
    return ("screen", box.screen), ("button", box.buttons)


def _middle(points: Points) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _polygon(points: Points, at: tuple[float, float], colours: tuple[str, str], what: str) -> str:
    """Draw a polygon with its lower left corner at a point of the sheet. colours: fill and line."""
    path = " ".join(f"{at[0] + across:.2f},{at[1] - up:.2f}" for across, up in points)
    fill, line = colours
    return f'<polygon class="{what}" points="{path}" fill="{fill}" stroke="{line}" stroke-width="0.4"/>'


def _page(across: float, down: float, title: str, *drawn: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:g}mm" height="{down:g}mm" '
        f'viewBox="0 0 {across:g} {down:g}" fill="{_INK}" '
        'font-family="Barlow Condensed, Arial Narrow, Helvetica, Arial, sans-serif">'
    )
    paper = f'<rect width="{across:g}" height="{down:g}" fill="{_PAPER}"/>'
    return "\n".join((head, f"<title>{escape(title)}</title>", paper, *drawn, "</svg>")) + "\n"


def _text(
    x: float,
    y: float,
    words: str,
    size: float,
    colour: str = _INK,
    *,
    anchor: str = "start",
    weight: int = 400,
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )
