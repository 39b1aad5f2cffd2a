"""A table at the moments of an auction, and of cards that are kept."""

from collections.abc import Iterator
from typing import Final

from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import edition, rules_of
from saloon.core.game import commands as c
from saloon.core.game.characters import Character
from saloon.core.game.events import Stake
from saloon.core.rule_set import OptionKey, RuleSet
from saloon.core.terms import Dollars, SeatNo
from saloon.kiosk.rehearsal.moments import CAST, Moment, Table

OTHERS: Final = (Character.LUCKY_DUKE, Character.PEDRO_RAMIREZ)
"""Characters beside the cast, for tables larger than it."""


def auction_moments(seats: int) -> Iterator[Moment]:
    """An auction from the characters turned up to the last one sold; enlistment with kept characters."""
    yield from _auction(seats, edition("championship-2010"))
    yield from _enlistment(
        seats, rules_of(RuleSet("official-2003", (OptionKey.EXPERIENCE, OptionKey.ENLISTMENT)))
    )


def _auction(seats: int, rules: Edition) -> Iterator[Moment]:
    stakes = [Stake(Dollars(6000))] * (seats - 1) + [Stake(Dollars(0))]
    table = Table(seats, rules, stakes).dealt()
    yield Moment("auction-begins", "auction", table.view())
    some = ("turn-up", "character-slab-the-killer", "character-el-gringo", "character-rose-doolan")
    yield Moment("auction-turn-up", "turn-up", table.view(), some)
    table.do(c.RevealCharacters((*CAST, *OTHERS)[:seats]))
    yield Moment("auction-first", "auction", table.view())
    nominate = ("seat-1-nominate", "character-sid-ketchum", "bid-more-500")
    yield Moment("auction-nominate", "nominate", table.view(), nominate)
    table.do(c.Nominate(SeatNo(1), CAST[2], Dollars(0)))
    table.do(c.Raise(SeatNo(2), Dollars(300)), c.Pass(SeatNo(3)) if seats > 4 else c.CallJudge())  # noqa: PLR2004
    yield Moment("auction-hand", "auction", table.view())
    speaker = _word(table)
    yield Moment("auction-raise", "raise", table.view(), (f"seat-{speaker}-bid", "bid-more-1000"))
    while table.state.auction is not None and table.state.auction.hand is not None:
        table.do(c.Pass(_word(table)))
    yield Moment("auction-sold", "auction", table.view())
    table.do(c.Nominate(SeatNo(3), CAST[0], Dollars(1200)))
    yield Moment("auction-second-hand", "auction", table.view())


def _enlistment(seats: int, rules: Edition) -> Iterator[Moment]:
    owned = (Character.SLAB_THE_KILLER, Character.SUZY_LAFAYETTE, Character.CALAMITY_JANET)
    stakes = [Stake(Dollars(2100), survived=True, owned=who, price=Dollars(400)) for who in owned]
    stakes += [Stake(Dollars(0))] * 2 + [Stake(Dollars(1000))] * (seats - 5)
    table = Table(seats, rules, stakes[:seats]).dealt()
    yield Moment("enlistment-keep", "auction", table.view())
    table.do(c.KeepCharacter(SeatNo(1)), c.LeaveCharacter(SeatNo(2)), c.KeepCharacter(SeatNo(3)))
    up = [who for who in (*CAST, *OTHERS) if who not in owned]
    table.do(c.RevealCharacters(tuple(up[: seats - 2])))
    while table.state.auction is not None and (nominator := table.state.auction.nominator) is not None:
        table.do(c.Nominate(nominator, table.state.auction.free[0], Dollars(100)))
        while table.state.auction.hand is not None:
            table.do(c.Pass(_word(table)))
    if table.state.auction is not None and table.state.auction.taker is not None:
        yield Moment("enlistment-take", "take", table.view(), (f"seat-{table.state.auction.taker}-take",))
        table.do(c.TakeCharacter(table.state.auction.taker, table.state.auction.free[0]))
    table.do(c.KeepCards(SeatNo(1), 2))
    yield Moment("kept-cards", "characters", table.view())
    yield Moment("kept-cards-choice", "kept-cards", table.view(), ("seat-1-cards",))


def _word(table: Table) -> SeatNo:
    auction = table.state.auction
    assert auction is not None  # asked while a hand is open
    assert auction.hand is not None
    assert auction.hand.word is not None
    return auction.hand.word
