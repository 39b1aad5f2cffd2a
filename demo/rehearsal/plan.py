"""The plan of a rehearsal: its tables, rules, speed, and confirmation of sheets."""

import itertools
import secrets
from typing import Final

import msgspec

from saloon.base.errors import BadData, Refused
from saloon.core.editions.loader import edition
from saloon.core.tournament.draw.rounds import table_sizes

MOST_TABLES: Final = 50
_FIRST: Final = (
    "Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana", "Karel", "Lucia",
    "Marek", "Nora", "Otto", "Petra", "Quirin", "Rosa", "Simon", "Teresa",
)  # fmt: skip
_LAST: Final = (
    "Alba", "Bassi", "Conti", "Dvořák", "Esposito", "Ferri", "Greco", "Huber", "Ivanić", "Janda", "Kovář",
    "Leone", "Moretti", "Novák", "Orsi", "Pospíšil", "Rinaldi", "Serra", "Tichý", "Urban",
)  # fmt: skip
_MOST_AT_A_TABLE: Final = 10


class RehearsalPlan(msgspec.Struct, frozen=True):
    """A rehearsal.

    tables: at most 50. serial: the number of them on serial lines. spares: terminals that wait to be brought
    to a table. per_hour: random faults, at all tables combined. judges_confirm: record sheets wait for a
    judge; else the players know their PIN. auto: a judge of ours does everything. reacts_after_s: the delay
    of that judge after a fault shows. rounds: played before it ends by itself; 0 for as long as the judges
    like. host: of its station's pages.
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
    language: str = "en"


class Access(msgspec.Struct, frozen=True):
    """The judges' credentials for the rehearsal's own station."""

    judge: str
    password: str


def new_access() -> Access:
    """Return fresh credentials, which nobody needs afterwards."""
    return Access("judge", secrets.token_hex(4))


def players_for(tables: int, edition_key: str) -> int:
    """Return the fewest players that are drawn to this number of tables. Raises BadData for none."""
    rules = edition(edition_key)
    for players in range(tables, tables * _MOST_AT_A_TABLE + 1):
        try:
            sizes = table_sizes(players, rules)
        except Refused:
            continue
        if len(sizes) == tables:
            return players
    raise BadData("--rehearsal", f"{edition_key} has no draw with {tables} tables")


def player_list(count: int) -> bytes:
    """Return this number of players, with different names, as a CSV file."""
    names = itertools.islice(
        (f"{first} {last}" for turn in range(len(_LAST)) for first, last in _pair_names(turn)), count
    )
    return ("name,club\n" + "".join(f"{name},Rehearsal\n" for name in names)).encode()


def _pair_names(turn: int) -> list[tuple[str, str]]:
    return [(first, _LAST[(place + turn) % len(_LAST)]) for place, first in enumerate(_FIRST)]
