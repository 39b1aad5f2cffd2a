"""The contents of a screen as values: blocks, which consist of parts.

A block is turned towards its reader and repainted when it changes. The rectangles of its parts are upright
and relative to the block's corner, as its reader sees it.
"""

import enum

import msgspec

from kiosk.ui.geometry import Rect
from kiosk.view.theme import Colour


class Typeface(enum.Enum):
    """A typeface; the value is the name of its font file."""

    # Every drawing operation hashes it, and enum.Enum's own hash is slow.
    __hash__ = object.__hash__

    TEXT = "BarlowCondensed-Medium"
    BOLD = "BarlowCondensed-Bold"
    SIGN = "SaloonSign"


class Align(enum.Enum):
    """The horizontal alignment of text in its rectangle. Vertically, text is always centred."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class _Part(msgspec.Struct, frozen=True, tag=True):
    pass


class Box(_Part, frozen=True):
    """A filled rectangle with rounded corners. With an edge, it has an outline that is edge_px wide."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_px: int = 0


class Label(_Part, frozen=True):
    """One line of text, at most size_px large; it shrinks to fit, and is then cut with an ellipsis.

    own_words: a text of the program, which must fit uncut in every language, unlike names.
    brief: a shorter text, for when the text would be cut or smaller than least_px.
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
    """Text in several lines, which shrinks to fit. ``brief`` and ``least_px`` are as for ``Label``.

    With ``from_top``, it is aligned to the top of its rectangle instead of being centred.
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
    """An icon of ``icons.DRAWINGS``, centred and as large as fits. ``second`` colours its details."""

    rect: Rect
    name: str
    colour: Colour
    second: Colour | None = None


class Matrix(_Part, frozen=True):
    """A QR code, as large as whole pixels allow, centred on white with a margin of four modules.

    size: modules along a side.
    rows: from the top, each as a number whose highest bit is at the left.
    """

    rect: Rect
    size: int
    rows: tuple[int, ...]


class Polyline(_Part, frozen=True):
    """A line through points. ``dash`` alternates lengths on and off in pixels; empty for a solid line."""

    points: tuple[tuple[int, int], ...]
    colour: Colour
    width_px: int
    dash: tuple[int, ...] = ()


class ButtonStyle(enum.Enum):
    """The style of a button."""

    MAIN = "main"
    QUIET = "quiet"
    GRAVE = "grave"
    """For actions that can't be undone."""
    LESS = "less"
    MORE = "more"
    CARD = "card"
    """For a choice directly on the background, like a card."""
    CHOSEN = "chosen"
    BARE = "bare"
    """Shows only the progress of a hold, for a panel that is itself the button."""


class Action:
    """The effect of a button, defined by the scene that created it.

    All actions compare equal, because a button is repainted only if it looks different.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action)

    def __hash__(self) -> int:
        return hash(Action)


class Button(_Part, frozen=True):
    """A touch target.

    small, small_share: a second line, and its size relative to the first one.
    said: description of a button that has only an icon.
    hold_ms: how long to hold it, or 0 for a tap.
    on_down: acts when the finger lands.
    room_px: margin on each side between rect, the touch area, and the drawn button.
    drawn: the rectangle of the drawn button, instead of room_px.
    at_start: left-aligned, as in a list.
    kin: labels of neighbouring buttons, for a common type size.
    may_repeat: allow a second touch within a second, as for digits.
    repeats_while_held: only with on_down.
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


class Target(msgspec.Struct, frozen=True):
    """A place that can be touched, in logical pixels. ``hold_ms`` is 0 for a tap.

    ``id`` is a stable name in the game's terms (``seat-3-minus``, ``character-slab-the-killer``).
    """

    id: str
    label: str
    rect: tuple[int, int, int, int]
    enabled: bool = True
    hold_ms: int = 0


class TouchedButton(msgspec.Struct, frozen=True):
    """A button under a finger. ``share`` is the progress of its hold, in 64ths."""

    id: str
    share: int = 0


class Block(msgspec.Struct, frozen=True):
    """Parts that are painted together, turned clockwise towards their reader. ``id``: such as ``seat-3``."""

    id: str
    rect: Rect
    parts: tuple[Part, ...]
    quarter_turns: int = 0
    touched: tuple[TouchedButton, ...] = ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        return tuple([part for part in self.parts if type(part) is Button])
