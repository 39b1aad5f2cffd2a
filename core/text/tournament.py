"""Texts on the course of a tournament: rounds, tables, roles, and how the judge may shorten it."""

from collections.abc import Iterator

from core.characters import Character
from core.editions.edition import HighNoonStarter, Waiver
from core.editions.options import AuctionRule
from core.editions.readings import HighNoonStarterDied, SidWithTwoLeft, TimeLimit
from core.rule_set import OptionKey
from core.text.sentence import BASE_GAME, DODGE_CITY, RulesText, Sentence, base_game, dollars, list_numbers

BASE_GAME_SIZES = range(4, 8)


def tournament(book: RulesText) -> Iterator[Sentence]:
    """Yield the number of rounds or games, and their tables."""
    yield from _by_chart(book) if book.is_championship else _one_group(book)
    yield from _waivers(book)
    yield from _time_limit(book)


def _by_chart(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    yield book.from_document(_("Only the base game is used, with no expansions."), "1")
    for row in rules.rounds:
        told = _("{least} or more players play {n} rounds.")
        if row.players_to:
            told = _("{least} to {most} players play {n} rounds.")
        yield book.from_document(told.format(least=row.players_from, most=row.players_to, n=row.rounds), "1")
    least, largest = rules.tables.min_players, max((row.players for row in rules.tables.chart), default=0)
    few = _("With fewer than {n} players, the judge can only open an unofficial tournament.")
    yield book.reading(few.format(n=least), "D01")
    sizes = _("Tables of {sizes} players, as set by the chart, are redrawn every round.")
    yield book.from_document(sizes.format(sizes=list_numbers(rules.printed_sizes)), "1.1")
    many = _(
        "With more than {n} players, make as many tables of {small} as possible; each player left "
        "over joins one of them to make {large}."
    )
    small = rules.printed_sizes[0]
    yield book.reading(many.format(n=largest, small=small, large=small + 1), "D02")
    yield book.from_document(
        _("When players leave, the next tables follow the chart for the number of players left."), "1.1"
    )
    yield book.reading(_("The number of rounds stays as it was at the start."), "D04")
    left = _(
        "If fewer than {n} players are left, groups of {sizes} play on at one table; with any "
        "other number, the tournament ends after the rounds already played."
    )
    yield book.reading(left.format(n=least, sizes=list_numbers(rules.printed_sizes)), "D05")
    yield from _tables_of_four(book)
    if rules.tables.sheriff_once:
        yield book.from_document(_("Nobody is Sheriff twice in the same tournament."), "1.1")
        again = _(
            "If too few of the players left have never been Sheriff, lots are drawn among those "
            "who have been Sheriff least often."
        )
        yield book.reading(again, "D06")
    yield book.from_document(
        _(
            "The first player drawn for a table is the Sheriff; the second sits on the Sheriff's "
            "left, and so on."
        ),
        "1.1",
    )
    yield book.from_document(
        _("Before the game, each table gets its record sheet, with the players in this order."), "1.1"
    )


def _tables_of_four(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    if rules.tables_of_four:
        allowed = _("The judge has allowed tables of 4, which the document excludes: {reason}")
        yield book.reading(allowed.format(reason=rules.tables_of_four), "D44")
    elif rules.may_have_tables_of_four:
        told = _(
            "If 8 or 9 players are left, the judge may allow tables of 4, with a reason and with the "
            "amounts that they pay; the document excludes them."
        )
        yield book.reading(told, "D44")


def _one_group(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    yield book.from_document(_("There are as many games as players, or a multiple of that number."))
    yield book.from_document(
        _("Everyone is Sheriff the same number of times; the other roles are dealt at random.")
    )
    yield book.reading(
        _(
            "Players who don't fit at one table form groups that differ by at most one. A group plays a "
            "series of games, in which each player is Sheriff once; new groups are drawn for the next series."
        ),
        "D46",
    )
    yield book.reading(_("All groups share one ranking, as averages are comparable."), "D46")
    seats = _("A table seats {sizes} players.").format(sizes=list_numbers(rules.sizes))
    larger = [size for size in rules.sizes if size not in BASE_GAME_SIZES]
    if larger and OptionKey.REBEL not in rules.chosen:
        yield Sentence(seats, (BASE_GAME, DODGE_CITY))
        told = _("The base game is for up to 7 players; the roles for 8 come from the Dodge City expansion.")
        yield Sentence(told, (DODGE_CITY,))
    else:
        yield base_game(seats)
    yield book.reading(
        _("If a player leaves the group, the judge scores everyone on the games played so far."), "D43"
    )


def _waivers(book: RulesText) -> Iterator[Sentence]:
    _, waivers = book.gettext, book.rules.waivers
    if Waiver.FEWER_ROUNDS in waivers:
        told = _("To save time, the judge may reduce the number of rounds.")
        yield book.reading(told, "D25") if book.is_2010 else book.from_document(told, "1.3")
    if Waiver.TIME_LIMIT in waivers:
        told = _("To save time, the judge may limit how long a game lasts.")
        printed = book.is_championship and not book.is_2010
        yield book.from_document(told, "1.3") if printed else book.reading(told, "D09")


def _time_limit(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    if Waiver.TIME_LIMIT not in rules.waivers:
        return
    match rules.readings.time_limit:
        case TimeLimit.NO_WINNER:
            yield book.reading(
                _("A game that ends at the time limit has no winner, and nobody is paid for their role."),
                "D09",
            )
            if OptionKey.CASH_REWARDS in rules.chosen:
                yield book.reading(_("Cash rewards earned before the time limit are kept."), "D09", "D35")
        case TimeLimit.HIGH_NOON:
            yield book.reading(
                _("At the time limit, High Noon begins and the game is played to the end."), "D09"
            )
        case TimeLimit.JUDGE:
            yield book.reading(
                _("At the time limit, the judge decides who has won and gives a reason."), "D09"
            )


def roles(book: RulesText) -> Iterator[Sentence]:
    """Yield the dealing of roles, and what each may do."""
    _, rules = book.gettext, book.rules
    dealt = _("The judge deals a random role card, face down, to everyone except the Sheriff.")
    if book.is_championship:
        yield book.from_document(dealt, "1.1")
        order = _("Roles are dealt before the characters.")
        if rules.auction is not None:
            order = _("Roles are dealt before the characters are auctioned.")
        yield book.from_document(order, "1.1")
    else:
        yield base_game(_("Role cards are dealt at random, face down; only the Sheriff's is turned up."))
    yield base_game(_("The Law wins when all Outlaws and Renegades are eliminated."))
    yield base_game(_("A Renegade wins by being the only player left when the Sheriff is eliminated."))
    yield base_game(_("In every other case the Outlaws win when the Sheriff is eliminated."))
    if rules.readings.simultaneous.value == "end_of_effect":
        told = _(
            "Players eliminated by the same card are eliminated together; if they include the "
            "Sheriff and the last Outlaw, the Outlaws win."
        )
    else:
        told = _(
            "Players eliminated by the same card are eliminated one after another, and the first "
            "ending condition met counts."
        )
    yield book.reading(told, "D07")
    if rules.readings.eliminated_count_as_winners:
        yield book.reading(_("Eliminated players still win with their side."), "D42")


def high_noon(book: RulesText) -> Iterator[Sentence]:
    """Yield when High Noon begins and what it does."""
    _, rules, rule = book.gettext, book.rules, book.rules.high_noon
    if rule is None:
        return
    yield book.from_document(_("High Noon makes sure that every game ends within a reasonable time."), "1.1")
    for row in rule.thresholds:
        last = row.players_to or max(rules.sizes)
        sizes = [size for size in rules.printed_sizes if row.players_from <= size <= last]
        if sizes:
            told = _(
                "At tables of {sizes} players, reshuffle number {n} of the discard pile announces High Noon."
            )
            yield book.from_document(told.format(sizes=list_numbers(sizes), n=row.reshuffles), "1.1")
    if any(size not in rules.printed_sizes for size in rules.sizes):
        yield book.reading(_("Other table sizes follow the nearest size listed here."), "D16")
    yield from _beginning(book)
    yield book.from_document(
        _("From then on, every player loses one life point at the start of their turn."), "1.1"
    )
    yield book.from_document(
        _("A player who's still alive then takes their turn as normal; otherwise they're eliminated."), "1.1"
    )
    yield book.from_document(_("A Beer can save a player who loses their last life point this way."), "1.1")
    yield book.reading(_("A Beer only works against the loss of the last life point."), "D14")
    yield book.from_document(
        _("With only two players left, a Beer has no effect. A Missed! never prevents the loss."), "4"
    )
    yield from _readings_of_high_noon(book)


def _beginning(book: RulesText) -> Iterator[Sentence]:
    _, rule = book.gettext, book.rules.high_noon
    if rule is not None and rule.starter is HighNoonStarter.SHERIFF:
        yield book.from_document(_("It begins with the Sheriff's next turn."), "1.1")
    else:
        yield book.from_document(_("It begins with the turn of the player after the Sheriff."), "1.1")
        yield book.reading(
            _("If that player has been eliminated, it begins with the next player still in play."), "D10"
        )
    yield book.reading(
        _("If it's announced during that player's own turn, it begins with their next one."), "D11"
    )
    if rule is None or rule.starter is HighNoonStarter.SHERIFF:
        return
    died = _("If they're eliminated in that turn, it begins after the Sheriff's next turn.")
    if book.rules.readings.high_noon_starter_died is HighNoonStarterDied.NEXT_LIVING:
        died = _(
            "If they're eliminated in that turn, it begins with the next turn of the next "
            "player still in play, even if that follows at once."
        )
    yield book.reading(died, "D47")


def _readings_of_high_noon(book: RulesText) -> Iterator[Sentence]:
    _, readings = book.gettext, book.rules.readings
    passive = _("Players who have left don't lose the life point.")
    if readings.high_noon_affects_passive:
        passive = _("Players who have left lose the life point too, and can't use a Beer.")
    yield book.reading(passive, "D12")
    yield book.reading(_("The life point is lost before the checks for Dynamite and Jail."), "D13")
    yield book.reading(_("Further reshuffles change nothing."), "D15")
    if readings.high_noon_sid_ketchum:
        yield book.reading(_("Sid Ketchum can discard two cards instead of the Beer."), "D17")


def characters(book: RulesText) -> Iterator[Sentence]:
    """Yield how players get their characters."""
    _, rules = book.gettext, book.rules
    if rules.auction is not None:
        from_the_sheriff = rules.auction.first_nominator.value == "sheriff"
        yield from _auction_2010(book) if from_the_sheriff else enlistment(book, rules.auction)
    elif book.is_championship:
        dealt = _(
            "Each player is dealt {n} of the {all} characters face down, one at a time starting "
            "with the Sheriff, and keeps one."
        )
        yield book.from_document(
            dealt.format(n=rules.characters.dealt, all=len(rules.characters.deck)), "1.1"
        )
        yield book.from_document(_("All players reveal their chosen characters at the same time."), "1.1")
        yield book.from_document(
            _(
                "A chosen character can't be changed for any reason; the judge puts the others "
                "away, face down."
            ),
            "1.1",
        )
    else:
        yield book.from_document(_("Each player is dealt one character at random."))
    more = book.words.ngettext(
        "The Sheriff has {n} extra life point.",
        "The Sheriff has {n} extra life points.",
        rules.characters.sheriff_extra_life,
    )
    yield base_game(more.format(n=rules.characters.sheriff_extra_life))
    if Character.SID_KETCHUM not in rules.characters.deck:
        return
    sid = _("With only two players left, Sid Ketchum's two cards still save his last life point.")
    if rules.readings.sid_with_two_left is SidWithTwoLeft.AS_BEER:
        sid = _("With only two players left, Sid Ketchum's two cards have no effect, like a Beer.")
    yield book.reading(sid, "D48")


def _auction_2010(book: RulesText) -> Iterator[Sentence]:
    _, rule = book.gettext, book.rules.auction
    if rule is None:
        return
    first = _("The Sheriff chooses one and makes the first bid: a multiple of {step}, at least {minimum}.")
    texts = (
        _(
            "The Sheriff turns up one character for each player at random; the players bid for "
            "them with their own money."
        ),
        first.format(step=dollars(rule.step), minimum=dollars(rule.minimum)),
        _(
            "Going to the left, each player in turn raises or passes; a player who passes is out "
            "of the bidding for this character."
        ),
        _("Nobody may bid more than they have."),
        _(
            "The last player left in the bidding pays their bid, and the Sheriff writes it on "
            "the record sheet."
        ),
        _("A player who has won a character takes no part in the other auctions."),
        _(
            "The next character is chosen by the nearest player to the winner's left who doesn't "
            "have one yet."
        ),
        _("The last player takes the last character for {last}.").format(last=dollars(rule.last_pays)),
        _(
            "A player without money always passes, and takes one of the characters left at the "
            "end for nothing."
        ),
        _("Money won can be spent from the next auction onwards."),
    )
    yield from book.all_printed(iter(texts), "1.1")
    yield book.reading(
        _("A player without money is skipped when it's their turn to choose a character."), "D26"
    )
    yield book.reading(
        _("If several players have no money, they take theirs clockwise, starting from the Sheriff."), "D27"
    )


def enlistment(book: RulesText, rule: AuctionRule) -> Iterator[Sentence]:
    """Yield how characters are enlisted by auction."""
    _ = book.gettext
    first = _("The player on the Sheriff's right chooses one and bids at least {minimum}.")
    texts = (
        _(
            "One character for each player is turned up at random; the players bid for them with "
            "their own money."
        ),
        first.format(minimum=dollars(rule.minimum)),
        _("Nobody may bid more than they have."),
        _("A player who has won a character takes no part in the other auctions."),
        _("The next one is chosen by the next player anticlockwise who doesn't have a character."),
        _("The last player takes the last character for {last}.").format(last=dollars(rule.last_pays)),
    )
    yield from (Sentence(text, ("Official Score System 2003",)) for text in texts)
    bids = _(
        "Bids are multiples of {step} and go anticlockwise; a player who passes is out of the "
        "bidding for this character."
    )
    yield book.reading(bids.format(step=dollars(rule.step)), "D32")
    yield book.reading(_("“Next” means after the player who chose the previous character."), "D32")
    yield book.reading(
        _("A player who can't pay the price of the last character pays what they have."), "D32"
    )
