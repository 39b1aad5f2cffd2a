"""Groups of the 2003 system: who plays a series of games together, and how many games there are.

A series ends when everybody of a group has been Sheriff once in it; groups are drawn again for the next one.
Source: Official Score System 2003; several groups: reading D46; a player who leaves: reading D43.
"""

from collections.abc import Iterator, Sequence

import msgspec

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition, Schedule
from saloon.core.rule_set import OptionKey
from saloon.core.terms import PlayerId
from saloon.core.tournament.draw.rounds import group_rounds, group_sizes
from saloon.core.tournament.events import Waivers
from saloon.core.tournament.reasons import TournamentReason
from saloon.core.tournament.state import Round, TournamentState

_BOUGHT = (OptionKey.ENLISTMENT, OptionKey.EXPERIENCE)
"""Options with purchases that belong to one table."""


class NextGames(msgspec.Struct, frozen=True):
    """The tables of the next round of several groups. series: from 1.

    groups: the players of each, in the order of registration; of a new series, one group of all, to be drawn
    to tables of these sizes. is_new_series: the groups themselves are drawn. were_sheriff: players who have
    been Sheriff in this series.
    """

    series: int
    groups: tuple[tuple[PlayerId, ...], ...]
    sizes: tuple[int, ...]
    is_new_series: bool
    were_sheriff: frozenset[PlayerId] = frozenset()


def plays_in_groups(state: TournamentState, edition: Edition) -> bool:
    """Return whether the players are, or will be, several groups."""
    if edition.schedule is not Schedule.ONE_GROUP:
        return False
    if state.published_rounds:
        return state.published_rounds[-1].series > 0
    return len(group_sizes(len(state.contenders), edition)) > 1


def next_games(state: TournamentState, edition: Edition) -> NextGames:
    """Return who plays in the next round of several groups. Raises Refused if nobody can.

    Within a series, groups stay together; one in which everybody was Sheriff waits for the others.
    """
    for option in _BOUGHT:
        if option in edition.chosen:
            raise Refused(TournamentReason.OPTION_OF_ONE_GROUP, option=option)
    everybody = tuple(entrant.player for entrant in state.contenders)
    series = _series(state)
    if series:
        groups, sheriffs = _groups(state, series), _sheriffs(state, series)
        playing = tuple(group for group in groups if _turns_left(group, sheriffs, edition))
        if playing:
            return NextGames(
                series, playing, tuple(map(len, playing)), is_new_series=False, were_sheriff=sheriffs
            )
    sizes = group_sizes(len(everybody), edition)
    return NextGames(series + 1, (everybody,), sizes, is_new_series=True)


def games_of_groups(state: TournamentState, edition: Edition, waivers: Waivers) -> int:
    """Return the total games of a group, or of the longest of several, with those who are in now.

    There is no further series when too few players are left for a table.
    """
    played, cycles = len(state.published_rounds), waivers.cycles or 1
    if not plays_in_groups(state, edition):
        return group_rounds(played, (len(one.sheriff_in) for one in state.contenders), waivers)
    series = _series(state)
    sheriffs = _sheriffs(state, series)
    left = [_turns_left(group, sheriffs, edition) for group in _groups(state, series)]
    try:
        longest = max(group_sizes(len(state.contenders), edition))
    except Refused:
        longest = 0
    whole = played + max(left, default=0) + max(0, cycles - series) * longest
    return whole if waivers.rounds is None else max(min(waivers.rounds, whole), played)


def _series(state: TournamentState) -> int:
    return state.published_rounds[-1].series if state.published_rounds else 0


def _rounds_of(state: TournamentState, series: int) -> Iterator[Round]:
    return (drawn for drawn in state.published_rounds if drawn.series == series)


def _groups(state: TournamentState, series: int) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the groups of a series, without those who left, by their last table in it."""
    seats: dict[PlayerId, tuple[int, int]] = {}
    for drawn in _rounds_of(state, series):
        for number, table in enumerate(drawn.tables):
            seats |= dict.fromkeys(table.players, (number, drawn.round))
    found: dict[tuple[int, int], list[PlayerId]] = {}
    for entrant in state.contenders:
        if entrant.player in seats:
            found.setdefault(seats[entrant.player], []).append(entrant.player)
    return tuple(tuple(found[key]) for key in sorted(found))


def _sheriffs(state: TournamentState, series: int) -> frozenset[PlayerId]:
    return frozenset(table.players[0] for drawn in _rounds_of(state, series) for table in drawn.tables)


def _turns_left(group: Sequence[PlayerId], sheriffs: frozenset[PlayerId], edition: Edition) -> int:
    """Return how many of a group are still to be Sheriff; 0 for one too small to play on."""
    if len(group) not in {row.players for row in edition.role_rows}:
        return 0
    return sum(player not in sheriffs for player in group)
