"""Where a rule is written: document and section, by the edition that is played."""

from typing import Final

from saloon.core.editions.edition import Edition
from saloon.core.rule_set import OptionKey
from saloon.kiosk.i18n import Words
from saloon.kiosk.rules.which import Rule

_2003: Final = "Official Score System 2003"
_SECTIONS: Final[dict[str, tuple[str, dict[Rule, str]]]] = {
    "championship-2022": (
        "Championship 2022/23 v1.4",
        {
            Rule.SEATS: '1.1 "The rounds"',
            Rule.ROLES: '1.1 "The rounds"; 2 "Tournament behavior"',
            Rule.CHARACTERS: '1.1 "The rounds"',
            Rule.RESHUFFLE: '1.1 "High Noon"',
            Rule.HIGH_NOON: '1.1 "High Noon"',
            Rule.LAST_LIFE: '4 "General case study and FAQ"',
            Rule.ELIMINATION: '4 "General case study and FAQ"',
            Rule.SPECIAL_CASES: '4 "General case study and FAQ"',
            Rule.LEAVING: '1.4 "Abandoning the tournament"',
            Rule.WARNINGS: '3 "Penalties"',
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
            Rule.HIGH_NOON: "1.1",
            Rule.LAST_LIFE: "4",
            Rule.ELIMINATION: "4",
            Rule.SPECIAL_CASES: "4",
            Rule.LEAVING: "1.3",
            Rule.WARNINGS: "3",
            Rule.RECORD_SHEET: "1.1",
            Rule.TIES: "1.2",
            Rule.LONG_DUEL: "1.2",
            Rule.SHORT_DUEL: "1.2",
        },
    ),
    "official-2003": (_2003, {Rule.SEATS: "", Rule.CHARACTERS: "", Rule.TIES: ""}),
    "simplified-2003": (_2003, {Rule.SEATS: "", Rule.CHARACTERS: "", Rule.TIES: ""}),
}
"""By edition and rule; what is in none of them is a rule of the base game."""
_OPTIONS: Final = {
    Rule.AUCTION: OptionKey.ENLISTMENT,
    Rule.KEPT_CARDS: OptionKey.EXPERIENCE,
    Rule.TURN: OptionKey.RUTHLESS_LAW,
    Rule.ELIMINATION: OptionKey.CASH_REWARDS,
}
"""Options that are written in the Official Score System and change a rule."""


def source_of(rule: Rule, edition: Edition, words: Words) -> str:
    """Document and section of a rule. House rules: whose they are, as their file says it."""
    if rule is Rule.REBEL:
        return "The Rebel!"
    base = words.gettext("Rules of the base game")
    if edition.key not in _SECTIONS:
        return edition.source
    document, sections = _SECTIONS[edition.key]
    written = base
    if rule in sections:
        written = f"{document}, {sections[rule]}".removesuffix(", ")
    if _OPTIONS.get(rule) in edition.chosen and document != written:
        return _2003 if written == base and rule is not Rule.TURN else f"{written}; {_2003}"
    return written
