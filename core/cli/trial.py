"""House rules tried out: what nothing forbids and what still looks wrong."""

from collections.abc import Iterator, Mapping

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition, Schedule, TieBreak
from saloon.core.game.events import Ending
from saloon.core.game.setup.roles import Role
from saloon.core.tournament.draw.table_chart import table_sizes

MOST_PLAYERS = 200
"""Tournaments up to this size are tried."""

_WINNERS: Mapping[Ending, frozenset[Role]] = {
    Ending.LAW_WINS: frozenset({Role.SHERIFF, Role.DEPUTY}),
    Ending.OUTLAWS_WIN: frozenset({Role.OUTLAW}),
    Ending.RENEGADE_WINS: frozenset({Role.RENEGADE}),
    Ending.NO_WINNER: frozenset(),
}


def doubts(rules: Edition) -> Iterator[str]:
    """Yield what an organiser should look at again; none of it makes the rules unusable."""
    yield from _unseated(rules)
    yield from _winnings(rules)
    auction = rules.characters.auction
    if auction is not None and rules.start_money < auction.minimum:
        yield (
            f"start_money is {rules.start_money}: nobody can bid in the first round, where bids begin at "
            f"{auction.minimum}"
        )
    useless = {TieBreak.MAROGI, TieBreak.BUCHHOLZ} & {*rules.tie_breaks}
    if rules.schedule is Schedule.ONE_GROUP and useless:
        yield "tie_breaks: in one group everybody meets the same opponents, so these scores decide little"


def _unseated(rules: Edition) -> Iterator[str]:
    if rules.schedule is not Schedule.CHART:
        return
    numbers = range(rules.tables.min_players, MOST_PLAYERS + 1)
    unseated = [players for players in numbers if not _seats(players, rules)]
    if unseated:
        yield (
            f"tables: {len(unseated)} numbers of players up to {MOST_PLAYERS} fit no tables, "
            f"{unseated[0]} is the first"
        )


def _seats(players: int, rules: Edition) -> bool:
    try:
        return bool(table_sizes(players, rules))
    except Refused:
        return False


def _winnings(rules: Edition) -> Iterator[str]:
    for ending, winners in _WINNERS.items():
        paid = {row.role for row in rules.winnings if row.ending is ending and row.pays}
        if winners and not paid & winners:
            yield f"winnings: {ending.value} pays its winners nothing"
        if not winners and paid:
            yield f"winnings: {ending.value} pays somebody although nobody wins"
