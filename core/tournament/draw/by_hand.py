"""Changes to a draft by hand, the rules that they break, and the history of the players at a table.

Only printed rules can be broken; everything else is information for the judge. The documents have no rule
about opponents or clubs, so the draw ignores them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Self, assert_never

import msgspec
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition, Schedule
from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.draw.rounds import table_sizes
from core.tournament.state.decision import (
    Decision,
    HallFacts,
    name_of,
    require_entrant,
    require_reason,
    require_unpublished,
)
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import (
    ChangeByHand,
    DrawnTable,
    MovedPlayer,
    Round,
    SeatingChange,
    SwappedPlayers,
)
from core.tournament.state.table_list import TableList
from core.tournament.state.tournament import TournamentState

Pair = frozenset[PlayerId]


class SeatHistory(msgspec.Struct, frozen=True):
    """A player's history with the others at a table.

    met: opponents met before, with the number of times.
    same_club: others of the same club or town.
    """

    player: PlayerId
    met: tuple[tuple[PlayerId, int], ...]
    same_club: tuple[PlayerId, ...]
    sheriff_in: tuple[RoundNo, ...]


class TableHistory(msgspec.Struct, frozen=True):
    """The history of the players at a table, by seat."""

    table: TableNo
    seats: tuple[SeatHistory, ...]


def meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """Return how often each pair of players was drawn to one table."""
    return Counter(
        frozenset(pair)
        for drawn in rounds
        for table in drawn.tables
        for pair in combinations(table.players, 2)
    )


def seat_histories(state: TournamentState, drawn: Round) -> tuple[TableHistory, ...]:
    """Return the history of every player in a draw, from the rounds published before it."""
    met = meetings(earlier for earlier in state.published_rounds if earlier.round < drawn.round)
    known = {entrant.player: entrant for entrant in state.entrants}
    clubs = {player: entrant.club.casefold() for player, entrant in known.items()}

    def seat(player: PlayerId, players: tuple[PlayerId, ...]) -> SeatHistory:
        others = tuple(other for other in players if other != player)
        times = ((other, met[frozenset((player, other))]) for other in others)
        return SeatHistory(
            player=player,
            met=tuple((other, number) for other, number in times if number),
            same_club=tuple(other for other in others if clubs[player] and clubs[other] == clubs[player]),
            sheriff_in=tuple(past for past in known[player].sheriff_in if past < drawn.round),
        )

    return tuple(
        TableHistory(table.table, tuple(seat(player, table.players) for player in table.players))
        for table in drawn.tables
    )


class NewSheriff(msgspec.Struct, frozen=True):
    """A player whom a change made Sheriff, and how often they were Sheriff in earlier rounds."""

    player: PlayerId
    times: int


class NewPair(msgspec.Struct, frozen=True):
    """Two players whom a change brings together at a table, and how often they met in earlier rounds."""

    table: TableNo
    players: tuple[PlayerId, PlayerId]
    met: int = 0


class ChangeEffects(msgspec.Struct, frozen=True):
    """The effects of a change by hand on a draft.

    chart: the table sizes of the printed chart, or empty if the draft still has them.
    again: new Sheriffs who have been Sheriff too often by the rules.
    clubmates, reunions: new pairs of one club, and of players who have met before.
    """

    sizes: tuple[int, ...]
    chart: tuple[int, ...]
    sheriffs: tuple[NewSheriff, ...]
    again: tuple[NewSheriff, ...]
    clubmates: tuple[NewPair, ...]
    reunions: tuple[NewPair, ...]

    @property
    def breaks_rules(self) -> bool:
        return bool(self.chart or self.again)


class ChangeDraw(Decision, frozen=True, kw_only=True, tag="draw-changed"):
    """Change the draft by hand, so that its tables no longer follow from the seed alone.

    round, attempt: computed.
    change: tables are numbered from 1, as in a draw.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """

    round: RoundNo = RoundNo(0)
    attempt: int = 0
    change: SeatingChange
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        draft, change = require_draft(state), self.change
        players = (change.one, change.other) if isinstance(change, SwappedPlayers) else (change.player,)
        for player in players:
            require_entrant(state, player)
            if not any(player in table.players for table in draft.tables):
                raise Refused(TournamentReason.NOT_IN_DRAFT, name=name_of(state, player))
        reason = require_reason(self.reason)
        _check_change(draft, change, state.hall_tables, edition)
        return replace(self, round=draft.round, attempt=draft.attempt, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        draft = sealed_round(state, self.round)
        tables = changed_tables(draft.tables, self.change)
        sheriffs = {table.players[0] for table in tables}
        changed = replace(
            draft,
            tables=tables,
            changes=(*draft.changes, ChangeByHand(self.change, self.reason, self.by)),
            repeated_sheriffs=tuple(player for player in draft.repeated_sheriffs if player in sheriffs),
        )
        return replace(state, rounds=(*state.published_rounds, changed))


def sealed_round(state: TournamentState, round_no: RoundNo) -> Round:
    """Return the round that is sealed but not published. Raises BadData if it is another one."""
    pending = state.pending_round
    if pending is None or pending.round != round_no:
        raise BadData("tournament log", f"a draw of round {round_no}, which is not sealed")
    return pending


def require_draft(state: TournamentState) -> Round:
    """Return the round that is drawn but not published. Raises Refused if there is none."""
    require_unpublished(state)
    draft = state.pending_round
    if draft is None or not draft.drawn:
        raise Refused(TournamentReason.NOTHING_DRAWN)
    return draft


def _check_change(draft: Round, change: SeatingChange, hall: TableList, edition: Edition) -> None:
    match change:
        case SwappedPlayers():
            if change.one == change.other:
                raise Refused(TournamentReason.NOTHING_MOVED)
        case MovedPlayer():
            if not 1 <= change.table <= len(draft.tables):
                raise Refused(TournamentReason.NO_TABLE_IN_DRAFT, table=hall.find_number(change.table))
            if change.player in draft.tables[change.table - 1].players:
                raise Refused(TournamentReason.NOTHING_MOVED)
            for table in changed_tables(draft.tables, change):
                if len(table.players) not in edition.sizes:
                    allowed = ", ".join(map(str, edition.sizes))
                    raise Refused(
                        TournamentReason.TABLE_SIZE,
                        table=table.table,
                        players=len(table.players),
                        allowed=allowed,
                    )
        case _:
            assert_never(change)


def changed_tables(tables: Sequence[DrawnTable], change: SeatingChange) -> tuple[DrawnTable, ...]:
    """Return the tables of a draft after a change. Raises BadData for an unknown player or table."""
    match change:
        case SwappedPlayers():
            swap = {change.one: change.other, change.other: change.one}
            _check_seated(tables, (change.one, change.other))
            return tuple(
                replace(table, players=tuple(swap.get(player, player) for player in table.players))
                for table in tables
            )
        case MovedPlayer():
            _check_seated(tables, (change.player,))
            if not 1 <= change.table <= len(tables):
                raise BadData("tournament log", f"a player is moved to table {change.table} of {len(tables)}")
            return tuple(
                replace(table, players=_after_move(table.players, change, joins=number == change.table))
                for number, table in enumerate(tables, start=1)
            )
        case _:
            assert_never(change)


def _check_seated(tables: Sequence[DrawnTable], players: Sequence[PlayerId]) -> None:
    seated = {player for table in tables for player in table.players}
    if not seated.issuperset(players):
        raise BadData("tournament log", "a draft is changed for a player who isn't in it")


def _after_move(players: tuple[PlayerId, ...], change: MovedPlayer, *, joins: bool) -> tuple[PlayerId, ...]:
    others = tuple(player for player in players if player != change.player)
    return (*others, change.player) if joins else others


def change_effects(state: TournamentState, change: SeatingChange, edition: Edition) -> ChangeEffects:
    """Return the effects of a change to the draft.

    Raises Refused without a draft, BadData for an impossible change.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds".
    """
    before = require_draft(state).tables
    after = changed_tables(before, change)
    sheriffs = tuple(_new_sheriffs(state, before, after))
    sizes = tuple(len(table.players) for table in after)
    pairs = tuple(_new_pairs(before, after))
    met = meetings(state.published_rounds)
    clubs = {entrant.player: entrant.club.casefold() for entrant in state.entrants}
    return ChangeEffects(
        sizes=sizes,
        chart=_broken_chart(sizes, edition),
        sheriffs=sheriffs,
        again=tuple(sheriff for sheriff in sheriffs if _is_too_often(sheriff, state, edition)),
        clubmates=tuple(
            pair
            for pair in pairs
            if clubs[pair.players[0]] and len({clubs[one] for one in pair.players}) == 1
        ),
        reunions=tuple(
            replace(pair, met=met[frozenset(pair.players)]) for pair in pairs if met[frozenset(pair.players)]
        ),
    )


def _broken_chart(sizes: tuple[int, ...], edition: Edition) -> tuple[int, ...]:
    if edition.schedule is Schedule.ONE_GROUP:
        return ()
    printed = table_sizes(sum(sizes), edition, below_minimum=True)
    return () if sorted(printed) == sorted(sizes) else printed


def _new_sheriffs(
    state: TournamentState, before: Sequence[DrawnTable], after: Sequence[DrawnTable]
) -> Iterator[NewSheriff]:
    old = {table.players[0] for table in before}
    for table in after:
        entrant = state.entrant(table.players[0])
        if entrant is not None and entrant.player not in old:
            yield NewSheriff(entrant.player, len(entrant.sheriff_in))


def _is_too_often(sheriff: NewSheriff, state: TournamentState, edition: Edition) -> bool:
    # Source: Championship 2022/23 v1.4, 1.1 "The rounds"; Official Score System 2003; reading D06.
    if edition.schedule is Schedule.ONE_GROUP:
        return sheriff.times > min(len(entrant.sheriff_in) for entrant in state.contenders)
    return edition.tables.sheriff_once and sheriff.times > 0


def _new_pairs(before: Sequence[DrawnTable], after: Sequence[DrawnTable]) -> Iterator[NewPair]:
    old = {frozenset(pair) for table in before for pair in combinations(table.players, 2)}
    for table in after:
        for one, other in combinations(table.players, 2):
            if frozenset((one, other)) not in old:
                yield NewPair(table.table, (one, other))
