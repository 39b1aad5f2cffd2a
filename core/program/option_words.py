"""The options of an edition in a sentence each."""

from collections.abc import Iterator
from typing import assert_never

from saloon.core.editions.edition import Edition
from saloon.core.editions.options import EnlistmentRule
from saloon.core.program.auction_words import auction_lines, money
from saloon.core.rule_set import OptionKey


def option_lines(rules: Edition) -> Iterator[str]:
    """What may be switched on, and what is; nothing for an edition without options."""
    for key in rules.offered:
        state = " (on)" if key in rules.chosen else ""
        yield f"{key.value}{state}: {_told(key, rules)}"


def _told(key: OptionKey, rules: Edition) -> str:
    offered = rules.options
    match key:
        case OptionKey.CASH_REWARDS:
            dollars = offered.cash_rewards.dollars if offered.cash_rewards else 0
            return (
                f"who personally eliminates an Outlaw takes {money(dollars)} instead of three cards; nobody "
                "does for Dynamite or High Noon."
            )
        case OptionKey.EXPERIENCE:
            dollars = offered.experience.dollars if offered.experience else 0
            return (
                f"who is alive at the end may keep cards in front for {money(dollars)} each; they are part "
                "of the next game's starting hand, at most as many as life points, paid from the money there."
            )
        case OptionKey.ENLISTMENT:
            return _enlistment(offered.enlistment) if offered.enlistment else ""
        case OptionKey.RUTHLESS_LAW:
            reminder = offered.ruthless_law.reminder if offered.ruthless_law else ""
            return f'at the discard of the Sheriff the table is reminded: "{reminder}"'
        case OptionKey.REBEL:
            sizes = ", ".join(str(row.players) for row in offered.rebel.roles) if offered.rebel else ""
            return (
                f"tables of {sizes} have a Rebel!, who becomes Sheriff by eliminating the Sheriff in the "
                "own turn; whoever is Sheriff at the end is paid as the Sheriff."
            )
        case _:
            assert_never(key)


def _enlistment(rule: EnlistmentRule) -> str:
    return (
        f"everybody begins with {money(rule.start_money)}. "
        + " ".join(auction_lines(rule.auction))
        + " Who is alive at the end may keep the character for the price paid before."
    )
