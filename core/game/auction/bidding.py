"""Commands of the auction: nominate, raise, pass and take."""

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.options import AuctionRule
from core.game.auction.automatic_steps import bidders_after, hammer, next_word, open_auction, price_of_taking
from core.game.auction.events import BidPassed, BidRaised, CharacterNominated, CharacterTaken
from core.game.auction.opening import require_auction
from core.game.commands import Nominate, Pass, Raise, TakeCharacter
from core.game.events import GameEvent
from core.game.state.auction import Auction, Hand
from core.game.state.decisions import Draft
from core.game.state.game import GameState, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import require_money, seat_of
from core.terms import Dollars, SeatNo


def nominate(state: GameState, command: Nominate, edition: Edition) -> tuple[GameEvent, ...]:
    """Nominate a free character with a first bid; it is sold at once if nobody can raise. Raises Refused.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    rule = require_auction(state, edition)
    seat, auction = _speaker(state, command.seat)
    if auction.hand is not None:
        raise Refused(GameReason.HAND_OPEN, character=auction.hand.character)
    _require_word(auction.nominator, auction.taker, seat.seat)
    _require_free(auction, command.character)
    _check_bid(command.bid, rule.minimum, rule)
    require_money(seat, command.bid, edition)
    queue = tuple(bidders_after(state, seat.seat, rule, edition))
    nominated = CharacterNominated(seat.seat, command.character, command.bid, queue)
    return hammer(Draft(state).then(nominated), rule, edition).events


def raise_bid(state: GameState, command: Raise, edition: Edition) -> tuple[GameEvent, ...]:
    """Raise the bid for the current character, for the seat whose turn it is to bid. Raises Refused.

    Source: Championship 2010 v1.1, 1.1; the steps: reading D32.
    """
    rule = require_auction(state, edition)
    seat, hand = _in_hand(state, command.seat)
    _check_bid(command.bid, Dollars(hand.bid + rule.step), rule)
    require_money(seat, command.bid, edition)
    return (BidRaised(seat.seat, command.bid),)


def pass_bid(state: GameState, command: Pass, edition: Edition) -> tuple[GameEvent, ...]:
    """Pass on the current character; the last pass sells it. Raises Refused.

    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    rule = require_auction(state, edition)
    seat, _ = _in_hand(state, command.seat)
    return hammer(Draft(state).then(BidPassed(seat.seat)), rule, edition).events


def take_character(state: GameState, command: TakeCharacter, edition: Edition) -> tuple[GameEvent, ...]:
    """Take a remaining character for a player who couldn't bid, in order of play. Raises Refused.

    Source: Championship 2010 v1.1, 1.1; readings D27 and D32.
    """
    rule = require_auction(state, edition)
    seat, auction = _speaker(state, command.seat)
    if auction.hand is not None:
        raise Refused(GameReason.HAND_OPEN, character=auction.hand.character)
    _require_word(auction.taker, auction.nominator, seat.seat)
    _require_free(auction, command.character)
    price = price_of_taking(seat, rule, edition)
    taken = Draft(state).then(CharacterTaken(seat.seat, command.character, price))
    return next_word(taken, seat.seat, rule, edition).events


def _speaker(state: GameState, number: SeatNo) -> tuple[Seat, Auction]:
    seat, auction = seat_of(state, number), open_auction(state)
    if not auction.revealed:
        raise Refused(GameReason.NOT_TURNED_UP)
    if seat.character is not None:
        raise Refused(GameReason.HAS_CHARACTER, seat=seat.seat)
    return seat, auction


def _in_hand(state: GameState, number: SeatNo) -> tuple[Seat, Hand]:
    seat, auction = _speaker(state, number)
    hand = auction.hand
    if hand is None:
        raise Refused(GameReason.NO_HAND)
    if seat.seat not in hand.queue and seat.seat != hand.leader:
        raise Refused(GameReason.HAS_PASSED, seat=seat.seat)
    _require_word(hand.word, None, seat.seat)
    return seat, hand


def _require_word(word: SeatNo | None, other: SeatNo | None, seat: SeatNo) -> None:
    """Raise Refused unless it's this seat's turn to act. other: the seat to name if word is None."""
    if word != seat:
        raise Refused(GameReason.NOT_ITS_WORD, word=other if word is None else word, seat=seat)


def _require_free(auction: Auction, character: Character) -> None:
    if character not in auction.free:
        raise Refused(GameReason.NOT_FREE, character=character)


def _check_bid(bid: Dollars, minimum: Dollars, rule: AuctionRule) -> None:
    if bid % rule.step:
        raise Refused(GameReason.BID_STEP, step=rule.step)
    if bid < minimum:
        raise Refused(GameReason.BID_TOO_LOW, minimum=minimum)
