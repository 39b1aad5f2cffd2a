"""The kinds of matches that a table can play, and the purposes of duels."""

from enum import Enum


class MatchKind(Enum):
    """The kind of match at a table; the value is its name in files."""

    GAME = "game"
    """A game with roles."""
    LONG_DUEL = "long-duel"
    """A duel with five characters each. Source: Championship 2010 v1.1, 1.2."""
    SHORT_DUEL = "short-duel"
    """A duel with eight characters each, one after the other. Source: Championship 2010 v1.1, 1.2."""


class DuelPart(Enum):
    """The purpose of a duel; those of the finals are in playing order."""

    TIE_BREAK = "tie-break"
    """A duel of two tied players. Source: Official Score System 2003; reading D30."""

    SEMIFINALS = "semifinals"
    """The duels of first against fourth, and second against third, of the rounds."""
    FINAL = "final"
    """The duel of the winners of the semifinals."""
