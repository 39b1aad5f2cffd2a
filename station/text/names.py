"""Names of players and rounds, and QR codes, for pages and papers."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import segno
from msgspec.structs import replace

from base.fonts.coverage import missing_letters, readable
from core.editions.loader import rules_of
from core.terms import DuelPart, PlayerId, TableNo
from core.tournament.state.names import fold_name
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import TournamentState
from station.text.i18n import Words


def names_of(state: TournamentState) -> Mapping[PlayerId, str]:
    """Return the name of each entrant; namesakes have their club added."""
    seen: dict[str, int] = {}
    for entrant in state.entrants:
        seen[entrant.name] = seen.get(entrant.name, 0) + 1
    return {
        e.player: f"{e.name} ({e.club})" if seen[e.name] > 1 and e.club else e.name for e in state.entrants
    }


def with_readable_names(state: TournamentState, known: frozenset[int], player: str) -> TournamentState:
    """Return a state in which the player's number completes names with letters that no font has."""
    names = (
        readable(one.name, missing_letters(one.name, known), f"{player} {number}")
        for number, one in enumerate(state.entrants, 1)
    )
    entrants = (replace(one, name=name) for one, name in zip(state.entrants, names, strict=True))
    return replace(state, entrants=tuple(entrants))


def seats_by_name(names: Mapping[PlayerId, str], drawn: Round) -> list[tuple[str, TableNo, int]]:
    """Return the name, table and seat of each player in a round, sorted by name."""
    seats = [
        (names[player], table.table, seat)
        for table in drawn.tables
        for seat, player in enumerate(table.players, 1)
    ]
    return sorted(seats, key=lambda row: fold_name(row[0]))


_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


def file_stem(state: TournamentState) -> str:
    """Return a file name from a tournament's name and date, such as ``saturday-open-2026-11-21``."""
    folded = _BETWEEN_WORDS.sub("-", fold_name(state.name))
    own = folded if folded.isascii() else _BETWEEN_WORDS.sub("-", state.name.casefold())
    return f"{own}-{state.date}".strip("-")


def round_title(state: object, number: int, words: Words) -> str:
    """Return ``Round 3``, ``Game 3`` of a single group, or the part of the finals with this number."""
    if not isinstance(state, TournamentState):
        return words.gettext("Round {n}").format(n=number)
    part = next((duels.part for duels in state.duels if duels.round == number), None)
    match part:
        case DuelPart.TIE_BREAK:
            return words.gettext("One-on-one")
        case DuelPart.SEMIFINALS:
            return words.gettext("Semifinals")
        case DuelPart.FINAL:
            return words.gettext("Final")
        case _:
            is_game = rules_of(state.rules).unit == "game"
            return (words.gettext("Game {n}") if is_game else words.gettext("Round {n}")).format(n=number)


_KEPT: Final = 2048
"""The most cached QR codes, of about 2 kB each."""


@lru_cache(_KEPT)
def printed_code(link: str) -> str:
    return segno.make(link, error="m").svg_inline(border=1, omitsize=True)


@lru_cache(_KEPT)
def shown_code(link: str) -> str:
    """Return the QR code of a link as a data URI for pages."""
    return segno.make(link, error="m").svg_data_uri(border=2, scale=6)
