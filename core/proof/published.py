"""Standings as they are published: plain values that any program can compare."""

from fractions import Fraction

import msgspec

from saloon.core.editions.edition import TieBreak
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.standings.standings import Standings
from saloon.core.tournament.standings.tie_breaks import Value


class PublishedKey(msgspec.Struct, frozen=True):
    """A tie-break and its exact value as "a/b"; None for a player who has no value."""

    key: TieBreak
    value: str | None


class PublishedRow(msgspec.Struct, frozen=True):
    """A player's row. first, last: the places of the rank, None for one who left. lot: from 1."""

    player: PlayerId
    first: int | None
    last: int | None
    score: Dollars
    keys: tuple[PublishedKey, ...]
    games: int
    lot: int | None
    bonus: Dollars
    prize: Dollars
    final_score: Dollars


def published_rows(found: Standings) -> tuple[PublishedRow, ...]:
    """Return the rows of standings, in their order."""
    return tuple(
        PublishedRow(
            player=row.player,
            first=None if row.rank is None else row.rank.first,
            last=None if row.rank is None else row.rank.last,
            score=row.score,
            keys=tuple(PublishedKey(key.key, _as_fraction_text(key.value)) for key in row.keys),
            games=row.games,
            lot=row.lot,
            bonus=row.bonus,
            prize=row.prize,
            final_score=row.final_score,
        )
        for row in found.rows
    )


def _as_fraction_text(value: Value) -> str | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
