"""A record sheet as form fields and back.

Fields: ``role-N`` of each seat; ``out-K`` and ``by-K`` for the K-th elimination, by a seat's number
or by what had no eliminator; ``same-K`` where it was the card of the one before; ``left-N`` for a
player who abandoned; ``time-limit``; ``reason``.
"""

from collections.abc import Iterator, Sequence

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.game.endings import InProgress, outcome
from saloon.core.game.events import Cause, Ending
from saloon.core.game.finished import FinishedGame
from saloon.core.game.roles import SHERIFF_SEAT, Role
from saloon.core.game.state import Abandonment, Elimination
from saloon.core.terms import RoundNo, SeatNo
from saloon.station.office_contract import FloorCard
from saloon.station.web.forms import Fields
from saloon.station.web.reasons import Reason

BY_NOBODY = (Cause.DYNAMITE, Cause.HIGH_NOON)
"""What eliminates without an eliminator."""


def typed_from(known: FinishedGame | None) -> dict[str, str]:
    """What the form proposes: a known result, or empty fields."""
    typed = {"role-1": Role.SHERIFF.value}
    if known is None:
        return typed
    for seat, role in enumerate(known.roles, 1):
        typed[f"role-{seat}"] = role.value
    for number, elimination in enumerate(known.eliminations, 1):
        typed[f"out-{number}"] = str(elimination.seat)
        typed[f"by-{number}"] = str(elimination.by or elimination.cause.value)
        if number > 1 and known.eliminations[number - 2].effect == elimination.effect:
            typed[f"same-{number}"] = "yes"
    for abandonment in known.abandonments:
        typed[f"left-{abandonment.seat}"] = "yes"
    if known.ending is Ending.NO_WINNER:
        typed["time-limit"] = "yes"
    return typed


def result_from(fields: Fields, card: FloorCard, round_no: RoundNo, edition: Edition) -> FinishedGame:
    """The result that was typed in, with the ending that it gives.

    What paper does not say (whose turn it was, when somebody left) stays as it is known.
    Raises Refused naming the seat or the elimination. Whether it can have happened is for the core.
    """
    known = card.accepted or card.reported
    roles = tuple(_role(fields, SeatNo(seat)) for seat in range(1, len(card.players) + 1))
    eliminations = _eliminations(fields, roles, known)
    found = outcome(roles, eliminations, edition.readings, time_limit=fields.is_ticked("time-limit"))
    if isinstance(found, InProgress):
        raise Refused(Reason.NOT_OVER)
    return FinishedGame(
        round=round_no,
        table=card.table,
        players=card.players,
        roles=roles,
        eliminations=eliminations,
        abandonments=tuple(_abandonments(fields, roles, known)),
        ending=found.ending,
        turns_played=known.turns_played if known is not None else (),
        spent=known.spent if known is not None else (),
        characters=known.characters if known is not None else (),
        prices=known.prices if known is not None else (),
    )


def _role(fields: Fields, seat: SeatNo) -> Role:
    if seat == SHERIFF_SEAT:
        return Role.SHERIFF
    try:
        return Role(fields.text(f"role-{seat}"))
    except ValueError as error:
        raise Refused(Reason.ROLE_MISSING, seat=seat) from error


def _abandonments(fields: Fields, roles: Sequence[Role], known: FinishedGame | None) -> Iterator[Abandonment]:
    before = {} if known is None else {left.seat: left for left in known.abandonments}
    for number in range(1, len(roles) + 1):
        if fields.is_ticked(f"left-{number}"):
            seat = SeatNo(number)
            yield before.get(seat, Abandonment(seat, 0))


def _eliminations(
    fields: Fields, roles: Sequence[Role], known: FinishedGame | None
) -> tuple[Elimination, ...]:
    before = {} if known is None else {(e.seat, e.by, e.cause): e.turn for e in known.eliminations}
    found: list[Elimination] = []
    for number in range(1, len(roles)):
        seat = _seat(fields, f"out-{number}", number, roles)
        by_field = fields.text(f"by-{number}")
        if seat is None:
            if by_field:
                raise Refused(Reason.OUT_OF_WHOM, number=number)
            continue
        cause = _cause(by_field, number)
        by = _seat(fields, f"by-{number}", number, roles) if cause is Cause.PLAYER else None
        is_same = fields.is_ticked(f"same-{number}") and bool(found)
        effect = (found[-1].effect if found else 0) + (not is_same)
        turn = before.get((seat, by, cause), by or seat)
        found.append(Elimination(seat, by, turn, effect, cause, roles[seat - 1]))
    return tuple(found)


def _seat(fields: Fields, name: str, number: int, roles: Sequence[Role]) -> SeatNo | None:
    seat = fields.number(name)
    if seat is not None and not 1 <= seat <= len(roles):
        raise Refused(Reason.NO_SUCH_SEAT, number=number, seat=seat)
    return None if seat is None else SeatNo(seat)


def _cause(text: str, number: int) -> Cause:
    if not text:
        raise Refused(Reason.NO_CAUSE, number=number)
    if text.isdigit():
        return Cause.PLAYER
    cause = next((cause for cause in BY_NOBODY if cause.value == text), None)
    if cause is None:
        raise Refused(Reason.NO_CAUSE, number=number)
    return cause
