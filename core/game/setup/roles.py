"""The roles, and the seat whose role is public."""

from enum import Enum
from typing import Final

from saloon.core.terms import SeatNo

SHERIFF_SEAT: Final = SeatNo(1)
"""The Sheriff's seat. Source: Championship 2022/23 v1.4, 1.1 "The rounds"."""


class Role(Enum):
    """A player's role. Only the Sheriff's is public."""

    SHERIFF = "sheriff"
    DEPUTY = "deputy"
    OUTLAW = "outlaw"
    RENEGADE = "renegade"
    REBEL = "rebel"
