"""The kinds of matches that a table can play, and the purposes of duels."""

from enum import Enum


class MatchKind(Enum):
    """The kind of match at a table; the value names it in files."""

    GAME = "game"
    """A game with roles."""
    LONG_DUEL = "long-duel"
    """Five characters each. Source: Championship 2010 v1.1, 1.2."""
    SHORT_DUEL = "short-duel"
    """Eight characters each, one after the other. Source: Championship 2010 v1.1, 1.2."""


class DuelPart(Enum):
    """The purpose of a duel; the parts of the finals are in the order they are played."""

    TIE_BREAK = "tie-break"
    """One-on-one, by two players who are tied. Source: Official Score System 2003; reading D30."""

    SEMIFINALS = "semifinals"
    """The first against the fourth of the rounds, the second against the third."""
    FINAL = "final"
    """The winners of the semifinals."""
