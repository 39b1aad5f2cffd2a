"""A printable drawing of a wiring plan: the header from above, with a line for each wire."""

from html import escape
from typing import Final

from hardware.wiring import HEADER
from tools.wiring_plan import Plan, Wire

_WIDTH, _TOP, _ROW = 1000, 150, 42
_ROWS: Final = len(HEADER) // 2
_MIDDLE: Final = _WIDTH // 2
_OFF, _RADIUS = 26, 15
_BOX_W, _BOX_H, _EDGE = 280, 36, 30
_LETTER: Final = 0.54
"""The width of a letter as a share of its size, in the widest font that may be used."""
_INK, _SOFT, _PAPER, _BOARD, _BRASS = "#2b1d12", "#6d5b4a", "#fffdf8", "#2f6b4f", "#b8862d"
_COLOURS: Final = (
    ("button", "#1f6feb"), ("lamp in", "#d18700"), ("key", "#7a3fb0"), ("lamp red", "#c62828"),
    ("lamp green", "#2e7d32"), ("lamp blue", "#1565c0"), ("buzzer", "#00796b"), ("fan", "#5d4037"),
    ("battery", "#ad1457"), ("ground", "#1b1b1b"), ("5 V", "#b71c1c"),
)  # fmt: skip
_LEGEND: Final = (
    "In the circles: the place, 1 is square. Beside them: the GPIO number. Unplug before you wire."
)
_POWER: Final = {"3V3": "#f2a154", "5V": "#e05a4e", "GND": "#3a3a3a"}


def plan_svg(plan: Plan) -> str:
    """Return the drawing as an upright A4 page. Each wire is a group with its pin, part and GPIO as data."""
    foot = _TOP + _ROWS * _ROW + 40
    height = foot + 260 + 20 * len(plan.remarks)
    drawn = [
        _sheet(height),
        f"<title>{escape(plan.title)}: wires on the 40-pin header</title>",
        _text(_EDGE, 52, plan.title, 34, weight=700),
        _text(
            _EDGE, 82, f"{plan.board} · 40-pin header, seen from above, at the board's right edge", 19, _SOFT
        ),
        _text(_EDGE, 106, _LEGEND, 17, _SOFT),
        _header_body(),
        *(_pin(plan, place) for place in range(1, len(HEADER) + 1)),
        *(_wire(wire) for wire in plan.wires),
        _circuits(foot),
        *(_text(_EDGE, foot + 240 + 20 * row, remark, 16, _SOFT) for row, remark in enumerate(plan.remarks)),
        "</svg>",
    ]
    return "\n".join(drawn) + "\n"


def _sheet(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" fill="{_INK}" '
        'font-family="Barlow Condensed, Arial Narrow, Helvetica, Arial, sans-serif">'
        f'<rect width="{_WIDTH}" height="{height}" fill="{_PAPER}"/>'
    )


def _header_body() -> str:
    return (
        f'<rect x="{_MIDDLE - 62}" y="{_TOP - 26}" width="124" height="{_ROWS * _ROW + 14}" rx="10" '
        f'fill="{_BOARD}"/>'
    )


def _at(place: int) -> tuple[int, int]:
    is_left = place % 2 == 1
    return _MIDDLE + (-_OFF if is_left else _OFF), _TOP + (place - 1) // 2 * _ROW


def _pin(plan: Plan, place: int) -> str:
    x, y = _at(place)
    what = HEADER[place - 1]
    kept = dict(plan.kept).get(place)
    wire = plan.wire_at(place)
    fill = _POWER[what] if isinstance(what, str) else _PAPER if wire else "#cfe3d8"
    if kept:
        fill = "#9a9a9a"
    ink = "#ffffff" if what == "GND" or kept else _INK
    ring = f'stroke="{_BRASS if wire else _BOARD}" stroke-width="{4 if wire else 1}"'
    if place == 1:
        shape = f'<rect x="{x - _RADIUS}" y="{y - _RADIUS}" width="{2 * _RADIUS}" height="{2 * _RADIUS}" '
    else:
        shape = f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" '
    number = _text(x, y + 6, str(place), 16, ink, anchor="middle", weight=700)
    return f'{shape}fill="{fill}" {ring}/>{number}{_beside(place, what, kept, wire)}'


def _beside(place: int, what: int | str, kept: str | None, wire: Wire | None) -> str:
    """Draw a pin's name and reserved use beside it; unwired pins are pale."""
    x, y = _at(place)
    is_left = place % 2 == 1
    name = f"GPIO {what}" if isinstance(what, int) else {"3V3": "3.3 V", "5V": "5 V"}.get(what, "ground")
    weight, colour = (700, _INK) if wire else (400, _SOFT)
    dx, anchor = (-44, "end") if is_left else (44, "start")
    drawn = _text(x + dx, y + (-5 if wire else 6), name, 16, colour, anchor=anchor, weight=weight)
    if kept:
        far = x - 112 if is_left else x + 112
        drawn += _text(far, y + 6, f"kept for {kept}", 13, "#8a8a8a", anchor=anchor)
    return drawn


