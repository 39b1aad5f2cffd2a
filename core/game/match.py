"""The kinds of matches that a table can play."""

from enum import Enum


class MatchKind(Enum):
    """The kind of match at a table; the value names it in files."""

    GAME = "game"
    """A game with roles."""
    LONG_DUEL = "long-duel"
    """Five characters each. Source: Championship 2010 v1.1, 1.2."""
    SHORT_DUEL = "short-duel"
    """Eight characters each, one after the other. Source: Championship 2010 v1.1, 1.2."""
