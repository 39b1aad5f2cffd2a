"""Texts on the course of a tournament: rounds, tables, roles, and how the judge may shorten it."""

from collections.abc import Iterator

from core.characters import Character
from core.editions.edition import Edition, Waiver
from core.editions.game_rules import (
    AuctionRule,
    CharacterMethod,
    FirstNominator,
    HighNoonRule,
    HighNoonStarter,
)
from core.editions.readings import TimeLimit
from core.rule_set import OptionKey
from core.text.open_questions import QUESTIONS
from core.text.rules_text import RulesText, base_game, official_2003
from core.text.sentence import BASE_GAME, DODGE_CITY, Brief, Sentence, dollars, list_numbers

BASE_GAME_SIZES = range(4, 8)


def tournament(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on rounds or games, and on their tables."""
    yield from _by_chart(book) if book.is_championship else _one_group(book)
    yield from waivers(book)
    if Waiver.TIME_LIMIT in book.rules.waivers:
        yield from at_the_time_limit(book)


def _by_chart(book: RulesText) -> Iterator[Sentence]:
    _, rules, sections = book.gettext, book.rules, book.sections
    yield book.from_document(_("Only the base game is used, with no expansions."), sections.rounds)
    for row in rules.rounds:
        many = _("{least} or more players play {n} rounds.")
        if row.players_to:
            many = _("{least} to {most} players play {n} rounds.")
        yield book.from_document(
            many.format(least=row.players_from, most=row.players_to, n=row.rounds), sections.rounds
        )
    least, largest = rules.tables.min_players, max((row.players for row in rules.tables.chart), default=0)
    yield from book.reading("min_players", n=least)
    numbers = list_numbers(rules.printed_sizes, book.words)
    sizes = _("Tables of {sizes} players, as set by the chart, are redrawn every round.")
    yield book.from_document(sizes.format(sizes=numbers), sections.tables)
    small = rules.printed_sizes[0]
    yield from book.reading("above_chart", n=largest, small=small, large=small + 1)
    yield book.from_document(
        _("When players leave, the next tables follow the chart for the number of players left."),
        sections.tables,
    )
    yield from book.reading("rounds_recomputed_on_withdrawal")
    yield from book.reading("below_min_mid", n=least, sizes=numbers)
    yield from _tables_of_four(book)
    yield from sheriffs(book)
    texts = (
        _(
            "The first player drawn for a table is the Sheriff; the second sits on the Sheriff's "
            "left, and so on."
        ),
        _("Before the game, each table gets its record sheet, with the players in this order."),
    )
    yield from book.all_printed(texts, sections.tables)


def sheriffs(book: RulesText) -> Iterator[Sentence]:
    """Yield the limit on being Sheriff, if there is one."""
    if book.rules.tables.sheriff_once:
        once = book.brief("Nobody is Sheriff twice in the same tournament.")
        yield book.from_document(once, book.sections.tables)
        yield from book.reading("sheriff_repeat")


def _tables_of_four(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    if rules.tables_of_four:
        allowed = _("The judge has allowed tables of 4, which the document doesn't provide for: {reason}")
        yield book.read_as("tables_of_four", allowed.format(reason=rules.tables_of_four))
    elif rules.may_have_tables_of_four:
        yield from book.reading("tables_of_four")


def _one_group(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    yield book.from_document(_("There are as many games as players, or a multiple of that number."))
    yield book.from_document(
        _("Everyone is Sheriff the same number of times; the other roles are dealt at random.")
    )
    groups = _(
        "Players who don't fit at one table form groups that differ by at most one. A group plays a "
        "series of games, in which each player is Sheriff once; new groups are drawn for the next series."
    )
    yield book.read_as("several_groups", groups)
    yield from book.reading("several_groups")
    seats = _("A table seats {sizes} players.").format(sizes=list_numbers(rules.sizes, book.words))
    larger = [size for size in rules.sizes if size not in BASE_GAME_SIZES]
    if larger and OptionKey.REBEL not in rules.chosen:
        yield Sentence(seats, (BASE_GAME, DODGE_CITY))
        eight = _("The base game is for up to 7 players; the roles for 8 come from the Dodge City expansion.")
        yield Sentence(eight, (DODGE_CITY,))
    else:
        yield base_game(seats)
    yield from book.reading("group_leaver")


def waivers(book: RulesText) -> Iterator[Sentence]:
    """Yield the ways in which the judge may shorten a tournament, whether printed or not."""
    printed, brief = book.sections.waivers, book.brief
    texts = {
        Waiver.FEWER_ROUNDS: (
            "prize_other_rounds", book.gettext("To save time, the judge may reduce the number of rounds."),
        ),
        Waiver.TIME_LIMIT: (
            "time_limit", brief("To save time, the judge may limit how long a game lasts."),
        ),
    }  # fmt: skip
    for waiver, (name, text) in texts.items():
        if waiver in book.rules.waivers:
            yield book.from_document(text, printed) if printed else book.read_as(name, text)


def at_the_time_limit(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on games that reach the time limit."""
    yield from book.reading("time_limit")
    rules = book.rules
    if rules.readings.time_limit is TimeLimit.NO_WINNER and OptionKey.CASH_REWARDS in rules.chosen:
        kept = book.gettext("Cash rewards earned before the time limit are kept.")
        decisions = (QUESTIONS["time_limit"].decision, QUESTIONS["duel_elimination"].decision)
        yield Sentence(kept, (), decisions)


def roles(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on the deal of the roles and on how each side wins."""
    _, rules = book.gettext, book.rules
    dealt = _("The judge deals a random role card, face down, to everyone except the Sheriff.")
    if book.is_championship:
        yield book.from_document(dealt, book.sections.roles)
        order = _("Roles are dealt before the characters.")
        if rules.auction is not None:
            order = _("Roles are dealt before the characters are auctioned.")
        yield book.from_document(order, book.sections.roles)
    else:
        yield base_game(_("Role cards are dealt at random, face down; only the Sheriff's is turned up."))
    yield from endings(book)


def endings(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on how each side wins."""
    brief = book.brief
    yield base_game(brief("The Law wins when all Outlaws and Renegades are eliminated."))
    yield base_game(brief("A Renegade wins by being the only player left when the Sheriff is eliminated."))
    yield base_game(brief("In every other case the Outlaws win when the Sheriff is eliminated."))
    yield from book.reading("simultaneous")
    yield from book.reading("eliminated_count_as_winners")


def high_noon(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on the start and the effects of High Noon."""
    _, rules, rule, section = book.gettext, book.rules, book.rules.high_noon, book.sections.high_noon
    if rule is None:
        return
    yield book.from_document(
        _("High Noon makes sure that every game ends within a reasonable time."), section
    )
    for row in rule.thresholds:
        last = row.players_to or max(rules.sizes)
        sizes = [size for size in rules.printed_sizes if row.players_from <= size <= last]
        if sizes:
            announced = _(
                "At tables of {sizes} players, reshuffle number {n} of the discard pile announces High Noon."
            )
            numbers = list_numbers(sizes, book.words)
            yield book.from_document(announced.format(sizes=numbers, n=row.reshuffles), section)
    if any(size not in rules.printed_sizes for size in rules.sizes):
        yield from book.reading("high_noon_threshold")
    yield from beginning_of_high_noon(book, rule)
    yield from effects_of_high_noon(book)


def beginning_of_high_noon(book: RulesText, rule: HighNoonRule) -> Iterator[Sentence]:
    """Yield the rules on the turn that begins an announced High Noon."""
    brief, section = book.brief, book.sections.high_noon
    if rule.starter is HighNoonStarter.SHERIFF:
        yield book.from_document(brief("High Noon begins with the Sheriff's next turn."), section)
        yield from book.reading("high_noon_trigger_in_starter_turn")
        return
    yield book.from_document(
        brief("High Noon begins with the turn of the player after the Sheriff."), section
    )
    yield from book.reading("high_noon_dead_starter")
    yield from book.reading("high_noon_trigger_in_starter_turn")
    yield from book.reading("high_noon_starter_died")


def effects_of_high_noon(book: RulesText) -> Iterator[Sentence]:
    """Yield the effects of High Noon, even for an edition where only a judge may start it."""
    _, brief, sections = book.gettext, book.brief, book.sections
    texts = (
        (brief("From then on, every player loses one life point at the start of their turn."), ""),
        (_("A player who's still alive then takes their turn as normal; otherwise they're eliminated."), ""),
        (brief("A Beer can save a player who loses their last life point this way."), "high_noon_beer"),
        (brief("With only two players left, a Beer has no effect. A Missed! never prevents the loss."), ""),
    )
    for text, name in texts:
        if book.rules.high_noon is None:
            yield book.read_as("time_limit", text)
        else:
            section = sections.questions if text is texts[-1][0] else sections.high_noon
            yield book.from_document(text, section)
        if name:
            yield from book.reading(name)
    for name in (
        "high_noon_affects_passive", "high_noon_order", "high_noon_further_reshuffles",
        "high_noon_sid_ketchum",
    ):  # fmt: skip
        yield from book.reading(name)


def characters(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on how players get their characters."""
    rules = book.rules
    yield from choice_of_characters(book)
    if rules.auction is not None:
        yield from auction(book, rules.auction)
    if Character.SID_KETCHUM in rules.characters.deck:
        yield from book.reading("sid_with_two_left")


def choice_of_characters(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules on how characters are dealt, and on the Sheriff's life points."""
    brief, rules, section = book.brief, book.rules, book.sections.characters
    if rules.auction is not None:
        yield _of_auction(book, rules.auction, brief("Characters are auctioned; you pay what you bid."))
    elif rules.characters.method is CharacterMethod.DEAL_AND_CHOOSE:
        dealt = brief(
            "Each player is dealt {n} of the {all} characters face down, one at a time starting "
            "with the Sheriff, and keeps one.",
            n=rules.characters.dealt,
            all=len(rules.characters.deck),
        )
        texts = (
            dealt,
            brief("All players reveal their chosen characters at the same time."),
            brief(
                "A chosen character can't be changed for any reason; the judge puts the others "
                "away, face down."
            ),
        )
        yield from book.all_printed(texts, section)
    else:
        yield book.from_document(brief("Each player is dealt one character at random."), section)
    extra = rules.characters.sheriff_extra_life
    more = Brief(
        book.words.ngettext(
            "The Sheriff has {n} extra life point.", "The Sheriff has {n} extra life points.", extra
        ).format(n=extra)
    )
    yield base_game(more)


def auction(book: RulesText, rule: AuctionRule) -> Iterator[Sentence]:
    """Yield the rules of an auction: the one printed in the edition, or that of the enlistment option."""
    _, brief, is_printed = book.gettext, book.brief, _is_printed(book.rules, rule)
    first = brief("The player to the right of the Sheriff puts the first one up.")
    if rule.first_nominator is FirstNominator.SHERIFF:
        first = brief("The Sheriff puts the first one up.")
    least = brief(
        "The first bid must be at least ${minimum}; all bids are multiples of ${step}.",
        minimum=f"{rule.minimum:,}",
        step=f"{rule.step:,}",
    )
    answers = (("bid_order", rule.order.value), ("next_nominator", rule.next_nominator.value))
    order, after = (brief(QUESTIONS[name].answers[value].rule) for name, value in answers)
    yield _of_auction(book, rule, brief("Turn up one random character for each player who doesn't have one."))
    yield _of_auction(book, rule, first)
    yield _of_auction(book, rule, least) if is_printed else book.read_as("bid_step", least)
    yield _of_auction(book, rule, order) if is_printed else book.read_as("bid_order", order)
    yield _of_auction(book, rule, brief("Nobody may bid more than they have."))
    if is_printed:
        pays = _(
            "The last player left in the bidding pays their bid, and the Sheriff writes it on "
            "the record sheet."
        )
        yield _of_auction(book, rule, pays)
    yield _of_auction(book, rule, _("A player who has won a character takes no part in the other auctions."))
    yield _of_auction(book, rule, after) if is_printed else book.read_as("next_nominator", after)
    last = brief("The last player takes the last character for {last}.", last=dollars(rule.last_pays))
    yield _of_auction(book, rule, last)
    if not is_printed:
        yield from book.reading("enlistment_insufficient_fee")
        return
    broke = brief(
        "A player without money always passes, and takes one of the characters left at the end for nothing."
    )
    yield _of_auction(book, rule, broke)
    yield _of_auction(book, rule, _("Money won can be spent from the next auction onwards."))
    yield from book.reading("auction_broke_player")
    yield from book.reading("auction_take_order")


def _is_printed(rules: Edition, rule: AuctionRule) -> bool:
    return rule == rules.characters.auction


def _of_auction(book: RulesText, rule: AuctionRule, text: str) -> Sentence:
    if _is_printed(book.rules, rule):
        return book.from_document(text, book.sections.auction)
    return official_2003(text)
