"""An auction table: a game led to its auction, with what each player may spend."""

from collections.abc import Callable, Sequence

import msgspec
import pytest
from tests.core.game.conftest import ScriptedTable, seating

from saloon.core.editions import CharacterMethod, Edition
from saloon.core.editions.auction_rule import AuctionRule, BidOrder, FirstNominator, NextNominator
from saloon.core.editions.options import EnlistmentRule, ExperienceRule, Options
from saloon.core.game import commands as c
from saloon.core.game.auction.state import Auction, Hand
from saloon.core.game.characters import Character
from saloon.core.game.events import SeatedPlayer, Stake
from saloon.core.game.reasons import Reason
from saloon.core.game.state import Phase
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars, PlayerId, SeatNo

DECK = tuple(Character)
RULE_2010 = AuctionRule(
    first_nominator=FirstNominator.SHERIFF,
    order=BidOrder.CLOCKWISE,
    next_nominator=NextNominator.FROM_WINNER,
    minimum=Dollars(0),
    step=Dollars(100),
    last_pays=Dollars(0),
)
RULE_2003 = AuctionRule(
    first_nominator=FirstNominator.RIGHT_OF_SHERIFF,
    order=BidOrder.COUNTERCLOCKWISE,
    next_nominator=NextNominator.FROM_NOMINATOR,
    minimum=Dollars(100),
    step=Dollars(100),
    last_pays=Dollars(100),
)


def stake(budget: int, *, survived: bool = False, owned: Character | None = None, price: int = 0) -> Stake:
    return Stake(Dollars(budget), survived, owned, Dollars(price))


class AuctionTable(ScriptedTable):
    """A table in the words of an auction."""

    def opened(self, stakes: Sequence[Stake | None]) -> "AuctionTable":
        """Up to the deal of the roles, which opens the auction."""
        seats = tuple(
            SeatedPlayer(PlayerId(f"p{number}"), f"Player {number}", brought)
            for number, brought in enumerate(stakes, start=1)
        )
        self.ask(msgspec.structs.replace(seating(len(stakes)), seats=seats))
        self.ask(*(c.CheckIn(SeatNo(number)) for number in range(1, len(stakes) + 1)), c.DealRoles())
        return self

    def bidding(self, *budgets: int) -> "AuctionTable":
        """Up to the first nominator, with the first characters of the deck turned up."""
        return self.opened([stake(budget) for budget in budgets]).turned_up()

    def turned_up(self) -> "AuctionTable":
        owned = {seat.character for seat in self.now().seats}
        count = sum(seat.character is None for seat in self.now().seats)
        self.ask(c.RevealCharacters(tuple(ch for ch in DECK if ch not in owned)[:count]))
        return self

    def auction(self) -> Auction:
        found = self.now().auction
        assert found is not None
        return found

    def hand(self) -> Hand:
        found = self.auction().hand
        assert found is not None
        return found

    def nominate(self, seat: int, character: Character, bid: int) -> None:
        self.ask(c.Nominate(SeatNo(seat), character, Dollars(bid)))

    def raises(self, seat: int, bid: int) -> None:
        self.ask(c.Raise(SeatNo(seat), Dollars(bid)))

    def passes(self, *seats: int) -> None:
        self.ask(*(c.Pass(SeatNo(seat)) for seat in seats))

    def all_pass(self) -> None:
        while self.now().phase is Phase.AUCTION and self.auction().hand is not None:
            word = self.hand().word
            assert word is not None
            self.passes(word)

    def sold_to_nominators(self, bid: int = 100) -> None:
        """Each nominator gets the first free character for the opening bid."""
        while self.now().phase is Phase.AUCTION:
            nominator = self.auction().nominator
            if nominator is None:
                taker = self.auction().taker
                assert taker is not None
                self.ask(c.TakeCharacter(taker, self.auction().free[0]))
            else:
                self.nominate(nominator, self.auction().free[0], bid)
                self.all_pass()

    def paid(self) -> list[int]:
        """By seat."""
        return [seat.spent for seat in self.now().seats]

    def refuses(self, command: c.GameCommand) -> Reason:
        return self.refusal(command)


def rules_2010(base: Edition) -> Edition:
    characters = msgspec.structs.replace(
        base.characters, method=CharacterMethod.AUCTION, dealt=1, auction=RULE_2010
    )
    return msgspec.structs.replace(base, start_money=Dollars(5000), characters=characters)


def rules_2003(base: Edition, *chosen: OptionKey) -> Edition:
    characters = msgspec.structs.replace(base.characters, method=CharacterMethod.AT_RANDOM, dealt=1)
    options = Options(
        experience=ExperienceRule(dollars=Dollars(500)),
        enlistment=EnlistmentRule(start_money=Dollars(1000), auction=RULE_2003),
    )
    return msgspec.structs.replace(base, characters=characters, options=options, chosen=chosen)


@pytest.fixture
def table_2010(rules: Edition) -> AuctionTable:
    return AuctionTable(rules_2010(rules))


@pytest.fixture
def enlisting(rules: Edition) -> AuctionTable:
    return AuctionTable(rules_2003(rules, OptionKey.ENLISTMENT))


MakeTable = Callable[..., AuctionTable]
