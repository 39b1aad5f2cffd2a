"""Causes for the loss of a player's last life point."""

import enum


class Cause(enum.Enum):
    """The cause for the loss of a player's last life point."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    HIGH_NOON = "high-noon"
