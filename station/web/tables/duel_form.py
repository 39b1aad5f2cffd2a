"""A duel's record sheet as form fields and back.

Fields: ``score-1`` and ``score-2``, the characters that seat 1, and seat 2, eliminated; ``how`` it ended:
``score``, ``left-N`` for the seat that left, ``ruled-N`` for the seat that the judge names the winner;
``ruling`` and, in a correction, ``reason``.
"""

from saloon.base.errors import Refused
from saloon.core.game.duel.ending import (
    BETTER_PLACED,
    OTHER_PLACED,
    DuelBecause,
    opponent_of,
    winner_by_score,
)
from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.terms import SeatNo
from saloon.station.services.tables.floor_cards import FloorCard
from saloon.station.web.forms import Fields
from saloon.station.web.text.reasons import FormReason

_LEFT = (DuelBecause.OPPONENT_LEFT, DuelBecause.OPPONENT_EJECTED)


def typed_from_duel(known: FinishedDuel | None) -> dict[str, str]:
    """Return the values that the form proposes: a known result, or empty fields."""
    if known is None:
        return {"score-1": "", "score-2": "", "how": "score", "ruling": ""}
    how = "score"
    if known.because in _LEFT:
        how = f"left-{opponent_of(known.winner)}"
    elif known.because is DuelBecause.RULING:
        how = f"ruled-{known.winner}"
    first, second = known.score
    return {"score-1": str(first), "score-2": str(second), "how": how, "ruling": known.ruling}


def duel_from(fields: Fields, card: FloorCard, *, ejected: frozenset[SeatNo]) -> FinishedDuel:
    """Return the result that was typed in. ejected: seats whose player the judge ejected.

    The characters stay as they are known where the score does. Raises Refused for a bad score or way to end;
    whether the result is possible is checked by the core.
    """
    known = known_duel(card)
    score = (fields.number("score-1") or 0, fields.number("score-2") or 0)
    winner, because = _ended(fields.text("how"), score, card, ejected)
    first, second = card.players
    return FinishedDuel(
        round=card.round,
        table=card.table,
        kind=card.match,
        players=(first, second),
        winner=winner,
        score=score,
        because=because,
        ruling=fields.text("ruling") if because is DuelBecause.RULING else "",
        characters=known.characters if known is not None and known.score == score else ((), ()),
    )


def known_duel(card: FloorCard) -> FinishedDuel | None:
    """Return the duel that is accepted, or else reported, at a table."""
    known = card.accepted or card.reported
    return known if isinstance(known, FinishedDuel) else None


def _ended(
    how: str, score: tuple[int, int], card: FloorCard, ejected: frozenset[SeatNo]
) -> tuple[SeatNo, DuelBecause]:
    for seat in (BETTER_PLACED, OTHER_PLACED):
        if how == f"left-{seat}":
            because = DuelBecause.OPPONENT_EJECTED if seat in ejected else DuelBecause.OPPONENT_LEFT
            return opponent_of(seat), because
        if how == f"ruled-{seat}":
            return seat, DuelBecause.RULING
    if how != "score":
        raise Refused(FormReason.HOW_MISSING)
    winner = winner_by_score(card.match, score)
    if winner is None:
        raise Refused(FormReason.DUEL_NOT_OVER, score=f"{score[0]}-{score[1]}")
    return winner, DuelBecause.ELIMINATIONS
