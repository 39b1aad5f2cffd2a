"""An auction table: a game led to its auction, with what each player may spend."""

from collections.abc import Sequence

import msgspec
import pytest

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition, rules_of
from core.game.play.abandonment import Abandon
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.setup import CheckIn, DealRoles
from core.game.state.auction import Auction, Hand
from core.game.state.game import Phase, SeatedPlayer, Stake
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, PlayerId, SeatNo
from tests.core.game.conftest import ScriptedTable, seating

DECK = tuple(Character)
RULES_2010 = edition("championship-2010")


def rules_2003(*chosen: OptionKey) -> Edition:
    """The official score system with options."""
    return rules_of(RuleSet("official-2003", chosen))


ENLISTMENT = rules_2003(OptionKey.ENLISTMENT)


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
        rules = RuleSet(self.rules.key, self.rules.chosen)
        self.ask(msgspec.structs.replace(seating(len(stakes)), seats=seats, rules=rules))
        self.ask(*(CheckIn(SeatNo(number)) for number in range(1, len(stakes) + 1)), DealRoles())
        return self

    def bidding(self, *budgets: int) -> "AuctionTable":
        """Up to the first nominator, with the first characters of the deck turned up."""
        return self.opened([stake(budget) for budget in budgets]).turned_up()

    def turned_up(self) -> "AuctionTable":
        owned = {seat.character for seat in self.now().seats}
        count = sum(seat.character is None for seat in self.now().seats)
        self.ask(RevealCharacters(tuple(ch for ch in DECK if ch not in owned)[:count]))
        return self

    def auction(self) -> Auction:
        state = self.now().auction
        assert state is not None
        return state

    def hand(self) -> Hand:
        current = self.auction().hand
        assert current is not None
        return current

    def nominate(self, seat: int, character: Character, bid: int) -> None:
        self.ask(Nominate(SeatNo(seat), character, Dollars(bid)))

    def raises(self, seat: int, bid: int) -> None:
        self.ask(Raise(SeatNo(seat), Dollars(bid)))

    def passes(self, *seats: int) -> None:
        self.ask(*(Pass(SeatNo(seat)) for seat in seats))

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
                self.ask(TakeCharacter(taker, self.auction().free[0]))
            else:
                self.nominate(nominator, self.auction().free[0], bid)
                self.all_pass()

    def paid(self) -> list[int]:
        """By seat."""
        return [seat.spent for seat in self.now().seats]

    def leave(self, *seats: int) -> None:
        self.ask(*(Abandon(SeatNo(seat)) for seat in seats))


@pytest.fixture
def table_2010() -> AuctionTable:
    return AuctionTable(RULES_2010)


@pytest.fixture
def enlisting() -> AuctionTable:
    return AuctionTable(ENLISTMENT)
