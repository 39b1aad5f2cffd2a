"""Prizes that an organiser defines, such as “Best newcomer”: who can win them, and by which figure."""

import enum
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from core.terms import PlayerId, Role


class PrizeBasis(enum.Enum):
    """The figure by which a prize is won."""

    RANKING = "ranking"
    """The place in the final ranking; for clubs, the sum of their players' totals."""
    BEST_GAME = "best-game"
    """The highest winnings in one game of the rounds."""
    WON = "won"
    WON_AS_SHERIFF = "won-as-sheriff"
    WON_AS_DEPUTY = "won-as-deputy"
    WON_AS_OUTLAW = "won-as-outlaw"
    WON_AS_RENEGADE = "won-as-renegade"
    ELIMINATIONS = "eliminations"
    """Other players whom a player eliminated in the rounds, as far as record sheets name the killer."""

    @property
    def is_money(self) -> bool:
        return self in {PrizeBasis.RANKING, PrizeBasis.BEST_GAME}


ROLES_WON: Final = {
    PrizeBasis.WON_AS_SHERIFF: Role.SHERIFF,
    PrizeBasis.WON_AS_DEPUTY: Role.DEPUTY,
    PrizeBasis.WON_AS_OUTLAW: Role.OUTLAW,
    PrizeBasis.WON_AS_RENEGADE: Role.RENEGADE,
}


class PrizeGroup(enum.Enum):
    """The players who can win a prize, or clubs instead of players."""

    EVERYONE = "everyone"
    NEWCOMERS = "newcomers"
    ONE_CLUB = "one-club"
    CHOSEN = "chosen"
    CLUBS = "clubs"


class PrizeExclusion(enum.Enum):
    """The players of the group who can't win a prize because they have won something else."""

    NOBODY = "nobody"
    PODIUM = "podium"
    """The first three of the ranking."""
    WINNERS = "winners"
    """The first three, and the winners of the prizes above."""


class Prize(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prize in the organiser's words.

    places: the number of places that win something.
    club: the club or town of ``ONE_CLUB``.
    players: those of ``CHOSEN``.
    best: how many players of each club count for ``CLUBS``.
    """

    name: str
    basis: PrizeBasis = PrizeBasis.RANKING
    group: PrizeGroup = PrizeGroup.EVERYONE
    excluded: PrizeExclusion = PrizeExclusion.NOBODY
    places: int = 1
    club: str = ""
    players: tuple[PlayerId, ...] = ()
    best: int = 1

    def with_ids(self, ids: Mapping[PlayerId, PlayerId]) -> "Prize":
        """Return the prize with the chosen players' ids in another tournament; the others aren't chosen."""
        return replace(self, players=tuple(ids[player] for player in self.players if player in ids))
