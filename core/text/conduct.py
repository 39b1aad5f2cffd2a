"""Texts on leaving, conduct, penalties, the judge, and questions that players ask."""

from collections.abc import Callable, Iterator

from core.editions.readings import SidWithTwoLeft
from core.text.sentence import RulesText, Sentence


def leaving(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on players who leave the tournament."""
    if not book.is_championship:
        return
    _ = book.gettext
    texts = (
        _("A player may leave the tournament at any time by telling the judge, but can't come back."),
        _(
            "A player who leaves during a game discards their hand; the character loses its "
            "ability and stays in play, passive."
        ),
        _("A passive character makes its checks for Jail and Dynamite, and always skips its turn."),
        _("It counts for distances and can be a target until it is eliminated."),
        _("It draws no cards, plays none, and uses none of the cards in front of it."),
        _("When it is eliminated, rewards and penalties apply as usual."),
        _("The player is paid according to their role and how the game ended, then leaves the tournament."),
        _("Players who have left are marked as withdrawn and left out of later draws."),
        _("A Saloon gives a passive character one life point."),
        _(
            "When a General Store is played, one of the remaining cards is chosen at random for "
            "it and discarded."
        ),
        _("It never reacts to BANG!, Indians!, a Duel or a Gatling, and doesn't draw! for a Barrel."),
    )
    yield from book.from_publisher(iter(texts), "1.4", "1.3")


def conduct(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on conduct and penalties."""
    if not book.is_championship:
        return
    _ = book.gettext
    behaviour = [
        _("Players follow the rules and the judge's decisions, and are fair, friendly and polite."),
        _(
            "Forbidden, among other things: showing a role card, looking at another player's "
            "hand, lying about public information."
        ),
        _(
            "Also forbidden: outside advice, agreeing on how the game ends, slow play, lying to "
            "the judge, contesting decisions."
        ),
        _("Also forbidden: swearing, offending or threatening players, judges or spectators."),
        _("A player who suspects cheating can ask the judge to watch the game."),
    ]
    if book.is_2010:
        behaviour.append(_("Cheating and blasphemy are also expressly forbidden."))
    yield from book.from_publisher(iter(behaviour), "2")
    judging = (
        _("The judge doesn't play in the tournament they judge."),
        _("The judge decides anything the rules don't cover, and every decision by the judge is final."),
        _(
            "A warning tells a player that their conduct is wrong; the second one in a "
            "tournament means ejection."
        ),
        _("An ejected player is out of the tournament, as if they had left."),
        _("The judge records every warning and reports ejected players to the publisher, with the reasons."),
        _("The judge can have anyone who disturbs the tournament removed."),
    )
    yield from book.from_publisher(iter(judging), "3")
    yield book.reading(_("An ejected player keeps the money won so far."), "D41")
    yield from book.from_publisher(
        iter(
            (
                _(
                    "A full copy of the publisher's document must be available to all players at "
                    "every official tournament."
                ),
            )
        ),
        "5",
    )
    if not book.is_2010:
        yield from book.from_publisher(
            iter((_("The publisher can be reached at {address}.").format(address=PUBLISHER_ADDRESS),)), "5"
        )


PUBLISHER_ADDRESS = "organizedplay@dvgames.com"
"""The address for reports of ejections. Source: Championship 2022/23 v1.4, 5 "Other"."""


def questions(book: RulesText) -> Iterator[Sentence]:
    """Yield the documents' answers to questions that players ask."""
    if not book.is_championship:
        return
    yield from book.from_publisher(iter(_answers(book.gettext)), "4")
    if book.is_2010:
        yield from book.from_publisher(iter((_long_duel_answer(book.gettext),)), "4")


def _long_duel_answer(_: Callable[[str], str]) -> str:
    return _(
        "In a long duel, Panic! and Cat Balou also work on your own rear character; "
        "Panic! only at distance 1."
    )


def _answers(_: Callable[[str], str]) -> tuple[str, ...]:
    return (
        _(
            "Nobody may show their role. If it's a mistake, the game goes on. If it's "
            "deliberate, it's a serious offence."
        ),
        _("Talking about your role is allowed, and so is bluffing."),
        _("At the end of a turn, you discard only down to the hand limit."),
        _("You never have to play a card, not even a Missed! against a BANG!."),
        _("You can use Panic! and Cat Balou on yourself."),
        _("With two life points and two Beers, you survive Dynamite with one life point."),
        _("A Missed! doesn't prevent the loss of a life point at High Noon."),
        _(
            "In Jail, all your cards in play keep working. You only miss a turn, and only if you "
            "don't draw! hearts; a new Jail needs a new draw!."
        ),
        _("The card drawn for Jail is discarded under it, whatever it is."),
        _("A character's ability waits until the card being played is fully resolved."),
        _("You may play a Beer at full life or with only two players left, but it has no effect."),
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
        _("Bart Cassidy draws a card for each life point lost to Dynamite, if he survives."),
        _(
            "If El Gringo is hit by Suzy Lafayette's last card, she draws, he takes that card, "
            "and she draws again."
        ),
        _("Jourdonnais with a Barrel in play may draw! twice against one BANG!."),
        _(
            "Sid Ketchum can't use his ability while another card is being resolved, but can "
            "save his last life point in any turn, as with a Beer."
        ),
        _(
            "Suzy Lafayette waits for the end of a General Store or Duel before she draws; "
            "against Slab she may draw after her only Missed!. Others may discard theirs, without drawing."
        ),
        _(
            "If Vulture Sam is Sheriff and eliminates a Deputy, he discards everything, "
            "including the Deputy's cards."
        ),
    )


def long_duel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the long duel of 2010."""
    if not book.is_2010:
        return
    _ = book.gettext
    texts = (
        _("No roles. Six of the 16 characters are removed at random; the other ten are laid out face up."),
        _(
            "The better-placed player chooses either to pick first or to start; the opponent "
            "gets the other. They take turns picking, five each."
        ),
        _(
            "Each player stacks their five face down in a fixed order and turns up the top two: "
            "one in front, one at the rear."
        ),
        _("The starting hand is that of the character in front."),
        _(
            "At the start of each turn, after Dynamite and Jail and before drawing, the player "
            "chooses who's in front."
        ),
        _(
            "Only the ability of the character in front works; a rear character that is targeted "
            "reacts with its own ability."
        ),
        _(
            "Cards can target either of the opponent's characters if in reach; blue cards go on "
            "either of your own, Jail on one of the opponent's."
        ),
        _("Distance is 1 from front to front and 2 from your front to the opponent's rear, plus modifiers."),
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
        _(
            "When a character is eliminated, the rear one moves to the front if needed, and the "
            "next one enters at the rear."
        ),
        _("A player whose five characters have all been eliminated loses the duel."),
    )
    yield from book.from_publisher(iter(texts), "1.2")
    excess = _("Wounds beyond the last life point carry over to the next character.")
    if book.rules.readings.long_duel_excess.value == "lost":
        excess = _("Wounds beyond the last life point are lost.")
    yield book.reading(excess, "D40")
    yield from book.from_publisher(iter((_("Beers have no effect, as only two players are left."),)), "4")


def short_duel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the short duel of 2010."""
    if not book.is_2010:
        return
    _ = book.gettext
    texts = (
        _(
            "No roles, no Jail and no Wells Fargo. Each player gets eight random characters "
            "face down and plays with the top one."
        ),
        _(
            "To win, eliminate five characters with a lead of two: at 4–4 play to six, at 5–5 to "
            "seven, at 6–6 to eight. Eight always wins."
        ),
        _("A Beer doesn't restore a life point; play it as a BANG!, Missed!, Panic! or Cat Balou."),
        _("When a character is eliminated, the next one enters and takes any excess wounds."),
    )
    yield from book.from_publisher(iter(texts), "1.2")
    start = _("The better-placed player starts.")
    if book.rules.readings.short_duel_start.value == "draw":
        start = _("Draw lots for who starts.")
    yield book.reading(start, "D40")
    if book.rules.readings.sid_with_two_left is SidWithTwoLeft.ALLOWED:
        kept = _("In both kinds of duel, don't enter a last point that Sid Ketchum's two cards save.")
        yield book.reading(kept, "D48")
