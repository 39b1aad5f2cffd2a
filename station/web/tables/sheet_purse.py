"""Players' purchases at a table, and the turns they played, as form fields and back."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from saloon.base.errors import Refused
from saloon.core.game.ending.finished import FinishedGame
from saloon.core.game.setup.characters import Character
from saloon.core.terms import Dollars, SeatNo
from saloon.station.web.forms import Fields
from saloon.station.web.tables.sheet_questions import SheetQuestions
from saloon.station.web.text.reasons import FormReason

_T = TypeVar("_T")


class Purse(msgspec.Struct, frozen=True):
    """Values by seat, as a ``FinishedGame`` has them; empty where they are not asked for and not known."""

    characters: tuple[Character | None, ...] = ()
    prices: tuple[Dollars, ...] = ()
    spent: tuple[Dollars, ...] = ()
    turns_played: tuple[int, ...] = ()


def proposed_purse(known: FinishedGame, questions: SheetQuestions) -> dict[str, str]:
    """Return the values that the form proposes of a known result."""
    typed: dict[str, str] = {}
    for index in range(len(known.roles)):
        seat = index + 1
        character = _at(known.characters, index)
        price = _at(known.prices, index) or Dollars(0)
        if character is not None:
            typed[f"character-{seat}"] = character.value
        typed[f"price-{seat}"] = str(price)
        if questions.card:
            typed[f"cards-{seat}"] = str(((_at(known.spent, index) or 0) - price) // questions.card)
        turns = _at(known.turns_played, index)
        typed[f"turns-{seat}"] = "" if turns is None else str(turns)
    return typed


def purse_from(fields: Fields, questions: SheetQuestions, players: int, known: FinishedGame | None) -> Purse:
    """Return the typed values; those not asked for stay as they are known. Raises Refused naming the seat."""
    before = Purse() if known is None else _known_purse(known)
    seats = [SeatNo(seat) for seat in range(1, players + 1)]
    turns = _turns(fields, seats) if questions.turns_played else before.turns_played
    if not questions.purse:
        return msgspec.structs.replace(before, turns_played=turns)
    prices = tuple(_price(fields, seat, questions) for seat in seats)
    cards = [_number(fields, f"cards-{seat}", seat) for seat in seats]
    spent = tuple(Dollars(price + kept * questions.card) for price, kept in zip(prices, cards, strict=True))
    return Purse(
        characters=_characters(fields, seats) if questions.characters else before.characters,
        prices=prices if any(prices) else (),
        spent=spent if any(spent) else (),
        turns_played=turns,
    )


def _known_purse(known: FinishedGame) -> Purse:
    return Purse(known.characters, known.prices, known.spent, known.turns_played)


def _characters(fields: Fields, seats: Sequence[SeatNo]) -> tuple[Character | None, ...]:
    found: list[Character | None] = []
    for seat in seats:
        text = fields.text(f"character-{seat}")
        try:
            character = Character(text) if text else None
        except ValueError as error:
            raise Refused(FormReason.CHARACTER_MISSING, seat=seat) from error
        if character is None:
            raise Refused(FormReason.CHARACTER_MISSING, seat=seat)
        if character in found:
            other = found.index(character) + 1
            raise Refused(FormReason.CHARACTER_TWICE, character=character, seat=seat, other=other)
        found.append(character)
    return tuple(found)


def _price(fields: Fields, seat: SeatNo, questions: SheetQuestions) -> Dollars:
    price = _number(fields, f"price-{seat}", seat)
    if price % questions.step:
        raise Refused(FormReason.PRICE_STEP, seat=seat, price=price, step=questions.step)
    return Dollars(price)


def _turns(fields: Fields, seats: Sequence[SeatNo]) -> tuple[int, ...]:
    if not any(fields.text(f"turns-{seat}") for seat in seats):
        return ()
    return tuple(_number(fields, f"turns-{seat}", seat) for seat in seats)


def _number(fields: Fields, name: str, seat: SeatNo) -> int:
    try:
        return fields.number(name) or 0
    except Refused as error:
        raise Refused(FormReason.NO_NUMBER_AT_SEAT, seat=seat, **error.fields) from error


def _at(listed: Sequence[_T], index: int) -> _T | None:
    return listed[index] if index < len(listed) else None
