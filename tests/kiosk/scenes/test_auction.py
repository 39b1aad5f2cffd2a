"""The auction on the screen: the requests of touches, and that no player's money is shown."""

import pytest

from core.characters import Character
from core.editions.edition import Edition
from core.game.play.abandonment import Abandon
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise
from core.game.state.game import Phase, Stake
from core.rule_set import OptionKey
from core.terms import Dollars, SeatNo
from kiosk.rehearsal.brain import Brain
from tests.core.game.auction.conftest import DECK, RULES_2010, rules_2003, stake
from tests.kiosk.scenes.conftest import Played
from tests.scenarios.moments import Table

RULES_2003 = rules_2003(OptionKey.ENLISTMENT, OptionKey.EXPERIENCE)


class Bidders(Played):
    """A table at the auction, with these stakes."""

    def __init__(self, rules: Edition, stakes: list[Stake]) -> None:
        super().__init__(Table(len(stakes), rules, stakes).dealt(), notice="")

    def bidding(self) -> "Bidders":
        self.table.do(RevealCharacters(DECK[: len(self.state.seats)]))
        self.show()
        return self

    def bought(self, seat: int) -> tuple[Character | None, int]:
        player = self.table.state.seats[seat - 1]
        return player.character, player.spent


def test_the_sheriff_says_which_characters_were_turned_up() -> None:
    played = Bidders(RULES_2010, [stake(5000)] * 4)
    played.touch("turn-up", "character-bart-cassidy", "character-black-jack", "character-jourdonnais")
    played.touch("character-black-jack", "character-sid-ketchum")  # one was touched by mistake
    assert not played.see().target("turned-up")
    played.touch("character-el-gringo", "turned-up")
    auction = played.table.state.auction
    assert auction is not None
    assert [character.value for character in auction.revealed] == [
        "Bart Cassidy", "Jourdonnais", "Sid Ketchum", "El Gringo",
    ]  # fmt: skip
    assert played.screen.scene_name() == "auction"


def test_a_character_is_put_up_raised_passed_and_sold_by_touches() -> None:
    played = Bidders(RULES_2010, [stake(5000)] * 4).bidding()
    played.touch("seat-1-nominate", "character-black-jack", "bid-more-500", "bid-less", "offer")
    played.touch("seat-2-raise")
    played.touch("seat-3-bid", "bid-more-1000", "offer")
    played.touch("seat-4-pass", "seat-1-pass", "seat-2-pass")
    assert played.bought(3) == (DECK[1], 1600)
    played.touch("undo")
    assert played.bought(3) == (None, 0)
    assert played.see().target("seat-2-pass")


def test_only_who_has_the_word_can_speak() -> None:
    played = Bidders(RULES_2010, [stake(5000)] * 6).bidding()
    played.touch("seat-1-nominate", "character-black-jack", "offer")
    spoken = {name for name in played.see().targets_like("seat-") if not name.endswith("-menu")}
    assert spoken == {"seat-2-pass", "seat-2-raise", "seat-2-bid"}


def test_a_bid_that_is_too_high_is_a_notice_that_tells_no_amount() -> None:
    played = Bidders(RULES_2010, [stake(5000), stake(300), stake(5000), stake(5000)]).bidding()
    played.touch("seat-1-nominate", "character-black-jack", "bid-more-500", "offer", "seat-2-raise")
    assert played.seen["notice"] == "That's more than seat 2 may spend."
    played.touch("dismiss", "seat-2-pass", "seat-3-raise")


