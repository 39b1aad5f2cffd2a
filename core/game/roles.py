"""Roles, and how many of each sit at a table."""

from enum import Enum


class Role(Enum):
    """A player's secret allegiance; only the Sheriff's is public."""

    SHERIFF = "sheriff"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    RENEGADE = "renegade"
    REBEL = "rebel"
