"""Causes for the loss of a player's last life point."""

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


class HighNoon(enum.Enum):
    """The state of High Noon: OFF, WAITING for the turn that begins it, or ON to the end of the game."""

    OFF = "off"
    WAITING = "waiting"
    CALLED = "called"
    """Called by the judge at the time limit: the next turn begins it."""
    ON = "on"
