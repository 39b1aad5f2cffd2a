"""Groups of the 2003 system: the players who play a series together, and the number of games.

A series ends when everybody in a group has been Sheriff once; then groups are drawn again.
Source: Official Score System 2003; several groups: reading D46; a player who leaves: reading D43.
"""

from collections.abc import Iterator, Sequence

import msgspec

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.rule_set import OptionKey
from core.terms import PlayerId
from core.tournament.draw.rounds import group_rounds, group_sizes
from core.tournament.state import Round, TournamentState, Waivers
from core.tournament.state.reasons import TournamentReason

_BOUGHT = (OptionKey.ENLISTMENT, OptionKey.EXPERIENCE)
"""Options with purchases; they need a single group."""


class NextGames(msgspec.Struct, frozen=True):
    """The tables of the next round with several groups. ``series`` is from 1.

    groups: the players of each, in the order of registration; for a new series, one group with everybody, to
        be drawn to tables of these sizes.
    is_new_series: groups are drawn.
    were_sheriff: players who have been Sheriff in this series.
    """

    series: int
    groups: tuple[tuple[PlayerId, ...], ...]
    sizes: tuple[int, ...]
    is_new_series: bool
    were_sheriff: frozenset[PlayerId] = frozenset()


def plays_in_groups(state: TournamentState, edition: Edition) -> bool:
    """Return whether the tournament is played in several groups."""
    if edition.schedule is not Schedule.ONE_GROUP:
        return False
    if state.published_rounds:
        return state.published_rounds[-1].series > 0
    return len(group_sizes(len(state.contenders), edition)) > 1


def next_games(state: TournamentState, edition: Edition) -> NextGames:
    """Return the players of the next round with several groups. Raises Refused if nobody can play.

    Groups stay together within a series; one in which everybody was Sheriff waits for the others.
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
    """Return the number of games of the group, or of the longest one, given the remaining players.

    There is no further series if too few players are left for a table.
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
    """Return the groups of a series, without players who left, by their last tables."""
    seats: dict[PlayerId, tuple[int, int]] = {}
    for drawn in _rounds_of(state, series):
        for number, table in enumerate(drawn.tables):
            seats |= dict.fromkeys(table.players, (number, drawn.round))
    groups: dict[tuple[int, int], list[PlayerId]] = {}
    for entrant in state.contenders:
        if entrant.player in seats:
            groups.setdefault(seats[entrant.player], []).append(entrant.player)
    return tuple(tuple(groups[key]) for key in sorted(groups))


def _sheriffs(state: TournamentState, series: int) -> frozenset[PlayerId]:
    return frozenset(table.players[0] for drawn in _rounds_of(state, series) for table in drawn.tables)


def _turns_left(group: Sequence[PlayerId], sheriffs: frozenset[PlayerId], edition: Edition) -> int:
    """Return how many players of a group have yet to be Sheriff, or 0 for a group too small to play on."""
    if len(group) not in {row.players for row in edition.role_rows}:
        return 0
    return sum(player not in sheriffs for player in group)
