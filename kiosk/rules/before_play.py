"""Rules before the first turn, in sentences."""

from saloon.core.editions.auction_rule import AuctionRule, BidOrder, FirstNominator, NextNominator
from saloon.core.editions.edition import CharacterMethod, Edition, Schedule
from saloon.core.game.setup.experience import experience_of
from saloon.core.game.setup.role_counts import role_counts
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import GameState
from saloon.core.rule_set import OptionKey
from saloon.kiosk.i18n import Words
from saloon.kiosk.role_words import role_name


def seats(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the seating."""
    del game
    _ = words.gettext
    once = _("Nobody is Sheriff twice while others were never.")
    return (
        _("Sit down as the screen shows. The next seat is the one to your left."),
        _("The seat with the star is seat 1: the Sheriff."),
        *((once,) if edition.tables.sheriff_once else ()),
        _("If somebody doesn't come, call the judge."),
    )


def roles(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the roles, and who may see them."""
    _ = words.gettext
    row = role_counts(len(game.seats), edition)
    secret = _("Showing the own role on purpose is a serious offence.")
    return (
        words.whole(lambda w: _at_a_table(w, len(game.seats), {role: row.count(role) for role in Role})),
        _("Only the Sheriff's card is turned up. Look at your own only; who goes out shows it."),
        *((secret,) if edition.schedule is Schedule.CHART else ()),
    )


def _at_a_table(words: Words, count: int, counts: dict[Role, int]) -> str:
    names = ", ".join(f"{number} × {role_name(words, role)}" for role, number in counts.items() if number)
    return words.gettext("At a table of {count}: {roles}.").format(count=count, roles=names)


def characters(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the choice of characters, and how they begin."""
    del game
    _, ngettext = words.gettext, words.ngettext
    dealt, extra = edition.characters.dealt, edition.characters.sheriff_extra_life
    begin = _("Life points are those of the card; you begin with as many cards in hand.")
    more = ngettext(
        "The Sheriff has {count} life point more.", "The Sheriff has {count} life points more.", extra
    ).format(count=extra)
    if edition.auction is not None:
        return (_("Characters are sold by auction; the price is what was bid."), begin, more)
    if edition.characters.method is CharacterMethod.DEAL_AND_CHOOSE:
        return (
            _("{count} characters are dealt to each player, one at a time from the Sheriff on.").format(
                count=dealt
            ),
            _("Each keeps one; all show theirs together, and nobody changes it any more."),
            _("The others are put away face down; nobody looks at them."),
            begin,
            more,
        )
    return (_("Each player is dealt one character at random."), begin, more)


def auction(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the auction of characters; nothing without one."""
    del game
    rule = edition.auction
    if rule is None:
        return ()
    _ = words.gettext
    kept = _("Who survived the last game may keep the character, for the price paid before.")
    broke = _("Who has no money always passes, and takes one of those left at the end, for nothing.")
    return (
        *((kept,) if OptionKey.ENLISTMENT in edition.chosen else ()),
        _("One character for each player without one is turned up at random."),
        _first(rule, words),
        _("The first bid is ${minimum} or more; all bids are multiples of ${step}.").format(
            minimum=rule.minimum, step=rule.step
        ),
        _order(rule, words),
        _next(rule, words),
        _("The last player pays ${price} for the last character.").format(price=rule.last_pays),
        *((broke,) if OptionKey.ENLISTMENT not in edition.chosen else ()),
        _("Nobody is told what a player has."),
    )


def _first(rule: AuctionRule, words: Words) -> str:
    _ = words.gettext
    match rule.first_nominator:
        case FirstNominator.SHERIFF:
            return _("The Sheriff puts the first one up.")
        case FirstNominator.RIGHT_OF_SHERIFF:
            return _("The player to the right of the Sheriff puts the first one up.")


def _order(rule: AuctionRule, words: Words) -> str:
    _ = words.gettext
    match rule.order:
        case BidOrder.CLOCKWISE:
            return _(
                "From there to the left, each raises or passes; who has passed is out for this character."
            )
        case BidOrder.COUNTERCLOCKWISE:
            return _(
                "From there to the right, each raises or passes; who has passed is out for this character."
            )


def _next(rule: AuctionRule, words: Words) -> str:
    _ = words.gettext
    match rule.next_nominator:
        case NextNominator.FROM_WINNER:
            return _("The next player without a character after the winner puts the next one up.")
        case NextNominator.FROM_NOMINATOR:
            return _("The next player without a character after who put the last one up goes on.")


def kept_cards(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain which cards survivors keep, if they may."""
    del game
    rule = experience_of(edition)
    if rule is None:
        return ()
    _ = words.gettext
    return (
        _("Who survived the last game may keep cards that lay in front at its end: ${price} each.").format(
            price=rule.dollars
        ),
        _("They begin in hand, instead of as many cards from the deck."),
        _("Never more cards than life points at the start, nor more than the player's money pays for."),
    )
