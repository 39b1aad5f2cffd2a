"""Rows of buttons, each at least as wide as its label needs."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec

from kiosk.scenes.scene import SceneContext
from kiosk.ui.blocks import Button, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.ui.text import SOFT_HYPHEN

BUTTON_MM: Final = 12.0
HELD_MM: Final = 14.0
"""The minimum width and height of a button to hold."""
OWN_SHARE: Final = 9.0
"""A limit above the share of every button."""
_ROW_MM: Final = 15.0
"""The height of a row at which buttons have the widest margins."""
_EDGE_SHARE: Final = 18
_ROOM_SHARE: Final = 6
SMALL_SHARE: Final = 0.76
"""The type size of a button's second line, as a share of the first."""


class Offer(msgspec.Struct, frozen=True):
    """A button that hasn't been placed yet.

    share: its width relative to the others in its row.
    is_optional: it may be left out, as another scene has it too.
    """

    button: Button
    share: float = 1.0
    is_optional: bool = False

    def with_button(self, share: float | None = None, **changes: object) -> "Offer":
        button = msgspec.structs.replace(self.button, **changes)
        return Offer(button, self.share if share is None else share, self.is_optional)


def legible_width(stage: SceneContext, button: Button, lines: int = 1) -> int:
    """Return the width in pixels from which a button's label keeps its type size.

    lines: 2 if the label may be broken.
    """
    least = stage.mm(HELD_MM if button.hold_ms else BUTTON_MM)
    size = button.size_px
    if not button.label or not size:
        return least
    labels = button.kin or (button.label,)
    wide = max(_label_width(stage, label, size, lines if not button.small else 1) for label in labels)
    if button.small:
        wide = max(wide, stage.types.width(button.small, Typeface.TEXT, int(size * SMALL_SHARE)))
    edges = 2 * (max(2, stage.mm(_ROW_MM) // _EDGE_SHARE) + max(1, size // _ROOM_SHARE)) + 2
    return max(least, wide + edges)


def _label_width(stage: SceneContext, label: str, size_px: int, lines: int) -> int:
    """Return the width of a label in one line or, if shorter, broken once at a space or soft hyphen."""

    def width(text: str) -> int:
        return stage.types.width(text.replace(SOFT_HYPHEN, ""), Typeface.BOLD, size_px)

    breaks = [at for at, letter in enumerate(label) if letter in {" ", SOFT_HYPHEN}] if lines > 1 else []
    halves = ((label[:at] + "-" * (label[at] == SOFT_HYPHEN), label[at + 1 :]) for at in breaks)
    return min([width(label), *(max(width(first), width(second)) for first, second in halves)])


def rows_of(stage: SceneContext, width: int, offers: Sequence[Offer]) -> list[list[Offer]]:
    """Arrange buttons in as few, evenly filled rows as their shares allow.

    They keep their order, apart from the back button, which begins the last row in every scene.
    """
    ways = [offer for offer in offers if offer.button.id == "back"]
    rows = _balance_rows(stage, width, [*(offer for offer in offers if offer not in ways), *ways])
    last = rows[-1]
    rows[-1] = [*ways, *(offer for offer in last if offer not in ways)]
    return rows


def widened(stage: SceneContext, offers: Iterable[Offer], most: float, lines: int = 1) -> list[Offer]:
    """Enlarge the buttons' shares so that their labels fit.

    most: the limit for a button's own share.
    lines: how many lines a label may have.
    """
    button = stage.mm(BUTTON_MM)
    return [
        msgspec.structs.replace(
            offer,
            share=max(min(offer.share, most), legible_width(stage, offer.button, lines) / button),
        )
        for offer in offers
    ]


def _balance_rows(stage: SceneContext, width: int, offers: Sequence[Offer]) -> list[list[Offer]]:
    least, step, gap = stage.mm(BUTTON_MM), stage.mm(2), stage.mm(GAP_MM)
    needs = [int(stage.mm(BUTTON_MM) * offer.share) for offer in offers]
    counts = _fill_rows(width, needs, gap)
    while len(counts) > 1 and width > least:
        width -= step
        tighter = _fill_rows(width, needs, gap)
        if len(tighter) > len(counts):
            break
        counts = tighter
    rest = iter(offers)
    return [list(islice(rest, count)) for count in counts]


def _fill_rows(width: int, needs: Sequence[int], gap: int) -> list[int]:
    counts = [0]
    used = 0
    for need in needs:
        if counts[-1] and used + gap + need > width:
            counts.append(0)
            used = 0
        used += need + (gap if counts[-1] else 0)
        counts[-1] += 1
    return counts


def place_offers(stage: SceneContext, room: Rect, rows: list[list[Offer]]) -> tuple[Button, ...]:
    """Place rows of buttons in an area, which they fill."""
    gap = stage.mm(GAP_MM)
    buttons = []
    for line, row in zip(room.rows([1] * len(rows), gap), rows, strict=True):
        spots = line.columns([offer.share for offer in row], gap)
        buttons += [
            msgspec.structs.replace(offer.button, rect=spot) for offer, spot in zip(row, spots, strict=True)
        ]
    return tuple(buttons)
