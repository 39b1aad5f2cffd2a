"""Tie-breaks: rules that order players of equal score.

Each is computed once from plain results, for all players, with exact fractions; it isn't recomputed for
the players who stay tied.
"""

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from core.editions.edition import Edition, TieBreak
from core.editions.readings import (
    BuchholzFurtherTie,
    MarogiAverage,
    MarogiScores,
    Readings,
    TieBreakOpponents,
)
from core.terms import Dollars, PlayerId, Role
from core.tournament.standings.ledger import Account, GameResult


class NoValue(enum.Enum):
    """The absence of a value, which is different from 0."""

    MET_NOBODY = "met nobody"


Value = Fraction | NoValue
"""A player's value for a tie-break."""


class Evidence(msgspec.Struct, frozen=True):
    """The data for tie-breaks; scores are before any bonus.

    together, counted: for each result, the total score of its players who count as opponents, and their
        number.
    """

    results: tuple[GameResult, ...]
    accounts: Mapping[PlayerId, Account]
    scores: Mapping[PlayerId, Dollars]
    withdrawn: frozenset[PlayerId]
    readings: Readings
    together: tuple[int, ...]
    counted: tuple[int, ...]

    @property
    def not_counted(self) -> frozenset[PlayerId]:
        """The players who don't count as opponents (D21)."""
        return frozenset() if self.readings.withdrawn_count_for_opponents else self.withdrawn


def evidence_of(
    results: tuple[GameResult, ...],
    accounts: Mapping[PlayerId, Account],
    scores: Mapping[PlayerId, Dollars],
    withdrawn: frozenset[PlayerId],
    readings: Readings,
) -> Evidence:
    """Return the data for tie-breaks, including the sums that many players share."""
    bare = Evidence(results, accounts, scores, withdrawn, readings, (), ())
    left = bare.not_counted
    known = {player: 0 if player in left else score for player, score in scores.items()} if left else scores
    together = list[int]()
    for result in results:
        total = 0
        for player in result.players:
            total += known[player]
        together.append(total)
    counted = tuple([len(result.players) - len(left.intersection(result.players)) for result in results])
    return replace(bare, together=tuple(together), counted=counted)


Quotient = tuple[int, int]
"""The sum of a tie-break and its divisor: 1 for a plain sum, 0 for a player without opponents."""


class KeyValue(msgspec.Struct, frozen=True, gc=False):
    """A tie-break and a player's value for it."""

    key: TieBreak
    value: Value


