"""The tournament of a demonstration, and the configuration of a rehearsal."""

import csv
import io
import itertools
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import edition, rules_of
from core.rule_set import OptionKey, RuleSet
from core.tournament.draw.rounds import table_sizes

PLAYERS = Path(__file__).with_name("players-27.csv")
MOST_TABLES: Final = 50
"""The most tables of a rehearsal."""
_COUNTS = {"championship-2022": 27, "championship-2010": 22}
_ONE_GROUP = 5
_ONE_GROUP_WITH_REBEL = 10
_MOST_PLAYERS = 400
_MOST_AT_A_TABLE: Final = 10
_FIRST: Final = (
    "Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana", "Karel", "Lucia",
    "Marek", "Nora", "Otto", "Petra", "Quirin", "Rosa", "Simon", "Teresa",
)  # fmt: skip
_LAST: Final = (
    "Alba", "Bassi", "Conti", "Dvořák", "Esposito", "Ferri", "Greco", "Huber", "Ivanić", "Janda", "Kovář",
    "Leone", "Moretti", "Novák", "Orsi", "Pospíšil", "Rinaldi", "Serra", "Tichý", "Urban",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """A tournament to be played.

    options: keys of the edition's options.
    players: CSV file of players.
    count: number of players to register. If the file is shorter, guests are added.
    """

    edition: str
    options: tuple[str, ...]
    players: Path
    count: int

    def player_list(self) -> bytes:
        """Return the players to register as a CSV file."""
        rows = list(csv.reader(io.StringIO(self.players.read_text(encoding="utf-8-sig"))))
        text = io.StringIO()
        listed = rows[: self.count + 1]
        guests = [[f"Guest {n}", "Saloon"] for n in range(len(listed), self.count + 1)]
        csv.writer(text).writerows([*listed, *guests])
        return text.getvalue().encode()


def plan(edition: str, options: tuple[str, ...], players: Path | None, count: int | None) -> Plan:
    """Return a plan, with default players and a default number of them.

    Raises BadData if the edition is unknown or doesn't offer an option.
    """
    rules_of(RuleSet(edition, tuple(OptionKey(option) for option in options)))
    if count is None and players is None:
        one_group = _ONE_GROUP_WITH_REBEL if OptionKey.REBEL.value in options else _ONE_GROUP
        count = _COUNTS.get(edition, one_group)
    listed = players or PLAYERS
    everybody = len(listed.read_text(encoding="utf-8-sig").splitlines()) - 1
    return Plan(edition, options, listed, everybody if count is None else min(count, everybody))


def plan_for_tables(
    key: str, options: tuple[str, ...], tables: int, listed: Path | None = None, count: int | None = None
) -> Plan:
    """Return a plan for a number of tables, by default with as few players as possible.

    listed: CSV file of players.
    Raises BadData if the players can't be seated at this number of tables.
    """
    rules = rules_of(RuleSet(key, tuple(OptionKey(option) for option in options)))
    if count is not None:
        needed = _tables_of(count, rules)
        if needed != tables:
            fits = f"sits at {needed} tables: give --virtual {needed}" if needed else "cannot be seated"
            raise BadData("--count", f"a tournament of {count} {fits}, or leave --count out")
        return Plan(key, options, listed or PLAYERS, count)
    players = _fewest_players(tables, rules, range(2, _MOST_PLAYERS))
    if players is not None:
        return Plan(key, options, listed or PLAYERS, players)
    possible = sorted({_tables_of(players, rules) for players in range(2, _MOST_PLAYERS)} - {0})
    nearest = min(possible, key=lambda count: abs(count - tables))
    raise BadData("--virtual", f"{rules.title} seats nobody at {tables} tables; try {nearest}")


def _fewest_players(tables: int, rules: Edition, numbers: Iterable[int]) -> int | None:
    return next((players for players in numbers if _tables_of(players, rules) == tables), None)


def _tables_of(players: int, rules: Edition) -> int:
    try:
        return len(table_sizes(players, rules))
    except Refused:
        return 0


class RehearsalPlan(msgspec.Struct, frozen=True):
    """The configuration of a rehearsal.

    serial: number of tables on serial lines.
    spares: number of replacement terminals.
    speed: speed of the players, compared with people.
    per_hour: rate of random faults in the whole hall.
    judges_confirm: judges confirm record sheets; otherwise players do, with their terminal's PIN.
    auto: a simulated judge does everything.
    reacts_after_s: delay between a visible fault and that judge's reaction.
    rounds: number of rounds to play, or 0 for no limit.
    host: address for the station's pages.
    """

    tables: int
    edition: str = "championship-2022"
    serial: int = 2
    spares: int = 2
    speed: float = 1.0
    per_hour: float = 0.0
    seed: int = 1
    judges_confirm: bool = True
    auto: bool = False
    reacts_after_s: float = 20.0
    rounds: int = 0
    host: str = "127.0.0.1"


def random_login() -> tuple[str, str]:
    return "judge", secrets.token_hex(4)


def players_for(tables: int, edition_key: str) -> int:
    """Return the smallest number of players for a number of tables. Raises BadData if there is none."""
    numbers = range(tables, tables * _MOST_AT_A_TABLE + 1)
    players = _fewest_players(tables, edition(edition_key), numbers)
    if players is None:
        raise BadData("--rehearsal", f"{edition_key} has no draw with {tables} tables")
    return players


def player_list(count: int) -> bytes:
    """Return a CSV file of a number of players with different names."""
    names = (
        f"{first} {_LAST[(place + turn) % len(_LAST)]}"
        for turn in range(len(_LAST))
        for place, first in enumerate(_FIRST)
    )
    return (
        "name,club\n" + "".join(f"{name},Rehearsal\n" for name in itertools.islice(names, count))
    ).encode()
