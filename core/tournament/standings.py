"""The standings: who is where, and by which keys."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from saloon.core.editions.edition import Edition, TieBreak
from saloon.core.terms import Dollars, PlayerId
from saloon.core.tournament.results import Contender, GameResult, accepted_results, contenders
from saloon.core.tournament.state import TournamentState
from saloon.core.tournament.tie_breaks import (
    Evidence,
    TieBreakRule,
    Value,
    computed_rules,
    marogi,
)


class Rank(msgspec.Struct, frozen=True):
    """A place, or the places that a tied group shares: first to last, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def is_shared(self) -> bool:
        """Whether a tie is unbroken here."""
        return self.first != self.last


class KeyValue(msgspec.Struct, frozen=True):
    """A tie-break and what it gave a player."""

    key: TieBreak
    value: Value


class StandingRow(msgspec.Struct, frozen=True):
    """One player. rank: None for a player who left (they stand at the bottom, D21).

    score: of all games, before the bonus. bonus: what is certain; bonus_by_draw: a lot decides
    whether there is one. keys: as sorted by after the score, in the edition's order. lot: the
    place within the lot that was drawn for a tied group, from 1; None where no lot was needed.
    """

    rank: Rank | None
    player: PlayerId
    score: Dollars
    marogi: Value
    matches_won: int
    bonus: Dollars
    final_score: Dollars
    keys: tuple[KeyValue, ...]
    games: int
    lot: int | None = None
    bonus_by_draw: bool = False

    @property
    def withdrawn(self) -> bool:
        """Whether the player left the tournament."""
        return self.rank is None


class OpenBonus(msgspec.Struct, frozen=True):
    """A tied group across the last bonus: so many of its players will get one."""

    players: tuple[PlayerId, ...]
    bonuses: int


class Standings(msgspec.Struct, frozen=True):
    """Rows best first, players who left last. draw_groups: unbroken ties, best first."""

    rows: tuple[StandingRow, ...]
    draw_groups: tuple[tuple[PlayerId, ...], ...]
    open_bonuses: tuple[OpenBonus, ...]

    @property
    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """The players still in as groups, best first; a group of several is an unbroken tie."""
        ranked = ((row.rank, row.player) for row in self.rows if row.rank is not None)
        return tuple(
            tuple(player for _, player in group) for _, group in groupby(ranked, key=lambda pair: pair[0])
        )

    def row(self, player: PlayerId) -> StandingRow | None:
        """The row of a player, None for a stranger."""
        return next((row for row in self.rows if row.player == player), None)


class _Group(msgspec.Struct, frozen=True):
    players: tuple[PlayerId, ...]
    rank: Rank
    lot: int | None = None


def standings(
    results: Iterable[GameResult],
    entrants: Sequence[Contender],
    edition: Edition,
    lots: Sequence[Sequence[PlayerId]] = (),
) -> Standings:
    """The ranking that results give; it does not depend on the order of any argument but lots.

    lots: tied groups in the order drawn, best first; a lot counts where exactly its players are tied.
    Every player of a result must be an entrant.
    Raises ValueError for an unknown player, or one entered twice.
    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; readings D18 to D22.
    """
    played = tuple(results)
    everybody = [entrant.player for entrant in entrants]
    strangers = {player for result in played for player in result.players} - set(everybody)
    if strangers or len(set(everybody)) != len(everybody):
        raise ValueError(f"not entered, or entered twice: {', '.join(sorted(strangers)) or everybody}")
    evidence = Evidence(
        results=played,
        scores=_scores(played, everybody, edition),
        withdrawn=frozenset(entrant.player for entrant in entrants if entrant.withdrawn),
        readings=edition.readings,
    )
    rules = computed_rules(edition.tie_breaks)
    inside = [player for player in everybody if player not in evidence.withdrawn]
    groups = tuple(_groups(inside, evidence, rules, lots))
    rows = [row for group in groups for row in _rows(group, evidence, rules, edition)]
    left = sorted(evidence.withdrawn, key=lambda player: (*_sort_key(player, evidence, rules), player))
    rows += [_row(player, evidence, rules, rank=None) for player in left]
    return Standings(
        rows=tuple(rows),
        draw_groups=tuple(group.players for group in groups if group.rank.is_shared),
        open_bonuses=tuple(_open_bonuses(groups, edition)),
    )


