"""The prizes of the finals."""

from fractions import Fraction
from typing import assert_never

from core.editions.edition import FinalsRule
from core.editions.readings import PrizeOtherRounds
from core.terms import Dollars
from core.tournament.standings.ledger import nearest_dollar


def prizes(rule: FinalsRule, rounds: int, reading: PrizeOtherRounds) -> tuple[Dollars, ...]:
    """Return the prizes after the rounds actually played, in dollars, first place first.

    Source: Championship 2010 v1.1, 1.2; rounds that the table does not list: reading D25.
    """
    for row in rule.prizes:
        if row.rounds == rounds:
            return row.dollars
    match reading:
        case PrizeOtherRounds.LINEAR:
            row = min(rule.prizes, key=lambda row: (abs(row.rounds - rounds), row.rounds))
            return tuple(nearest_dollar(Fraction(dollars * rounds, row.rounds)) for dollars in row.dollars)
        case _:
            assert_never(reading)
