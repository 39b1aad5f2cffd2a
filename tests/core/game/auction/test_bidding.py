"""Nominating, raising, passing: Championship 2010 v1.1, 1.1, and the enlistment of 2003."""

from core.characters import Character
from core.game.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.setup import BeginGame
from core.game.state.game import Phase
from core.game.state.reasons import GameReason
from core.game.undo import Undo
from core.terms import Dollars, SeatNo
from tests.core.game.auction.conftest import DECK, AuctionTable

BART, JACK, JANET, GRINGO, JESSE = DECK[:5]


def test_the_sheriff_begins_and_may_open_with_nothing(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000, 5000)
    assert table.auction().nominator == 1
    table.nominate(1, BART, 0)
    assert (table.hand().bid, table.hand().leader, table.hand().word) == (0, 1, 2)


def test_the_word_goes_to_the_left_and_back_to_who_was_outbid(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000, 5000)
    table.nominate(1, BART, 0)
    table.raises(2, 100)
    table.passes(3, 4)
    table.raises(5, 300)
    assert table.hand().queue == (1, 2)
    table.passes(1, 2)
    assert table.seat(5).character is BART
    assert table.paid() == [0, 0, 0, 0, 300]
    assert table.auction().nominator == 1  # to the left of the winner


def test_who_has_a_character_bids_no_more(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.nominate(1, BART, 100)
    table.all_pass()
    table.nominate(2, JACK, 100)
    assert table.hand().queue == (3, 4)
    assert table.refuses(Raise(SeatNo(1), Dollars(900))) is GameReason.HAS_CHARACTER
    assert table.refuses(Pass(SeatNo(4))) is GameReason.NOT_ITS_WORD


def test_the_last_player_gets_the_last_character_for_nothing(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.sold_to_nominators()
    assert table.paid() == [100, 100, 100, 0]
    assert table.now().phase is Phase.CHARACTERS
    table.ask(BeginGame())
    assert table.now().phase is Phase.PLAYING


def test_invalid_bids_are_refused(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 700, 5000, 5000)
    assert table.refuses(Nominate(SeatNo(2), BART, Dollars(100))) is GameReason.NOT_ITS_WORD
    assert table.refuses(Nominate(SeatNo(1), BART, Dollars(150))) is GameReason.BID_STEP
    assert table.refuses(Nominate(SeatNo(1), BART, Dollars(-100))) is GameReason.BID_TOO_LOW
    assert table.refuses(Nominate(SeatNo(1), Character.SID_KETCHUM, Dollars(0))) is GameReason.NOT_FREE
    assert table.refuses(Raise(SeatNo(1), Dollars(100))) is GameReason.NO_HAND
    table.nominate(1, BART, 300)
    assert table.refuses(Nominate(SeatNo(1), JACK, Dollars(0))) is GameReason.HAND_OPEN
    assert table.refuses(Raise(SeatNo(2), Dollars(300))) is GameReason.BID_TOO_LOW
    assert table.refuses(Raise(SeatNo(2), Dollars(450))) is GameReason.BID_STEP
    assert table.refuses(Raise(SeatNo(2), Dollars(800))) is GameReason.MAY_NOT_SPEND
    table.raises(2, 700)
    table.passes(3)
    assert table.refuses(Raise(SeatNo(3), Dollars(900))) is GameReason.HAS_PASSED


def test_a_refusal_does_not_tell_what_a_player_has(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 700, 5000, 5000)
    table.nominate(1, BART, 300)
    refusal = table.refuses(Raise(SeatNo(2), Dollars(800)))
    assert "{" not in refusal.value.replace("{seat}", "")


def test_players_without_money_pass_and_take_what_is_left_in_the_order_of_play(
    table_2010: AuctionTable,
) -> None:
    table = table_2010.bidding(0, 600, 0, 900, 0)
    assert table.auction().nominator == 2  # D26: a Sheriff without money is passed over
    table.nominate(2, BART, 600)
    assert table.hand().queue == (4,)
    table.passes(4)
    table.nominate(4, JACK, 0)  # nobody is left who could raise
    assert table.seat(4).character is JACK
    assert table.auction().taker == 1
    assert table.refuses(TakeCharacter(SeatNo(3), JANET)) is GameReason.NOT_ITS_WORD
    assert table.refuses(TakeCharacter(SeatNo(1), BART)) is GameReason.NOT_FREE
    table.ask(TakeCharacter(SeatNo(1), JESSE), TakeCharacter(SeatNo(3), GRINGO))
    assert table.seat(5).character is JANET
    assert table.paid() == [0, 600, 0, 0, 0]


def test_debts_of_penalties_are_no_money(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(-5000, 600, 700, 900)
    table.sold_to_nominators()
    assert table.paid() == [0, 100, 100, 100]  # who has none comes after all others


def test_enlistment_goes_round_to_the_right(enlisting: AuctionTable) -> None:
    table = enlisting.bidding(1000, 1000, 1000, 1000, 1000)
    assert table.auction().nominator == 5  # to the right of the Sheriff
    assert table.refuses(Nominate(SeatNo(5), BART, Dollars(0))) is GameReason.BID_TOO_LOW
    table.nominate(5, BART, 100)
    assert table.hand().queue == (4, 3, 2, 1)
    table.passes(4, 3)
    table.raises(2, 200)
    table.passes(1, 5)
    assert table.seat(2).character is BART
    assert table.auction().nominator == 4  # after the last nominator, not the winner


def test_the_last_one_enlisted_costs_the_fee_or_what_is_there(enlisting: AuctionTable) -> None:
    table = enlisting.bidding(1000, 1000, 50, 1000)
    table.sold_to_nominators()
    assert table.paid() == [100, 100, 50, 100]


def test_the_last_one_enlisted_costs_the_fee(enlisting: AuctionTable) -> None:
    table = enlisting.bidding(1000, 1000, 1000, 1000)
    table.sold_to_nominators(bid=300)
    assert table.paid() == [100, 300, 300, 300]


def test_undo_walks_back_through_a_sale(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    states = [table.now()]
    table.nominate(1, BART, 100)
    states.append(table.now())
    table.passes(2, 3)
    before_the_sale = table.now()
    table.passes(4)
    assert table.seat(1).character is BART
    table.ask(Undo(1))
    assert table.now() == before_the_sale
    table.ask(Undo(2))
    assert table.now() == states[1]
    table.ask(Undo(1))
    assert table.now() == states[0]
