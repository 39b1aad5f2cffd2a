"""Tie-breaks: one small object for each rule that orders players of equal score.

A tie-break computes from plain results, once for each player and with exact fractions; nothing is
computed again inside a group that stays tied.
"""

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf, lcm
from typing import assert_never

import msgspec

from saloon.core.editions.edition import Edition, TieBreak
from saloon.core.editions.readings import BuchholzFurtherTie, MarogiScores, Readings, TieBreakOpponents
from saloon.core.game.setup.roles import Role
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.results.ledger import Account
from saloon.core.tournament.results.results import GameResult


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
    """The evidence for tie-breaks. accounts, scores: of every player; scores before any bonus.

    together: by result, the sum of the scores of all players in it who count as opponents, and their number.
    """

    results: tuple[GameResult, ...]
    accounts: Mapping[PlayerId, Account]
    scores: Mapping[PlayerId, Dollars]
    withdrawn: frozenset[PlayerId]
    readings: Readings
    together: tuple[tuple[int, int], ...]

    @property
    def not_counted(self) -> frozenset[PlayerId]:
        """Return the players who do not count as opponents (D21)."""
        return frozenset() if self.readings.withdrawn_count_for_opponents else self.withdrawn


def evidence_of(
    results: tuple[GameResult, ...],
    accounts: Mapping[PlayerId, Account],
    scores: Mapping[PlayerId, Dollars],
    withdrawn: frozenset[PlayerId],
    readings: Readings,
) -> Evidence:
    """Return the evidence for tie-breaks, with the sums that many players share."""
    bare = Evidence(results, accounts, scores, withdrawn, readings, ())
    left = bare.not_counted
    found = []
    for result in results:
        counted = [scores[player] for player in result.players if player not in left]
        found.append((sum(counted), len(counted)))
    return msgspec.structs.replace(bare, together=tuple(found))


