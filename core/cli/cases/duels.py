"""Worked cases of duels: scores, carried wounds, places, and the draft."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from base.errors import BadData, Refused
from core.characters import Character
from core.cli.cases.case import Case, Expect
from core.cli.files import decode
from core.editions.edition import Edition
from core.game.duel.fight import (
    ChooseLine,
    DuelCommand,
    EnterCharacter,
    HealCharacter,
    WoundCharacter,
    end_by_leaving,
    end_duel_turn,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.state.duel import (
    BETTER_PLACED,
    CHARACTERS,
    OTHER_PLACED,
    Advantage,
    DuelState,
    Fighter,
    Remedy,
    duel_at_start,
)
from core.game.state.reasons import GameReason
from core.terms import MatchKind, SeatNo

_ADVANTAGES: Mapping[str, Advantage] = {
    **dict.fromkeys(("pick_first", "pick", "picks_first", "first_pick"), Advantage.PICK_FIRST),
    **dict.fromkeys(("start_game", "start", "starts_game", "start_first", "play_first"), Advantage.START),
}
"""The words in cases for the better placed player's choice."""


_Player = Literal["A", "B"]
_SEATS: Mapping[_Player, SeatNo] = {"A": BETTER_PLACED, "B": OTHER_PLACED}


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    player: _Player


class _Hit(_Event, frozen=True, tag="hit"):
    amount: int


class _Heal(_Event, frozen=True, tag="heal"):
    amount: int


class _BeerAsHeal(_Event, frozen=True, tag="beer_as_heal"):
    """A Beer is played to heal."""


class _Withdraw(_Event, frozen=True, tag="withdraw"):
    """The player leaves."""


Event = _Hit | _Heal | _BeerAsHeal | _Withdraw


class _ShortDuel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short duel with both piles, top card first."""

    pile_A: tuple[Character, ...]  # noqa: N815 (the cases' own key)
    pile_B: tuple[Character, ...]  # noqa: N815
    events: tuple[Event, ...]


class _Pick(msgspec.Struct, frozen=True):
    player: _Player
    character: Character
    expect: Expect = "accept"


class _CaseDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    offered: tuple[Character, ...]
    better_placed: _Player
    choice: str
    picks: tuple[_Pick, ...] = ()


class _CaseLoss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    eliminated: Character


class _CaseTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    choose_front: Character
    jailed: tuple[Character, ...] = ()
    turn_start: bool = True
    expect: Expect = "accept"


class _CaseLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pile: tuple[Character, ...]
    front: Character
    rear: Character
    events: tuple[msgspec.Raw, ...] = ()


def short_duel(case: Case) -> Mapping[str, object]:
    """Return the duel after each event: score, active characters, their life points and the winner."""
    short, edition = case.read(_ShortDuel), case.edition
    piles = (short.pile_A, short.pile_B)
    if any(len(set(pile)) != CHARACTERS[MatchKind.SHORT_DUEL] for pile in piles):
        raise BadData(f"{case.where}, input", "each pile needs eight different characters")
    duel = _turn_up_characters(duel_at_start(MatchKind.SHORT_DUEL), piles, edition)
    # Turns don't matter in these cases, but one player must start.
    duel = _after(duel, DrawStarter(BETTER_PLACED), edition)
    states = []
    for number, event in enumerate(short.events, start=1):
        reason = None
        try:
            duel = _turn_up_characters(_apply_case_event(duel, event, edition), piles, edition)
        except Refused as refusal:
            reason = _reason(refusal)
        states.append(_short_state(number, duel, reason))
    return {"states": states, "winner": _winner(duel)}


def long_duel(case: Case) -> Mapping[str, object]:
    """Return the result of a draft, or of one player's characters as they are eliminated."""
    keys = case.read(dict[str, msgspec.Raw])
    if "offered" in keys:
        return _draft(case.read(_CaseDraft), case.edition, case.where)
    return _fallen(case.read(_CaseLine), case.edition, case.where)


