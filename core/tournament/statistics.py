"""Statistics of a tournament: wins by role, seat, size and character, with intervals; game lengths."""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame, finished_outcome
from core.game.ending.winnings import winnings
from core.terms import Ending, Role
from core.tournament.progress import PlayedGame
from core.tournament.state.tournament import TournamentState

_Key = TypeVar("_Key", bound=Hashable)
_Z: Final = 1.959964
"""The quantile of the normal distribution for a 95% interval."""


class Rate(msgspec.Struct, frozen=True):
    """The number of wins in a number of games, and the total winnings in dollars."""

    wins: int
    games: int
    dollars: int = 0

    @property
    def share(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson score interval (J. Am. Stat. Assoc. 22, 1927, p. 209), valid for few games too."""
        if not self.games:
            return 0.0, 1.0
        n, share = self.games, self.share
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        # Rounding must not exclude the share itself.
        return min(max(0.0, middle - half), share), max(min(1.0, middle + half), share)

    @property
    def mean_dollars(self) -> int:
        return round(self.dollars / self.games) if self.games else 0


class Statistics(msgspec.Struct, frozen=True):
    """Counts of wins and dollars in accepted games; seat 1 is the Sheriff's.

    by_size: wins of the Sheriff's side by number of players.
    by_character: wins by character, where recorded.
    """

    games: int
    by_role: Mapping[Role, Rate]
    by_seat: Mapping[int, Rate]
    by_size: Mapping[int, Rate]
    by_character: Mapping[Character, Rate]
    endings: Mapping[Ending, int]


class Lengths(msgspec.Struct, frozen=True):
    """The minutes of several games, without pauses. low, high: the interquartile range."""

    games: int
    shortest: float
    low: float
    middle: float
    high: float
    longest: float


class PlayedStatistics(msgspec.Struct, frozen=True):
    """Statistics of games as recorded by terminals, by number of players.

    lengths: only of games that ended by eliminations.
    high_noon: how many games reached High Noon, if the rules have one.
    """

    games: int
    lengths: Mapping[int, Lengths]
    high_noon: Mapping[int, Rate]


def played_statistics(games: Sequence[PlayedGame]) -> PlayedStatistics:
    """Return the lengths and High Noon rates of recorded games."""
    sizes = sorted({game.kind.players for game in games})
    lengths, noons = {}, {}
    for size in sizes:
        same = [game for game in games if game.kind.players == size]
        minutes = sorted(game.minutes for game in same if game.is_whole)
        if minutes:
            lengths[size] = _lengths(minutes)
        with_noon = [game.had_noon for game in same if game.kind.noon_after is not None]
        if with_noon:
            noons[size] = Rate(sum(with_noon), len(with_noon))
    return PlayedStatistics(len(games), lengths, noons)


def _lengths(minutes: Sequence[float]) -> Lengths:
    # Quantiles need at least two values, so a single one is doubled.
    low, middle, high = statistics.quantiles(
        minutes if len(minutes) > 1 else [*minutes, *minutes], method="inclusive"
    )
    return Lengths(len(minutes), minutes[0], low, middle, high, minutes[-1])


class _SeatResult(msgspec.Struct, frozen=True):
    role: Role
    seat: int
    size: int
    character: Character | None
    won: bool
    dollars: int


def statistics_of(state: TournamentState, edition: Edition) -> Statistics:
    """Return the statistics of all accepted sheets of the rounds, without duels."""
    games = [sheet.result for drawn in state.published_rounds for sheet in drawn.sheets]
    seats = [seat for game in games for seat in _seats(game, edition)]
    endings: dict[Ending, int] = defaultdict(int)
    for game in games:
        endings[game.ending] += 1
    return Statistics(
        games=len(games),
        by_role=_rates(seats, lambda seat: seat.role, tuple(Role)),
        by_seat=_rates(seats, lambda seat: seat.seat, range(1, 11)),
        by_size=_rates([seat for seat in seats if seat.seat == 1], lambda seat: seat.size, range(3, 11)),
        by_character=_rates(seats, lambda seat: seat.character, tuple(Character)),
        endings={ending: endings[ending] for ending in Ending if endings[ending]},
    )


def _seats(game: FinishedGame, edition: Edition) -> Iterator[_SeatResult]:
    winners, payout = finished_outcome(game, edition).winners, winnings(game, edition)
    for seat, role in enumerate(game.roles, 1):
        character = game.characters[seat - 1] if game.characters else None
        won, dollars = seat in winners, int(payout[seat - 1])
        yield _SeatResult(role, seat, len(game.players), character, won, dollars)


def _rates(
    seats: Iterable[_SeatResult], key_of: Callable[[_SeatResult], _Key | None], order: Iterable[_Key]
) -> Mapping[_Key, Rate]:
    groups: dict[_Key, list[_SeatResult]] = defaultdict(list)
    for seat in seats:
        key = key_of(seat)
        if key is not None:
            groups[key].append(seat)
    return {
        key: Rate(
            sum(one.won for one in groups[key]), len(groups[key]), sum(one.dollars for one in groups[key])
        )
        for key in order
        if key in groups
    }
