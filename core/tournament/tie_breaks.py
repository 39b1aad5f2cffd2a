"""What orders players of equal score: one small object for each tie-break.

A tie-break computes from plain results, once for each player and with exact fractions; nothing is
computed again inside a group that stays tied.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

import msgspec

from saloon.core.editions.edition import TieBreak
from saloon.core.editions.readings import MarogiScores, Readings, TieBreakOpponents
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.results import GameResult


class NoValue(enum.Enum):
    """That there is nothing to compute, which is not the same as 0."""

    MET_NOBODY = "met nobody"


Value = Fraction | NoValue
"""What a tie-break gives a player."""


class Direction(enum.Enum):
    """Which value is ranked first."""

    HIGHER_FIRST = "higher first"
    LOWER_FIRST = "lower first"


class Evidence(msgspec.Struct, frozen=True):
    """What tie-breaks look at. scores: before any bonus, of every player of the tournament."""

    results: tuple[GameResult, ...]
    scores: Mapping[PlayerId, Dollars]
    withdrawn: frozenset[PlayerId]
    readings: Readings


class TieBreakRule(msgspec.Struct, frozen=True):
    """One tie-break. name: for people. value: what it gives a player."""

    key: TieBreak
    name: str
    direction: Direction
    source: str
    value: Callable[[PlayerId, Evidence], Value]

    def sort_key(self, player: PlayerId, evidence: Evidence) -> tuple[bool, Fraction]:
        """What sorts players best first; a player without a value comes last."""
        found = self.value(player, evidence)
        if isinstance(found, NoValue):
            return (True, Fraction(0))
        return (False, -found if self.direction is Direction.HIGHER_FIRST else found)


def opponents(player: PlayerId, evidence: Evidence) -> tuple[PlayerId, ...]:
    """The opponents a player faced, in order; one met twice counts as the edition reads it (D19)."""
    met = [
        other
        for result in evidence.results
        if player in result.players
        for other in result.players
        if other != player
        and (evidence.readings.withdrawn_count_for_opponents or other not in evidence.withdrawn)
    ]
    match evidence.readings.tiebreak_opponents:
        case TieBreakOpponents.PER_ENCOUNTER:
            return tuple(met)
        case TieBreakOpponents.DISTINCT:
            return tuple(dict.fromkeys(met))
        case _:
            assert_never(evidence.readings.tiebreak_opponents)


def marogi(player: PlayerId, evidence: Evidence) -> Value:
    """The average of the scores of all opponents faced, before any bonus.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; readings D18, D19, D21.
    """
    faced = opponents(player, evidence)
    if not faced:
        return NoValue.MET_NOBODY
    match evidence.readings.marogi_scores:
        case MarogiScores.FINAL_TOTALS:
            return Fraction(sum(evidence.scores[other] for other in faced), len(faced))


def matches_won(player: PlayerId, evidence: Evidence) -> Value:
    """How many matches a player won.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D42.
    """
    return Fraction(sum(player in result.winners for result in evidence.results))


_SECTION = "Championship 2022/23 v1.4, 1.2"

RULES: Mapping[TieBreak, TieBreakRule] = {
    rule.key: rule
    for rule in (
        TieBreakRule(TieBreak.MAROGI, "Marogi", Direction.HIGHER_FIRST, _SECTION, marogi),
        TieBreakRule(TieBreak.MATCHES_WON, "matches won", Direction.HIGHER_FIRST, _SECTION, matches_won),
    )
}
"""Every tie-break that is computed; the lot is drawn (``standings`` applies it last)."""


def computed_rules(tie_breaks: Sequence[TieBreak]) -> tuple[TieBreakRule, ...]:
    """The rules of an edition's tie-breaks in its order, without the lot."""
    return tuple(RULES[key] for key in tie_breaks if key is not TieBreak.LOT)
