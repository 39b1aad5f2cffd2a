"""What happened at an auction, in words: for the story at the table and on the judge's pages."""

from collections.abc import Sequence
from typing import assert_never

from saloon.core.game.auction import events as e
from saloon.core.game.events import CardsKept
from saloon.core.words import Words


def auction_told(event: e.AuctionEvent, names: Sequence[str], words: Words) -> str:
    """One event in words; empty for what nobody needs to be told. names: by seat."""
    _ = words.gettext
    match event:
        case e.CharacterKept() | e.CharacterWon() | e.CharacterTaken():
            return _found(event, names[event.seat - 1], words)
        case e.CharacterLeft():
            return _("{name} wants another character").format(name=names[event.seat - 1])
        case e.CharactersRevealed():
            shown = ", ".join(character.value for character in event.characters)
            return _("On the table: {characters}").format(characters=shown)
        case e.CharacterNominated():
            return _("{name} puts {character} up for ${bid}").format(
                name=names[event.seat - 1], character=event.character.value, bid=f"{event.bid:,}"
            )
        case e.BidRaised():
            return _("{name} offers ${bid}").format(name=names[event.seat - 1], bid=f"{event.bid:,}")
        case e.BidPassed():
            return _("{name} passes").format(name=names[event.seat - 1])
        case e.HandAnnulled():
            return _("The bids for {character} are void").format(character=event.character.value)
        case e.AuctionOpened() | e.NominatorCalled() | e.TakerCalled():
            return ""
        case _:
            assert_never(event)


def cards_told(event: CardsKept, name: str, words: Words) -> str:
    """The cards that a player keeps from the last game, in words."""
    text = words.ngettext(
        "{name} keeps {count} card for ${dollars}", "{name} keeps {count} cards for ${dollars}", event.cards
    )
    return text.format(name=name, count=event.cards, dollars=f"{event.dollars:,}")


def _found(event: e.CharacterKept | e.CharacterWon | e.CharacterTaken, name: str, words: Words) -> str:
    _ = words.gettext
    match event:
        case e.CharacterKept():
            text = _("{name} keeps {character} for ${price}")
        case e.CharacterWon():
            text = _("{name} wins {character} for ${price}")
        case e.CharacterTaken():
            text = _("{name} takes {character} for ${price}")
        case _:
            assert_never(event)
    return text.format(name=name, character=event.character.value, price=f"{event.price:,}")
