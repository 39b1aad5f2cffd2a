"""Forecasts of the ends of games and of their round, with 80 % prediction intervals."""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Final

import msgspec

from core.terms import TableNo
from core.tournament.pace.hall_pace import HallPace
from core.tournament.pace.prior import ABOVE, BELOW, root_of_turns, spread_of_turns, turns_to_noon
from core.tournament.pace.progress import TableProgress

_EARLY, _LATE = 0.075, 0.925
_EARLY_OF_ROUND, _LATE_OF_ROUND = 0.09, 0.92
_STEPS: Final = 50
_SURE: Final = 0.9995
_NORMAL: Final = NormalDist()
_ROOT_OF_TWO: Final = math.sqrt(2)
_MOST_PASSED: Final = 0.98
"""Upper limit of the share of games that ended by now, as even the longest game takes a little longer."""


class RemainingTime(msgspec.Struct, frozen=True):
    """The minutes until a game ends. Their cube root is nearly normally distributed.

    root: the median of the cube root.
    below, above: its standard deviations on either side.
    first: minutes until the game begins.
    passed: minutes since then, if nothing else is known.
    limit: minutes to the time limit that ends the game, or None if there is no limit.
    """

    root: float
    below: float
    above: float
    first: float = 0.0
    passed: float = 0.0
    limit: float | None = None

    def minutes_at(self, share: float) -> float:
        """Return the quantile: minutes by which this share of such games have ended, 0 < share < 1."""
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


class Forecast(msgspec.Struct, frozen=True):
    """An expected end, in minutes from now. ``early`` and ``late`` are the 80 % interval."""

    minutes: float
    early: float
    late: float


class RoundForecast(msgspec.Struct, frozen=True):
    """The expected end of a round.

    last: the table most likely to finish last.
    chance: its probability.

    ``tables`` are all that are still playing.
    """

    end: Forecast
    last: TableNo
    chance: float
    tables: Mapping[TableNo, Forecast]


def remaining_time(table: TableProgress, hall: HallPace) -> RemainingTime:
    """Return the remaining time of a game, from the pace of the hall and of its table."""
    kind, pace = table.kind, hall.turn_at(table)
    turn = math.exp(pace.mean)
    in_play = kind.players if table.in_play is None else table.in_play
    is_known = table.is_begun and table.in_play is not None
    turns = (table.turns or table.minutes / turn) if is_known else 0.0
    since = table.turns_since if table.turns else (table.minutes - table.reshuffled_at) / turn
    noon = (
        0.0 if table.is_noon else turns_to_noon(kind, in_play, table.reshuffles, since if is_known else 0.0)
    )
    limit = table.limit
    if limit is not None and not kind.is_ended_by_limit:
        noon, limit = min(noon, max(0.0, limit) / turn), None
    longer = math.exp(hall.length.mean / 3)
    root = root_of_turns(in_play, turns / longer**3, noon) * longer
    # Minutes are turns times turn length, so their cube root is the product of both cube roots.
    unsure = root * math.sqrt(pace.variance + hall.length.variance) / 3
    spread = math.hypot(spread_of_turns(in_play, noon), unsure) * turn ** (1 / 3)
    has_started = table.is_begun or table.in_play is None
    return RemainingTime(
        root=root * turn ** (1 / 3),
        below=spread * BELOW,
        above=spread * ABOVE,
        first=0.0 if has_started else max(1.0, kind.setup - table.minutes),
        passed=0.0 if table.in_play is not None else max(0.0, table.minutes - kind.setup),
        limit=limit,
    )


def forecast_table(left: RemainingTime) -> Forecast:
    return Forecast(left.minutes_at(0.5), left.minutes_at(_EARLY), left.minutes_at(_LATE))


def forecast_round(tables: Mapping[TableNo, RemainingTime]) -> RoundForecast | None:
    """Return the forecast for the tables still playing, or None if there are none."""
    if not tables:
        return None
    forecasts = {table: forecast_table(left) for table, left in tables.items()}
    # Ignore tables that will almost certainly finish before the slowest ones.
    least = max(forecast.minutes for forecast in forecasts.values())
    sure = {table: left.minutes_at(_SURE) for table, left in tables.items()}
    late = {table: left for table, left in tables.items() if sure[table] >= least}
    most = max(sure.values())
    steps = [most * step / _STEPS for step in range(1, _STEPS + 1)]
    shares = {table: [0.0, *left.shares_by(steps[:-1]), 1.0] for table, left in late.items()}
    all_over = [math.prod(at) for at in zip(*shares.values(), strict=True)]
    chances = {table: _chance_to_be_last(own, all_over) for table, own in shares.items()}
    last = max(chances, key=lambda table: (chances[table], -table))
    early, half, end = (
        _minutes_at(share, all_over, most) for share in (_EARLY_OF_ROUND, 0.5, _LATE_OF_ROUND)
    )
    return RoundForecast(Forecast(half, early, end), last, chances[last] / sum(chances.values()), forecasts)


def _chance_to_be_last(own: Sequence[float], all_over: Sequence[float]) -> float:
    """Return the probability that a table ends last. ``own`` is its share that has ended at each step."""
    chance = 0.0
    for (before, after), together in zip(pairwise(own), all_over[1:], strict=True):
        if after > before:
            chance += (after - before) * together / after
    return chance


def _minutes_at(share: float, all_over: Sequence[float], most: float) -> float:
    """Return the minutes at which this share of such rounds has ended."""
    step = bisect_left(all_over, share, lo=1)
    if step == _STEPS:
        return most  # the time limit of the last tables, where there is one
    before, after = all_over[step - 1], all_over[step]
    return most * (step - 1 + (share - before) / (after - before)) / _STEPS
