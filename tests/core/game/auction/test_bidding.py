"""The auction: opening, bidding and leaving: Championship 2010 v1.1, 1.1, and the enlistment of 2003."""

import pytest

from core.characters import Character
from core.game.clock import EndByTimeLimit
from core.game.ending.finished_game import finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.setup import BeginGame, ChooseCharacter, DealRoles
from core.game.state.decisions import Undo
from core.game.state.game import Phase
from core.game.state.reasons import GameReason
from core.terms import Dollars, SeatNo
from tests.core.game.auction.conftest import DECK, AuctionTable, stake
from tests.core.game.conftest import ROLES

BART, JACK, JANET, GRINGO, JESSE = DECK[:5]


@pytest.fixture
def table(table_2010: AuctionTable) -> AuctionTable:
    """Four players with the start money bid."""
    return table_2010.bidding(5000, 5000, 5000, 5000)


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


def test_who_has_a_character_bids_no_more(table: AuctionTable) -> None:
    table.nominate(1, BART, 100)
    table.all_pass()
    table.nominate(2, JACK, 100)
    assert table.hand().queue == (3, 4)
    assert table.refusal(Raise(SeatNo(1), Dollars(900))) is GameReason.HAS_CHARACTER
    assert table.refusal(Pass(SeatNo(4))) is GameReason.NOT_ITS_WORD


def test_the_last_player_gets_the_last_character_for_nothing(table: AuctionTable) -> None:
    table.sold_to_nominators()
    assert table.paid() == [100, 100, 100, 0]
    assert table.now().phase is Phase.CHARACTERS
    assert table.refusal(ChooseCharacter(SeatNo(1), Character.SID_KETCHUM)) is GameReason.AUCTIONED
    table.ask(BeginGame())
    assert table.now().phase is Phase.PLAYING


def test_invalid_bids_are_refused(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 700, 5000, 5000)
    assert table.refusal(Nominate(SeatNo(2), BART, Dollars(100))) is GameReason.NOT_ITS_WORD
    assert table.refusal(Nominate(SeatNo(1), BART, Dollars(150))) is GameReason.BID_STEP
    assert table.refusal(Nominate(SeatNo(1), BART, Dollars(-100))) is GameReason.BID_TOO_LOW
    assert table.refusal(Nominate(SeatNo(1), Character.SID_KETCHUM, Dollars(0))) is GameReason.NOT_FREE
    assert table.refusal(Raise(SeatNo(1), Dollars(100))) is GameReason.NO_HAND
    table.nominate(1, BART, 300)
    assert table.refusal(Nominate(SeatNo(1), JACK, Dollars(0))) is GameReason.HAND_OPEN
    assert table.refusal(Raise(SeatNo(2), Dollars(300))) is GameReason.BID_TOO_LOW
    assert table.refusal(Raise(SeatNo(2), Dollars(450))) is GameReason.BID_STEP
    refusal = table.refusal(Raise(SeatNo(2), Dollars(800)))
    assert refusal is GameReason.MAY_NOT_SPEND
    assert "{" not in refusal.value.replace("{seat}", "")  # what a player has is not told
    table.raises(2, 700)
    table.passes(3)
    assert table.refusal(Raise(SeatNo(3), Dollars(900))) is GameReason.HAS_PASSED


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
    assert table.refusal(TakeCharacter(SeatNo(3), JANET)) is GameReason.NOT_ITS_WORD
    assert table.refusal(TakeCharacter(SeatNo(1), BART)) is GameReason.NOT_FREE
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
    assert table.refusal(Nominate(SeatNo(5), BART, Dollars(0))) is GameReason.BID_TOO_LOW
    table.nominate(5, BART, 100)
    assert table.hand().queue == (4, 3, 2, 1)
    table.passes(4, 3)
    table.raises(2, 200)
    table.passes(1, 5)
    assert table.seat(2).character is BART
    assert table.auction().nominator == 4  # after the last nominator, not the winner