@pytest.mark.slow
@pytest.mark.parametrize("touches", [("seat-{}-raise",), ("seat-{}-bid", "bid-more-1000", "offer")])
@pytest.mark.parametrize("seat", [1, 2, 3, 4, 5])
def test_a_refused_bid_faces_the_player_who_made_it(seat: int, touches: tuple[str, ...]) -> None:
    played = Bidders(RULES_2010, [stake(200 if number == seat else 5000) for number in range(1, 6)]).bidding()
    if seat == 1:
        played.table.do(Nominate(SeatNo(1), DECK[1], Dollars(0)), Raise(SeatNo(2), Dollars(500)))
        played.table.do(Pass(SeatNo(3)), Pass(SeatNo(4)), Pass(SeatNo(5)))
    else:
        played.table.do(Nominate(SeatNo(1), DECK[1], Dollars(500)))
        played.table.do(*(Pass(SeatNo(number)) for number in range(2, seat)))
    played.show()
    card = next(block for block in played.screen._blocks if block.id == f"seat-{seat}")
    played.touch(*(touch.format(seat) for touch in touches))
    assert played.seen["notice"]
    middle = next(block for block in played.screen._blocks if block.id == "middle")
    assert middle.quarter_turns == card.quarter_turns


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULES_2010, RULES_2003], ids=["2010", "2003"])
def test_the_glass_is_the_same_whatever_the_players_have(rules: Edition) -> None:
    """Players with much and with little money see the same, including disabled buttons."""
    rich, poor = (Bidders(rules, [stake(money)] * 5).bidding() for money in (9000, 100))
    nominator = "seat-1" if rules is RULES_2010 else "seat-5"
    bidder = "seat-2" if rules is RULES_2010 else "seat-4"
    for touches in ((), (f"{nominator}-nominate", "character-black-jack"), ("offer",), (f"{bidder}-bid",)):
        rich.touch(*touches)
        poor.touch(*touches)
        assert rich.screen._blocks == poor.screen._blocks


def test_a_survivor_keeps_the_character_and_cards() -> None:
    stakes = [stake(2000, survived=True, owned=DECK[3], price=400), *[stake(1000)] * 3]
    played = Bidders(RULES_2003, stakes)
    assert {"seat-1-keep", "seat-1-other"} <= set(played.see().targets_like("seat-"))
    played.touch("seat-1-keep")
    played.table.do(RevealCharacters(DECK[:3]))
    while played.table.state.phase is Phase.AUCTION:
        auction = played.table.state.auction
        assert auction is not None
        if auction.nominator is not None and auction.hand is None:
            played.table.do(Nominate(auction.nominator, auction.free[0], Dollars(100)))
        else:
            assert auction.hand is not None
            assert auction.hand.word is not None
            played.table.do(Pass(auction.hand.word))
    played.show()
    assert played.screen.scene_name() == "characters"
    assert "seat-2-cards" not in played.see().targets_like("seat-")
    played.touch("seat-1-cards", "cards-3")
    assert played.table.state.seats[0].spent == 1900
    played.touch("seat-1-cards", "cards-4")
    assert played.seen["notice"] == "That's more than seat 1 may spend."
    played.touch("dismiss", "begin-game")
    assert played.table.state.phase is Phase.PLAYING


@pytest.mark.by_day(6)
@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, 5, 7])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", [RULES_2010, RULES_2003], ids=["2010", "2003"])
def test_rehearsal_players_hold_an_auction_by_themselves(rules: Edition, seed: int, seats: int) -> None:
    money = [0, 300, 5000, 1000, 700, 0, 2500]
    owned = [DECK[3], None, DECK[5], None, None, DECK[7], DECK[9]]
    stakes = [stake(m, survived=o is not None, owned=o, price=200) for m, o in zip(money, owned, strict=True)]
    played, brain = Bidders(rules, stakes[:seats]), Brain(seed)
    for _ in range(400):
        if played.table.state.phase is Phase.PLAYING:
            break
        touch = brain.next_touch(played.see())
        assert touch is not None
        played.touch(touch.target)
    assert played.table.state.phase is Phase.PLAYING
    for seat, brought in zip(played.table.state.seats, stakes, strict=False):
        assert seat.spent <= brought.budget


def test_a_player_with_the_word_can_leave() -> None:
    played = Bidders(RULES_2010, [stake(5000)] * 5).bidding()
    played.touch("seat-1-nominate", "character-black-jack", "offer", "seat-2-bid", "seat-2-menu")
    assert played.screen.scene_name() == "player-menu"
    played.touch("seat-2-leaves", "seat-2-abandon")
    assert played.screen.scene_name() == "pin"
    played.table.do(Abandon(SeatNo(2)))
    assert played.table.state.seats[1].passive
    auction = played.table.state.auction
    assert auction is not None
    assert auction.hand is not None
    assert auction.hand.word == SeatNo(3)
