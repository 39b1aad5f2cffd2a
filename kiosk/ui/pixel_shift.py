"""A shift of the whole picture by a few pixels over minutes, against burn-in."""

from typing import Final

STEP_MS: Final = 3 * 60_000
REACH_PX: Final = 2
_WAY: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""A walk around the centre: each position is next to the previous one, and edges move."""


def drift(now_ms: int) -> tuple[int, int]:
    """Return the shift of the picture to the right and down, in pixels."""
    x, y = _WAY[now_ms // STEP_MS % len(_WAY)]
    return x * REACH_PX, y * REACH_PX


def next_step_ms(now_ms: int) -> int:
    """Return the time of the next shift."""
    return (now_ms // STEP_MS + 1) * STEP_MS
