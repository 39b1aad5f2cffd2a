"""Rules in words: the choice of an edition, an organiser's own rules, the public page of rules.

Everything is told from an ``Edition``; nothing here asks which one it is.
"""

from collections.abc import Iterator
from typing import assert_never

import msgspec

from saloon.core.editions import CharacterMethod, Edition
from saloon.core.editions.auction_rule import AuctionRule, FirstNominator
from saloon.core.editions.edition import Schedule, Scoring
from saloon.core.editions.winnings_table import WinningsRow
from saloon.core.rule_set import OptionKey
from saloon.station.web.filters import dollars
from saloon.station.web.i18n import Words


class Chapter(msgspec.Struct, frozen=True):
    """A part of the rules. icon: its name. lines: a sentence or two each."""

    title: str
    icon: str
    lines: tuple[str, ...]


class OfferedOption(msgspec.Struct, frozen=True):
    """An option that an edition offers, with its name and what it does."""

    key: str
    title: str
    text: str
    is_chosen: bool


def chapters(edition: Edition, words: Words) -> tuple[Chapter, ...]:
    """All that holds, the options switched on included; winnings and the table chart are tables."""
    _ = words.gettext
    found = (
        Chapter(_("The tournament"), "star", tuple(_schedule(edition, words))),
        Chapter(_("Characters"), "bullet", tuple(_characters(edition, words))),
        Chapter(_("Score and ranking"), "laurel", tuple(_ranking(edition, words))),
        Chapter(_("High Noon"), "sun", tuple(_high_noon(edition, words))),
        Chapter(_("Finals"), "scales", tuple(_finals(edition, words))),
        Chapter(
            _("Options that are on"),
            "check",
            tuple(f"{option.title}: {option.text}" for option in options(edition, words) if option.is_chosen),
        ),
    )
    return tuple(chapter for chapter in found if chapter.lines)


def in_short(edition: Edition, words: Words) -> tuple[str, ...]:
    """What tells this edition from others, in a few sentences."""
    _ = words.gettext
    lines = [next(_schedule(edition, words)), _method(edition, words), _score(edition, words)]
    lines.append(
        _("High Noon ends games that last long.") if edition.high_noon else _("There is no High Noon.")
    )
    if edition.finals is not None:
        lines.append(_("The four best play duels for the first places and for prizes."))
    offered = [option.title for option in options(edition, words)]
    if offered:
        lines.append(_("Options: {options}.").format(options=", ".join(offered)))
    return tuple(lines)


def options(edition: Edition, words: Words) -> tuple[OfferedOption, ...]:
    """The options on offer, those switched on marked."""
    return tuple(
        OfferedOption(key.value, words.label(key), _option(edition, key, words), key in edition.chosen)
        for key in edition.offered
    )


def winnings_rows(edition: Edition, words: Words) -> tuple[tuple[WinningsRow, tuple[str, ...]], ...]:
    """The rows that pay anything, each with its words for every table size."""
    return tuple(
        (row, tuple(_pays(row, place, words) for place in range(len(edition.tables.sizes))))
        for row in edition.winnings
        if any(row.dollars) or row.per_outlaw or row.per_player or row.per_eliminated
    )


def _pays(row: WinningsRow, place: int, words: Words) -> str:
    _ = words.gettext
    parts = [dollars(row.dollars[place])] if row.dollars else []
    if row.per_outlaw:
        parts.append(_("{money} for each Outlaw").format(money=dollars(row.per_outlaw)))
    if row.per_player:
        parts.append(_("{money} for each player").format(money=dollars(row.per_player)))
    if row.per_eliminated:
        parts.append(_("{money} for each eliminated player").format(money=dollars(row.per_eliminated)))
    return " + ".join(parts)


