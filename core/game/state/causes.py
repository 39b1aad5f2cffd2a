"""The causes of eliminations and endings."""

import enum
from typing import Final


class Cause(enum.Enum):
    """A cause for the loss of a player's last life point."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    OWN_DUEL = "own-duel"
    """A Duel that the player began; the other duellist eliminated them (D35)."""
    HIGH_NOON = "high-noon"


BY_PLAYERS: Final = frozenset({Cause.PLAYER, Cause.OWN_DUEL})
"""The causes that have a killer."""


class Because(enum.Enum):
    """The rule that decided an ending; the value is its label."""

    NO_OUTLAW_OR_RENEGADE_LEFT = "no Outlaw and no Renegade is left"
    SHERIFF_OUT = "the Sheriff is out"
    RENEGADE_LAST = "the Renegade is the only one left"
    TIME_LIMIT = "the time limit was reached"
    JUDGE = "the judge ruled it at the time limit"
