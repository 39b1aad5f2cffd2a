"""The abilities of the characters in our own words, each short enough for a card at the table."""

from collections.abc import Iterator

from core.characters import Character
from core.text.rules_text import RulesText, base_game
from core.text.sentence import Sentence


def abilities(book: RulesText) -> Iterator[Sentence]:
    """Yield a sentence for each character of an edition, which begins with the name."""
    return (base_game(name_ability(character, book)) for character in book.rules.characters.deck)


def name_ability(character: Character, book: RulesText) -> str:
    """Return a character's name and ability: "Lucky Duke: turns up two cards for each draw! …"."""
    text = ability(character, book)
    return book.brief(
        "{character}: {ability}", character=character.value, ability=text[:1].lower() + text[1:]
    )


def ability(character: Character, book: RulesText) -> str:
    """Return a character's ability without the name. Every language begins it with a verb.

    Source: base game.
    """
    brief = book.brief
    texts = {
        Character.BART_CASSIDY: brief("Draws a card for each life point lost."),
        Character.BLACK_JACK: brief("Shows the second card drawn; if it's red, draws one more."),
        Character.CALAMITY_JANET: brief("Can use BANG! as Missed!, and the other way round."),
        Character.EL_GRINGO: brief("Takes a card from the attacker's hand per life point lost."),
        Character.JESSE_JONES: brief("May draw the first card from another player's hand."),
        Character.JOURDONNAIS: brief("Always counts as having a Barrel in play."),
        Character.KIT_CARLSON: brief("Looks at the top three cards, keeps two, puts one back."),
        Character.LUCKY_DUKE: brief("Turns up two cards for each draw! and chooses one."),
        Character.PAUL_REGRET: brief("Is seen by all others at a distance increased by 1."),
        Character.PEDRO_RAMIREZ: brief("May draw the first card from the discard pile."),
        Character.ROSE_DOOLAN: brief("Sees all others at a distance decreased by 1."),
        Character.SID_KETCHUM: brief("May discard two cards to regain one life point."),
        Character.SLAB_THE_KILLER: brief("Plays BANG! cards that take two Missed! to cancel."),
        Character.SUZY_LAFAYETTE: brief("Draws a card as soon as her hand is empty."),
        Character.VULTURE_SAM: brief("Takes all the cards of eliminated players."),
        Character.WILLY_THE_KID: brief("May play any number of BANG! cards in a turn."),
    }
    return texts[character]
