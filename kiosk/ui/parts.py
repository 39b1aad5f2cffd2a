"""What a screen is made of, as values: blocks of parts, upright in their own pixels.

A block is painted as a whole, turned to its reader; the painter repaints it when it differs from
what was there. Rectangles of parts are relative to the block's corner, as its reader sees it.
"""

import enum

import msgspec

from saloon.kiosk.theme import Colour
from saloon.kiosk.ui.geometry import Rect


class Face(enum.Enum):
    """A typeface; the value is the name of its file."""

    # Asked for at every stroke; an enum's own hash is not built in.
    __hash__ = object.__hash__

    TEXT = "BarlowCondensed-Medium"
    BOLD = "BarlowCondensed-Bold"
    SIGN = "SaloonSign"


class Align(enum.Enum):
    """Where text stands in its rectangle; always in the middle of its height."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class _Part(msgspec.Struct, frozen=True, tag=True):
    pass


class Box(_Part, frozen=True):
    """A filled rectangle with round corners. edge: its outline, edge_px wide, None for none."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_px: int = 0


class Label(_Part, frozen=True):
    """One line of text, as large as size_px allows: shrunk to fit, then cut with an ellipsis.

    own_words: the text is ours and must fit without a cut in every language; names need not. brief:
    said instead where even the smallest size has no room, before anything is cut.
    """

    rect: Rect
    text: str
    size_px: int
    colour: Colour
    face: Face = Face.TEXT
    align: Align = Align.CENTRE
    own_words: bool = True
    brief: str = ""


class Paragraph(_Part, frozen=True):
    """Text in lines, shrunk until they fit. brief: said instead where even then there is no room.

    from_top: it begins at the top of its rectangle, not in the middle of its height.
    """

    rect: Rect
    text: str
    size_px: int
    colour: Colour
    face: Face = Face.TEXT
    align: Align = Align.LEFT
    brief: str = ""
    from_top: bool = False


class Icon(_Part, frozen=True):
    """A drawing of ours, as large as fits, in the middle. name: of ``icons.DRAWINGS``."""

    rect: Rect
    name: str
    colour: Colour
    second: Colour | None = None


class Matrix(_Part, frozen=True):
    """A square code, as large as whole pixels allow, in the middle, on white with four modules around it.

    size: modules along a side. rows: from the top, each as a number, its highest bit at the left.
    """

    rect: Rect
    size: int
    rows: tuple[int, ...]


class Trace(_Part, frozen=True):
    """A line through points. dash: pixels on and off by turns; none for a solid line."""

    points: tuple[tuple[int, int], ...]
    colour: Colour
    width_px: int
    dash: tuple[int, ...] = ()


class Look(enum.Enum):
    """How a button looks."""

    MAIN = "main"
    QUIET = "quiet"
    GRAVE = "grave"
    """What cannot be taken back."""
    LESS = "less"
    MORE = "more"
    CARD = "card"
    """A choice on the wood, like a card."""
    CHOSEN = "chosen"
    BARE = "bare"
    """Nothing of its own: the panel under it is the button; only a hold is drawn."""


class Button(_Part, frozen=True):
    """A place that can be touched. id: its name for everybody who touches. label: its words.

    said: what it is called where it shows only a sign. hold_ms: 0 for a tap. on_down: acts as the
    finger lands. room_px: how much smaller it is drawn than it is hit, on each side; drawn: or where,
    if not there. at_start: its words stand at the left, like those of a list. kin: the labels of the
    buttons beside it, if all are to be as small as the longest of them.
    """

    rect: Rect
    id: str
    label: str
    look: Look = Look.QUIET
    icon: str = ""
    small: str = ""
    said: str = ""
    size_px: int = 0
    enabled: bool = True
    hold_ms: int = 0
    on_down: bool = False
    room_px: int = 0
    drawn: Rect | None = None
    at_start: bool = False
    kin: tuple[str, ...] = ()


Part = Box | Label | Paragraph | Icon | Matrix | Trace | Button


class Touched(msgspec.Struct, frozen=True):
    """A button under a finger. share: how much of its hold is over, in 64ths."""

    id: str
    share: int = 0


class Block(msgspec.Struct, frozen=True):
    """Parts that are painted together. id: of the block, e.g. ``seat-3``. back: what lies under it.

    touched: buttons of the block under a finger now.
    """

    id: str
    rect: Rect
    parts: tuple[Part, ...]
    quarter_turns: int = 0
    touched: tuple[Touched, ...] = ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The parts that can be touched."""
        return tuple(part for part in self.parts if isinstance(part, Button))
