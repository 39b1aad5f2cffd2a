"""The front plate and box of a terminal, computed from its screen. Pure functions; all in millimetres."""

import math
import tomllib
from pathlib import Path
from typing import Annotated, Final

import msgspec

from base.errors import BadData

SCREENS: Final = Path(__file__).parent / "screens.toml"
PLATE_MM: Final = 4.0
"""The thickness of the plate, of plywood or plastic."""
_SIDE, _TOP, _BAR, _ROW = 25.0, 20.0, 10.0, 65.0
_PLAY: Final = 2.0
"""The clearance between the parts and the floor of the box."""
_OVER: Final = 1.0
"""The tolerance by which the opening is larger than the picture."""
_BUTTON, _KEY, _LAMP, _SOUND, _SCREW = 24.0, 19.0, 8.0, 3.0, 3.4
_CORNER: Final = 8.0
"""The distance of the plate's screws from its edges."""
BOARD: Final = (85.0, 56.0, 22.0)
"""A Raspberry Pi 3, 4 or 5: length, width, and height with its sockets."""
_SPACER, _AIR = 6.0, 10.0
_BUTTON_DEPTH: Final = 45.0
"""An arcade button with its switch and wires, behind the plate."""
_FLOOR: Final = 4.0

Length = Annotated[float, msgspec.Meta(gt=0, le=1000)]


class Screen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A touch screen. glass, visible: width and height in mm. depth: in mm. inches: the diagonal."""

    name: str
    inches: Length
    glass: tuple[Length, Length]
    visible: tuple[Length, Length]
    depth: Length


class Cut(msgspec.Struct, frozen=True):
    """A cut-out in the plate: a rectangle, or a hole whose width and height are its diameter.

    x, y: centre, from the plate's upper left corner. what: its purpose.
    """

    what: str
    x: float
    y: float
    width: float
    height: float
    is_round: bool = True


class Plate(msgspec.Struct, frozen=True):
    """A front plate. glass: place of the screen behind it (centre, width, height), which isn't cut out."""

    screen: Screen
    width: float
    height: float
    cuts: tuple[Cut, ...]
    glass: Cut

    def cut(self, what: str) -> tuple[Cut, ...]:
        """Return the cuts for one purpose."""
        return tuple(cut for cut in self.cuts if cut.what == what)


class Box(msgspec.Struct, frozen=True):
    """The side of the box: outline from the lower front corner, x to the back, y up; all in mm.

    tilt: the plate's in degrees; 0 is flat. room: the space between the screen's back and the board.
    """

    plate: Plate
    tilt: float
    outline: tuple[tuple[float, float], ...]
    screen: tuple[tuple[float, float], ...]
    buttons: tuple[tuple[float, float], ...]
    board: tuple[float, float, float, float]
    room: float


def screens() -> dict[str, Screen]:
    """Return the screens by short name. Raises BadData for an invalid list."""
    try:
        return msgspec.convert(tomllib.loads(SCREENS.read_text(encoding="utf-8")), dict[str, Screen])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadData(str(SCREENS), str(error)) from error


def plate_for(screen: Screen) -> Plate:
    """Return the front plate for a screen, with buttons, key, lamp and sound in a row below it.

    Two bars hold the glass against the plate from behind, so that the screen's own holes don't matter.
    """
    width, glass_height = screen.glass[0] + 2 * _SIDE, screen.glass[1]
    height = _TOP + glass_height + _ROW
    middle, of_glass = width / 2, _TOP + glass_height / 2
    opening = Cut(
        "picture",
        middle,
        of_glass,
        screen.visible[0] + 2 * _OVER,
        screen.visible[1] + 2 * _OVER,
        is_round=False,
    )
    cuts = (opening, *_bars(width, glass_height), *_corners(width, height), *_row(width, height))
    return Plate(screen, width, height, cuts, Cut("glass", middle, of_glass, *screen.glass, is_round=False))


def _bars(width: float, glass_height: float) -> tuple[Cut, ...]:
    """Return the screws of both bars, beside the glass."""
    beside = _SIDE - _BAR
    return tuple(
        _hole("bar", x, _TOP + glass_height * share, _SCREW)
        for share in (0.25, 0.75)
        for x in (beside, width - beside)
    )


def _corners(width: float, height: float) -> tuple[Cut, ...]:
    return tuple(
        _hole("screw", x, y, _SCREW) for y in (_CORNER, height - _CORNER) for x in (_CORNER, width - _CORNER)
    )


def _row(width: float, height: float) -> tuple[Cut, ...]:
    """Return three buttons, the lamp, the key switch and the buzzer's holes, from left to right."""
    y = height - _ROW / 2
    step = (width - 2 * _SIDE) / 5
    names = ("reshuffle", "end of turn", "judge")
    buttons = tuple(_hole(name, _SIDE + step * (at + 0.35), y, _BUTTON) for at, name in enumerate(names))
    key, lamp = _hole("key", _SIDE + step * 4.65, y, _KEY), _hole("lamp", _SIDE + step * 3.55, y, _LAMP)
    sound = tuple(_hole("sound", lamp.x + dx, y + 20, _SOUND) for dx in (-8, 0, 8))
    return (*buttons, lamp, key, *sound)


def _hole(what: str, x: float, y: float, diameter: float) -> Cut:
    return Cut(what, x, y, diameter, diameter)


def box_for(plate: Plate, tilt: float) -> Box:
    """Return the lowest possible box under a plate tilted by 0 to 25 degrees."""
    slope = math.radians(tilt)
    cos, sin = math.cos(slope), math.sin(slope)
    run, rise = plate.height * cos, plate.height * sin
    deep, half = PLATE_MM + plate.screen.depth, _BUTTON / 2
    left = run - _AIR - BOARD[0]
    above_board = _FLOOR + _SPACER + BOARD[2]
    # The front must be high enough for every part to clear the floor and the board.
    front = max(
        _FLOOR + _PLAY + _BUTTON_DEPTH * cos - (_ROW / 2 - half) * sin,
        _FLOOR + _PLAY + deep * cos - _ROW * sin,
        above_board + _AIR + deep / cos - left * sin / cos,
    )
    outline = ((0.0, 0.0), (run, 0.0), (run, front + rise), (0.0, front))

    def inside(along: float, behind: float) -> tuple[float, float]:
        """Return a point this far up the plate and this deep behind its face."""
        return along * cos + behind * sin, front + along * sin - behind * cos

    low_edge, high_edge = _ROW, _ROW + plate.screen.glass[1]
    screen = (
        inside(low_edge, PLATE_MM), inside(high_edge, PLATE_MM),
        inside(high_edge, deep), inside(low_edge, deep),
    )  # fmt: skip
    buttons = (
        inside(_ROW / 2 - half, 0), inside(_ROW / 2 + half, 0),
        inside(_ROW / 2 + half, _BUTTON_DEPTH), inside(_ROW / 2 - half, _BUTTON_DEPTH),
    )  # fmt: skip
    board = (left, _FLOOR + _SPACER, BOARD[0], BOARD[2])
    room = front + left * sin / cos - deep / cos - above_board
    return Box(plate, tilt, outline, screen, buttons, board, room)
