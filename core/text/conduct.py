"""Texts on leaving, conduct, penalties, the judge, and questions that players ask."""

from collections.abc import Iterable, Iterator, Mapping

from core.characters import Character
from core.editions.readings import SidWithTwoLeft
from core.text.rules_text import RulesText
from core.text.sentence import Brief, Sentence


def leaving(book: RulesText) -> Iterator[Sentence]:
    return passive_characters(book) if book.is_championship else iter(())


def passive_characters(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on players who leave and on their characters, as printed or as we read them."""
    _, brief = book.gettext, book.brief
    texts = (
        _leaving_is_final(book),
        brief(
            "A player who leaves during a game discards their hand. Their character stays in "
            "play, passive and without its ability."
        ),
        brief("A passive character makes its checks for Jail and Dynamite, and always skips its turn."),
        brief("A passive character counts for distances and can be a target until it is eliminated."),
        brief("A passive character draws no cards, plays none, and uses none of the cards in front of it."),
        brief("When a passive character is eliminated, rewards and penalties apply as usual."),
        brief(
            "The player is paid according to their role and how the game ended, then leaves the tournament."
        ),
        _("Players who have left are marked as withdrawn and left out of later draws."),
        brief("A Saloon gives a passive character one life point."),
        brief(
            "When a General Store is played, one of the remaining cards is chosen at random for "
            "it and discarded."
        ),
        _(
            "A passive character never reacts to BANG!, Indians!, a Duel or a Gatling, and doesn't draw! "
            "for a Barrel."
        ),
    )
    return _about_leaving(book, texts)


def leaving_in_finals(book: RulesText) -> Iterator[Sentence]:
    return _about_leaving(book, (leaving_a_duel(book), _leaving_is_final(book)))


def _about_leaving(book: RulesText, texts: Iterable[str]) -> Iterator[Sentence]:
    if book.sections.leaving:
        return book.from_publisher(texts, book.sections.leaving)
    return (book.read_as("group_leaver", text) for text in texts)


def leaving_a_duel(book: RulesText) -> Brief:
    return book.brief("A player who leaves before or during a duel loses it.")


def _leaving_is_final(book: RulesText) -> Brief:
    return book.brief(
        "A player may leave the tournament at any time by telling the judge, but can't come back."
    )


def conduct(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on conduct and penalties."""
    if not book.is_championship:
        return
    _, brief, sections = book.gettext, book.brief, book.sections
    behaviour = (
        _("Players follow the rules and the judge's decisions, and are fair, friendly and polite."),
        brief(
            "Forbidden, among other things: showing a role card, looking at another player's "
            "hand, lying about public information."
        ),
        brief(
            "Also forbidden: outside advice, agreeing in advance how the game ends, slow play, lying to "
            "the judge, contesting decisions."
        ),
        brief("Also forbidden: swearing, offending or threatening players, judges or spectators."),
        _("A player who suspects cheating can ask the judge to watch the game."),
    )
    yield from book.from_publisher(behaviour, sections.behaviour)
    if sections.blasphemy:
        blasphemy = brief("Cheating and blasphemy are also expressly forbidden.")
        yield from book.from_publisher((blasphemy,), sections.blasphemy)
    judging = (
        _("The judge doesn't play in the tournament they judge."),
        _("The judge decides anything the rules don't cover, and every decision by the judge is final."),
        brief(
            "A warning tells a player that their conduct is wrong; the second one in a "
            "tournament means ejection."
        ),
        brief("An ejected player is out of the tournament, as if they had left."),
        brief(
            "The judge records every warning and reports ejected players to the publisher, with the reasons."
        ),
        _("The judge can have anyone who disturbs the tournament removed."),
    )
    yield from book.from_publisher(judging, sections.penalties)
    yield from book.reading("ejected_money")
    copies = _(
        "A full copy of the publisher's document must be available to all players at "
        "every official tournament."
    )
    yield from book.from_publisher((copies,), sections.copies)
    if sections.address:
        address = _("The publisher can be reached at {address}.").format(address=PUBLISHER_ADDRESS)
        yield from book.from_publisher((address,), sections.address)


PUBLISHER_ADDRESS = "organizedplay@dvgames.com"
"""The address for reports of ejections. Source: Championship 2022/23 v1.4, 5 "Other"."""


def questions(book: RulesText) -> Iterator[Sentence]:
    """Yield the documents' answers to questions that players ask."""
    if not book.is_championship:
        return
    section = book.sections.questions
    yield from book.from_publisher((role_secrecy(book),), section)
    yield from book.from_publisher(_answers(book), section)
    yield from last_life(book)
    yield from (sentence for sentences in special_cases(book).values() for sentence in sentences)
    if book.sections.duels:
        duel = book.gettext(
            "In a long duel, Panic! and Cat Balou also work on your own rear character; "
            "Panic! only at distance 1."
        )
        yield from book.from_publisher((duel,), section)


def role_secrecy(book: RulesText) -> Brief:
    """Return the rule that roles must not be shown."""
    return book.brief(
        "Nobody may show their role. If it's a mistake, the game goes on. If it's "
        "deliberate, it's a serious offence."
    )


def last_life(book: RulesText) -> Iterator[Sentence]:
    """Yield the document's answers about the last life point."""
    brief = book.brief
    texts = (
        brief("With two life points and two Beers, you survive Dynamite with one life point."),
        brief("You may play a Beer at full life or with only two players left, but it has no effect."),
    )
    return book.from_publisher(texts, book.sections.questions)


def special_cases(book: RulesText) -> Mapping[Character, tuple[Sentence, ...]]:
    """Return the document's answers about single characters."""
    brief = book.brief
    cases = {
        Character.BART_CASSIDY: brief(
            "Bart Cassidy draws a card for each life point lost to Dynamite, if he survives."
        ),
        Character.EL_GRINGO: brief(
            "If El Gringo is hit by Suzy Lafayette's last card, she draws, he takes that card, "
            "and she draws again."
        ),
        Character.JOURDONNAIS: brief("Jourdonnais with a Barrel in play may draw! twice against one BANG!."),
        Character.SID_KETCHUM: brief(
            "Sid Ketchum can't use his ability while another card is being resolved, but can "
            "save his last life point in any turn, as with a Beer."
        ),
        Character.SUZY_LAFAYETTE: brief(
            "Suzy Lafayette waits for the end of a General Store or Duel before she draws; "
            "against Slab she may draw after her only Missed!. Others may discard theirs, without drawing."
        ),
        Character.VULTURE_SAM: brief(
            "If Vulture Sam is Sheriff and eliminates a Deputy, he discards everything, "
            "including the Deputy's cards."
        ),
    }
    section = book.sections.questions
    return {character: tuple(book.from_publisher((text,), section)) for character, text in cases.items()}


def _answers(book: RulesText) -> tuple[str, ...]:
    _ = book.gettext
    return (
        _("Talking about your role is allowed, and so is bluffing."),
        _("At the end of a turn, you discard only down to the hand limit."),
        _("You never have to play a card, not even a Missed! against a BANG!."),
        _("You can use Panic! and Cat Balou on yourself."),
        _("A Missed! doesn't prevent the loss of a life point at High Noon."),
        _(
            "In Jail, all your cards in play keep working. You only miss a turn, and only if you "
            "don't draw! hearts; a new Jail needs a new draw!."
        ),
        _("The card drawn for Jail is discarded under it, whatever it is."),
        _("A character's ability waits until the card being played is fully resolved."),
        _(
            "You can't play a blue card if you have the same one in front of you, but you can "
            "discard it at the end of your turn."
        ),
        _("You choose the order in which your cards are discarded."),
        _(
            "The discard pile, including the last card played, is reshuffled when a card must be "
            "drawn and the deck is empty."
        ),
        _("Pedro Ramirez may take the top discard before the reshuffle, and his second card after it."),
        _(
            "With one card left in the deck, a Stagecoach draws it, is itself reshuffled with "
            "the discards, and then draws the second card."
        ),
    )


def long_duel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the long duel."""
    _, brief, sections = book.gettext, book.brief, book.sections
    texts = (
        _("No roles. Six of the 16 characters are removed at random; the other ten are laid out face up."),
        brief(
            "The better-placed player chooses either to pick first or to start; the opponent "
            "gets the other. They take turns picking, five each."
        ),
        brief(
            "Each player stacks their five face down in a fixed order and turns up the top two: "
            "one in front, one at the rear."
        ),
        _("The starting hand is that of the character in front."),
        brief(
            "At the start of each turn, after Dynamite and Jail and before drawing, the player "
            "chooses who's in front."
        ),
        brief(
            "Only the ability of the character in front works; a rear character that is targeted "
            "reacts with its own ability."
        ),
        _(
            "Cards can target either of the opponent's characters if in reach; blue cards go on "
            "either of your own, Jail on one of the opponent's."
        ),
        brief(
            "Distance is 1 from front to front and 2 from your front to the opponent's rear, plus modifiers."
        ),
        _(
            "Cards that hit everyone go to the opponent's nearer character first, then to your "
            "own rear character, then to the opponent's farther one."
        ),
        _(
            "General Store: one card for each character in play; the players take turns picking, "
            "starting with the one who played it."
        ),
        _(
            "Jail: the player who plays it chooses the character; a jailed character can't be in "
            "front on the turn it skips."
        ),
        _(
            "Dynamite goes next to either of your own characters; if it doesn't explode, it "
            "passes to the opponent, who chooses where to put it."
        ),
        _("Panic! and Cat Balou can be used on either of your own characters."),
        brief(
            "When a character is eliminated, the rear one moves to the front if needed, and the "
            "next one enters at the rear."
        ),
        brief("A player whose five characters have all been eliminated loses the duel."),
    )
    yield from book.from_publisher(texts, book.sections.duels)
    yield from book.reading("long_duel_excess")
    beers = _("Beers have no effect, as only two players are left.")
    yield from book.from_publisher((beers,), sections.questions)


def short_duel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the short duel."""
    brief = book.brief
    texts = (
        brief(
            "No roles, no Jail and no Wells Fargo. Each player gets eight random characters "
            "face down and plays with the top one."
        ),
        brief(
            "To win, eliminate five characters with a lead of two: at 4–4 play to six, at 5–5 to "
            "seven, at 6–6 to eight. Eight always wins."
        ),
        brief("A Beer never heals: play it as BANG!, Missed!, Panic! or Cat Balou. A Saloon heals."),
        brief("When a character is eliminated, the next one enters and takes any excess wounds."),
    )
    yield from book.from_publisher(texts, book.sections.duels)
    yield from book.reading("short_duel_start")
    yield from sid_ketchum_in_duels(book)


def sid_ketchum_in_duels(book: RulesText) -> Iterator[Sentence]:
    """Yield the instruction not to enter a life point that Sid Ketchum's cards save in a duel."""
    if book.rules.readings.sid_with_two_left is SidWithTwoLeft.ALLOWED:
        kept = book.brief(
            "In both kinds of duel, don't enter a last point that Sid Ketchum's two cards save."
        )
        yield book.read_as("sid_with_two_left", kept)