def _apply_case_event(duel: DuelState, event: Event, edition: Edition) -> DuelState:
    seat = _SEATS[event.player]
    active = duel.side(seat).front
    if isinstance(event, _Withdraw):
        for happened in end_by_leaving(duel, seat, ejected=False):
            duel = happened.fold(duel)
        return duel
    if active is None:
        raise Refused(GameReason.DUEL_OVER)
    match event:
        case _Hit(amount=amount):
            return _after(duel, WoundCharacter(seat, active.character, amount), edition)
        case _BeerAsHeal():
            return _after(duel, HealCharacter(seat, active.character, remedy=Remedy.BEER), edition)
        case _Heal(amount=amount):
            return _saloon_heals(duel, seat, active, amount, edition)


def _reason(refusal: Refused) -> str:
    return refusal.reason.name.lower()


def _saloon_heals(duel: DuelState, seat: SeatNo, active: Fighter, amount: int, edition: Edition) -> DuelState:
    points = min(amount, active.max_life - active.life)
    if not points and duel.winner is None:
        return duel
    return _after(duel, HealCharacter(seat, active.character, points), edition)


def _turn_up_characters(
    duel: DuelState, piles: Sequence[tuple[Character, ...]], edition: Edition
) -> DuelState:
    for seat in (BETTER_PLACED, OTHER_PLACED):
        while duel.entering(seat):
            following = piles[seat - 1][len(duel.side(seat).shown)]
            duel = _after(duel, EnterCharacter(seat, following), edition)
    return duel


def _short_state(number: int, duel: DuelState, reason: str | None) -> Mapping[str, object]:
    fronts = [side.front for side in duel.sides]
    return {
        "after": number,
        "accepted": reason is None,
        "reason": reason,
        "kills": duel.score,
        "active": [None if front is None else front.character.value for front in fronts],
        "life": [0 if front is None else front.life for front in fronts],
        "winner": _winner(duel),
    }


def _winner(duel: DuelState) -> str | None:
    if duel.winner is None:
        return None
    return "A" if duel.winner == BETTER_PLACED else "B"


def _draft(draft: _CaseDraft, edition: Edition, where: str) -> Mapping[str, object]:
    # The better placed player takes seat 1, whichever letter the case uses.
    other = "B" if draft.better_placed == "A" else "A"
    letters = {BETTER_PLACED: draft.better_placed, OTHER_PLACED: other}
    seats = {letter: seat for seat, letter in letters.items()}
    if draft.choice not in _ADVANTAGES:
        raise BadData(f"{where}, input.choice", f"{draft.choice!r} is neither pick_first nor start_game")
    duel = duel_at_start(MatchKind.LONG_DUEL)
    refused: list[str] = []
    otherwise: list[str] = []
    try:
        duel = _after(duel, TurnUpCharacters(draft.offered), edition)
        duel = _after(duel, TakeAdvantage(_ADVANTAGES[draft.choice]), edition)
    except Refused as refusal:
        return {"accepted": False, "reason": _reason(refusal)}
    for number, pick in enumerate(draft.picks, start=1):
        try:
            duel = _after(duel, PickCharacter(seats[pick.player], pick.character), edition)
            actual: Expect = "accept"
        except Refused as refusal:
            refused.append(_reason(refusal))
            actual = "reject"
        if actual != pick.expect:
            otherwise.append(f"pick {number}: {actual}")
    teams: object = {
        letter: [character.value for character in duel.side(seat).picks] for seat, letter in letters.items()
    }
    following = None if duel.picker is None else letters[duel.picker]
    return {
        "accepted": not otherwise,
        "reason": refused[0] if refused else None,
        "reasons": refused,
        **dict.fromkeys(("teams", "teams_so_far"), otherwise or teams),
        **dict.fromkeys(("next_to_pick", "next_pick", "next_player"), following),
        "starting_player": None if duel.starter is None else letters[duel.starter],
    }


