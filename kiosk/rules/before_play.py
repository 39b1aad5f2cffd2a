"""Texts of the rules before the first turn."""

from core.editions.edition import CharacterMethod, Edition, Schedule
from core.editions.options import AuctionRule, BidOrder, FirstNominator, NextNominator
from core.game.setup.character_choice import experience_of
from core.game.setup.role_counts import role_counts
from core.game.state import GameState
from core.rule_set import OptionKey
from core.terms import Role
from kiosk.i18n import Words, role_name


def seats(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the seating."""
    del game
    _ = words.gettext
    once = _("Nobody is Sheriff a second time until everyone has been Sheriff once.")
    return (
        _("Sit as the screen shows. The next seat is the one to your left."),
        _("The seat with the star is seat 1: the Sheriff."),
        *((once,) if edition.tables.sheriff_once else ()),
        _("If somebody doesn't come, call the judge."),
    )


def roles(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the roles, and who may see them."""
    _ = words.gettext
    row = role_counts(len(game.seats), edition)
    secret = _("Deliberately showing your role is a serious offence.")
    return (
        words.whole(lambda w: _at_a_table(w, len(game.seats), {role: row.count(role) for role in Role})),
        _("Only the Sheriff's card is face up. Look only at your own; show it when you're eliminated."),
        *((secret,) if edition.schedule is Schedule.CHART else ()),
    )


def _at_a_table(words: Words, count: int, counts: dict[Role, int]) -> str:
    names = ", ".join(f"{number} × {role_name(words, role)}" for role, number in counts.items() if number)
    return words.gettext("At a table of {count}: {roles}.").format(count=count, roles=names)


def characters(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain how characters are chosen, and their life points and cards at the start."""
    del game
    _, ngettext = words.gettext, words.ngettext
    dealt, extra = edition.characters.dealt, edition.characters.sheriff_extra_life
    begin = _("Your card shows your life points; you start with that many cards in hand.")
    more = ngettext(
        "The Sheriff has {count} extra life point.", "The Sheriff has {count} extra life points.", extra
    ).format(count=extra)
    if edition.auction is not None:
        return (_("Characters are auctioned; you pay what you bid."), begin, more)
    if edition.characters.method is CharacterMethod.DEAL_AND_CHOOSE:
        return (
            _("Deal {count} characters to each player, one at a time, starting with the Sheriff.").format(
                count=dealt
            ),
            _("Each player keeps one. All reveal theirs together, and the choice is final."),
            _("Put the rest away face down, without looking."),
            begin,
            more,
        )
    return (_("Each player is dealt one character at random."), begin, more)


def auction(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the auction of characters; empty if the edition has none."""
    del game
    rule = edition.auction
    if rule is None:
        return ()
    _ = words.gettext
    kept = _("Survivors of the last game may keep their character for the price they paid.")
    broke = _("Players with no money always pass, and take one of those left at the end, for free.")
    return (
        *((kept,) if OptionKey.ENLISTMENT in edition.chosen else ()),
        _("Turn up one random character for each player who doesn't have one."),
        _first(rule, words),
        _("The first bid must be at least ${minimum}; all bids are multiples of ${step}.").format(
            minimum=rule.minimum, step=rule.step
        ),
        _order(rule, words),
        _next(rule, words),
        _("The last player pays ${price} for the last character.").format(price=rule.last_pays),
        *((broke,) if OptionKey.ENLISTMENT not in edition.chosen else ()),
        _("Each player's money stays secret."),
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
                "Going left from there, each player raises or passes; once you pass, you're out "
                "for this character."
            )
        case BidOrder.COUNTERCLOCKWISE:
            return _(
                "Going right from there, each player raises or passes; once you pass, you're out "
                "for this character."
            )


def _next(rule: AuctionRule, words: Words) -> str:
    _ = words.gettext
    match rule.next_nominator:
        case NextNominator.FROM_WINNER:
            return _("After the winner, the next player without a character puts one up.")
        case NextNominator.FROM_NOMINATOR:
            return _("The turn to put one up then passes to the next player without a character.")


def explain_kept_cards(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain which cards survivors may keep; empty if they keep none."""
    del game
    rule = experience_of(edition)
    if rule is None:
        return ()
    _ = words.gettext
    return (
        _(
            "Survivors of the last game may keep cards that were in front of them at its end: ${price} each."
        ).format(price=rule.dollars),
        _("They go into your starting hand, in place of the same number of cards from the deck."),
        _("You can't keep more cards than your starting life points, or more than you can pay for."),
    )
