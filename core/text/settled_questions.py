"""Points that the documents leave open and that have a fixed answer here."""

from collections.abc import Callable, Mapping
from typing import Final

from core.editions.edition import Edition, Schedule
from core.editions.relevance import counts_eliminations, has_finals, is_championship


def _(text: str) -> str:
    return text


SettledPoint = tuple[str, str, str, Callable[[Edition], bool]]
"""The decision, the question, its answer, and a predicate for the rules that it concerns."""

SETTLED: Final[Mapping[str, SettledPoint]] = {
    "high_noon_threshold": (
        "D16", _("When does High Noon begin at table sizes that the document doesn't list?"),
        _("As for the nearest size listed."),
        lambda rules: rules.high_noon is not None
        and any(row.players not in rules.printed_sizes for row in rules.roles),
    ),
    "bonus_ties": (
        "D22", _("What if players are tied for the last place that gets a bonus?"),
        _("Places 1 to 4 are strict: lots decide if nothing else does, so there are exactly four."),
        lambda rules: bool(rules.bonus),
    ),
    "duel_elimination": (
        "D35", _("Who has eliminated a player who loses a Duel?"),
        _("The other player in the Duel, no matter who played the card."), counts_eliminations,
    ),
    "revolution": (
        "D38", _("When is the Sheriff's elimination a Revolution?"),
        _("On the Rebel!'s own turn, if the Rebel! eliminated the Sheriff or nobody knows who did."),
        lambda rules: rules.options.rebel is not None,
    ),
    "further_revolutions": (
        "D38", _("What if a Sheriff who came back as a Rebel! makes another Revolution?"),
        _("The last one counts: Deputies who were out then and haven't come back since have lost."),
        lambda rules: rules.options.rebel is not None,
    ),
    "two_renegades_final_duel": (
        "D39", _("With two Renegades, who counts as having lost the final duel?"),
        _("The last Renegade, if left alone with the Sheriff."),
        lambda rules: any(row.renegade > 1 for row in rules.role_rows),
    ),
    "ejected_money": (
        "D41", _("What happens to the money of an ejected player?"),
        _("It's kept, as when a player leaves."), lambda _: True,
    ),
    "group_leaver": (
        "D43", _("What if a player leaves the group?"),
        _("Scores are averages of the games played; the others are Sheriff equally often."),
        lambda rules: rules.schedule is Schedule.ONE_GROUP,
    ),
    "tables_of_four": (
        "D44", _("Can a tournament go on with 8 or 9 players left?"),
        _("It ends, or the judge allows tables of 4 with a reason, and enters or confirms what they pay."),
        lambda rules: rules.may_have_tables_of_four,
    ),
    "several_groups": (
        "D46", _("What if there are more players than fit at one table?"),
        _("Groups that differ by at most one play a series of games each; one ranking by average for all."),
        lambda rules: rules.schedule is Schedule.ONE_GROUP,
    ),
    "no_show": (
        "S1", _("What if a player doesn't come to the table?"),
        _("The seat stays: the character is in play, passive, as if the player had left."), is_championship,
    ),
    "long_duel_beer": (
        "S2", _("Does a Beer work in a long duel?"),
        _("No: only two players are left, however many characters are in play."), has_finals,
    ),
    "long_duel_reinforcements": (
        "S3", _("In a long duel, does a Gatling also hit a character that enters while it is resolved?"),
        _("No, only those in play when it was played."), has_finals,
    ),
    "long_duel_both_jailed": (
        "S4", _("In a long duel, what if both of a player's characters are in Jail?"),
        _("Each draws! on its own; if both stay in Jail, the turn is skipped and nobody moves."), has_finals,
    ),
    "lower_ties": (
        "S5", _("Must ties below the first four places be broken too?"),
        _("Yes, by lot if need be, before the ranking is published."), is_championship,
    ),
}  # fmt: skip
"""Points that the documents leave open but that have a fixed answer here; those with S aren't decisions."""