class TieBreakRule(msgspec.Struct, frozen=True):
    """One tie-break. name: for people. value: what it gives a player."""

    key: TieBreak
    name: str
    direction: Direction
    source: str
    value: Callable[[PlayerId, Evidence], Value]

    def sort_keys(self, found: Sequence[Value]) -> list[float]:
        """Return what sorts players best first, one for each value; a player without a value comes last.

        Over one denominator for all: whole numbers compare exactly and much faster than fractions. Infinity
        is above all of them, and is compared exactly too.
        """
        below = lcm(*{value.denominator for value in found if isinstance(value, Fraction)})
        sign = -1 if self.direction is Direction.HIGHER_FIRST else 1
        return [
            sign * value.numerator * (below // value.denominator) if isinstance(value, Fraction) else inf
            for value in found
        ]


def opponents(player: PlayerId, evidence: Evidence) -> tuple[PlayerId, ...]:
    """Return the opponents a player faced, in order; one met twice counts as the edition reads it (D19)."""
    met = [
        other
        for number in evidence.accounts[player].games
        for other in evidence.results[number].players
        if other != player and other not in evidence.not_counted
    ]
    match evidence.readings.tiebreak_opponents:
        case TieBreakOpponents.PER_ENCOUNTER:
            return tuple(met)
        case TieBreakOpponents.DISTINCT:
            return tuple(dict.fromkeys(met))
        case _:
            assert_never(evidence.readings.tiebreak_opponents)


def faced_scores(
    player: PlayerId, evidence: Evidence, which: MarogiScores = MarogiScores.FINAL_TOTALS
) -> tuple[tuple[PlayerId, Dollars], ...]:
    """Return the opponents a player faced, each with the score that counts; in order (D18, D19)."""
    faced = opponents(player, evidence)
    match which:
        case MarogiScores.FINAL_TOTALS:
            return tuple((other, evidence.scores[other]) for other in faced)
        case MarogiScores.COMMON_MATCHES:
            return tuple(_won_together(player, faced, evidence))
        case _:
            assert_never(which)


def _faced(player: PlayerId, evidence: Evidence, which: MarogiScores) -> tuple[int, int]:
    """Return the sum of the scores of the opponents faced, and their number."""
    each = evidence.readings.tiebreak_opponents is TieBreakOpponents.PER_ENCOUNTER
    if which is not MarogiScores.FINAL_TOTALS or not each:
        faced = faced_scores(player, evidence, which)
        return sum(score for _, score in faced), len(faced)
    # The same sum for everybody at a table, less the player's own.
    games, together = evidence.accounts[player].games, evidence.together
    own = len(games) if player not in evidence.not_counted else 0
    total, count = -own * evidence.scores[player], -own
    for number in games:
        scores, players = together[number]
        total += scores
        count += players
    return total, count


@lru_cache(maxsize=1 << 12)
def _fraction(total: int, count: int = 1) -> Fraction:
    """Return an exact value; many players share one, and making it takes long."""
    return Fraction(total, count)


def _won_together(
    player: PlayerId, faced: Sequence[PlayerId], evidence: Evidence
) -> Iterator[tuple[PlayerId, Dollars]]:
    """Yield each opponent with the money won in the match met in; one met once, in all such matches."""
    won = dict[PlayerId, list[Dollars]]()
    for number in evidence.accounts[player].games:
        result = evidence.results[number]
        for other, dollars in zip(result.players, result.payout, strict=True):
            won.setdefault(other, []).append(dollars)
    for other in faced:
        if evidence.readings.tiebreak_opponents is TieBreakOpponents.DISTINCT:
            yield other, Dollars(sum(won[other]))
        else:
            yield other, won[other].pop(0)


def marogi(player: PlayerId, evidence: Evidence) -> Value:
    """Return the average of the scores of all opponents faced, before any bonus.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; readings D18, D19, D21.
    """
    total, count = _faced(player, evidence, evidence.readings.marogi_scores)
    return _fraction(total, count) if count else NoValue.MET_NOBODY


def matches_won(player: PlayerId, evidence: Evidence) -> Value:
    """Return how many matches a player won.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D42.
    """
    return _fraction(evidence.accounts[player].won)


def buchholz(player: PlayerId, evidence: Evidence) -> Value:
    """Return the sum of the scores of all opponents faced.

    Source: Championship 2010 v1.1, 1.2; readings D19, D21.
    """
    return _fraction(_faced(player, evidence, MarogiScores.FINAL_TOTALS)[0])


def count_wins_as(role: Role) -> Callable[[PlayerId, Evidence], Value]:
    """Return how many matches a player won in a role. Source: Official Score System 2003; reading D42."""

    def value(player: PlayerId, evidence: Evidence) -> Value:
        return _fraction(evidence.accounts[player].won_as.count(role))

    return value


def turns_played(player: PlayerId, evidence: Evidence) -> Value:
    """Return how many turns a player played, in the games where somebody counted them.

    All players of a group sit in the same games, so a game without a count is missing for all.
    Source: Official Score System 2003; reading D31.
    """
    return _fraction(evidence.accounts[player].turns)


_SECTION = "Championship 2022/23 v1.4, 1.2"
_OFFICIAL = "Official Score System 2003"

RULES: Mapping[TieBreak, TieBreakRule] = {
    rule.key: rule
    for rule in (
        TieBreakRule(TieBreak.MAROGI, "Marogi", Direction.HIGHER_FIRST, _SECTION, marogi),
        TieBreakRule(TieBreak.MATCHES_WON, "matches won", Direction.HIGHER_FIRST, _SECTION, matches_won),
        TieBreakRule(
            TieBreak.BUCHHOLZ, "Buchholz", Direction.HIGHER_FIRST, "Championship 2010 v1.1, 1.2", buchholz
        ),
        *(
            TieBreakRule(key, f"won as {role.value}", Direction.HIGHER_FIRST, _OFFICIAL, count_wins_as(role))
            for key, role in (
                (TieBreak.WON_AS_SHERIFF, Role.SHERIFF),
                (TieBreak.WON_AS_RENEGADE, Role.RENEGADE),
                (TieBreak.WON_AS_DEPUTY, Role.DEPUTY),
                (TieBreak.WON_AS_OUTLAW, Role.OUTLAW),
            )
        ),
        TieBreakRule(TieBreak.TURNS_PLAYED, "turns played", Direction.HIGHER_FIRST, _OFFICIAL, turns_played),
    )
}
"""Every tie-break that is computed; the lot is drawn (``standings`` applies it last)."""


def computed_rules(edition: Edition) -> tuple[TieBreakRule, ...]:
    """Return the rules of an edition's tie-breaks in its order, without the lot.

    Source: further ties after Buchholz: reading D20.
    """
    keys: list[TieBreak] = []
    for key in edition.tie_breaks:
        if key is not TieBreak.LOT:
            keys.append(key)
        if (
            key is TieBreak.BUCHHOLZ
            and edition.readings.buchholz_further_tie is BuchholzFurtherTie.MATCHES_WON
        ):
            keys.append(TieBreak.MATCHES_WON)
    return tuple(RULES[key] for key in dict.fromkeys(keys))
