"""The number of rounds of a tournament, and its table sizes.

A group that plays by itself has one game in each round.
"""

from collections.abc import Iterable
from typing import assert_never

from base.errors import Refused
from core.editions.edition import FOUR, Edition, Schedule
from core.editions.tables import AboveChart
from core.tournament.state import Waivers
from core.tournament.state.reasons import TournamentReason

_LARGEST_GROUP = 7
"""The largest group of the base game; with more players, several groups are formed."""


def printed_rounds(players: int, edition: Edition, *, unofficial: bool = False, cycles: int = 1) -> int:
    """Return the number of rounds for a number of players at the start, ignoring waivers.

    unofficial: fewer players than the edition allows are accepted; they play its smallest number of rounds.
    cycles: times that each player of a group is Sheriff.
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
    match edition.schedule:
        case Schedule.CHART:
            return max(row.rounds for row in edition.rounds)
        case Schedule.ONE_GROUP:
            return None


def planned_rounds(players: int, edition: Edition, waivers: Waivers, *, unofficial: bool = False) -> int:
    """Return the number of rounds planned for a number of players at the start.

    If tables follow a chart, withdrawals do not change it (D04); it is fixed by the first published draw.
    Raises Refused as ``printed_rounds`` does.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers".
    """
    printed = printed_rounds(players, edition, unofficial=unofficial, cycles=waivers.cycles or 1)
    return printed if waivers.rounds is None else min(waivers.rounds, printed)


def group_rounds(played: int, times_sheriff: Iterable[int], waivers: Waivers) -> int:
    """Return the number of games of a group: those drawn, and one for each turn as Sheriff still missing.

    ``times_sheriff`` is how often each remaining player was Sheriff. If a player leaves, the games in which
    they would have been Sheriff are dropped, and the rest stays balanced.
    Source: Official Score System 2003; reading D43.
    """
    cycles = waivers.cycles or 1
    whole = played + sum(max(cycles - times, 0) for times in times_sheriff)
    return whole if waivers.rounds is None else max(min(waivers.rounds, whole), played)


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
    """Return the sizes of the tables by their number, in the order of the printed row.

    below_minimum: fewer players than the chart's first row are accepted, because the tournament is
    unofficial (D01) or players left it (D05, D44); they play at one table, as does a single group.
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
    """Return one table, or two, at least one of them of 4, if the judge has allowed that (D44)."""
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
