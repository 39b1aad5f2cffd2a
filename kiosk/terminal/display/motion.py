"""Short movements that show what has just changed at a table.

A movement is drawn over the finished blocks of a scene, which knows nothing of it, and depends only on the
time since the change. It changes neither targets nor texts, and the first picture after a touch already shows
the new values. No movement begins again within its time, so nothing blinks more than three times a second.
"""

import enum
from collections.abc import Iterator
from typing import Final, assert_never

import msgspec

from core.game.state.game import GameState, HighNoon, Phase
from kiosk.preferences import Theme
from kiosk.ui.blocks import Block, Box, Button, Icon, Label, Part
from kiosk.ui.geometry import Rect, ScreenGeometry, rotate_within, rotated_size
from kiosk.view import theme
from kiosk.view.table_view import TableView

LASTS_MS: Final = 300
FRAME_MS: Final = 33
_REST_MS: Final = 40
"""The time after a movement in which it isn't repeated."""
_NUDGE_MM: Final = 1.8
_DROP_MM: Final = 4.0
_RING_MM: Final = 1.6
_PRESS_MM: Final = 1.4
_BAND_MM: Final = 9.0


class MotionKind(enum.Enum):
    """The change that a movement shows."""

    LIFE_LOST = enum.auto()
    LIFE_GAINED = enum.auto()
    TURN = enum.auto()
    OUT = enum.auto()
    RESHUFFLE = enum.auto()
    HIGH_NOON = enum.auto()


class Motion(msgspec.Struct, frozen=True):
    """A movement in a block, or in all of them if ``block`` is empty."""

    kind: MotionKind
    block: str
    began_ms: int

    def left(self, now_ms: int) -> float:
        """Return how much of the movement is left, from 1 to 0. Only a fall keeps its speed."""
        left = max(0.0, 1 - (now_ms - self.began_ms) / LASTS_MS)
        return left if self.kind is MotionKind.HIGH_NOON else left**2


def motions_after(
    before: TableView, after: TableView, motions: tuple[Motion, ...], now_ms: int
) -> tuple[Motion, ...]:
    """Return the movements to draw after an update: those that still last, and one for each new change."""
    preferences = after.preferences
    if preferences.is_calm or preferences.theme is Theme.CONTRAST:
        return ()
    lasting = tuple(one for one in motions if now_ms < one.began_ms + LASTS_MS + _REST_MS)
    if before.game is None or after.game is None or before.game is after.game:
        return lasting
    moving = {(one.kind, one.block) for one in lasting}
    fresh = (key for key in _changes(before.game, after.game) if key not in moving)
    return (*lasting, *(Motion(kind, block, now_ms) for kind, block in fresh))


def _changes(before: GameState, after: GameState) -> Iterator[tuple[MotionKind, str]]:
    if before.game != after.game or after.phase is not Phase.PLAYING or before.phase is not Phase.PLAYING:
        return
    for was, now in zip(before.seats, after.seats, strict=True):
        block = f"seat-{now.seat}"
        if was.in_play and not now.in_play:
            yield MotionKind.OUT, block
        elif now.life != was.life:
            yield (MotionKind.LIFE_LOST if now.life < was.life else MotionKind.LIFE_GAINED), block
    if after.turn is not None and after.turn != before.turn:
        yield MotionKind.TURN, f"seat-{after.turn}"
    if after.reshuffles > before.reshuffles:
        yield MotionKind.RESHUFFLE, "middle"
    if after.high_noon is HighNoon.ON and before.high_noon is not HighNoon.ON:
        yield MotionKind.HIGH_NOON, ""


def in_motion(
    blocks: tuple[Block, ...], motions: tuple[Motion, ...], now_ms: int, glass: ScreenGeometry
) -> tuple[Block, ...]:
    """Return the blocks as they look during their movements."""
    for motion in motions:
        left = motion.left(now_ms)
        if left:
            blocks = tuple(
                _moved(block, motion.kind, left, glass) if motion.block in {block.id, ""} else block
                for block in blocks
            )
    return blocks


def _moved(block: Block, kind: MotionKind, left: float, glass: ScreenGeometry) -> Block:
    room = Rect(0, 0, *rotated_size(block.rect, block.quarter_turns))
    match kind:
        case MotionKind.LIFE_LOST | MotionKind.LIFE_GAINED:
            # The new numeral comes from where the points have gone, or come from.
            up = -1 if kind is MotionKind.LIFE_LOST else 1
            parts = _shifted(block.parts, _numeral(block.parts), round(up * left * glass.mm(_NUDGE_MM)))
        case MotionKind.OUT:
            stone = next((p for p in block.parts if isinstance(p, Icon) and p.name == "tombstone"), None)
            parts = _shifted(block.parts, stone, -round(left * glass.mm(_DROP_MM)))
        case MotionKind.TURN:
            parts = (*block.parts, *_ring(room, round(left * glass.mm(_RING_MM))))
        case MotionKind.RESHUFFLE:
            parts = tuple(_pressed(part, round(left * glass.mm(_PRESS_MM))) for part in block.parts)
        case MotionKind.HIGH_NOON:
            parts = (*block.parts, *_band(block, left, glass))
        case _:
            assert_never(kind)
    return msgspec.structs.replace(block, parts=parts)


def _numeral(parts: tuple[Part, ...]) -> Label | None:
    numbers = (part for part in parts if isinstance(part, Label) and part.text.lstrip("−").isdecimal())
    return max(numbers, key=lambda label: label.size_px, default=None)


def _shifted(parts: tuple[Part, ...], shifted: Label | Icon | None, down: int) -> tuple[Part, ...]:
    return tuple(
        msgspec.structs.replace(part, rect=part.rect.move(0, down)) if part is shifted else part
        for part in parts
    )


def _ring(room: Rect, px: int) -> tuple[Part, ...]:
    """Return a frame of light within the edge of a card."""
    top, rest = room.split_top(px)
    bottom, rest = rest.split_bottom(px)
    sides = rest.split_left(px)[0], rest.split_right(px)[0]
    return tuple(Box(edge, theme.CREAM) for edge in (top, bottom, *sides) if px)


def _pressed(part: Part, px: int) -> Part:
    if not isinstance(part, Button) or part.id != "reshuffle":
        return part
    return msgspec.structs.replace(part, drawn=(part.drawn or part.rect.inset(part.room_px)).inset(px))


def _band(block: Block, left: float, glass: ScreenGeometry) -> tuple[Part, ...]:
    """Return the block's part of a band of light that falls from the top of the screen to its bottom."""
    high = glass.mm(_BAND_MM)
    y = round((1 - left) * (glass.height + high)) - high
    band = Rect(0, y, glass.width, high).intersect(block.rect)
    if not band.h or not band.w:
        return ()
    size, turns = (block.rect.w, block.rect.h), -block.quarter_turns
    return (Box(rotate_within(band.move(-block.rect.x, -block.rect.y), size, turns), theme.NOON),)
