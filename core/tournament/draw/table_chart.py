"""Table sizes for a number of players."""

from typing import assert_never

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition, Schedule
from saloon.core.editions.tables import AboveChart
from saloon.core.tournament.draw.rounds import check_group
from saloon.core.tournament.reasons import TournamentReason


def table_sizes(players: int, edition: Edition, *, below_minimum: bool = False) -> tuple[int, ...]:
    """Return the sizes of the tables by their number, in the order of the printed row.

    below_minimum: fewer players than the chart's first row are accepted, because the tournament is
    unofficial (D01) or players left it (D05); they sit at one table. A group that plays by itself
    always does.
    Raises Refused where the players cannot be seated, and says what the judge may do.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; above the last printed row: reading D02.
    """
    if edition.schedule is Schedule.ONE_GROUP:
        check_group(players, edition)
        return (players,)
    chart = edition.tables.chart
    if players < chart[0].players:
        if not below_minimum:
            raise Refused(TournamentReason.BELOW_MINIMUM, players=players, minimum=chart[0].players)
        return _one_table(players, edition)
    if players <= chart[-1].players:
        return chart[players - chart[0].players].tables
    match edition.tables.above_chart:
        case AboveChart.FIVES_FIRST:
            return _smallest_tables(players, edition)
        case _:
            assert_never(edition.tables.above_chart)


def _one_table(players: int, edition: Edition) -> tuple[int, ...]:
    sizes = edition.tables.sizes
    if players in sizes:
        return (players,)
    if players < sizes[0]:
        raise Refused(TournamentReason.TOO_FEW_FOR_A_TABLE, players=players, smallest=sizes[0])
    raise Refused(TournamentReason.NO_TABLES, players=players, smallest=sizes[0], largest=sizes[-1])


def _smallest_tables(players: int, edition: Edition) -> tuple[int, ...]:
    smallest, largest = edition.tables.sizes[0], edition.tables.sizes[-1]
    tables = players // smallest
    size, larger = divmod(players, tables)
    if size + (larger > 0) > largest:
        raise Refused(TournamentReason.NO_TABLES, players=players, smallest=smallest, largest=largest)
    return (size + 1,) * larger + (size,) * (tables - larger)
