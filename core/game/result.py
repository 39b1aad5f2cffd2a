"""The result of a match, either a game or a duel: derived from a table's state, compared, and encoded."""

from typing import Literal, TypeVar

import msgspec

from base.errors import BadData
from core.game.duel.finished import FinishedDuel, finished_duel
from core.game.ending.finished import FinishedGame, finished_game
from core.game.state.game import Elimination, GameState

Result = FinishedGame | FinishedDuel
ResultT_co = TypeVar("ResultT_co", bound=Result, covariant=True)

_GAME: Literal["game"] = "game"
_DUEL: Literal["duel"] = "duel"

_encoder = msgspec.msgpack.Encoder()
_kind = msgspec.msgpack.Decoder(tuple[Literal["game", "duel"], msgspec.Raw])
_game = msgspec.msgpack.Decoder(FinishedGame)
_duel = msgspec.msgpack.Decoder(FinishedDuel)


def finished_match(state: GameState) -> Result:
    """Return the result of a finished match. Raises Refused for a running one."""
    return finished_game(state) if state.duel is None else finished_duel(state)


def is_same(one: Result, other: Result) -> bool:
    """Return whether two results agree in everything that a record sheet on paper has.

    Paper lacks turns played, the turn of an elimination, and victims of one card; killers and the
    characters of a duel may be missing too.
    """
    if isinstance(one, FinishedGame) and isinstance(other, FinishedGame):
        return _is_same_game(one, other)
    if isinstance(one, FinishedDuel) and isinstance(other, FinishedDuel):
        return (one.kind, one.players, one.winner, one.score) == (
            other.kind,
            other.players,
            other.winner,
            other.score,
        )
    return False


def _is_same_game(one: FinishedGame, other: FinishedGame) -> bool:
    return (
        (one.round, one.table, one.players, one.roles, one.ending, one.spent)
        == (other.round, other.table, other.players, other.roles, other.ending, other.spent)
        and one.comebacks == other.comebacks
        and {left.seat for left in one.abandonments} == {left.seat for left in other.abandonments}
        and len(one.eliminations) == len(other.eliminations)
        and all(map(_is_same_elimination, one.eliminations, other.eliminations))
    )


def _is_same_elimination(one: Elimination, other: Elimination) -> bool:
    return one.seat == other.seat and (one.by == other.by or None in {one.by, other.by})


def result_bytes(result: Result) -> bytes:
    """Encode a result as MessagePack, preceded by its kind (game or duel)."""
    return _encoder.encode((_GAME if isinstance(result, FinishedGame) else _DUEL, result))


def result_of(data: bytes, where: str) -> Result:
    """Decode a result, without checking whether it is possible. Raises BadData."""
    try:
        kind, body = _kind.decode(data)
        return _game.decode(body) if kind == _GAME else _duel.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, f"this is no result of a game: {error}") from error
