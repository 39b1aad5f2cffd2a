"""Touch events, the detection of water drops, and the calibration of touch panels."""

import enum
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

VIRTUAL_FINGERS: Final = 900_000
"""The first finger number of simulated touches, by web pages and programs."""
_DROP_MS: Final = 30
"""The longest contact of a water drop; taps take 50 ms or more."""
_WITHIN_MS: Final = 5_000
DROPS: Final = 10
PLACES: Final = 5
"""The number of the screen's 16 areas that must have had drops."""
_SIDE: Final = 4


class PointerPhase(enum.Enum):
    """A phase of a touch. It is lost if it ends without being lifted."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"
    LOST = "lost"


class Pointer(msgspec.Struct, frozen=True):
    """One event of a touch, which ``finger`` identifies, at a time of the monotonic clock.

    x, y: logical pixels within the screen, after rotation.
    is_named: a program touched a target by its name, so it can't be an accident.
    """

    finger: int
    phase: PointerPhase
    x: int
    y: int
    at_ms: int
    is_named: bool = False

    @property
    def is_of_glass(self) -> bool:
        """Return whether a touch panel reported this; mouse pointers have negative numbers."""
        return 0 <= self.finger < VIRTUAL_FINGERS


_OVER: Final = (PointerPhase.UP, PointerPhase.LOST)


class WetGlass:
    """A detector for water drops, which cause many short contacts all over the screen."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._down: dict[int, Pointer] = {}
        self._drops: list[tuple[tuple[int, int], int]] = []

    def is_wet_after(self, pointer: Pointer) -> bool:
        """Return whether this event shows that the screen is wet; if so, forget the drops so far."""
        if pointer.phase is PointerPhase.DOWN:
            self._down[pointer.finger] = pointer
        landed = self._down.pop(pointer.finger, None) if pointer.phase in _OVER else None
        if landed is None or not landed.is_of_glass or not 0 < pointer.at_ms - landed.at_ms < _DROP_MS:
            return False
        width, height = self._size
        area = landed.x * _SIDE // width, landed.y * _SIDE // height
        self._drops = [drop for drop in self._drops if pointer.at_ms - drop[1] < _WITHIN_MS]
        self._drops.append((area, pointer.at_ms))
        is_wet = len(self._drops) >= DROPS and len({area for area, _ in self._drops}) >= PLACES
        if is_wet:
            self._drops.clear()
        return is_wet


_Factor = Annotated[float, msgspec.Meta(ge=-2, le=2)]
Place = tuple[float, float]
"""A position as shares of the screen's width and height, as people see it; 0, 0 is the top left."""
_LEAST_SCALE: Final = 0.8
_MOST_SCALE: Final = 1.25
_MOST_SLANT: Final = 0.1
_MOST_SHIFT: Final = 0.15
_MOST_ERROR: Final = 0.02
"""The greatest error of a target after the correction, as a share of the screen."""


class BadTouches(ValueError):
    """Touches that give no valid calibration: a target was missed, or the panel is turned or mirrored."""


class Correction(msgspec.Struct, frozen=True):
    """An affine correction of touches: x' = xx x + xy y + x0, and likewise for y, in shares of the screen."""

    xx: _Factor = 1.0
    xy: _Factor = 0.0
    x0: _Factor = 0.0
    yx: _Factor = 0.0
    yy: _Factor = 1.0
    y0: _Factor = 0.0

    def at(self, place: Place) -> Place:
        x, y = place
        return self.xx * x + self.xy * y + self.x0, self.yx * x + self.yy * y + self.y0

    def after(self, first: "Correction") -> "Correction":
        """Return the correction that applies ``first``, and then this one."""
        x0, y0 = self.at((first.x0, first.y0))
        return Correction(
            self.xx * first.xx + self.xy * first.yx, self.xx * first.xy + self.xy * first.yy, x0,
            self.yx * first.xx + self.yy * first.yx, self.yx * first.xy + self.yy * first.yy, y0,
        )  # fmt: skip

    def is_sane(self) -> bool:
        """Return whether the correction is small: it doesn't turn, mirror, or move touches far."""
        scales, slants = (self.xx, self.yy), (self.xy, self.yx)
        middle = self.at((0.5, 0.5))
        return (
            all(_LEAST_SCALE <= scale <= _MOST_SCALE for scale in scales)
            and all(abs(slant) <= _MOST_SLANT for slant in slants)
            and all(abs(at - 0.5) <= _MOST_SHIFT for at in middle)
        )


def correction_of(touched: Sequence[Place], meant: Sequence[Place]) -> Correction:
    """Return the affine correction with the smallest sum of squared errors.

    Needs at least three touches that aren't on one line. Raises BadTouches if the correction isn't sane, or
    if a target is still missed with it.
    """
    xx, xy, x0 = _fit(touched, [place[0] for place in meant])
    yx, yy, y0 = _fit(touched, [place[1] for place in meant])
    correction = Correction(xx, xy, x0, yx, yy, y0)
    if not correction.is_sane():
        raise BadTouches("the touch panel is turned, mirrored, or far off")
    for touch, place in zip(touched, meant, strict=True):
        x, y = correction.at(touch)
        if max(abs(x - place[0]), abs(y - place[1])) > _MOST_ERROR:
            raise BadTouches("a target was missed")
    return correction


def _fit(touched: Sequence[Place], values: Sequence[float]) -> tuple[float, float, float]:
    """Fit value = a x + b y + c by least squares (Cramer's rule). Raises BadTouches if it can't."""
    rows = [(x, y, 1.0) for x, y in touched]
    normal = [[sum(row[i] * row[j] for row in rows) for j in range(3)] for i in range(3)]
    right = [sum(row[i] * value for row, value in zip(rows, values, strict=True)) for i in range(3)]
    whole = _determinant(normal)
    if abs(whole) < 1e-9:  # noqa: PLR2004 (nothing but rounding)
        raise BadTouches("the touches are on one line")
    a, b, c = (
        _determinant([[right[i] if j == column else normal[i][j] for j in range(3)] for i in range(3)])
        / whole
        for column in range(3)
    )
    return a, b, c


def _determinant(m: Sequence[Sequence[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )
