"""A finished game as facts: all that winnings and tie-breaks are computed from."""

import msgspec

from saloon.core.game.events import Ending
from saloon.core.game.roles import Role
from saloon.core.game.state import Abandonment, Elimination
from saloon.core.terms import PlayerId, RoundNo, TableNo


class FinishedGame(msgspec.Struct, frozen=True):
    """One table's result, whether a terminal recorded it or the judge copied it from paper.

    players, roles: by seat, index 0 is seat 1. ending: as recorded; it must agree with the one
    derived from roles and eliminations. turns_played: by seat, empty where nobody counted.
    """

    round: RoundNo
    table: TableNo
    players: tuple[PlayerId, ...]
    roles: tuple[Role, ...]
    eliminations: tuple[Elimination, ...]
    abandonments: tuple[Abandonment, ...]
    ending: Ending
    turns_played: tuple[int, ...] = ()
