"""Moves the whole picture by a few pixels over minutes, so that nothing burns in."""

from typing import Final

STEP_MS: Final = 3 * 60_000
REACH_PX: Final = 2
_WAY: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""A walk around the middle: each place is beside the one before, and edges come to lie elsewhere."""


def drift(now_ms: int) -> tuple[int, int]:
    """How far the picture stands to the right of, and below, where it belongs: pixels."""
    x, y = _WAY[now_ms // STEP_MS % len(_WAY)]
    return x * REACH_PX, y * REACH_PX


def next_step_ms(now_ms: int) -> int:
    """When it moves next."""
    return (now_ms // STEP_MS + 1) * STEP_MS
