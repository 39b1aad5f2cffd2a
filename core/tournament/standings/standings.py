"""The standings: each player's place, and the keys that it was sorted by."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat, takewhile
from typing import Final

import msgspec
from msgspec.structs import replace

from base.immutable import cache_by_identity
from core.editions.edition import Edition, TieBreak
from core.terms import Dollars, PlayerId, Role
from core.tournament.standings.ledger import (
    Contender,
    GameResult,
    accepted_results,
    accounts,
    contenders,
    prizes,
    score_of,
)
from core.tournament.standings.tie_breaks import Evidence, KeyValue, Value, computed_rules, evidence_of
from core.tournament.state.names import fold_name
from core.tournament.state.tournament import TournamentState

_KEPT: Final = 8
"""Cache size; pages, screens and refusals ask for the same standings repeatedly."""


class Rank(msgspec.Struct, frozen=True, gc=False):
    """A place, or the places that a tied group shares: first to last, inclusive."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def is_shared(self) -> bool:
        return self.first != self.last


class StandingRow(msgspec.Struct, frozen=True, gc=False):
    """A player's row. rank: None for a player who left (listed at the bottom, D21).

    score: the score of all games, before the bonus.
    bonus: the part of the bonus that is certain.
    bonus_by_draw: a lot decides about another part.
    keys: tie-breaks used after the score, in the edition's order.
    lot: place in the lot drawn for a tied group, from 1, or None if no lot was needed.
    total: start money and winnings less spending; the score may be its average.
    one_on_one: a one-on-one game broke the tie (D30).
    prize: the prize of the finals, which is part of final_score.
    round_rank: a finalist's rank in the rounds, once the finals are over.
    """

    rank: Rank | None
    player: PlayerId
    score: Dollars
    matches_won: int
    bonus: Dollars
    final_score: Dollars
    keys: tuple[KeyValue, ...]
    games: int
    lot: int | None = None
    bonus_by_draw: bool = False
    total: Dollars = Dollars(0)
    won_as: tuple[Role, ...] = ()
    turns_played: int = 0
    one_on_one: bool = False
    prize: Dollars = Dollars(0)
    round_rank: Rank | None = None

    @property
    def withdrawn(self) -> bool:
        return self.rank is None

    @property
    def marogi(self) -> Value | None:
        """The average score of the opponents faced; None in an edition without that tie-break."""
        return self.value(TieBreak.MAROGI)

    def value(self, key: TieBreak) -> Value | None:
        """Return the player's value for a tie-break, or None if the edition doesn't use it."""
        return next((entry.value for entry in self.keys if entry.key is key), None)


class OpenBonus(msgspec.Struct, frozen=True):
    """A tied group, and the number of bonuses for it: too few for all its players."""

    players: tuple[PlayerId, ...]
    bonuses: int


class Standings(msgspec.Struct, frozen=True):
    """The standings: rows best first, players who left last; and the unbroken ties, best first."""

    rows: tuple[StandingRow, ...]
    draw_groups: tuple[tuple[PlayerId, ...], ...]
    open_bonuses: tuple[OpenBonus, ...]

    @property
    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """The remaining players as groups, best first; a group of several is an unbroken tie."""
        ranked = ((row.rank, row.player) for row in self.rows if row.rank is not None)
        return tuple(
            tuple(player for _, player in group) for _, group in groupby(ranked, key=lambda pair: pair[0])
        )

    def row(self, player: PlayerId) -> StandingRow | None:
        return next((row for row in self.rows if row.player == player), None)


class _Group(msgspec.Struct, frozen=True, gc=False):
    players: tuple[PlayerId, ...]
    rank: Rank
    lot: int | None = None
    by_game: bool = False


