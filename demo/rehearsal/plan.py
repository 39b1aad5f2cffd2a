"""The configuration of a rehearsal."""

import itertools
import secrets
from typing import Final

import msgspec

from base.errors import BadData, Refused
from core.editions.loader import edition
from core.tournament.draw.rounds import table_sizes

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
    """The configuration of a rehearsal.

    tables: at most 50.
    serial: how many of them use serial lines.
    spares: replacement terminals.
    per_hour: rate of random faults in the whole hall.
    judges_confirm: judges confirm record sheets; otherwise the players do, with their terminal's PIN.
    auto: a simulated judge does everything.
    reacts_after_s: delay between a visible fault and that judge's reaction.
    rounds: rounds to play; 0 to play until the end is requested.
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
    language: str = "en"


class Access(msgspec.Struct, frozen=True):
    """A judge's login at the rehearsal's station."""

    judge: str
    password: str


def new_access() -> Access:
    """Return a random login for the judge."""
    return Access("judge", secrets.token_hex(4))


def players_for(tables: int, edition_key: str) -> int:
    """Return the smallest number of players that fills this many tables. Raises BadData if there is none."""
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
    """Return a CSV file of this many players with different names."""
    names = itertools.islice(
        (f"{first} {last}" for turn in range(len(_LAST)) for first, last in _pair_names(turn)), count
    )
    return ("name,club\n" + "".join(f"{name},Rehearsal\n" for name in names)).encode()


def _pair_names(turn: int) -> list[tuple[str, str]]:
    return [(first, _LAST[(place + turn) % len(_LAST)]) for place, first in enumerate(_FIRST)]
