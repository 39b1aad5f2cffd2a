"""Worked cases about spending dollars: auctions of characters, and cards kept for the next game."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from base.errors import BadData, Refused
from core.characters import Character
from core.cli.cases.case import Case, Expect
from core.editions.edition import Edition
from core.editions.game_rules import ExperienceRule
from core.game.decide import GameCommand, decide
from core.game.events import GameStep
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.setup import CheckIn, DealRoles, SeatTable, most_cards, starting_life
from core.game.state.game import GameState, Phase, SeatedPlayer, Stake
from core.game.timeline import Timeline, extend
from core.rule_set import RuleSet
from core.terms import SHERIFF_SEAT, Dollars, GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId

NOT_IN_FRONT = "not_in_front"
TOO_LITTLE_MONEY = "insufficient_funds"
MORE_THAN_LIFE = "more_than_starting_life"

_PRINTED = ExperienceRule(dollars=Dollars(500))
"""The printed rule, for cases whose edition has none. Source: Official Score System 2003."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    total: Dollars
    cards_in_front: int | tuple[str, ...] | None = None  # at the end of the last game
    alive: bool = True
    starting_life: int | None = None
    character: Character | None = None
    sheriff: bool = False
    wanted: int | tuple[str, ...] | None = None  # cards to keep


def experience(case: Case) -> Mapping[str, object]:
    """Return how many cards may be kept, at what price, and whether the number requested is allowed.

    Source: Official Score System 2003; reading D33.
    """
    data = case.read(_Kept)
    rule = case.edition.options.experience or _PRINTED
    life = data.starting_life
    if data.character is not None:
        life = starting_life(data.character, case.edition, sheriff=data.sheriff)
    in_front = data.cards_in_front if data.cards_in_front is not None else data.wanted
    if life is None or in_front is None:
        raise BadData(f"{case.where}, input", "the starting life, or the cards in front, are missing")
    lying = _count(in_front) if data.alive else 0
    most = most_cards(life, lying, data.total, rule)
    limits: dict[str, object] = {"max_cards": most, "max_cost": most * rule.dollars}
    if data.wanted is None:
        return limits | {"cost": most * rule.dollars}
    wanted = _count(data.wanted)
    reason = _refusal(data, wanted, lying, life, most)
    kept = 0 if reason else wanted
    cost = kept * rule.dollars
    allowed = dict.fromkeys(("allowed", "accepted"), reason is None)
    hand = {"drawn_cards": life - kept, "hand_size": life}
    return {**limits, **allowed, **hand, "reason": reason, "cost": cost, "total_after": data.total - cost}


def _refusal(data: _Kept, wanted: int, lying: int, life: int, most: int) -> str | None:
    in_front, names = data.cards_in_front, data.wanted
    if isinstance(in_front, tuple) and isinstance(names, tuple) and Counter(names) - Counter(in_front):
        return NOT_IN_FRONT
    if not 0 <= wanted <= lying:
        return NOT_IN_FRONT
    if wanted > life:
        return MORE_THAN_LIFE
    return TOO_LITTLE_MONEY if wanted > most else None


def _count(cards: int | tuple[str, ...]) -> int:
    return cards if isinstance(cards, int) else len(cards)


class _Operation(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True, kw_only=True):
    seat: SeatNo
    expect: Expect
    reason: str = ""


class _Nominate(_Operation, frozen=True, tag="nominate", kw_only=True):
    character: Character
    bid: Dollars


class _Raise(_Operation, frozen=True, tag="raise", kw_only=True):
    bid: Dollars


class _Pass(_Operation, frozen=True, tag="pass", kw_only=True):
    pass


class _Take(_Operation, frozen=True, tag="take", kw_only=True):
    character: Character


class _Keep(_Operation, frozen=True, tag="keep", kw_only=True):
    character: Character
    paid_before: Dollars = Dollars(0)
    alive: bool = True


_AnyOperation = _Nominate | _Raise | _Pass | _Take | _Keep


class _Auction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    sheriff_seat: SeatNo
    balances: tuple[Dollars, ...]
    characters: tuple[Character, ...]
    operations: tuple[_AnyOperation, ...]

    def __post_init__(self) -> None:
        if len(self.balances) != self.players:
            raise ValueError(f"{len(self.balances)} balances for {self.players} players")
        if not 1 <= self.sheriff_seat <= self.players:
            raise ValueError(f"there is no seat {self.sheriff_seat}")


