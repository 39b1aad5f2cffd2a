"""The minutes that a game still takes, as a distribution instead of one number."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import msgspec

_NORMAL: Final = NormalDist()
_ROOT_OF_TWO: Final = math.sqrt(2)
_MOST_PASSED: Final = 0.98
"""The share of games that counts as over by now, at most: even the longest game takes a little longer."""


class RemainingTime(msgspec.Struct, frozen=True):
    """The minutes until a game ends; their cube root is nearly normal, as for most waiting times.

    root: the median of the cube root. below, above: its standard deviation on either side. first: minutes
    before any of this counts, as the game has not begun. passed: minutes of it that are over, where nothing
    else is known. limit: the minutes after which a time limit ends the game; None for none.
    """

    root: float
    below: float
    above: float
    first: float = 0.0
    passed: float = 0.0
    limit: float | None = None

    def minutes_at(self, share: float) -> float:
        """Return the minutes by which this share of such games have ended, 0 < share < 1."""
        passed = self._passed()
        over = self._whole_by(passed) if passed else 0.0
        minutes = self.first + max(0.0, self._whole_at(over + (1 - over) * share) - passed)
        return minutes if self.limit is None else min(minutes, max(0.0, self.limit))

    def shares_by(self, minutes: Sequence[float]) -> list[float]:
        """Return the share of such games that have ended after each of these minutes."""
        passed = self._passed()
        over = self._whole_by(passed) if passed else 0.0
        limit = math.inf if self.limit is None else self.limit
        earlier = self.first - passed
        wholes = (1.0 if at >= limit else self._whole_by(at - earlier) for at in minutes)
        return [max(0.0, (whole - over) / (1 - over)) for whole in wholes]

    def _passed(self) -> float:
        return min(self.passed, self._whole_at(_MOST_PASSED)) if self.passed else 0.0

    def _whole_at(self, share: float) -> float:
        z = _NORMAL.inv_cdf(share)
        return float(max(0.0, self.root + z * (self.below if z < 0 else self.above)) ** 3)

    def _whole_by(self, minutes: float) -> float:
        if minutes <= 0:
            return 0.0
        apart: float = minutes ** (1 / 3) - self.root
        return 0.5 + 0.5 * math.erf(apart / (_ROOT_OF_TWO * (self.below if apart < 0 else self.above)))
