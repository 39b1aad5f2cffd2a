"""The contents of a screen as values: blocks of parts.

A block is painted as a whole, turned to its reader; the painter repaints it when it has changed.
Rectangles of parts are upright and relative to the block's corner, as its reader sees it.
"""

import enum

import msgspec

from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.view.theme import Colour


class Typeface(enum.Enum):
    """A typeface; the value is the name of its file."""

    # Needed for every drawing operation; the hash of enum.Enum is slow Python code.
    __hash__ = object.__hash__

    TEXT = "BarlowCondensed-Medium"
    BOLD = "BarlowCondensed-Bold"
    SIGN = "SaloonSign"


class Align(enum.Enum):
    """The horizontal alignment of text in its rectangle; vertically it is centred."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class _Part(msgspec.Struct, frozen=True, tag=True):
    pass


class Box(_Part, frozen=True):
    """A filled rectangle with round corners. edge: colour of its outline, edge_px wide; None for none."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_px: int = 0


class Label(_Part, frozen=True):
    """One line of text, as large as size_px allows: shrunk to fit, then cut with an ellipsis.

    own_words: the text is the program's and must fit uncut in every language; names need not. brief:
    used instead where even the smallest size has no room, before anything is cut; or where the size would
    be less than least_px.
    """

    rect: Rect
    text: str
    size_px: int
    colour: Colour
    face: Typeface = Typeface.TEXT
    align: Align = Align.CENTRE
    own_words: bool = True
    brief: str = ""
    least_px: int = 0


class Paragraph(_Part, frozen=True):
    """Text in lines, shrunk until they fit. brief, least_px: as of a label.

    from_top: aligned to the top of its rectangle, not centred vertically.
    """

    rect: Rect
    text: str
    size_px: int
    colour: Colour
    face: Typeface = Typeface.TEXT
    align: Align = Align.LEFT
    brief: str = ""
    from_top: bool = False
    least_px: int = 0


class Icon(_Part, frozen=True):
    """An icon, as large as fits, centred. name: of ``icons.DRAWINGS``. second: the colour of its marks."""

    rect: Rect
    name: str
    colour: Colour
    second: Colour | None = None


class Matrix(_Part, frozen=True):
    """A square code, as large as whole pixels allow, centred, on white with four modules around it.

    size: modules along a side. rows: from the top, each as a number, its highest bit at the left.
    """

    rect: Rect
    size: int
    rows: tuple[int, ...]


class Polyline(_Part, frozen=True):
    """A line through points. dash: lengths on and off alternately, in pixels; empty for a solid line."""

    points: tuple[tuple[int, int], ...]
    colour: Colour
    width_px: int
    dash: tuple[int, ...] = ()


class ButtonStyle(enum.Enum):
    """The style of a button."""

    MAIN = "main"
    QUIET = "quiet"
    GRAVE = "grave"
    """For actions that cannot be undone."""
    LESS = "less"
    MORE = "more"
    CARD = "card"
    """For a choice on the background, like a card."""
    CHOSEN = "chosen"
    BARE = "bare"
    """Draws only the progress of a hold: the panel under it serves as the button."""


class Action:
    """The effect of a button, for the scene that made it.

    All actions are equal: a button is painted again only when it looks different.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether the other is an action."""
        return isinstance(other, Action)

    def __hash__(self) -> int:
        """Return the hash of every action."""
        return hash(Action)


class Button(_Part, frozen=True):
    """A touch target. id: its name for fingers and programs. label: its text.

    small: a second line. small_share: its size, in sizes of the first one. said: its description where it
    shows only an icon. hold_ms: 0 for a tap. on_down: acts as the finger lands. room_px: the margin on each
    side between rect, its touch area, and the drawn button; drawn: the drawn rectangle instead. at_start:
    left-aligned, as in a list. kin: the labels of the buttons beside it, if all are to have the size of the
    longest. action: None for none. may_repeat: a second touch within a second is meant, as of a digit.
    repeats_while_held: for one that is on_down.
    """

    rect: Rect
    id: str
    label: str
    look: ButtonStyle = ButtonStyle.QUIET
    icon: str = ""
    small: str = ""
    small_share: float = 0.76
    said: str = ""
    size_px: int = 0
    enabled: bool = True
    hold_ms: int = 0
    on_down: bool = False
    room_px: int = 0
    drawn: Rect | None = None
    at_start: bool = False
    kin: tuple[str, ...] = ()
    action: Action | None = None
    may_repeat: bool = False
    repeats_while_held: bool = False


Part = Box | Label | Paragraph | Icon | Matrix | Polyline | Button


class TouchedButton(msgspec.Struct, frozen=True):
    """A button under a finger. share: the progress of its hold, in 64ths."""

    id: str
    share: int = 0


class Block(msgspec.Struct, frozen=True):
    """Parts that are painted as one. id: of the block, e.g. ``seat-3``.

    quarter_turns: clockwise, towards its reader. touched: its buttons under a finger now.
    """

    id: str
    rect: Rect
    parts: tuple[Part, ...]
    quarter_turns: int = 0
    touched: tuple[TouchedButton, ...] = ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The block's buttons."""
        return tuple([part for part in self.parts if type(part) is Button])