@pytest.mark.parametrize(
    ("third", "bid", "paid"),
    [
        pytest.param(50, 100, [100, 100, 50, 100], id="what is there"),
        pytest.param(1000, 300, [100, 300, 300, 300], id="the fee"),
    ],
)
def test_the_last_one_enlisted_costs_the_fee_or_what_is_there(
    enlisting: AuctionTable, third: int, bid: int, paid: list[int]
) -> None:
    table = enlisting.bidding(1000, 1000, third, 1000)
    table.sold_to_nominators(bid)
    assert table.paid() == paid


def test_undo_walks_back_through_a_sale(table: AuctionTable) -> None:
    begun = table.now()
    table.nominate(1, BART, 100)
    nominated = table.now()
    table.passes(2, 3)
    before_the_sale = table.now()
    table.passes(4)
    assert table.seat(1).character is BART
    for steps, state in ((1, before_the_sale), (2, nominated), (1, begun)):
        table.ask(Undo(steps))
        assert table.now() == state


LUCKY, ROSE = Character.LUCKY_DUKE, Character.ROSE_DOOLAN


def test_the_deal_of_the_roles_opens_the_auction(table_2010: AuctionTable) -> None:
    table = table_2010.opened([stake(5000)] * 5)
    assert table.now().phase is Phase.AUCTION
    assert table.refusal(BeginGame()) is GameReason.AUCTIONING
    assert table.refusal(ChooseCharacter(SeatNo(1), BART)) is GameReason.AUCTIONING
    assert table.refusal(Nominate(SeatNo(1), BART, stake(0).budget)) is GameReason.NOT_TURNED_UP


def test_one_character_is_turned_up_for_each_player(table_2010: AuctionTable) -> None:
    table = table_2010.opened([stake(5000)] * 4)
    assert table.refusal(RevealCharacters((BART, JACK, JANET))) is GameReason.HOW_MANY_UP
    assert table.refusal(RevealCharacters((BART, JACK, JANET, BART))) is GameReason.HOW_MANY_UP
    table.ask(RevealCharacters((BART, JACK, JANET, GRINGO)))
    assert table.refusal(RevealCharacters((BART, JACK, JANET, GRINGO))) is GameReason.TURNED_UP
    assert table.auction().free == (BART, JACK, JANET, GRINGO)


def test_who_was_seated_without_a_stake_brings_the_start_money(table_2010: AuctionTable) -> None:
    table = table_2010.opened([None] * 4).turned_up()
    table.nominate(1, BART, 5000)
    assert table.refusal(Raise(SeatNo(2), stake(5100).budget)) is GameReason.MAY_NOT_SPEND


def test_survivors_are_asked_first_and_pay_the_old_price(enlisting: AuctionTable) -> None:
    table = enlisting.opened(
        [
            stake(1000, survived=True, owned=LUCKY, price=400),
            stake(1000, survived=False, owned=ROSE, price=100),
            stake(300, survived=True, owned=JACK, price=400),
            stake(1000),
        ]
    )
    assert table.auction().keepers == (1, 3)
    assert table.refusal(RevealCharacters((BART, JANET, GRINGO))) is GameReason.KEEPER_ASKED
    assert table.refusal(KeepCharacter(SeatNo(2))) is GameReason.NOT_A_KEEPER
    assert table.refusal(KeepCharacter(SeatNo(3))) is GameReason.MAY_NOT_SPEND
    table.ask(LeaveCharacter(SeatNo(3)), KeepCharacter(SeatNo(1)))
    assert table.seat(1).character is LUCKY
    assert table.refusal(KeepCharacter(SeatNo(1))) is GameReason.NOT_A_KEEPER
    assert table.refusal(RevealCharacters((BART, JANET, LUCKY))) is GameReason.CHARACTER_TAKEN
    table.ask(RevealCharacters((BART, JANET, GRINGO)))
    assert table.auction().nominator == 4
    table.sold_to_nominators()
    assert table.paid() == [400, 100, 100, 100]


def test_a_character_that_two_could_keep_goes_to_who_says_so_first(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000, survived=True, owned=LUCKY, price=100)] * 2 + [stake(1000)] * 2)
    table.ask(KeepCharacter(SeatNo(2)))
    assert table.refusal(KeepCharacter(SeatNo(1))) is GameReason.CHARACTER_TAKEN
    table.ask(LeaveCharacter(SeatNo(1)))
    assert table.auction().keepers == ()


