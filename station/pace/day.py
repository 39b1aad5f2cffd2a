"""Forecast how long a day's rounds, duels and breaks take, from those of the day so far and the edition.

Lengths are estimated on a logarithmic scale, like the pace of a hall in ``core.tournament.forecast``. Nobody
has measured breaks or duels: before the day's first ones, they are assumed.
"""

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.terms import DuelPart, RoundNo
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import PublishDraw
from core.tournament.finals import BeginDuels
from core.tournament.forecast import REHEARSED, Estimate, HallPace, forecast_new_round, root_of_turns
from core.tournament.progress import game_kind
from core.tournament.sheets import AcceptResult

_NORMAL: Final = 1.28
"""Standard deviations on either side of an 80 % interval."""
_ROUNDS_VARY: Final = 0.15
"""The least standard deviation of the rounds of one day."""
_OTHERS_VARY: Final = 0.35
"""The standard deviation of breaks and duels of one day."""
_DUEL_ENDINGS: Final = 7
"""Characters eliminated in a duel, of which each player has five or more."""
_BREAK_MIN: Final = 10.0
_LONGEST_MIN: Final = 300.0
"""The length from which a part or a break goes on until the next day."""
_STEP_MIN: Final = 5


class MinutesRange(msgspec.Struct, frozen=True):
    """An 80 % interval, rounded outwards to five minutes."""

    early: int
    late: int


class PartLength(msgspec.Struct, frozen=True):
    """The expected length of a part of the day.

    unsure: the relative error of the estimate, which all parts of the day share.
    varies: the relative deviation of single parts.
    """

    minutes: float
    unsure: float
    varies: float

    def without(self, passed: float) -> "PartLength":
        """Return what remains of a part after some minutes; one that is overdue may end at any moment."""
        left = max(self.minutes - passed, self.minutes * self.varies)
        return PartLength(left, self.unsure * self.minutes / left, self.varies * self.minutes / left)


def total(*kinds: Sequence[PartLength]) -> MinutesRange | None:
    """Return how long parts take one after the other, or None if there are none.

    kinds: the rounds, the duels and the breaks; parts of one kind share the error of their estimate.
    """
    parts = [part for kind in kinds for part in kind]
    if not parts:
        return None
    middle = sum(part.minutes for part in parts)
    shared = (sum(part.minutes * part.unsure for part in kind) for kind in kinds)
    spread = _NORMAL * math.hypot(*shared, *(part.minutes * part.varies for part in parts))
    early = _STEP_MIN * math.floor(max(middle - spread, middle / 2) / _STEP_MIN)
    return MinutesRange(max(_STEP_MIN, early), _STEP_MIN * math.ceil((middle + spread) / _STEP_MIN))


class MeasuredDay(msgspec.Struct, frozen=True):
    """The minutes that rounds, breaks and duels of a tournament took so far.

    running_since: when the last part was published, if it isn't over.
    """

    rounds: tuple[float, ...] = ()
    breaks: tuple[float, ...] = ()
    duels: tuple[float, ...] = ()
    running_since: dt.datetime | None = None


def measure(steps: Iterable[TournamentStep], *, is_playing: bool) -> MeasuredDay:
    """Return the lengths of a day's parts from its steps that count.

    is_playing: whether the last part isn't over.
    """
    parts: list[tuple[RoundNo | DuelPart, dt.datetime, dt.datetime]] = []
    for step in steps:
        at = dt.datetime.fromisoformat(step.at)
        for event in step.events:
            if isinstance(event, PublishDraw):
                parts.append((event.round, at, at))
            elif isinstance(event, BeginDuels) and event.part is not DuelPart.TIE_BREAK:
                parts.append((event.part, at, at))
            elif isinstance(event, AcceptResult) and parts:
                parts[-1] = (*parts[-1][:2], at)
    over = parts[:-1] if is_playing else parts
    spans = [(part, (end - begin).total_seconds() / 60) for part, begin, end in over]
    gaps = [(two[1] - one[2]).total_seconds() / 60 for one, two in pairwise(parts)]
    return MeasuredDay(
        tuple(span for part, span in spans if not isinstance(part, DuelPart) and 0 < span < _LONGEST_MIN),
        tuple(gap for gap in gaps if 0 < gap < _LONGEST_MIN),
        tuple(span for part, span in spans if isinstance(part, DuelPart) and 0 < span < _LONGEST_MIN),
        parts[-1][1] if parts and is_playing else None,
    )


class DayLengths(msgspec.Struct, frozen=True):
    """The expected lengths of a coming round, duel and break."""

    round: PartLength
    duel: PartLength
    pause: PartLength

    def day(self, rounds: int, duels: int, running: PartLength | None = None) -> MinutesRange | None:
        """Return how long these rounds and duels take with the breaks before them, after a running part."""
        now, breaks = ([] if running is None else [running]), rounds + duels - (running is None)
        return total([*now, *[self.round] * rounds], [self.duel] * duels, [self.pause] * breaks)


def day_lengths(
    sizes: Sequence[int],
    edition: Edition,
    limit: int | None = None,
    hall: HallPace = REHEARSED,
    measured: MeasuredDay | None = None,
) -> DayLengths | None:
    """Return the expected lengths for tables of these sizes, or None without tables.

    limit: the time limit of a round in minutes.
    hall: by default the pace of simulated players, as no games have been measured.
    """
    known = measured or MeasuredDay()
    forecast = forecast_new_round([game_kind(size, edition) for size in sizes], hall, limit)
    if forecast is None:
        return None
    end = forecast.end
    deviation, unsure = (
        math.log(end.late / end.early) / 2 / _NORMAL,
        hall.turn.variance + hall.length.variance,
    )
    varies = math.sqrt(max(_ROUNDS_VARY**2, deviation**2 - unsure))
    duel = _DUEL_ENDINGS * root_of_turns(2, 0.0, math.inf) ** 3 * math.exp(hall.turn.mean)
    return DayLengths(
        _expect(end.minutes, math.sqrt(unsure), varies, known.rounds),
        _expect(duel, _OTHERS_VARY, _OTHERS_VARY, known.duels),
        _expect(_BREAK_MIN, _OTHERS_VARY, _OTHERS_VARY, known.breaks),
    )


def _expect(minutes: float, unsure: float, varies: float, measured: Iterable[float]) -> PartLength:
    mean = Estimate(math.log(minutes), unsure**2)
    for one in measured:
        mean = mean.combined_with(Estimate(math.log(max(1.0, one)), varies**2))
    return PartLength(math.exp(mean.mean), math.sqrt(mean.variance), varies)
