"""The default configuration of a demonstration: an edition, its options and its players."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.rule_set import OptionKey, RuleSet
from core.tournament.draw.rounds import table_sizes

PLAYERS = Path(__file__).with_name("players-27.csv")
REBEL = "rebel"
_COUNTS = {"championship-2022": 27, "championship-2010": 22}
_ONE_GROUP = 5
_ONE_GROUP_WITH_REBEL = 10
_MOST_PLAYERS = 400


@dataclass(frozen=True)
class Plan:
    """A tournament to be played.

    options: keys of the edition's options.
    players: CSV file of players.
    count: how many players of the file to register; if the file is shorter, guests are added.
    """

    edition: str
    options: tuple[str, ...]
    players: Path
    count: int

    def player_list(self) -> bytes:
        """Return a CSV file of the players to register."""
        rows = list(csv.reader(io.StringIO(self.players.read_text(encoding="utf-8-sig"))))
        text = io.StringIO()
        listed = rows[: self.count + 1]
        guests = [[f"Guest {n}", "Saloon"] for n in range(len(listed), self.count + 1)]
        csv.writer(text).writerows([*listed, *guests])
        return text.getvalue().encode()


def plan(edition: str, options: tuple[str, ...], players: Path | None, count: int | None) -> Plan:
    """Return a plan, with defaults for missing players or a missing count.

    Raises BadData if the edition is unknown or doesn't offer an option.
    """
    rules_of(RuleSet(edition, tuple(OptionKey(option) for option in options)))
    if count is None and players is None:
        one_group = _ONE_GROUP_WITH_REBEL if REBEL in options else _ONE_GROUP
        count = _COUNTS.get(edition, one_group)
    listed = players or PLAYERS
    everybody = len(listed.read_text(encoding="utf-8-sig").splitlines()) - 1
    return Plan(edition, options, listed, everybody if count is None else min(count, everybody))


def plan_for_tables(
    key: str, options: tuple[str, ...], tables: int, listed: Path | None = None, count: int | None = None
) -> Plan:
    """Return a plan with the fewest players that fill this number of tables.

    listed: CSV file of players.
    count: number of players to use instead.
    Raises BadData if the edition can't fill this number of tables, or if ``count`` players need another
    number.
    """
    rules = rules_of(RuleSet(key, tuple(OptionKey(option) for option in options)))
    if count is not None:
        needed = _tables_of(count, rules)
        if needed != tables:
            fits = f"sits at {needed} tables: give --virtual {needed}" if needed else "cannot be seated"
            raise BadData("--count", f"a tournament of {count} {fits}, or leave --count out")
        return Plan(key, options, listed or PLAYERS, count)
    for players in range(2, _MOST_PLAYERS):
        if _tables_of(players, rules) == tables:
            return Plan(key, options, listed or PLAYERS, players)
    possible = sorted({_tables_of(players, rules) for players in range(2, _MOST_PLAYERS)} - {0})
    nearest = min(possible, key=lambda count: abs(count - tables))
    raise BadData("--virtual", f"{rules.title} seats nobody at {tables} tables; try {nearest}")


def _tables_of(players: int, rules: Edition) -> int:
    try:
        return len(table_sizes(players, rules))
    except Refused:
        return 0
