"""Events of a ranking: breaking ties, and publishing."""

import msgspec

from core.terms import PlayerId


class _RankingEvent(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class LotsDrawn(_RankingEvent, frozen=True, tag="lots-drawn"):
    """The remaining ties were ordered by lot: one tuple for each tied group, best first."""

    seed: str
    groups: tuple[tuple[PlayerId, ...], ...]
    by: str


class OneOnOneEntered(_RankingEvent, frozen=True, tag="one-on-one-entered"):
    """Two tied players played a one-on-one game instead of drawing lots (D30)."""

    winner: PlayerId
    loser: PlayerId
    by: str


class RoundsRankingPublished(_RankingEvent, frozen=True, tag="rounds-ranking-published"):
    """The ranking of the rounds was published, and with it the finalists. finalists: best first."""

    finalists: tuple[PlayerId, ...]
    by: str


class RankingPublished(_RankingEvent, frozen=True, tag="ranking-published"):
    """The tournament ended and its ranking was published."""

    by: str


RankingEvent = LotsDrawn | OneOnOneEntered | RoundsRankingPublished | RankingPublished
