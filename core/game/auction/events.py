"""Events of an auction of characters."""

import msgspec

from core.characters import Character
from core.terms import Dollars, SeatNo


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class AuctionOpened(_Event, frozen=True, tag="auction-opened"):
    """The auction of characters began. keepers: seats that may keep their last character, in order."""

    keepers: tuple[SeatNo, ...] = ()


class CharacterKept(_Event, frozen=True, tag="character-kept"):
    """A player paid the old price again to keep the same character."""

    seat: SeatNo
    character: Character
    price: Dollars


class CharacterLeft(_Event, frozen=True, tag="character-left"):
    """A player gave up the character of the last game."""

    seat: SeatNo


class CharactersRevealed(_Event, frozen=True, tag="characters-revealed"):
    """One character was turned up for each player without one."""

    characters: tuple[Character, ...]


class NominatorCalled(_Event, frozen=True, tag="nominator-called"):
    """A player is called to nominate a character."""

    seat: SeatNo


class CharacterNominated(_Event, frozen=True, tag="character-nominated"):
    """A character was nominated. bid: dollars. queue: the seats that may raise, in order of bidding."""

    seat: SeatNo
    character: Character
    bid: Dollars
    queue: tuple[SeatNo, ...]


class BidRaised(_Event, frozen=True, tag="bid-raised"):
    """A player raised the bid. bid: the new total, in dollars."""

    seat: SeatNo
    bid: Dollars


class BidPassed(_Event, frozen=True, tag="bid-passed"):
    """A player passed on the current character."""

    seat: SeatNo


class HandAnnulled(_Event, frozen=True, tag="hand-annulled"):
    """The highest bidder left: nobody pays, and the character is free again."""

    character: Character


class CharacterWon(_Event, frozen=True, tag="character-won"):
    """The highest bidder won the character. price: dollars."""

    seat: SeatNo
    character: Character
    price: Dollars


class TakerCalled(_Event, frozen=True, tag="taker-called"):
    """A player who couldn't bid is called to take a character."""

    seat: SeatNo


class CharacterTaken(_Event, frozen=True, tag="character-taken"):
    """A player got a character without a bid: the last one, or a remaining one. price: dollars."""

    seat: SeatNo
    character: Character
    price: Dollars


AuctionEvent = (
    AuctionOpened
    | CharacterKept
    | CharacterLeft
    | CharactersRevealed
    | NominatorCalled
    | CharacterNominated
    | BidRaised
    | BidPassed
    | HandAnnulled
    | CharacterWon
    | TakerCalled
    | CharacterTaken
)
