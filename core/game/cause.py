"""What can take a player's last life point."""

import enum


class Cause(enum.Enum):
    """What took a player's last life point."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    HIGH_NOON = "high-noon"
