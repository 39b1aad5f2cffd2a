"""Convert what players bought, and the turns they played, to the fields of a sheet's form, and back.

The fields are ``character-N``, ``price-N``, ``cards-N`` and ``turns-N``, where N is a seat.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.finished_game import FinishedGame
from core.game.result import Result
from core.terms import Dollars, PlayerId, SeatNo
from core.tournament.standings.ledger import budgets, is_money_spent
from core.tournament.state.tournament import TournamentState
from station.sheets.questions import SheetQuestions
from station.text.reasons import FormReason
from station.web.forms import Fields, FormFaults

_T = TypeVar("_T")


def purse_fields(known: FinishedGame, questions: SheetQuestions) -> dict[str, str]:
    """Return the form's first values for what players bought and how many turns they played."""
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


def with_purse(
    game: FinishedGame,
    fields: Fields,
    questions: SheetQuestions,
    known: FinishedGame | None,
    faults: FormFaults,
) -> FinishedGame:
    """Return the game with characters, prices, money spent and turns, read from the form or else as known."""
    seats = [SeatNo(seat) for seat in range(1, len(game.players) + 1)]
    if known is not None:
        game = replace(
            game, characters=known.characters, prices=known.prices, spent=known.spent,
            turns_played=known.turns_played,
        )  # fmt: skip
    if questions.turns_played:
        game = replace(game, turns_played=_turns(fields, seats, faults))
    if not questions.purse:
        return game
    is_priced = any(fields.text(f"price-{seat}") for seat in seats)
    prices = tuple(_price(fields, seat, questions, faults, is_priced=is_priced) for seat in seats)
    cards = [_number(fields, "cards", seat, faults) for seat in seats]
    spent = tuple(Dollars(price + kept * questions.card) for price, kept in zip(prices, cards, strict=True))
    return replace(
        game,
        characters=_characters(fields, seats, faults) if questions.characters else game.characters,
        prices=prices if any(prices) else (),
        spent=spent if any(spent) else (),
    )


class Overspent(msgspec.Struct, frozen=True):
    """A player who spent more money than they had, with both amounts."""

    seat: SeatNo
    player: PlayerId
    spent: Dollars
    had: Dollars


def find_overspent(state: TournamentState, result: Result, edition: Edition) -> tuple[Overspent, ...]:
    """Return the players who spent more money than they had; the judge decides."""
    if not isinstance(result, FinishedGame) or not result.spent or not is_money_spent(edition):
        return ()
    brought = budgets(state, edition, result.round)
    return tuple(
        Overspent(SeatNo(seat), player, spent, brought[player])
        for seat, (player, spent) in enumerate(zip(result.players, result.spent, strict=True), 1)
        if spent > max(0, brought[player])
    )


def _characters(fields: Fields, seats: Sequence[SeatNo], faults: FormFaults) -> tuple[Character | None, ...]:
    characters: list[Character | None] = []
    for seat in seats:
        text = fields.text(f"character-{seat}")
        character = next((one for one in Character if one.value == text), None)
        if character is None:
            faults.add(f"character-{seat}", FormReason.CHARACTER_MISSING, seat=seat)
        elif character in characters:
            other = characters.index(character) + 1
            reason = FormReason.CHARACTER_TWICE
            faults.add(f"character-{seat}", reason, character=character, seat=seat, other=other)
        characters.append(character)
    return tuple(characters)


def _price(
    fields: Fields, seat: SeatNo, questions: SheetQuestions, faults: FormFaults, *, is_priced: bool
) -> Dollars:
    name = f"price-{seat}"
    try:
        price = fields.dollars(name)
    except Refused as error:
        faults.add(name, FormReason.NO_PRICE, seat=seat, **error.fields)
        return Dollars(0)
    if is_priced and not fields.text(name):
        faults.add(name, FormReason.PRICE_MISSING, seat=seat)
    if price % questions.step:
        faults.add(name, FormReason.PRICE_STEP, seat=seat, price=f"{price:,}", step=questions.step)
    return price


def _turns(fields: Fields, seats: Sequence[SeatNo], faults: FormFaults) -> tuple[int, ...]:
    if not any(fields.text(f"turns-{seat}") for seat in seats):
        return ()
    return tuple(_number(fields, "turns", seat, faults) for seat in seats)


def _number(fields: Fields, name: str, seat: SeatNo, faults: FormFaults) -> int:
    try:
        return fields.number(f"{name}-{seat}") or 0
    except Refused as error:
        faults.add(f"{name}-{seat}", FormReason.NO_NUMBER_AT_SEAT, seat=seat, **error.fields)
        return 0


def _at(listed: Sequence[_T], index: int) -> _T | None:
    return listed[index] if index < len(listed) else None