def standings(
    results: Iterable[GameResult],
    entrants: Sequence[Contender],
    edition: Edition,
    lots: Sequence[Sequence[PlayerId]] = (),
    one_on_ones: Sequence[tuple[PlayerId, PlayerId]] = (),
) -> Standings:
    """Return the ranking of results. Only the order of the last two arguments matters.

    lots: tied groups in the order drawn, best first; a lot counts if exactly its players are tied.
    one_on_ones: winner and loser of games of two tied players, which take precedence over lots (D30).
    Every player of a result must be an entrant.
    Raises ValueError for an unknown player, or one entered twice.
    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers"; Championship 2010 v1.1,
    1.2; Official Score System 2003; readings D18 to D22, D29 to D31.
    """
    played = tuple(results)
    everybody = [entrant.player for entrant in entrants]
    try:
        written = accounts(played, everybody, edition)
    except KeyError as stranger:
        raise ValueError(f"plays, but is not entered: {stranger.args[0]}") from None
    if len(written) != len(everybody):
        twice = sorted(player for player, times in Counter(everybody).items() if times > 1)
        raise ValueError(f"entered twice: {', '.join(twice)}")
    scores = {player: score_of(account, edition) for player, account in written.items()}
    withdrawn = frozenset(entrant.player for entrant in entrants if entrant.withdrawn)
    evidence = evidence_of(played, written, scores, withdrawn, edition.readings)
    columns = [rule.column(everybody, evidence) for rule in computed_rules(edition)]
    values = zip(*(column for column, _ in columns), strict=True) if columns else repeat((), len(everybody))
    best_first = [-scores[player] for player in everybody]
    sort_keys = zip(best_first, *(sortable for _, sortable in columns), strict=True)
    keys = dict(zip(everybody, sort_keys, strict=True))
    tie_breaks = dict(zip(everybody, values, strict=True))
    groups = tuple(_groups(keys, withdrawn, lots, one_on_ones))
    rows = list[StandingRow]()
    for group in groups:
        rows += _rows(group.players, evidence, tie_breaks, group, _certain_bonus(group, edition))
    left = sorted(withdrawn, key=lambda player: (keys[player], player))
    rows += _rows(left, evidence, tie_breaks, None, Dollars(0))
    return Standings(
        rows=tuple(rows),
        draw_groups=tuple(group.players for group in groups if group.rank.is_shared),
        open_bonuses=tuple(_open_bonuses(groups, edition)),
    )


def standings_of(state: TournamentState, edition: Edition) -> Standings:
    """Return the current standings of a tournament; after the final, with its places and prizes.

    Source: Championship 2010 v1.1, 1.2; readings D23, D25.
    """
    ranking = rounds_standings(state, edition)
    places = None if state.finals is None else state.finals.places
    if places is None or edition.finals is None:
        return ranking
    amounts = prizes(edition.finals, len(state.published_rounds))
    return after_finals(ranking, places, amounts)


def after_finals(ranking: Standings, places: Sequence[PlayerId], amounts: Sequence[Dollars]) -> Standings:
    """Return standings with the places and prizes of the finals; money no longer affects the order.

    places: the finalists, best first; the last two share theirs.
    amounts: their prizes, first place first.
    Source: Championship 2010 v1.1, 1.2; reading D23.
    """
    rows = {row.player: row for row in ranking.rows}
    ranks = (Rank(1, 1), Rank(2, 2), Rank(3, 4), Rank(3, 4))
    best = tuple(
        replace(
            rows[player],
            rank=rank,
            round_rank=rows[player].rank,
            prize=prize,
            final_score=Dollars(rows[player].final_score + prize),
        )
        for player, rank, prize in zip(places, ranks, amounts, strict=True)
    )
    others = tuple(row for row in ranking.rows if row.player not in places)
    return replace(ranking, rows=best + others)