class TieBreakRule(msgspec.Struct, frozen=True):
    """A tie-break; higher values rank first. quotients: computes the sum and divisor of each player."""

    key: TieBreak
    name: str
    source: str
    quotients: Callable[[Sequence[PlayerId], Evidence], Sequence[Quotient]]

    def column(
        self, players: Sequence[PlayerId], evidence: Evidence
    ) -> tuple[Sequence[KeyValue], Sequence[float]]:
        """Return each player's value and sort key, best first; players without a value come last.

        Equal values share one object. Sort keys have one common denominator: integers compare exactly and
        much faster than fractions. Infinity, for no value, also compares exactly.
        """
        column = self.quotients(players, evidence)
        distinct = set(column)
        below = lcm(*{count for _, count in distinct if count})
        values, sortable = dict[Quotient, KeyValue](), dict[Quotient, float]()
        for quotient in distinct:
            total, count = quotient
            values[quotient] = KeyValue(self.key, Fraction(total, count) if count else NoValue.MET_NOBODY)
            sortable[quotient] = -total * (below // count) if count else inf
        return [values[quotient] for quotient in column], [sortable[quotient] for quotient in column]


def faced_scores(
    player: PlayerId, evidence: Evidence, which: MarogiScores
) -> tuple[tuple[PlayerId, Dollars], ...]:
    """Return the opponents of a player in the order met, each with the score that counts (D18).

    Whether opponents met again count again is reading D19.
    """
    faced = [
        other
        for number in evidence.accounts[player].games
        for other in evidence.results[number].players
        if other != player and other not in evidence.not_counted
    ]
    if evidence.readings.tiebreak_opponents is TieBreakOpponents.DISTINCT:
        faced = list(dict.fromkeys(faced))
    match which:
        case MarogiScores.FINAL_TOTALS:
            return tuple((other, evidence.scores[other]) for other in faced)
        case MarogiScores.COMMON_MATCHES:
            return tuple(_won_together(player, faced, evidence))
        case _:
            assert_never(which)


def _faced(players: Sequence[PlayerId], evidence: Evidence, which: MarogiScores) -> Sequence[Quotient]:
    each = evidence.readings.tiebreak_opponents is TieBreakOpponents.PER_ENCOUNTER
    if which is not MarogiScores.FINAL_TOTALS or not each:
        faced = [faced_scores(player, evidence, which) for player in players]
        return [(sum(score for _, score in met), len(met)) for met in faced]
    # The table's common sum, minus the player's own score.
    left, together, counted = evidence.not_counted, evidence.together, evidence.counted
    accounts, scores = evidence.accounts, evidence.scores
    sums = []
    for player in players:
        games = accounts[player].games
        own = 0 if player in left else len(games)
        total, count = -own * scores[player], -own
        for number in games:
            total += together[number]
            count += counted[number]
        sums.append((total, count))
    return sums


def _won_together(
    player: PlayerId, faced: Sequence[PlayerId], evidence: Evidence
) -> Iterator[tuple[PlayerId, Dollars]]:
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


def marogi(players: Sequence[PlayerId], evidence: Evidence) -> Sequence[Quotient]:
    """Return the average score of all opponents faced, before any bonus.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; readings D18, D19, D21,
    D50.
    """
    faced = _faced(players, evidence, evidence.readings.marogi_scores)
    if evidence.readings.marogi_average is MarogiAverage.PER_OPPONENT:
        return faced
    matches = (len(evidence.accounts[player].games) for player in players)
    return [(total, played if met else 0) for (total, met), played in zip(faced, matches, strict=True)]


def matches_won(players: Sequence[PlayerId], evidence: Evidence) -> Sequence[Quotient]:
    """Return the number of matches that each player won.

    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; reading D42.
    """
    return [(evidence.accounts[player].won, 1) for player in players]


def buchholz(players: Sequence[PlayerId], evidence: Evidence) -> Sequence[Quotient]:
    """Return the total score of all opponents faced.

    Source: Championship 2010 v1.1, 1.2; readings D19, D21.
    """
    return [(total, 1) for total, _ in _faced(players, evidence, MarogiScores.FINAL_TOTALS)]


def count_wins_as(role: Role) -> Callable[[Sequence[PlayerId], Evidence], Sequence[Quotient]]:
    """Return a tie-break for matches won in a role. Source: Official Score System 2003; reading D42."""

    def quotients(players: Sequence[PlayerId], evidence: Evidence) -> Sequence[Quotient]:
        return [(evidence.accounts[player].won_as.count(role), 1) for player in players]

    return quotients


def turns_played(players: Sequence[PlayerId], evidence: Evidence) -> Sequence[Quotient]:
    """Return the number of turns that each player played, in games where they were counted.

    All players of a group are in the same games, so a game without counts affects them equally.
    Source: Official Score System 2003; reading D31.
    """
    return [(evidence.accounts[player].turns, 1) for player in players]


_SECTION = "Championship 2022/23 v1.4, 1.2"
_OFFICIAL = "Official Score System 2003"

WON_AS: Final[Mapping[TieBreak, Role]] = {
    TieBreak.WON_AS_SHERIFF: Role.SHERIFF,
    TieBreak.WON_AS_RENEGADE: Role.RENEGADE,
    TieBreak.WON_AS_DEPUTY: Role.DEPUTY,
    TieBreak.WON_AS_OUTLAW: Role.OUTLAW,
}

RULES: Mapping[TieBreak, TieBreakRule] = {
    rule.key: rule
    for rule in (
        TieBreakRule(TieBreak.MAROGI, "Marogi", _SECTION, marogi),
        TieBreakRule(TieBreak.MATCHES_WON, "matches won", _SECTION, matches_won),
        TieBreakRule(TieBreak.BUCHHOLZ, "Buchholz", "Championship 2010 v1.1, 1.2", buchholz),
        *(
            TieBreakRule(key, f"won as {role.value}", _OFFICIAL, count_wins_as(role))
            for key, role in WON_AS.items()
        ),
        TieBreakRule(TieBreak.TURNS_PLAYED, "turns played", _OFFICIAL, turns_played),
    )
}
"""Every tie-break that is computed; ``standings`` applies lots last."""


def computed_rules(edition: Edition) -> tuple[TieBreakRule, ...]:
    """Return an edition's tie-breaks in order, without the lot.

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
