"""A finished result as bytes that travel in a parcel."""

from typing import Literal

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.game.ending.finished import FinishedGame

_GAME: Literal["game"] = "game"
_DUEL: Literal["duel"] = "duel"

_encoder = msgspec.msgpack.Encoder()
_kind = msgspec.msgpack.Decoder(tuple[Literal["game", "duel"], msgspec.Raw])
_game = msgspec.msgpack.Decoder(FinishedGame)
_duel = msgspec.msgpack.Decoder(FinishedDuel)


def result_bytes(result: FinishedGame | FinishedDuel) -> bytes:
    """Encode a result as MessagePack, preceded by its kind (game or duel)."""
    return _encoder.encode((_GAME if isinstance(result, FinishedGame) else _DUEL, result))


def result_of(data: bytes, where: str) -> FinishedGame | FinishedDuel:
    """Decode the result in these bytes, without checking whether it is possible. Raises BadData."""
    try:
        kind, body = _kind.decode(data)
        return _game.decode(body) if kind == _GAME else _duel.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, f"this is no result of a game: {error}") from error