def auction(case: Case) -> Mapping[str, object]:
    """Return each seat's character, price and money left, and the first operation that differs.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    data = case.read(_Auction)
    table = _CaseTable(data, case.edition, case.where)
    for number, operation in enumerate(data.operations):
        accepted = table.does(operation)
        if accepted is not (operation.expect == "accept"):
            said = "accepted" if accepted else "rejected"
            return {"assignments": f"operation {number} ({type(operation).__name__[1:].lower()}) is {said}"}
    table.turn_up()
    return {"assignments": [table.assignment(SeatNo(seat)) for seat in range(1, data.players + 1)]}


class _CaseTable:
    """A table of a case. The core has the Sheriff at seat 1; the case's seats are converted to that."""

    def __init__(self, data: _Auction, edition: Edition, where: str) -> None:
        self._data = data
        self._edition = edition
        self._where = where
        self._timeline: Timeline | None = None
        if edition.auction is None:
            raise BadData(where, f"the edition {edition.key} has no auction")
        self._ask(
            SeatTable(
                game=GameId("case"),
                tournament=TournamentId("case"),
                tournament_name="",
                rules=RuleSet(edition.key, edition.chosen),
                round=RoundNo(1),
                table=TableNo(1),
                seats=tuple(self._player(SeatNo(seat)) for seat in range(1, data.players + 1)),
            )
        )
        for seat in range(1, data.players + 1):
            self._ask(CheckIn(SeatNo(seat)))
        self._ask(DealRoles())

    def does(self, operation: _AnyOperation) -> bool:
        if not isinstance(operation, _Keep):
            self.turn_up()
        try:
            self._ask(self._command(operation))
        except Refused:
            return False
        return True

    def turn_up(self) -> None:
        if self._state.phase is not Phase.AUCTION:
            return
        while self._auction_keepers():
            self._ask(LeaveCharacter(self._auction_keepers()[0]))
        auction = self._state.auction
        if auction is None or auction.revealed:
            return
        kept = {seat.character for seat in self._state.seats}
        up = tuple(character for character in self._data.characters if character not in kept)
        try:
            self._ask(RevealCharacters(up))
        except Refused as refusal:
            raise BadData(f"{self._where}, input.characters", str(refusal)) from refusal

    def assignment(self, case_seat: SeatNo) -> Mapping[str, object]:
        seat = self._state.seats[self._seat(case_seat) - 1]
        return {
            "seat": case_seat,
            "character": None if seat.character is None else seat.character.value,
            "paid": seat.spent,
            "balance_after": self._data.balances[case_seat - 1] - seat.spent,
        }

    @property
    def _state(self) -> GameState:
        assert self._timeline is not None  # seated by the constructor
        return self._timeline.state

    def _auction_keepers(self) -> Sequence[SeatNo]:
        return () if self._state.auction is None else self._state.auction.keepers

    def _ask(self, command: GameCommand) -> None:
        state = None if self._timeline is None else self._timeline.state
        step = GameStep(GameId("case"), decide(state, command, self._edition))
        self._timeline = extend(self._timeline, step)

    def _command(self, operation: _AnyOperation) -> GameCommand:
        seat = self._seat(operation.seat)
        match operation:
            case _Nominate(character=character, bid=bid):
                return Nominate(seat, character, bid)
            case _Raise(bid=bid):
                return Raise(seat, bid)
            case _Pass():
                return Pass(seat)
            case _Take(character=character):
                return TakeCharacter(seat, character)
            case _Keep():
                return KeepCharacter(seat)

    def _seat(self, case_seat: SeatNo) -> SeatNo:
        return SeatNo((case_seat - self._data.sheriff_seat) % self._data.players + SHERIFF_SEAT)

    def _player(self, seat: SeatNo) -> SeatedPlayer:
        case_seat = SeatNo((seat - SHERIFF_SEAT + self._data.sheriff_seat - 1) % self._data.players + 1)
        kept = [o for o in self._data.operations if isinstance(o, _Keep) and o.seat == case_seat]
        stake = Stake(self._data.balances[case_seat - 1])
        if kept:
            stake = Stake(stake.budget, kept[0].alive, kept[0].character, kept[0].paid_before)
        return SeatedPlayer(PlayerId(f"seat {case_seat}"), f"Seat {case_seat}", stake)