@pytest.mark.parametrize("everybody", [True, False])
def test_where_at_most_one_leaves_a_character_there_is_no_auction(
    enlisting: AuctionTable, *, everybody: bool
) -> None:
    """The only one without gets the one that is turned up."""
    owned = (LUCKY, ROSE, JACK, BART)
    table = enlisting.opened([stake(1000, survived=True, owned=ch, price=100) for ch in owned])
    table.ask(*(KeepCharacter(SeatNo(seat)) for seat in (2, 1, 3)))
    if everybody:
        table.ask(KeepCharacter(SeatNo(4)))
    else:
        table.ask(LeaveCharacter(SeatNo(4)), RevealCharacters((BART,)))
    assert table.now().phase is Phase.CHARACTERS
    assert [seat.character for seat in table.now().seats] == list(owned)
    assert table.paid() == [100, 100, 100, 100]


def test_a_finished_game_tells_characters_and_prices(table: AuctionTable) -> None:
    table.sold_to_nominators(bid=200)
    table.ask(BeginGame(), EndByTimeLimit(), DeclareRoles(ROLES[4]))
    finished = finished_game(table.now())
    assert finished.characters == (BART, JACK, JANET, GRINGO)
    assert finished.prices == finished.spent == (200, 200, 200, 0)


def test_who_was_still_in_passes(table: AuctionTable) -> None:
    table.nominate(1, BART, 100)
    table.leave(3)
    assert table.hand().queue == (2, 4)
    table.passes(2)
    table.leave(4)
    assert table.seat(1).character is BART


def test_a_highest_bid_is_void_and_the_nominator_begins_anew(table: AuctionTable) -> None:
    table.nominate(1, BART, 100)
    table.passes(2)
    table.raises(3, 900)
    table.leave(3)
    assert table.auction().hand is None
    assert table.auction().nominator == 1
    table.nominate(1, BART, 0)
    assert table.hand().queue == (2, 4)
    table.all_pass()
    assert table.paid() == [0, 0, 0, 0]


def test_after_a_nominator_who_left_the_next_one_nominates(table: AuctionTable) -> None:
    table.leave(1)
    assert table.auction().nominator == 2
    table.nominate(2, BART, 100)
    table.leave(2)
    assert table.auction().nominator == 3


def test_what_was_bought_stays_and_is_paid(table: AuctionTable) -> None:
    table.nominate(1, BART, 500)
    table.all_pass()
    table.leave(1)
    table.sold_to_nominators()
    assert table.paid() == [500, 100, 100, 0]


def test_those_who_left_get_what_remains_for_nothing_in_the_order_of_play(enlisting: AuctionTable) -> None:
    table = enlisting.bidding(1000, 1000, 1000, 1000, 1000)
    table.leave(4, 2)
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
    table.leave(2)
    assert table.auction().taker == 3
    table.ask(TakeCharacter(SeatNo(3), GRINGO), TakeCharacter(SeatNo(4), JACK))
    assert table.seat(2).character is JANET


@pytest.mark.parametrize("turned_up", [True, False])
def test_an_auction_that_everybody_leaves_ends(table_2010: AuctionTable, *, turned_up: bool) -> None:
    table = table_2010.opened([stake(5000)] * 4)
    if turned_up:
        table.turned_up()
    table.leave(1, 2, 3, 4)
    if not turned_up:
        table.turned_up()
    assert table.now().phase is Phase.CHARACTERS
    assert table.paid() == [0, 0, 0, 0]
    assert len({seat.character for seat in table.now().seats}) == 4


def test_who_leaves_before_answering_keeps_nothing(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000, survived=True, owned=BART, price=100)] + [stake(1000)] * 3)
    table.leave(1)
    assert table.auction().keepers == ()
    table.turned_up()
    assert table.auction().nominator == 4


def test_who_left_before_the_deal_is_not_asked(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000)] * 4)
    table.ask(Undo(1))
    table.leave(3)
    table.ask(DealRoles())
    table.turned_up()
    table.nominate(4, BART, 100)
    assert table.hand().queue == (2, 1)
