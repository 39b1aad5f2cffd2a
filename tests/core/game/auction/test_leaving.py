"""A player who leaves in the middle of an auction loses only the bid, and the auction continues."""

import pytest

from core.game.bidding import TakeCharacter
from core.game.play.abandonment import Abandon
from core.game.setup import DealRoles
from core.game.state.game import Phase
from core.game.undo import Undo
from core.terms import SeatNo
from tests.core.game.auction.conftest import DECK, AuctionTable, stake

BART, JACK, JANET, GRINGO, JESSE = DECK[:5]


def leave(table: AuctionTable, *seats: int) -> None:
    table.ask(*(Abandon(SeatNo(seat)) for seat in seats))


def test_who_was_still_in_passes(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.nominate(1, BART, 100)
    leave(table, 3)
    assert table.hand().queue == (2, 4)
    table.passes(2)
    leave(table, 4)
    assert table.seat(1).character is BART


def test_a_highest_bid_is_void_and_the_nominator_begins_anew(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.nominate(1, BART, 100)
    table.passes(2)
    table.raises(3, 900)
    leave(table, 3)
    assert table.auction().hand is None
    assert table.auction().nominator == 1
    table.nominate(1, BART, 0)
    assert table.hand().queue == (2, 4)
    table.all_pass()
    assert table.paid() == [0, 0, 0, 0]


def test_after_a_nominator_who_left_the_next_one_nominates(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    leave(table, 1)
    assert table.auction().nominator == 2
    table.nominate(2, BART, 100)
    leave(table, 2)
    assert table.auction().nominator == 3


def test_what_was_bought_stays_and_is_paid(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.nominate(1, BART, 500)
    table.all_pass()
    leave(table, 1)
    table.sold_to_nominators()
    assert table.paid() == [500, 100, 100, 0]


def test_those_who_left_get_what_remains_for_nothing_in_the_order_of_play(enlisting: AuctionTable) -> None:
    table = enlisting.bidding(1000, 1000, 1000, 1000, 1000)
    leave(table, 4, 2)
    table.nominate(5, JACK, 100)
    table.all_pass()
    table.nominate(3, GRINGO, 100)
    table.all_pass()
    table.nominate(1, BART, 100)  # nobody is left to raise
    assert table.now().phase is Phase.CHARACTERS
    assert (table.seat(2).character, table.seat(4).character) == (JANET, JESSE)
    assert table.paid() == [100, 0, 100, 0, 100]


def test_a_taker_who_leaves_takes_after_the_others(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(500, 0, 0, 0)
    table.nominate(1, BART, 0)
    assert table.auction().taker == 2
    leave(table, 2)
    assert table.auction().taker == 3
    table.ask(TakeCharacter(SeatNo(3), GRINGO), TakeCharacter(SeatNo(4), JACK))
    assert table.seat(2).character is JANET


@pytest.mark.parametrize("turned_up", [True, False])
def test_an_auction_that_everybody_leaves_ends(table_2010: AuctionTable, *, turned_up: bool) -> None:
    table = table_2010.opened([stake(5000)] * 4)
    if turned_up:
        table.turned_up()
    leave(table, 1, 2, 3, 4)
    if not turned_up:
        table.turned_up()
    assert table.now().phase is Phase.CHARACTERS
    assert table.paid() == [0, 0, 0, 0]
    assert len({seat.character for seat in table.now().seats}) == 4


def test_who_leaves_before_answering_keeps_nothing(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000, survived=True, owned=BART, price=100)] + [stake(1000)] * 3)
    leave(table, 1)
    assert table.auction().keepers == ()
    table.turned_up()
    assert table.auction().nominator == 4


def test_who_left_before_the_deal_is_not_asked(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000)] * 4)
    table.ask(Undo(1))
    leave(table, 3)
    table.ask(DealRoles())
    table.turned_up()
    table.nominate(4, BART, 100)
    assert table.hand().queue == (2, 1)
