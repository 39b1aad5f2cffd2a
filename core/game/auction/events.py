"""Events of an auction of characters."""

import msgspec

from saloon.core.game.setup.characters import Character
from saloon.core.terms import Dollars, SeatNo


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class AuctionOpened(_Event, frozen=True, tag="auction-opened"):
    """The characters are auctioned. keepers: seats that may keep the one of their last game, by seat."""

    keepers: tuple[SeatNo, ...] = ()


class CharacterKept(_Event, frozen=True, tag="character-kept"):
    """A player paid the old price again and plays the same character."""

    seat: SeatNo
    character: Character
    price: Dollars


class CharacterLeft(_Event, frozen=True, tag="character-left"):
    """A player who could have kept the character of the last game does not."""

    seat: SeatNo


class CharactersRevealed(_Event, frozen=True, tag="characters-revealed"):
    """As many characters as there are players without one were turned up."""

    characters: tuple[Character, ...]


class NominatorCalled(_Event, frozen=True, tag="nominator-called"):
    """A player is called to put a character up."""

    seat: SeatNo


class CharacterNominated(_Event, frozen=True, tag="character-nominated"):
    """A character was put up. bid: dollars. queue: the seats that may raise, in speaking order."""

    seat: SeatNo
    character: Character
    bid: Dollars
    queue: tuple[SeatNo, ...]


class BidRaised(_Event, frozen=True, tag="bid-raised"):
    """A player offered more. bid: dollars, all of them."""

    seat: SeatNo
    bid: Dollars


class BidPassed(_Event, frozen=True, tag="bid-passed"):
    """A player is out of this hand."""

    seat: SeatNo


class HandAnnulled(_Event, frozen=True, tag="hand-annulled"):
    """The highest bidder of the hand left: nobody pays, and the character is free again."""

    character: Character


class CharacterWon(_Event, frozen=True, tag="character-won"):
    """All others have passed: the highest bid is paid. price: dollars."""

    seat: SeatNo
    character: Character
    price: Dollars


class TakerCalled(_Event, frozen=True, tag="taker-called"):
    """A player who could not bid is called to take a character."""

    seat: SeatNo


class CharacterTaken(_Event, frozen=True, tag="character-taken"):
    """A player got a character without a bid: the last one, or one that was left. price: dollars."""

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
