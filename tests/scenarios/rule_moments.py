"""A table where somebody reads the rules: every card that it has."""

from collections.abc import Iterator

from core.editions.edition import Edition
from core.editions.loader import edition
from core.terms import MatchKind
from kiosk.rules.applicable_rules import rules_at
from kiosk.view.table_view import TableView
from tests.scenarios.duel_moments import DuelTable
from tests.scenarios.moments import EDITION, Moment, Table


def rule_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the cards of a table of ``seats`` seats, of an auction, and of the duels."""
    yield from _cards("rule", Table(seats, rules).begun().view(), rules)
    auction = edition("championship-2010")
    if seats in auction.sizes:
        yield from _cards("auction-rule", Table(seats, auction).dealt().view(), auction)
    for kind in (MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL):
        yield from _cards(kind.value, DuelTable(kind).view(), auction)


def _cards(prefix: str, view: TableView, rules: Edition) -> Iterator[Moment]:
    game = view.game
    for rule in () if game is None else rules_at(game, rules):
        yield Moment(f"{prefix}-{rule.value}", "rule", view, ("menu", "rules", f"rule-{rule.value}"))
