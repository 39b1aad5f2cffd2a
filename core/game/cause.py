"""Causes for the loss of a player's last life point, High Noon among them."""

import enum
from typing import Final


class Cause(enum.Enum):
    """The cause for the loss of a player's last life point."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    OWN_DUEL = "own-duel"
    """A Duel that the player had begun; the other duellist eliminated them (D35)."""
    HIGH_NOON = "high-noon"


BY_PLAYERS: Final = frozenset({Cause.PLAYER, Cause.OWN_DUEL})
"""The causes that have a killer."""


class HighNoon(enum.Enum):
    """OFF, WAITING for the turn that begins it, ON to the end of the game."""

    OFF = "off"
    WAITING = "waiting"
    CALLED = "called"
    """The judge called it at the time limit: any next turn begins it."""
    ON = "on"