def _schedule(edition: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    tables = edition.tables
    sizes = ", ".join(str(size) for size in edition.sizes)
    match edition.schedule:
        case Schedule.CHART:
            yield _("Everybody is drawn anew to tables of {sizes} in each round.").format(sizes=sizes)
            for row in edition.rounds:
                if row.players_to:
                    told = _("{least} to {most} players play {n} rounds.")
                    yield told.format(least=row.players_from, most=row.players_to, n=row.rounds)
                else:
                    told = _("{least} or more players play {n} rounds.")
                    yield told.format(least=row.players_from, n=row.rounds)
            few = _("Fewer than {n} players are too few for an official tournament.")
            yield few.format(n=tables.min_players)
            if tables.sheriff_once:
                yield _("Nobody is Sheriff twice while others were never.")
        case Schedule.ONE_GROUP:
            yield _("All play at one table, as many games as players or a multiple of it.")
            yield _("A table seats {sizes}.").format(sizes=sizes)
            yield _("Everybody is Sheriff equally often.")
    if edition.waivers:
        waivers = ", ".join(words.label(waiver) for waiver in edition.waivers)
        yield _("To save time the judge may choose: {waivers}.").format(waivers=waivers)


def _characters(edition: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield _method(edition, words)
    if edition.auction is not None:
        yield from _auction(edition.auction, words)
    told = words.ngettext(
        "The Sheriff plays with {n} more life point.",
        "The Sheriff plays with {n} more life points.",
        edition.characters.sheriff_extra_life,
    )
    yield told.format(n=edition.characters.sheriff_extra_life)


def _method(edition: Edition, words: Words) -> str:
    _ = words.gettext
    if edition.auction is not None:
        return _("Characters are bought at an auction, with each player's own money.")
    match edition.characters.method:
        case CharacterMethod.DEAL_AND_CHOOSE:
            told = _("Each player is dealt {n} of {all} characters and keeps one.")
            return told.format(n=edition.characters.dealt, all=len(edition.characters.deck))
        case CharacterMethod.AT_RANDOM | CharacterMethod.AUCTION:
            return _("Each player is dealt a character by chance.")


def _auction(rule: AuctionRule, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield (
        _("The Sheriff puts the first character up.")
        if rule.first_nominator is FirstNominator.SHERIFF
        else _("The player to the right of the Sheriff puts the first character up.")
    )
    told = _("Bids begin at {minimum} and rise by {step}; the last character costs {last}.")
    yield told.format(minimum=dollars(rule.minimum), step=dollars(rule.step), last=dollars(rule.last_pays))


def _score(edition: Edition, words: Words) -> str:
    _ = words.gettext
    match edition.scoring:
        case Scoring.SUM:
            return _("The score is all money at the end.")
        case Scoring.AVERAGE:
            return _("The score is the money won in an average game.")


def _ranking(edition: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    start = edition.start_money
    if OptionKey.ENLISTMENT in edition.chosen and edition.options.enlistment is not None:
        start = edition.options.enlistment.start_money
    yield _("Every player begins with {money}.").format(money=dollars(start))
    yield _score(edition, words)
    yield _("Totals are secret until the end; each player may ask for the own one.")
    keys = ", ".join(words.label(key) for key in edition.tie_breaks)
    yield _("Equal scores are ordered by: {keys}.").format(keys=keys)
    if edition.deputy_penalty:
        told = _("A Deputy who eliminates the Sheriff loses {money}.")
        yield told.format(money=dollars(edition.deputy_penalty))
    if any(edition.bonus):
        yield _("Bonus by place: {bonus}.").format(bonus=_by_place(edition.bonus))


def _high_noon(edition: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    if edition.high_noon is None:
        return
    for row in edition.high_noon.thresholds:
        if row.players_to:
            told = _("Tables of {least} to {most}: from reshuffle {n} of the discard pile on.")
            yield told.format(least=row.players_from, most=row.players_to, n=row.reshuffles)
        else:
            told = _("Tables of {least} or more: from reshuffle {n} of the discard pile on.")
            yield told.format(least=row.players_from, n=row.reshuffles)
    yield _("It begins with {turn}.").format(turn=words.label(edition.high_noon.starter))
    yield _("Then everybody loses a life point at the start of each turn.")


def _finals(edition: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    if edition.finals is None:
        return
    yield _("The best player meets the fourth, the second the third; the winners play for the first place.")
    modes = ", ".join(words.label(mode) for mode in edition.finals.modes)
    yield _("They play: {modes}.").format(modes=modes)
    for row in edition.finals.prizes:
        told = _("Prizes after {n} rounds: {prizes}.")
        yield told.format(n=row.rounds, prizes=_by_place(row.dollars))


def _by_place(amounts: tuple[int, ...]) -> str:
    return ", ".join(f"{place}. {dollars(amount)}" for place, amount in enumerate(amounts, 1))


def _option(edition: Edition, key: OptionKey, words: Words) -> str:
    _ = words.gettext
    offered = edition.options
    match key:
        case OptionKey.CASH_REWARDS:
            told = _("Who eliminates an Outlaw takes {money} instead of three cards.")
            return told.format(money=dollars(offered.cash_rewards.dollars if offered.cash_rewards else 0))
        case OptionKey.EXPERIENCE:
            told = _("Survivors may keep cards in front of them for the next game, at {money} a card.")
            return told.format(money=dollars(offered.experience.dollars if offered.experience else 0))
        case OptionKey.ENLISTMENT:
            told = _(
                "Everybody begins with {money}, and the characters are auctioned; "
                "survivors may keep theirs for the price they paid."
            )
            return told.format(money=dollars(offered.enlistment.start_money if offered.enlistment else 0))
        case OptionKey.RUTHLESS_LAW:
            return _(
                "When the turn ends the Sheriff may not discard a BANG! that could have been played in it."
            )
        case OptionKey.REBEL:
            told = _(
                "Tables of {sizes} have a Rebel!, who becomes Sheriff by eliminating the Sheriff "
                "in a turn of the Rebel!'s own."
            )
            sizes = [str(row.players) for row in offered.rebel.roles] if offered.rebel else []
            return told.format(sizes=", ".join(sizes))
        case _:
            assert_never(key)
