"""Forecasts of the ends of games and of their round, with 80 % prediction intervals.

Nobody has measured tournaments: the expected length of games comes from simulated players
(docs/reference/performance.md), and ``python -m bench.rehearsed.prior`` computes it. The hall's own games
correct it: minutes for each turn and length of games are factors relative to rehearsals, estimated on a
logarithmic scale. Games are weighted by their certainty, rehearsals have little weight.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Final

import msgspec

from core.game.play.reshuffles import usual_deck_turns
from core.terms import TableNo
from core.tournament.progress import GameKind, PlayedGame, TableProgress

TURN_MIN: Final = 0.55
"""Minutes for each turn."""
_HELD: Final = 4
"""Average number of cards that a living player holds and has in play."""
NEAR_NOON: Final = 15.0
"""Turns before High Noon within which its effect on the length of a game grows to 63 %."""
_SHORTEST: Final = 0.6
_NARROWEST: Final = 0.2

_BASE, _BY_PLAYERS = 2.14, 0.99
_BY_TURNS, _BY_TURNS_AND_PLAYERS = -0.38, -0.45
_AT_NOON, _AT_NOON_BY_PLAYERS = -0.49, -0.53
_SPREAD, _SPREAD_BY_PLAYERS, _SPREAD_AT_NOON = 0.57, 0.06, -0.35
BELOW: Final = 1.21
ABOVE: Final = 0.80
"""Factors on the spread, below and above the median."""


def root_of_turns(in_play: int, turns: float, to_noon: float) -> float:
    """Return the median of the cube root of the remaining turns. to_noon: infinite without High Noon."""
    size, near = _size(in_play), math.exp(-to_noon / NEAR_NOON)
    by_turns = (_BY_TURNS + _BY_TURNS_AND_PLAYERS * size) * turns / 100
    by_noon = (_AT_NOON + _AT_NOON_BY_PLAYERS * size) * near
    return max(_SHORTEST, _BASE + _BY_PLAYERS * size + by_turns + by_noon)


def spread_of_turns(in_play: int, to_noon: float) -> float:
    """Return the standard deviation of the cube root of the remaining turns."""
    near = math.exp(-to_noon / NEAR_NOON)
    return max(_NARROWEST, _SPREAD + (_SPREAD_BY_PLAYERS + _SPREAD_AT_NOON * near) * _size(in_play))


def turns_to_noon(kind: GameKind, in_play: int, reshuffles: int, turns_since: float) -> float:
    """Return the expected number of turns until High Noon; infinite for a game without it.

    turns_since: turns since the last reshuffle, or since the start.
    """
    if kind.noon_after is None:
        return math.inf
    if reshuffles >= kind.noon_after:
        return in_play / 2
    whole = usual_deck_turns(kind.deck, _HELD * in_play)
    return max(1.0, whole - turns_since) + whole * (kind.noon_after - reshuffles - 1) + in_play / 2


def turns_at_reshuffle(kind: GameKind, reshuffles: int) -> float:
    """Return the usual number of turns played up to a reshuffle."""
    return reshuffles * usual_deck_turns(kind.deck, _HELD * kind.players)


def _size(in_play: int) -> float:
    return math.log(max(2, in_play) - 1)


_HALLS_VARY: Final = 0.25
"""The standard deviation of pace between halls."""
_TABLES_VARY: Final = 0.12
"""The standard deviation of pace between tables of a hall."""
_TURNS_VARY: Final = 0.55
"""The standard deviation of single turns at a table."""
_DECKS_VARY: Final = 0.2
"""The standard deviation of the number of turns between reshuffles."""
_LENGTHS_VARY: Final = 0.15
"""The standard deviation of the usual number of turns between halls."""
_POSSIBLE_TURN_MIN: Final = (0.1, 5.0)


class Estimate(msgspec.Struct, frozen=True):
    """The estimate of a logarithm, with its variance."""

    mean: float
    variance: float

    def combined_with(self, other: "Estimate") -> "Estimate":
        precision = 1 / self.variance + 1 / other.variance
        return Estimate((self.mean / self.variance + other.mean / other.variance) / precision, 1 / precision)

    def widened(self, deviation: float) -> "Estimate":
        return Estimate(self.mean, self.variance + deviation**2)


class HallPace(msgspec.Struct, frozen=True):
    """The pace of play in a hall. length: factor on the turns in rehearsals."""

    turn: Estimate = Estimate(math.log(TURN_MIN), _HALLS_VARY**2)
    length: Estimate = Estimate(0.0, _LENGTHS_VARY**2)

    def turn_at(self, table: TableProgress) -> Estimate:
        """Return the estimated minutes for a turn at a table."""
        observed = _turn_shown(table)
        here = self.turn.widened(_TABLES_VARY)
        return here if observed is None else here.combined_with(observed)


REHEARSED: Final = HallPace()
"""The pace of simulated players."""


def learn_pace(
    played: Iterable[PlayedGame], running: Iterable[TableProgress], over: Iterable[PlayedGame] = ()
) -> HallPace:
    """Return the pace of a hall.

    played: games of earlier rounds.
    running: games of this round in progress.
    over: finished games of this round; as short games end first, they only count for the minutes of a turn.
    """
    turn, length = HallPace().turn, HallPace().length
    for game in played:
        root, variance = _usual_length(game)
        if game.turns and game.is_whole:
            length = length.combined_with(Estimate(math.log(game.turns) - 3 * math.log(root), variance))
        if game.turns:
            turn = turn.combined_with(_minutes_a_turn(game.minutes, game.turns).widened(_TABLES_VARY))
        elif game.is_whole:
            turn_of_game = Estimate(_log_turn(game.minutes / root**3), variance)
            turn = turn.combined_with(turn_of_game.widened(_TABLES_VARY))
    for game in over:
        if game.turns:
            turn = turn.combined_with(_minutes_a_turn(game.minutes, game.turns).widened(_TABLES_VARY))
    for table in running:
        observed = _turn_shown(table)
        if observed is not None:
            turn = turn.combined_with(observed.widened(_TABLES_VARY))
    return HallPace(turn, length)


def _turn_shown(table: TableProgress) -> Estimate | None:
    if not table.is_begun:
        return None
    if table.turns:
        return _minutes_a_turn(table.minutes, table.turns)
    if table.reshuffles:
        turns = turns_at_reshuffle(table.kind, table.reshuffles)
        return Estimate(_log_turn(table.reshuffled_at / turns), _DECKS_VARY**2 / table.reshuffles)
    return None


def _minutes_a_turn(minutes: float, turns: int) -> Estimate:
    return Estimate(_log_turn(minutes / turns), _TURNS_VARY**2 / turns)


def _log_turn(minutes: float) -> float:
    quickest, slowest = _POSSIBLE_TURN_MIN
    return math.log(min(slowest, max(quickest, minutes)))


def _usual_length(game: PlayedGame) -> tuple[float, float]:
    """Return the cube root of a whole game's turns, and nine times the variance of its logarithm."""
    kind = game.kind
    noon = turns_to_noon(kind, kind.players, 0, 0)
    root = root_of_turns(kind.players, 0, noon)
    return root, (3 * spread_of_turns(kind.players, noon) / root) ** 2


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
    """An expected end, in minutes from now. early, late: the 80 % interval."""

    minutes: float
    early: float
    late: float


class RoundForecast(msgspec.Struct, frozen=True):
    """The expected end of a round, the table most likely to finish last, and the chance that it does."""

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


def forecast_new_round(
    kinds: Iterable[GameKind], hall: HallPace, limit: float | None = None
) -> RoundForecast | None:
    """Return the forecast of a round that begins now. limit: its time limit in minutes."""
    tables = (TableProgress(kind, 0.0, in_play=kind.players, limit=limit) for kind in kinds)
    return forecast_round({TableNo(n): remaining_time(table, hall) for n, table in enumerate(tables, 1)})


def _chance_to_be_last(own: Sequence[float], all_over: Sequence[float]) -> float:
    chance = 0.0
    for (before, after), together in zip(pairwise(own), all_over[1:], strict=True):
        if after > before:
            chance += (after - before) * together / after
    return chance


def _minutes_at(share: float, all_over: Sequence[float], most: float) -> float:
    step = bisect_left(all_over, share, lo=1)
    if step == _STEPS:
        return most  # the time limit of the last tables, where there is one
    before, after = all_over[step - 1], all_over[step]
    return most * (step - 1 + (share - before) / (after - before)) / _STEPS
