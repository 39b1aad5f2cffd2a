"""The result of a match, which is a game with roles or a duel, and its encoding."""

from typing import Literal, TypeVar

import msgspec

from base.errors import BadData, Refused
from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.state.duel import (
    BETTER_PLACED,
    CHARACTERS,
    OTHER_PLACED,
    DuelBecause,
    opponent_of,
    winner_by_score,
)
from core.game.state.game import Elimination, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase
from core.terms import MatchKind, PlayerId, RoundNo, SeatNo, TableNo


class FinishedDuel(msgspec.Struct, frozen=True):
    """A duel's result, whether recorded by a terminal or copied from paper by the judge.

    players: the better placed one first.
    score: number of characters eliminated by seat 1, then by seat 2.
    characters: by seat, those picked (long duel) or turned up (short duel); empty if not recorded.
    """

    round: RoundNo
    table: TableNo
    kind: MatchKind
    players: tuple[PlayerId, PlayerId]
    winner: SeatNo
    score: tuple[int, int]
    because: DuelBecause
    ruling: str = ""
    characters: tuple[tuple[Character, ...], tuple[Character, ...]] = ((), ())

    @property
    def winning_player(self) -> PlayerId:
        return self.players[self.winner - 1]

    @property
    def losing_player(self) -> PlayerId:
        return self.players[opponent_of(self.winner) - 1]


def finished_duel(state: GameState) -> FinishedDuel:
    """Return the result of a finished duel. Raises Refused if it isn't finished, or isn't a duel."""
    duel = state.duel
    if duel is None:
        raise Refused(GameReason.NOT_A_DUEL)
    require_phase(state, Phase.SHEET, Phase.CONFIRMED)
    # The station may confirm a sheet copied from paper before this duel has ended.
    if duel.winner is None or duel.because is None:
        raise Refused(GameReason.DUEL_RUNNING)
    first, second = (side.picks or side.shown for side in duel.sides)
    return FinishedDuel(
        round=state.round,
        table=state.table,
        kind=duel.kind,
        players=(state.seats[0].player, state.seats[1].player),
        winner=duel.winner,
        score=duel.score,
        because=duel.because,
        ruling=duel.ruling,
        characters=(first, second),
    )


def check_finished_duel(duel: FinishedDuel, edition: Edition) -> None:
    """Raise Refused if a duel's result, for example one typed in from paper, is impossible.

    Source: Championship 2010 v1.1, 1.2 and 1.3.
    """
    if duel.kind not in edition.duel_modes:
        raise Refused(GameReason.NO_SUCH_DUEL, kind=duel.kind)
    if duel.players[0] == duel.players[1]:
        raise Refused(GameReason.SEATED_TWICE, first=BETTER_PLACED, second=OTHER_PLACED)
    if duel.winner not in {BETTER_PLACED, OTHER_PLACED}:
        raise Refused(GameReason.NO_SEAT, seat=duel.winner)
    _check_score(duel)
    if duel.because is DuelBecause.RULING and not duel.ruling.strip():
        raise Refused(GameReason.RULING_WITHOUT_REASON)
    _check_characters(duel, edition)


def _check_score(duel: FinishedDuel) -> None:
    first, second = duel.score
    words = f"{first}-{second}"
    most = CHARACTERS[duel.kind]
    if not (0 <= first <= most and 0 <= second <= most):
        raise Refused(GameReason.DUEL_SCORE_IMPOSSIBLE, score=words)
    by_score = winner_by_score(duel.kind, duel.score)
    if duel.because is not DuelBecause.ELIMINATIONS:
        if by_score is not None:
            raise Refused(GameReason.DUEL_WAS_OVER, score=words)
        return
    if by_score is None:
        raise Refused(GameReason.DUEL_NOT_OVER, score=words)
    if by_score != duel.winner:
        raise Refused(GameReason.DUEL_WINNER_DIFFERS, score=words, expected=by_score, found=duel.winner)
    before = (first - 1, second) if by_score == BETTER_PLACED else (first, second - 1)
    if winner_by_score(duel.kind, before) is not None:
        raise Refused(GameReason.DUEL_SCORE_IMPOSSIBLE, score=words)


def _check_characters(duel: FinishedDuel, edition: Edition) -> None:
    seen: dict[Character, SeatNo] = {}
    for seat, listed in zip((BETTER_PLACED, OTHER_PLACED), duel.characters, strict=True):
        for character in listed:
            if character not in edition.characters.deck:
                raise Refused(GameReason.NOT_IN_DECK, character=character)
            if character in seen:
                raise Refused(GameReason.CHARACTER_TAKEN, character=character, seat=seen[character])
            seen[character] = seat
        lost = duel.score[opponent_of(seat) - 1]
        if len(listed) > CHARACTERS[duel.kind] or (listed and len(listed) < lost):
            raise Refused(GameReason.DUEL_CHARACTERS, seat=seat, found=len(listed), lost=lost)


Result = FinishedGame | FinishedDuel
ResultT_co = TypeVar("ResultT_co", bound=Result, covariant=True)

_encoder = msgspec.msgpack.Encoder()
_kind = msgspec.msgpack.Decoder(tuple[Literal["game", "duel"], msgspec.Raw])
_game = msgspec.msgpack.Decoder(FinishedGame)
_duel = msgspec.msgpack.Decoder(FinishedDuel)


def finished_match(state: GameState) -> Result:
    return finished_game(state) if state.duel is None else finished_duel(state)


def is_same(one: Result, other: Result) -> bool:
    """Return whether two results agree in everything that a paper record sheet must contain."""
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
    return _encoder.encode(("game" if isinstance(result, FinishedGame) else "duel", result))


def result_of(data: bytes, where: str) -> Result:
    """Decode a result, without checking whether it is possible. Raises BadData."""
    try:
        kind, body = _kind.decode(data)
        return _game.decode(body) if kind == "game" else _duel.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, f"this is no result of a game: {error}") from error