def _fallen(line: _CaseLine, edition: Edition, where: str) -> Mapping[str, object]:
    others = [character for character in Character if character not in line.pile]
    rivals = tuple(others[: CHARACTERS[MatchKind.LONG_DUEL]])
    if len(set(line.pile)) != CHARACTERS[MatchKind.LONG_DUEL]:
        raise BadData(f"{where}, input.pile", "a pile has five different characters")
    duel = duel_at_start(MatchKind.LONG_DUEL)
    for command in _set_up(line, rivals):
        duel = _after(duel, command, edition)
    front = duel.side(BETTER_PLACED).front
    states: list[Mapping[str, object]] = []
    for number, raw in enumerate(line.events):
        at = f"{where}, input.events[{number}]"
        fields = decode(raw, dict[str, msgspec.Raw], at)
        reason = None
        if "eliminated" in fields:
            duel = _without(duel, line, decode(raw, _CaseLoss, at).eliminated, edition, at)
        else:
            start = decode(raw, _CaseTurn, at)
            duel, reason = _line_up(duel, start, edition, at)
            if (reason is None) is not (start.expect == "accept"):
                states.append({"front": f"{at} is {'accepted' if reason is None else 'rejected'}"})
                continue
        states.append({**_line_state(line, duel), "accepted": reason is None, "reason": reason})
    return {"starting_cards": 0 if front is None else front.max_life, "states": states}


def _without(
    duel: DuelState, line: _CaseLine, character: Character, edition: Edition, where: str
) -> DuelState:
    fighter = duel.side(BETTER_PLACED).fighter(character)
    if fighter is None:
        raise BadData(where, f"{character.value} is not in play")
    duel = _after(duel, WoundCharacter(BETTER_PLACED, fighter.character, fighter.life), edition)
    while duel.entering(BETTER_PLACED):
        reserve = _reserve(line, duel)[0]
        duel = _after(duel, EnterCharacter(BETTER_PLACED, reserve), edition)
    return duel


def _line_up(duel: DuelState, start: _CaseTurn, edition: Edition, where: str) -> tuple[DuelState, str | None]:
    # Source: Championship 2010 v1.1, 1.2.
    if len(start.jailed) > 1:
        raise BadData(where, "two characters in Jail at once are left to the judge")
    while duel.turn != BETTER_PLACED or not duel.may_choose_line:
        for event in end_duel_turn(duel):
            duel = event.fold(duel)
    choice = ChooseLine(BETTER_PLACED, start.choose_front, next(iter(start.jailed), None))
    try:
        return _after(duel, choice, edition), None
    except Refused as refusal:
        return duel, _reason(refusal)


def _set_up(line: _CaseLine, rivals: tuple[Character, ...]) -> Iterator[DuelCommand]:
    yield TurnUpCharacters((*line.pile, *rivals))
    yield TakeAdvantage(Advantage.PICK_FIRST)
    for own, other in zip(line.pile, rivals, strict=True):
        yield PickCharacter(BETTER_PLACED, own)
        yield PickCharacter(OTHER_PLACED, other)
    yield ShowLine(BETTER_PLACED, line.front, line.rear)
    yield ShowLine(OTHER_PLACED, rivals[0], rivals[1])


def _reserve(line: _CaseLine, duel: DuelState) -> list[Character]:
    seen = duel.side(BETTER_PLACED).shown
    return [character for character in line.pile if character not in seen]


def _line_state(line: _CaseLine, duel: DuelState) -> Mapping[str, object]:
    side = duel.side(BETTER_PLACED)
    fields: dict[str, object] = {
        "front": None if side.front is None else side.front.character.value,
        "rear": None if side.rear is None else side.rear.character.value,
        "reserve": [character.value for character in _reserve(line, duel)],
    }
    if duel.winner == OTHER_PLACED:
        fields["duel_lost"] = True
    return fields


def _after(duel: DuelState, command: DuelCommand, edition: Edition) -> DuelState:
    for event in command.move(duel, edition):
        duel = event.fold(duel)
    return duel
