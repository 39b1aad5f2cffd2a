"""Basic types: seats, players, rounds, dollars, roles, matches and their endings; and translated words."""

from collections.abc import Callable
from enum import Enum
from typing import Final, NewType, Protocol

SeatNo = NewType("SeatNo", int)
"""A seat at a table, from 1, clockwise: seat 2 is to the left of seat 1."""

SHERIFF_SEAT: Final = SeatNo(1)
"""The Sheriff's seat. Source: Championship 2022/23 v1.4, 1.1 "The rounds"."""

PlayerId = NewType("PlayerId", str)
"""The id of a player in one tournament. People see names instead."""

TableNo = NewType("TableNo", int)
"""A table in the hall, from 1; also the number of its terminal."""

RoundNo = NewType("RoundNo", int)
"""A round of the tournament, from 1."""

Dollars = NewType("Dollars", int)
"""BANG! dollars, always whole."""

Seconds = NewType("Seconds", int)
"""A duration in whole seconds."""

TournamentId = NewType("TournamentId", str)
"""A globally unique tournament id."""

GameId = NewType("GameId", str)
"""The globally unique id of a game at a table."""

MessageId = NewType("MessageId", str)
"""The globally unique id of a judge's message to tables."""


class Role(Enum):
    """A player's role. Only the Sheriff's is public."""

    SHERIFF = "sheriff"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    RENEGADE = "renegade"
    REBEL = "rebel"


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


class Ending(Enum):
    """The way in which a game ended."""

    LAW_WINS = "law_wins"
    OUTLAWS_WIN = "outlaws_win"
    RENEGADE_WINS = "renegade_wins"
    NO_WINNER = "no_winner"


class Words(Protocol):
    """The translations of one language."""

    @property
    def gettext(self) -> Callable[[str], str]:
        """A function that translates a sentence."""

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        """A function that translates the singular or plural form of a sentence, depending on a number."""
