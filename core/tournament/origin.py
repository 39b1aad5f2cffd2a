"""The origin of a record sheet that reached the station offline."""

import msgspec

from core.game.state.game import Confirmation


class SheetOrigin(msgspec.Struct, frozen=True):
    """The terminal that sealed a result, and the durable head of its journal at that moment.

    hash: the hash of the entry numbered seq in that epoch, hex. confirmed: how a judge confirmed the sheet at
    the table, None if not confirmed. sealed: the parcel, verified by the terminal's certificate.
    """

    terminal: str
    epoch: str
    seq: int
    hash: str
    confirmed: Confirmation | None
    sealed: bytes
