"""Turning characters up, and keeping one of the last game."""

from core.characters import Character
from core.game.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.bidding import Nominate, Raise
from core.game.clock import EndByTimeLimit
from core.game.ending.finished import finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.setup import BeginGame, ChooseCharacter
from core.game.state.game import Phase
from core.game.state.reasons import GameReason
from core.terms import SeatNo
from tests.core.game.auction.conftest import DECK, AuctionTable, stake
from tests.core.game.conftest import ROLES

BART, JACK, JANET, GRINGO = DECK[:4]
LUCKY, ROSE = Character.LUCKY_DUKE, Character.ROSE_DOOLAN


def test_the_deal_of_the_roles_opens_the_auction(table_2010: AuctionTable) -> None:
    table = table_2010.opened([stake(5000)] * 5)
    assert table.now().phase is Phase.AUCTION
    assert table.refuses(BeginGame()) is GameReason.AUCTIONING
    assert table.refuses(ChooseCharacter(SeatNo(1), BART)) is GameReason.AUCTIONING
    assert table.refuses(Nominate(SeatNo(1), BART, stake(0).budget)) is GameReason.NOT_TURNED_UP


def test_one_character_is_turned_up_for_each_player(table_2010: AuctionTable) -> None:
    table = table_2010.opened([stake(5000)] * 4)
    assert table.refuses(RevealCharacters((BART, JACK, JANET))) is GameReason.HOW_MANY_UP
    assert table.refuses(RevealCharacters((BART, JACK, JANET, BART))) is GameReason.HOW_MANY_UP
    table.ask(RevealCharacters((BART, JACK, JANET, GRINGO)))
    assert table.refuses(RevealCharacters((BART, JACK, JANET, GRINGO))) is GameReason.TURNED_UP
    assert table.auction().free == (BART, JACK, JANET, GRINGO)


def test_an_auctioned_character_is_not_chosen_anew(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.sold_to_nominators()
    assert table.refuses(ChooseCharacter(SeatNo(1), Character.SID_KETCHUM)) is GameReason.AUCTIONED


def test_who_was_seated_without_a_stake_brings_the_start_money(table_2010: AuctionTable) -> None:
    table = table_2010.opened([None] * 4).turned_up()
    table.nominate(1, BART, 5000)
    assert table.refuses(Raise(SeatNo(2), stake(5100).budget)) is GameReason.MAY_NOT_SPEND


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
    assert table.refuses(RevealCharacters((BART, JANET, GRINGO))) is GameReason.KEEPER_ASKED
    assert table.refuses(KeepCharacter(SeatNo(2))) is GameReason.NOT_A_KEEPER
    assert table.refuses(KeepCharacter(SeatNo(3))) is GameReason.MAY_NOT_SPEND
    table.ask(LeaveCharacter(SeatNo(3)), KeepCharacter(SeatNo(1)))
    assert table.seat(1).character is LUCKY
    assert table.refuses(KeepCharacter(SeatNo(1))) is GameReason.NOT_A_KEEPER
    assert table.refuses(RevealCharacters((BART, JANET, LUCKY))) is GameReason.CHARACTER_TAKEN
    table.ask(RevealCharacters((BART, JANET, GRINGO)))
    assert table.auction().nominator == 4
    table.sold_to_nominators()
    assert table.paid() == [400, 100, 100, 100]


def test_a_character_that_two_could_keep_goes_to_who_says_so_first(enlisting: AuctionTable) -> None:
    table = enlisting.opened([stake(1000, survived=True, owned=LUCKY, price=100)] * 2 + [stake(1000)] * 2)
    table.ask(KeepCharacter(SeatNo(2)))
    assert table.refuses(KeepCharacter(SeatNo(1))) is GameReason.CHARACTER_TAKEN
    table.ask(LeaveCharacter(SeatNo(1)))
    assert table.auction().keepers == ()


def test_where_everybody_keeps_a_character_there_is_no_auction(enlisting: AuctionTable) -> None:
    owned = (LUCKY, ROSE, JACK, BART)
    table = enlisting.opened([stake(1000, survived=True, owned=ch, price=100) for ch in owned])
    table.ask(*(KeepCharacter(SeatNo(seat)) for seat in (4, 2, 1, 3)))
    assert table.now().phase is Phase.CHARACTERS
    assert [seat.character for seat in table.now().seats] == list(owned)


def test_the_only_one_without_gets_the_one_that_is_turned_up(enlisting: AuctionTable) -> None:
    owned = (LUCKY, ROSE, JACK, BART)
    table = enlisting.opened([stake(1000, survived=True, owned=ch, price=100) for ch in owned])
    table.ask(*(KeepCharacter(SeatNo(seat)) for seat in (1, 2, 3)), LeaveCharacter(SeatNo(4)))
    table.ask(RevealCharacters((BART,)))
    assert table.now().phase is Phase.CHARACTERS
    assert table.seat(4).character is BART
    assert table.paid() == [100, 100, 100, 100]


def test_a_finished_game_tells_characters_and_prices(table_2010: AuctionTable) -> None:
    table = table_2010.bidding(5000, 5000, 5000, 5000)
    table.sold_to_nominators(bid=200)
    table.ask(BeginGame(), EndByTimeLimit(), DeclareRoles(ROLES[4]))
    finished = finished_game(table.now())
    assert finished.characters == (BART, JACK, JANET, GRINGO)
    assert finished.prices == finished.spent == (200, 200, 200, 0)