def _wire(wire: Wire) -> str:
    x, y = _at(wire.place)
    is_left = wire.place % 2 == 1
    colour = next(of for start, of in _COLOURS if wire.part.startswith(start))
    left = _EDGE if is_left else _WIDTH - _EDGE - _BOX_W
    edge = left + _BOX_W if is_left else left
    pin = x - _RADIUS if is_left else x + _RADIUS
    gpio = "" if wire.gpio is None else f' data-gpio="{wire.gpio}"'
    return (
        f'<g class="wire" data-place="{wire.place}" data-part="{escape(wire.part)}"{gpio}>'
        f'<path d="M {pin} {y} H {edge}" stroke="{colour}" stroke-width="4" fill="none"/>'
        f'<rect x="{left}" y="{y - _BOX_H // 2}" width="{_BOX_W}" height="{_BOX_H}" rx="8" '
        f'fill="#ffffff" stroke="{colour}" stroke-width="2.5"/>'
        f'<rect x="{left}" y="{y - _BOX_H // 2}" width="9" height="{_BOX_H}" rx="4" fill="{colour}"/>'
        + _text(left + 18, y - 2, wire.part, 16, weight=700)
        + _text(left + 18, y + 12, wire.note, _fitting(wire.note), _SOFT)
        + "</g>"
    )


def _fitting(note: str) -> int:
    """Return the type size at which a note fits its box."""
    return min(13, int((_BOX_W - 26) / (len(note) * _LETTER)))


def _circuits(y: int) -> str:
    """Draw the three ways of wiring a part, side by side."""
    head = _text(_EDGE, y + 4, "How each part hangs on its pin", 20, weight=700)
    return head + _contact(_EDGE, y + 24) + _led(_EDGE + 260, y + 24) + _switched(_EDGE + 540, y + 24)


def _contact(x: int, y: int) -> str:
    return (
        _text(x, y + 22, "Button and key", 16, weight=700)
        + _dot(x + 10, y + 80, "GPIO")
        + _lines(f"M {x + 16} {y + 80} H {x + 80} l 42 -22 M {x + 124} {y + 80} H {x + 180}")
        + _ground(x + 180, y + 80)
        + _text(x, y + 182, "No resistor: the Pi has its own.", 14, _SOFT)
    )


def _led(x: int, y: int) -> str:
    return (
        _text(x, y + 22, "Lamp, each colour", 16, weight=700)
        + _dot(x + 10, y + 80, "GPIO")
        + _lines(f"M {x + 16} {y + 80} h 40 m 56 0 h 30 m 24 0 h 44")
        + _resistor(x + 56, y + 80, "330 Ω")
        + f'<path d="M {x + 142} {y + 66} v 28 l 24 -14 z" fill="#c62828"/>'
        + _lines(f"M {x + 166} {y + 66} v 28")
        + _ground(x + 210, y + 80)
        + _text(x, y + 182, "Common leg to ground; 4 mA a pin.", 14, _SOFT)
    )  # fmt: skip


def _switched(x: int, y: int) -> str:
    base = y + 110
    return (
        _text(x, y + 22, "Buzzer, fan, lamp in a button", 16, weight=700)
        + _dot(x + 10, base, "GPIO")
        + _lines(f"M {x + 16} {base} H {x + 56} M {x + 112} {base} H {x + 150}")
        + _resistor(x + 56, base, "1 kΩ")
        + _lines(f"M {x + 150} {base - 24} v 48 m 0 -34 l 32 -20 M {x + 150} {base + 10} l 32 20")
        + f'<path d="M {x + 182} {base + 30} l -12 -1 l 7 -10 z" fill="{_INK}"/>'
        + _lines(f"M {x + 182} {base - 30} V {base - 44} H {x + 250} M {x + 182} {base + 30} H {x + 220}")
        + f'<rect x="{x + 250}" y="{base - 58}" width="76" height="28" rx="6" fill="#ffffff" stroke="{_INK}" '
        f'stroke-width="2"/>'
        + _text(x + 288, base - 39, "part", 15, anchor="middle")
        + _lines(f"M {x + 326} {base - 44} H {x + 358}")
        + _dot(x + 364, base - 44, "5 V")
        + _ground(x + 220, base + 30)
        + _text(x + 240, base + 4, "NPN: 2N2222, BC337", 14, _SOFT)
        + _text(x, y + 182, "By a transistor. A fan or a magnetic buzzer has", 14, _SOFT)
        + _text(x, y + 200, "a diode 1N4148 across it, ring to 5 V.", 14, _SOFT)
    )  # fmt: skip


def _resistor(x: int, y: int, words: str) -> str:
    box = (
        f'<rect x="{x}" y="{y - 9}" width="56" height="18" fill="#ffffff" stroke="{_INK}" stroke-width="2"/>'
    )
    return box + _text(x + 28, y - 14, words, 14, anchor="middle")


def _ground(x: int, y: int) -> str:
    lines = f"M {x} {y} v 14 M {x - 14} {y + 14} h 28 M {x - 9} {y + 20} h 18 M {x - 4} {y + 26} h 8"
    return _lines(lines)


def _dot(x: int, y: int, words: str) -> str:
    dot = f'<circle cx="{x}" cy="{y}" r="6" fill="{_BRASS}" stroke="{_INK}" stroke-width="2"/>'
    return dot + _text(x, y - 14, words, 14, anchor="middle", weight=700)


def _lines(path: str) -> str:
    return f'<path d="{path}" stroke="{_INK}" stroke-width="2.5" fill="none"/>'


def _text(
    x: int, y: int, words: str, size: int, colour: str = _INK, *, anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )
