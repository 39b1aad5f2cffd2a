"""Rules as text: the choice of an edition, house rules, and the public page of rules.

Everything is derived from an ``Edition``, without checking which one it is.
"""

from collections.abc import Mapping

import msgspec

from core.editions.edition import Edition, Schedule, Scoring
from core.editions.game_rules import CharacterMethod
from core.editions.winnings_table import WinningsRow
from core.text.money import TERM_WORDS, option
from core.text.rules_text import RulesText
from core.text.sentence import dollars, list_numbers
from station.text.i18n import Words

CHAPTER_ICONS: Mapping[str, str] = {
    "tournament": "star",
    "roles": "star",
    "characters": "bullet",
    "abilities": "person",
    "high-noon": "sun",
    "winnings": "laurel",
    "ranking": "laurel",
    "finals": "scales",
    "long-duel": "scales",
    "short-duel": "scales",
    "options": "check",
    "rebel": "star",
    "leaving": "away",
    "conduct": "scales",
    "questions": "check",
}
"""The icon of each chapter of the rules, by its key."""


class OfferedOption(msgspec.Struct, frozen=True):
    """An option offered by an edition, with its name and effect."""

    key: str
    title: str
    text: str


def origin(edition: Edition, words: Words) -> str:
    """Return where an edition's rules come from."""
    _ = words.gettext
    origins = {
        "championship-2022": _("Rules of the national championship of 2022/23"),
        "championship-2010": _("Italian championship rules of 2010"),
        "official-2003": _("The publisher's official score system of 2003"),
        "simplified-2003": _("The publisher's simplified score system of 2003"),
    }
    return origins.get(edition.key, edition.source)


def in_short(edition: Edition, words: Words) -> tuple[str, ...]:
    """Return a few sentences on what distinguishes this edition from others."""
    _ = words.gettext
    lines = [_format(edition, words), _method(edition, words)]
    lines.append(
        _("High Noon brings long games to an end.") if edition.high_noon else _("There is no High Noon.")
    )
    if edition.finals is not None:
        lines.append(_("The top four play duels for the top places and the prizes."))
    offered = [option.title for option in options(edition, words)]
    if offered:
        # The last may end in an exclamation mark.
        lines.append(_("Options: {options}.").format(options=", ".join(offered)).replace("!.", "!"))
    return tuple(lines)


def options(edition: Edition, words: Words) -> tuple[OfferedOption, ...]:
    """Return the options that an edition offers, chosen or not."""
    book = RulesText(edition, words)
    return tuple(
        OfferedOption(key.value, words.label(key), " ".join(line.text for line in option(book, key)))
        for key in edition.offered
    )


def winnings_rows(edition: Edition, words: Words) -> tuple[tuple[WinningsRow, tuple[str, ...]], ...]:
    """Return the rows that pay anything, each with its amounts for every table size."""
    return tuple(
        (row, tuple(_pays(edition, row, place, words) for place in range(len(edition.tables.sizes))))
        for row in edition.winnings
        if row.pays
    )


def _pays(edition: Edition, row: WinningsRow, place: int, words: Words) -> str:
    _ = words.gettext
    parts = [dollars(row.dollars[place])] if row.dollars else []
    terms = row.terms(edition.readings)
    parts += [_(TERM_WORDS[counted].paid).format(money=dollars(each)) for counted, each in terms]
    return " + ".join(parts)


def _format(edition: Edition, words: Words) -> str:
    _ = words.gettext
    sizes = list_numbers(edition.sizes, words)
    match edition.schedule:
        case Schedule.CHART:
            return _("Tables of {sizes} players are redrawn every round.").format(sizes=sizes)
        case Schedule.ONE_GROUP:
            text = _("A group of {sizes} players at one table, or several groups as equal as possible.")
            return text.format(sizes=sizes)


def _method(edition: Edition, words: Words) -> str:
    _ = words.gettext
    if edition.auction is not None:
        return _("Players buy their characters at auction, with their own money.")
    match edition.characters.method:
        case CharacterMethod.DEAL_AND_CHOOSE:
            text = _("Each player is dealt {n} of {all} characters and keeps one.")
            return text.format(n=edition.characters.dealt, all=len(edition.characters.deck))
        case CharacterMethod.AT_RANDOM | CharacterMethod.AUCTION:
            return _("Each player is dealt a random character.")


def score_in_short(edition: Edition, words: Words) -> str:
    """Return the money that counts."""
    _ = words.gettext
    match edition.scoring:
        case Scoring.SUM:
            return _("The score is a player's total money at the end.")
        case Scoring.AVERAGE:
            return _("The score is a player's average winnings per game.")
