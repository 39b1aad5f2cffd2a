"""The events of a ranking: ties that are broken, and its publication."""

import msgspec

from saloon.core.terms import PlayerId


class _RankingEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class LotsDrawn(_RankingEvent, frozen=True, tag="lots-drawn"):
    """Ties that nothing else broke, put in an order by lot: one tuple a tied group, best first."""

    seed: str
    groups: tuple[tuple[PlayerId, ...], ...]
    by: str


class OneOnOneEntered(_RankingEvent, frozen=True, tag="one-on-one-entered"):
    """Two tied players played a game of two instead of drawing lots (D30)."""

    winner: PlayerId
    loser: PlayerId
    by: str


class RoundsRankingPublished(_RankingEvent, frozen=True, tag="rounds-ranking-published"):
    """The ranking of the rounds is public, and with it who plays the finals. finalists: best first."""

    finalists: tuple[PlayerId, ...]
    by: str


class RankingPublished(_RankingEvent, frozen=True, tag="ranking-published"):
    """The tournament is over and its ranking public."""

    by: str


RankingEvent = LotsDrawn | OneOnOneEntered | RoundsRankingPublished | RankingPublished
