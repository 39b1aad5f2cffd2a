"""The source of each rule, document and section, for each edition."""

from typing import Final

from core.editions.edition import Edition, HighNoonStarter, Schedule
from core.rule_set import OptionKey
from kiosk.i18n import Words
from kiosk.rules.applicable_rules import Rule

_2003: Final = "Official Score System 2003"
_2022: Final = "Championship 2022/23 v1.4"
_FAQ: Final = '4 "General case study and FAQ"'
_SECTIONS: Final[dict[str, tuple[str, dict[Rule, str]]]] = {
    "championship-2022": (
        _2022,
        {
            Rule.SEATS: '1.1 "The rounds"',
            Rule.ROLES: '1.1 "The rounds"; 2 "Tournament behavior"',
            Rule.CHARACTERS: '1.1 "The rounds"',
            Rule.RESHUFFLE: '1.1 "High Noon"',
            Rule.HIGH_NOON: '1.1 "High Noon"; 4',
            Rule.LAST_LIFE: _FAQ,
            Rule.ELIMINATION: _FAQ,
            Rule.SPECIAL_CASES: _FAQ,
            Rule.LEAVING: '1.4 "Abandoning the tournament"',
            Rule.WARNINGS: '2 "Tournament behavior"; 3 "Penalties"',
            Rule.TIME_LIMIT: '1.3 "Waivers"',
            Rule.RECORD_SHEET: '1.1 "The rounds"',
            Rule.TIES: '1.2 "End of the tournament and tie-breakers"',
        },
    ),
    "championship-2010": (
        "Championship 2010 v1.1",
        {
            Rule.SEATS: "1.1",
            Rule.ROLES: "1.1; 2",
            Rule.CHARACTERS: "1.1",
            Rule.AUCTION: "1.1",
            Rule.RESHUFFLE: "1.1",
            Rule.HIGH_NOON: "1.1; 4",
            Rule.LAST_LIFE: "4",
            Rule.ELIMINATION: "4",
            Rule.SPECIAL_CASES: "4",
            Rule.LEAVING: "1.3",
            Rule.WARNINGS: "2; 3",
            Rule.RECORD_SHEET: "1.1",
            Rule.TIES: "1.2",
            Rule.LONG_DUEL: "1.2",
            Rule.SHORT_DUEL: "1.2",
        },
    ),
    "official-2003": (_2003, {Rule.SEATS: "", Rule.CHARACTERS: "", Rule.TIES: ""}),
    "simplified-2003": (_2003, {Rule.SEATS: "", Rule.CHARACTERS: "", Rule.TIES: ""}),
}
"""By edition and rule. Rules that are missing here are those of the base game."""
_OPTIONS: Final = {
    Rule.AUCTION: OptionKey.ENLISTMENT,
    Rule.KEPT_CARDS: OptionKey.EXPERIENCE,
    Rule.TURN: OptionKey.RUTHLESS_LAW,
    Rule.ELIMINATION: OptionKey.CASH_REWARDS,
}
"""Options from the Official Score System that change a rule."""
_ONLY_IN_THE_FAQ: Final = {Rule.SPECIAL_CASES}
_ALSO_IN_THE_FAQ: Final = {Rule.LAST_LIFE}
"""Rules answered by the FAQ of a championship, in any edition."""
_OF_SALOON: Final = {Rule.RECORD_SHEET, Rule.RESHUFFLE}
"""Rules that only the championships print; for other editions the card explains how the terminal works."""


def source_of(rule: Rule, edition: Edition, words: Words) -> str:
    """Return a rule's document and section with our readings, or the source that house rules name."""
    written = _cite(rule, edition, words)
    readings = _readings(rule, edition)
    ours = words.gettext("our reading, {decisions}").format(decisions=", ".join(readings))
    return "; ".join((*written, *((ours,) if readings else ())))


def _cite(rule: Rule, edition: Edition, words: Words) -> tuple[str, ...]:
    if rule is Rule.REBEL:
        return ("The Rebel!",)
    faq = f"{_2022}, {_FAQ}"
    if rule in _ONLY_IN_THE_FAQ and rule not in _SECTIONS.get(edition.key, ("", {}))[1]:
        return (faq,)
    if edition.key not in _SECTIONS:
        return (edition.source,)
    document, sections = _SECTIONS[edition.key]
    base = words.gettext("Rules of the base game")
    option = _OPTIONS.get(rule) in edition.chosen
    if rule in sections:
        found = f"{document}, {sections[rule]}".removesuffix(", ")
        return (found, _2003) if option and document != _2003 else (found,)
    if option:
        return (base, _2003) if rule in {Rule.TURN, Rule.ELIMINATION} else (_2003,)
    if rule in _OF_SALOON:
        return (words.gettext("how this terminal works"),)
    if rule in _ALSO_IN_THE_FAQ:
        return base, faq
    return () if rule in _UNPRINTED else (base,)


_UNPRINTED: Final = {Rule.HIGH_NOON, Rule.LEAVING, Rule.TIME_LIMIT}
"""Rules that no base game has: if an edition doesn't print them, our reading applies."""


def _readings(rule: Rule, edition: Edition) -> tuple[str, ...]:
    """Return the numbers of the readings shown on a rule's card."""
    championship = edition.schedule is Schedule.CHART
    match rule:
        case Rule.SEATS:
            return ("D06",) if edition.tables.sheriff_once else ()
        case Rule.HIGH_NOON if edition.high_noon is None:
            return ("D09", "D12", "D13", "D15")
        case Rule.HIGH_NOON if edition.high_noon is not None:
            sid = ("D17",) if edition.readings.high_noon_sid_ketchum else ()
            after_sheriff = edition.high_noon.starter is HighNoonStarter.AFTER_SHERIFF
            return ("D12", "D13", "D15", *sid, *(("D47",) if after_sheriff else ()))
        case Rule.LAST_LIFE:
            return ("D48",)
        case Rule.TIME_LIMIT:
            return ("D09",)
        case Rule.LEAVING if not championship:
            return ("D43",)
        case Rule.ENDING:
            return ("D07", "D42") if edition.readings.eliminated_count_as_winners else ("D07",)
        case Rule.SHORT_DUEL | Rule.LONG_DUEL:
            return ("D40", "D48")
        case _:
            return ()