def standings_of(state: TournamentState, edition: Edition) -> Standings:
    """The standings of a tournament as its accepted record sheets give them."""
    return standings(accepted_results(state, edition), contenders(state), edition, state.lots)


def _scores(
    results: Sequence[GameResult], players: Iterable[PlayerId], edition: Edition
) -> Mapping[PlayerId, Dollars]:
    scores: dict[PlayerId, Dollars] = dict.fromkeys(players, edition.start_money)
    for result in results:
        for player, amount in zip(result.players, result.payout, strict=True):
            scores[player] = Dollars(scores[player] + amount)
    return scores


def _sort_key(player: PlayerId, evidence: Evidence, rules: Sequence[TieBreakRule]) -> tuple[object, ...]:
    return (-evidence.scores[player], *(rule.sort_key(player, evidence) for rule in rules))


def _groups(
    players: Sequence[PlayerId],
    evidence: Evidence,
    rules: Sequence[TieBreakRule],
    lots: Sequence[Sequence[PlayerId]],
) -> Iterator[_Group]:
    drawn = {frozenset(lot): tuple(lot) for lot in lots}
    keys = {player: _sort_key(player, evidence, rules) for player in players}
    place = 1
    ordered = sorted(players, key=lambda player: (*keys[player], player))
    for _, tied in groupby(ordered, key=keys.__getitem__):
        group = tuple(tied)
        lot = drawn.get(frozenset(group))
        if len(group) == 1 or lot is None:
            yield _Group(group, Rank(place, place + len(group) - 1))
        else:
            for offset, player in enumerate(lot):
                yield _Group((player,), Rank(place + offset, place + offset), offset + 1)
        place += len(group)


def _bonuses(rank: Rank, edition: Edition) -> tuple[Dollars, ...]:
    return tuple(
        edition.bonus[place - 1] if place <= len(edition.bonus) else Dollars(0)
        for place in range(rank.first, rank.last + 1)
    )


def _open_bonuses(groups: Iterable[_Group], edition: Edition) -> Iterator[OpenBonus]:
    for group in groups:
        amounts = _bonuses(group.rank, edition)
        if len(set(amounts)) > 1:
            yield OpenBonus(group.players, sum(amount > 0 for amount in amounts))


def _rows(
    group: _Group, evidence: Evidence, rules: Sequence[TieBreakRule], edition: Edition
) -> Iterator[StandingRow]:
    """The rows of a group. Source: Championship 2022/23 v1.4, 1.2 "Special awards"; reading D22."""
    amounts = _bonuses(group.rank, edition)
    certain = amounts[0] if len(set(amounts)) == 1 else None
    for player in group.players:
        row = msgspec.structs.replace(_row(player, evidence, rules, rank=group.rank), lot=group.lot)
        if certain is None:
            yield msgspec.structs.replace(row, bonus_by_draw=True)
        else:
            yield msgspec.structs.replace(row, bonus=certain, final_score=Dollars(row.score + certain))


def _row(
    player: PlayerId, evidence: Evidence, rules: Sequence[TieBreakRule], *, rank: Rank | None
) -> StandingRow:
    score = evidence.scores[player]
    won = sum(player in result.winners for result in evidence.results)
    return StandingRow(
        rank=rank,
        player=player,
        score=score,
        marogi=marogi(player, evidence),
        matches_won=won,
        bonus=Dollars(0),
        final_score=score,
        keys=tuple(KeyValue(rule.key, rule.value(player, evidence)) for rule in rules),
        games=sum(player in result.players for result in evidence.results),
    )