@cache_by_identity(_KEPT)
def rounds_standings(state: TournamentState, edition: Edition) -> Standings:
    """Return the standings of a tournament's rounds, from the accepted record sheets.

    Tied players, and players who left with the same values, are sorted by name.
    """
    results = accepted_results(state, edition)
    ranking = standings(results, contenders(state), edition, state.lots, state.games_of_two)
    names = {entrant.player: entrant.name for entrant in state.entrants}

    def _by_name(players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        return tuple(sorted(players, key=lambda player: (fold_name(names[player]), names[player], player)))

    rows = {row.player: row for row in ranking.rows}
    ties = (tuple(row.player for row in group) for group in tied_rows(ranking))
    return replace(
        ranking,
        rows=tuple(rows[player] for tie in ties for player in (_by_name(tie) if len(tie) > 1 else tie)),
        draw_groups=tuple(map(_by_name, ranking.draw_groups)),
        open_bonuses=tuple(OpenBonus(_by_name(one.players), one.bonuses) for one in ranking.open_bonuses),
    )


def tied_rows(ranking: Standings) -> Iterator[Iterator[StandingRow]]:
    """Yield groups of rows that are equal in every sort key, best first; most groups have one row."""
    ties = groupby(ranking.rows, key=lambda row: (row.rank, row.round_rank, row.score, row.keys))
    return (rows for _, rows in ties)


_SortKey = tuple[float, ...]


def _groups(
    keys: Mapping[PlayerId, _SortKey],
    withdrawn: frozenset[PlayerId],
    lots: Sequence[Sequence[PlayerId]],
    one_on_ones: Sequence[tuple[PlayerId, PlayerId]],
) -> Iterator[_Group]:
    drawn = {frozenset(lot): tuple(lot) for lot in lots}
    played = {frozenset(pair): pair for pair in one_on_ones}
    place = 1
    tied = defaultdict[_SortKey, list[PlayerId]](list)
    for player, key in keys.items():
        if player not in withdrawn:
            tied[key].append(player)
    for key in sorted(tied):
        group = tuple(sorted(tied[key]))
        order = None
        if len(group) > 1 and (played or drawn):
            order = played.get(frozenset(group)) or drawn.get(frozenset(group))
        if order is None:
            yield _Group(group, Rank(place, place + len(group) - 1))
        else:
            by_game = frozenset(group) in played
            for offset, player in enumerate(order):
                rank = Rank(place + offset, place + offset)
                yield _Group((player,), rank, None if by_game else offset + 1, by_game=by_game)
        place += len(group)


def _bonuses(rank: Rank, edition: Edition) -> tuple[Dollars, ...]:
    printed = edition.bonus[rank.first - 1 : rank.last]
    return printed if rank.last <= len(edition.bonus) else (*printed, Dollars(0))


def _open_bonuses(groups: Iterable[_Group], edition: Edition) -> Iterator[OpenBonus]:
    for group in takewhile(lambda group: group.rank.first <= len(edition.bonus), groups):
        amounts = _bonuses(group.rank, edition)
        if len(set(amounts)) > 1:
            yield OpenBonus(group.players, sum(amount > 0 for amount in amounts))


def _rows(
    players: Iterable[PlayerId],
    evidence: Evidence,
    keys: Mapping[PlayerId, tuple[KeyValue, ...]],
    group: _Group | None,
    certain: Dollars | None,
) -> Iterator[StandingRow]:
    # group is None for players who left; certain is the bonus, or None if a lot decides about it.
    bonus, by_draw = certain or Dollars(0), certain is None
    rank, lot, by_game = (None, None, False) if group is None else (group.rank, group.lot, group.by_game)
    for player in players:
        account, score = evidence.accounts[player], evidence.scores[player]
        # Positional for speed: thousands of calls, and keyword arguments take twice as long.
        yield StandingRow(
            rank, player, score, account.won, bonus, Dollars(score + bonus), keys[player],
            len(account.games), lot, by_draw, account.total, account.won_as, account.turns, by_game,
        )  # fmt: skip


def _certain_bonus(group: _Group, edition: Edition) -> Dollars | None:
    # Source: Championship 2022/23 v1.4, 1.2 "Special awards"; reading D22.
    if group.rank.first > len(edition.bonus):
        return Dollars(0)
    amounts = _bonuses(group.rank, edition)
    return amounts[0] if len(set(amounts)) == 1 else None
