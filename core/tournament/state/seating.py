"""The tables of a draw, and changes to them by hand."""

import msgspec

from core.terms import GameId, PlayerId, TableNo


class DrawnTable(msgspec.Struct, frozen=True):
    """A table of a draw: players by seat, the Sheriff first. ``game`` is its game's id."""

    table: TableNo
    players: tuple[PlayerId, ...]
    game: GameId


class SwappedPlayers(msgspec.Struct, frozen=True, tag="swapped", tag_field="kind"):
    """Two players of a draft swap seats."""

    one: PlayerId
    other: PlayerId


class MovedPlayer(msgspec.Struct, frozen=True, tag="moved", tag_field="kind"):
    """A player of a draft moves to a new last seat at another table.

    Players who sat after them move up one seat. ``table`` is numbered from 1, as in a draw.
    """

    player: PlayerId
    table: TableNo


SeatingChange = SwappedPlayers | MovedPlayer
