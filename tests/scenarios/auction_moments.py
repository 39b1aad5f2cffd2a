"""A table at the moments of an auction, and of cards that are kept."""

from collections.abc import Iterator
from typing import Final

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition, rules_of
from core.game.ending.judge_calls import CallJudge
from core.game.ending.sheet import DeclareRoles
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.setup import BeginGame, KeepCards
from core.game.state.game import Phase, Stake
from core.game.state.seats import role_counts
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, Role, SeatNo
from tests.scenarios.moments import CAST, Moment, Table

_MOST_WITHOUT_REBEL: Final = 7


def auction_moments(seats: int) -> Iterator[Moment]:
    """Yield an auction from the first character to the last one sold; enlistment with kept characters.

    Tables that no championship has play with the Rebel!.
    """
    options = (OptionKey.EXPERIENCE, OptionKey.ENLISTMENT)
    if seats > _MOST_WITHOUT_REBEL:
        enlistment = rules_of(RuleSet("official-2003", (*options, OptionKey.REBEL)))
        yield from _auction(seats, enlistment)
    else:
        enlistment = rules_of(RuleSet("official-2003", options))
        yield from _auction(seats, edition("championship-2010"))
    yield from _enlistment(seats, enlistment)


def _auction(seats: int, rules: Edition) -> Iterator[Moment]:
    stakes = [Stake(Dollars(6000))] * (seats - 1) + [Stake(Dollars(0))]
    table = Table(seats, rules, stakes).dealt()
    yield Moment("auction-begins", "auction", table.view())
    some = ("turn-up", "character-slab-the-killer", "character-el-gringo", "character-rose-doolan")
    yield Moment("auction-turn-up", "turn-up", table.view(), some)
    table.do(RevealCharacters(CAST[:seats]))
    yield Moment("auction-first", "auction", table.view())
    nominate = (f"seat-{_nominator(table)}-nominate", "character-sid-ketchum", "bid-more-500")
    yield Moment("auction-nominate", "nominate", table.view(), nominate)
    table.do(Nominate(_nominator(table), CAST[2], Dollars(100)))
    table.do(Raise(_word(table), Dollars(300)))
    table.do(Pass(_word(table)) if seats > 4 else CallJudge())
    yield Moment("auction-hand", "auction", table.view())
    speaker = _word(table)
    yield Moment("auction-raise", "raise", table.view(), (f"seat-{speaker}-bid", "bid-more-1000"))
    _sold(table)
    yield Moment("auction-sold", "auction", table.view())
    table.do(Nominate(_nominator(table), CAST[0], Dollars(1200)))
    yield Moment("auction-second-hand", "auction", table.view())
    while table.state.phase is Phase.AUCTION:
        _sold(table)
    yield Moment("auction-over", "characters", table.view())
    if seats <= _MOST_WITHOUT_REBEL and seats in rules.tables.sizes:
        yield Moment("auction-sheet", "sheet", _declared(table, rules).view())


def _enlistment(seats: int, rules: Edition) -> Iterator[Moment]:
    owned = (Character.SLAB_THE_KILLER, Character.SUZY_LAFAYETTE, Character.CALAMITY_JANET)
    stakes = [Stake(Dollars(2100), survived=True, owned=who, price=Dollars(400)) for who in owned]
    stakes += [Stake(Dollars(0))] * 2 + [Stake(Dollars(1000))] * (seats - 5)
    table = Table(seats, rules, stakes[:seats]).dealt()
    yield Moment("enlistment-keep", "auction", table.view())
    table.do(KeepCharacter(SeatNo(1)), LeaveCharacter(SeatNo(2)), KeepCharacter(SeatNo(3)))
    up = [who for who in CAST if who not in owned]
    table.do(RevealCharacters(tuple(up[: seats - 2])))
    while table.state.auction is not None and table.state.auction.nominator is not None:
        _sold(table)
    if table.state.auction is not None and table.state.auction.taker is not None:
        yield Moment("enlistment-take", "take", table.view(), (f"seat-{table.state.auction.taker}-take",))
        table.do(TakeCharacter(table.state.auction.taker, table.state.auction.free[0]))
    table.do(KeepCards(SeatNo(1), 2))
    yield Moment("kept-cards", "characters", table.view())
    yield Moment("kept-cards-choice", "kept-cards", table.view(), ("seat-1-cards",))


def _sold(table: Table) -> None:
    """Play the hand to its end, all but the leader passing; without one a character is put up first."""
    auction = table.state.auction
    assert auction is not None  # asked during an auction
    if auction.hand is None and auction.nominator is not None:
        table.do(Nominate(auction.nominator, auction.free[0], Dollars(100)))
    while table.state.auction is not None and table.state.auction.hand is not None:
        table.do(Pass(_word(table)))


def _declared(table: Table, rules: Edition) -> Table:
    """Return the game after an auction, won by the Outlaws: the Sheriff is eliminated."""
    row = role_counts(table.seats, rules)
    others = [role for role in Role for _ in range(row.count(role)) if role is not Role.SHERIFF]
    table.do(BeginGame()).kill(1, 2, Role.SHERIFF)
    return table.do(DeclareRoles((Role.SHERIFF, *others)))


def _nominator(table: Table) -> SeatNo:
    auction = table.state.auction
    assert auction is not None  # asked between two hands
    assert auction.nominator is not None
    return auction.nominator


def _word(table: Table) -> SeatNo:
    auction = table.state.auction
    assert auction is not None  # asked while a hand is open
    assert auction.hand is not None
    assert auction.hand.word is not None
    return auction.hand.word
