"""The number of rounds of a tournament, its table sizes, and the groups of the 2003 system.

A group that plays by itself has one game in each round. Several groups each play a series, which ends when
everybody in a group has been Sheriff once; then groups are drawn again.
Source: Official Score System 2003; several groups: reading D46; a player who leaves: reading D43.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

import msgspec

from base.errors import Refused
from core.editions.edition import FOUR, Edition, Schedule
from core.editions.tables import AboveChart
from core.rule_set import OptionKey
from core.terms import PlayerId
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import TournamentState, Waivers

_LARGEST_GROUP = 7
"""The largest group of the base game; with more players, several groups are formed."""


def printed_rounds(players: int, edition: Edition, *, unofficial: bool = False, cycles: int = 1) -> int:
    """Return the number of rounds that the rules print for a number of players, ignoring waivers.

    unofficial: accept fewer players than the edition does; they play its smallest number of rounds.
    cycles: how often each player of a group is Sheriff.
    Raises Refused for fewer players otherwise, and for a group that doesn't fit a table.
    Source: Championship 2022/23 v1.4, 1 "Tournament rules"; Official Score System 2003; fewer than 10
    players: reading D01.
    """
    if edition.schedule is Schedule.ONE_GROUP:
        return cycles * max(group_sizes(players, edition))
    minimum = edition.tables.min_players
    if players < minimum:
        if not unofficial:
            raise Refused(TournamentReason.BELOW_MINIMUM, players=players, minimum=minimum)
        return edition.rounds[0].rounds
    row = next(row for row in reversed(edition.rounds) if players >= row.players_from)
    return row.rounds


def most_rounds(edition: Edition) -> int | None:
    """Return the largest number of rounds in the chart, or None if groups choose their own."""
    is_chosen = edition.schedule is Schedule.ONE_GROUP
    return None if is_chosen else max(row.rounds for row in edition.rounds)


def planned_rounds(players: int, edition: Edition, waivers: Waivers, *, unofficial: bool = False) -> int:
    """Return the number of rounds planned for a number of players at the start.

    Once the first published draw has fixed it, withdrawals don't change it if tables follow a chart (D04).
    Raises Refused as ``printed_rounds`` does.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers".
    """
    printed = printed_rounds(players, edition, unofficial=unofficial, cycles=waivers.cycles or 1)
    return printed if waivers.rounds is None else min(waivers.rounds, printed)


def group_sizes(players: int, edition: Edition) -> tuple[int, ...]:
    """Return the sizes of the groups: a single one, or several as equal as possible.

    Equal groups are preferred, then groups that differ by one; both as large as the base game allows. Each
    plays as many games in a series as it has players. Raises Refused if no roles fit.
    Source: base game; with the Rebel!: The Rebel!; several groups: reading D46.
    """
    sizes = [row.players for row in edition.role_rows]
    if players in sizes:
        return (players,)
    possible = [
        (size + 1,) * larger + (size,) * (groups - larger)
        for groups in range(2, players // sizes[0] + 1)
        for size, larger in (divmod(players, groups),)
        if {size, size + (larger > 0)} <= set(sizes)
    ]

    def _by_preference(group: tuple[int, ...]) -> tuple[bool, bool, int]:
        are_unequal = group[0] != group[-1]
        is_large = group[0] > _LARGEST_GROUP and not (are_unequal and edition.fewest_groups)
        return are_unequal, is_large, len(group)

    if possible:
        return min(possible, key=_by_preference)
    listed = ", ".join(str(size) for size in sizes)
    raise Refused(TournamentReason.GROUP_SIZE, players=players, allowed=listed)


def table_sizes(players: int, edition: Edition, *, below_minimum: bool = False) -> tuple[int, ...]:
    """Return the sizes of the tables, in the order of the printed row.

    below_minimum: accept fewer players than the chart's first row, because the tournament is unofficial
        (D01) or players left it (D05, D44); they play at one table.
    Raises Refused, with the judge's alternatives, if the players cannot be seated.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; above the last printed row: reading D02.
    """
    if edition.schedule is Schedule.ONE_GROUP:
        return group_sizes(players, edition)
    chart = edition.tables.chart
    if players < chart[0].players:
        if not below_minimum:
            raise Refused(TournamentReason.BELOW_MINIMUM, players=players, minimum=chart[0].players)
        return _one_table(players, edition)
    if players <= chart[-1].players:
        return chart[players - chart[0].players].tables
    match edition.tables.above_chart:
        case AboveChart.FIVES_FIRST:
            return _equal_tables(players, players // edition.printed_sizes[0], edition)
        case AboveChart.FEWEST_TABLES:
            return _equal_tables(players, -(-players // edition.printed_sizes[-1]), edition)
        case _:
            assert_never(edition.tables.above_chart)


def _one_table(players: int, edition: Edition) -> tuple[int, ...]:
    sizes = edition.printed_sizes
    if players in sizes:
        return (players,)
    if edition.tables_of_four and players in {FOUR, FOUR + FOUR, FOUR + FOUR + 1}:
        return (players,) if players == FOUR else (players - FOUR, FOUR)
    if players < sizes[0]:
        raise Refused(TournamentReason.TOO_FEW_FOR_A_TABLE, players=players, smallest=sizes[0])
    raise Refused(TournamentReason.NO_TABLES, players=players, smallest=sizes[0], largest=sizes[-1])


def _equal_tables(players: int, tables: int, edition: Edition) -> tuple[int, ...]:
    smallest, largest = edition.printed_sizes[0], edition.printed_sizes[-1]
    size, larger = divmod(players, tables)
    if size < smallest or size + (larger > 0) > largest:
        raise Refused(TournamentReason.NO_TABLES, players=players, smallest=smallest, largest=largest)
    return (size + 1,) * larger + (size,) * (tables - larger)


_BOUGHT = (OptionKey.ENLISTMENT, OptionKey.EXPERIENCE)
"""Options with purchases, which only work in a single group."""


class NextGames(msgspec.Struct, frozen=True):
    """The groups that play the next round, if there are several.

    series: its number, from 1.
    groups: each in the order of registration; a new series has a single one, which is drawn to the tables.
    were_sheriff: the players who have been Sheriff in this series.
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
    """Return the groups that play the next round. Raises Refused if nobody can play.

    Groups stay together within a series; one in which everybody has been Sheriff waits for the others.
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
    """Return the number of games of the only group, or the most of any group, given the remaining players.

    A group plays the games already drawn, and one for each turn as Sheriff still missing. If a player leaves,
    the games in which they would have been Sheriff are dropped, and the rest stays balanced. There is no
    further series if too few players are left for a table.
    Source: Official Score System 2003; reading D43.
    """
    played, cycles = len(state.published_rounds), waivers.cycles or 1
    if plays_in_groups(state, edition):
        series = _series(state)
        sheriffs = _sheriffs(state, series)
        left = [_turns_left(group, sheriffs, edition) for group in _groups(state, series)]
        try:
            longest = max(group_sizes(len(state.contenders), edition))
        except Refused:
            longest = 0
        whole = played + max(left, default=0) + max(0, cycles - series) * longest
    else:
        whole = played + sum(max(cycles - len(one.sheriff_in), 0) for one in state.contenders)
    return whole if waivers.rounds is None else max(min(waivers.rounds, whole), played)


def _series(state: TournamentState) -> int:
    return state.published_rounds[-1].series if state.published_rounds else 0


def _rounds_of(state: TournamentState, series: int) -> Iterator[Round]:
    return (drawn for drawn in state.published_rounds if drawn.series == series)


def _groups(state: TournamentState, series: int) -> tuple[tuple[PlayerId, ...], ...]:
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
    if len(group) not in {row.players for row in edition.role_rows}:
        return 0
    return sum(player not in sheriffs for player in group)
