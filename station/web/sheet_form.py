"""A record sheet as form fields and back.

Fields: ``role-N`` of each seat; ``out-K``, ``by-K``, ``cause-K``, ``same-K`` for the K-th
elimination; ``left-N`` for a player who abandoned; ``time-limit``; ``reason``.
"""

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData
from saloon.core.game.endings import InProgress, outcome
from saloon.core.game.events import Cause, Ending
from saloon.core.game.finished import FinishedGame
from saloon.core.game.roles import SHERIFF_SEAT, Role
from saloon.core.game.state import Abandonment, Elimination
from saloon.core.terms import RoundNo, SeatNo
from saloon.station.office_contract import FloorCard
from saloon.station.web.forms import Fields


def typed_from(known: FinishedGame | None, card: FloorCard) -> dict[str, str]:
    """What the form proposes: a known result, or empty fields."""
    typed = {"role-1": Role.SHERIFF.value}
    if known is None:
        return typed
    for seat, role in enumerate(known.roles, 1):
        typed[f"role-{seat}"] = role.value
    for number, elimination in enumerate(known.eliminations, 1):
        typed[f"out-{number}"] = str(elimination.seat)
        typed[f"by-{number}"] = str(elimination.by or "")
        typed[f"cause-{number}"] = elimination.cause.value
        if number > 1 and known.eliminations[number - 2].effect == elimination.effect:
            typed[f"same-{number}"] = "yes"
    for abandonment in known.abandonments:
        typed[f"left-{abandonment.seat}"] = "yes"
    if known.ending is Ending.NO_WINNER:
        typed["time-limit"] = "yes"
    del card
    return typed


def result_from(fields: Fields, card: FloorCard, round_no: RoundNo, edition: Edition) -> FinishedGame:
    """The result that was typed in, with the ending that it gives.

    Raises BadData naming the seat or elimination. Whether it can have happened is for the core.
    """
    players = len(card.players)
    roles = tuple(_role(fields, SeatNo(seat)) for seat in range(1, players + 1))
    eliminations = _eliminations(fields, roles)
    abandonments = tuple(
        Abandonment(SeatNo(seat), 0) for seat in range(1, players + 1) if fields.is_ticked(f"left-{seat}")
    )
    time_limit = fields.is_ticked("time-limit")
    found = outcome(roles, eliminations, edition.readings, time_limit=time_limit)
    if isinstance(found, InProgress):
        raise BadData(
            "ending",
            "with these eliminations the game is not over; add the missing ones, or tick the time limit",
        )
    known = card.reported or card.accepted
    return FinishedGame(
        round=round_no,
        table=card.table,
        players=card.players,
        roles=roles,
        eliminations=eliminations,
        abandonments=abandonments,
        ending=found.ending,
        turns_played=known.turns_played if known is not None else (),
    )


def _role(fields: Fields, seat: SeatNo) -> Role:
    if seat == SHERIFF_SEAT:
        return Role.SHERIFF
    try:
        return Role(fields.text(f"role-{seat}"))
    except ValueError as error:
        raise BadData(f"seat {seat}", "choose a role") from error


def _eliminations(fields: Fields, roles: tuple[Role, ...]) -> tuple[Elimination, ...]:
    found: list[Elimination] = []
    for number in range(1, len(roles) + 1):
        seat = fields.number(f"out-{number}")
        if seat is None:
            continue
        if not 1 <= seat <= len(roles):
            raise BadData(f"elimination {number}", f"there is no seat {seat}")
        by = fields.number(f"by-{number}")
        same = fields.is_ticked(f"same-{number}") and bool(found)
        effect = found[-1].effect if same else len({e.effect for e in found}) + 1
        found.append(
            Elimination(
                seat=SeatNo(seat),
                by=SeatNo(by) if by is not None else None,
                turn=SeatNo(by or seat),
                effect=effect,
                cause=_cause(fields.text(f"cause-{number}"), number, by=by),
                role=roles[seat - 1],
            )
        )
    return tuple(found)


def _cause(text: str, number: int, *, by: int | None) -> Cause:
    if by is not None or not text:
        return Cause.PLAYER
    try:
        return Cause(text)
    except ValueError as error:
        raise BadData(f"elimination {number}", "choose what eliminated the player") from error
