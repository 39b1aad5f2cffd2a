"""The published tables: those of published rounds, and those of duels."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from core.game.result import Result
from core.terms import GameId, MatchKind, RoundNo, TableNo, TournamentId
from core.tournament.state.rounds import AcceptedSheet, DrawnTable, sheet_of
from core.tournament.state.tournament import Stage, TournamentState


class PublishedTable(msgspec.Struct, frozen=True):
    """A table of a published round or a duel. ``is_running`` is True while that round or duel is played."""

    tournament: TournamentState
    round: RoundNo
    drawn: DrawnTable
    is_running: bool
    accepted: AcceptedSheet[Result] | None
    match: MatchKind = MatchKind.GAME

    @property
    def is_accepted(self) -> bool:
        return self.accepted is not None

    @property
    def is_awaited(self) -> bool:
        """Return whether the table is playing or its result is still to be accepted."""
        return self.is_running and not self.is_accepted


def published_tables(tournaments: Sequence[TournamentState]) -> dict[GameId, PublishedTable]:
    return {table.drawn.game: table for state in tournaments for table in tables_of(state)}


class PublishedTables:
    """A cache of the published tables of all tournaments, updated only for those that have changed.

    Every decision needs these tables, and there may be years of tournaments.
    """

    def __init__(self, tournaments: Callable[[], Sequence[TournamentState]]) -> None:
        self._tournaments = tournaments
        self._of: dict[TournamentId, _OfTournament] = {}

    def by_game(self) -> dict[GameId, PublishedTable]:
        return {game: table for one in self._all() for game, table in one.tables.items()}

    def past_and_current(self) -> tuple[dict[GameId, PublishedTable], dict[GameId, PublishedTable]]:
        """Return the tables of finished tournaments, and those of the others."""
        past: dict[GameId, PublishedTable] = {}
        current: dict[GameId, PublishedTable] = {}
        for one in self._all():
            tables = past if one.is_past else current
            tables |= one.tables
        return past, current

    def find(self, state: TournamentState, round_no: RoundNo, table: TableNo) -> PublishedTable:
        """Return one published table of a tournament. Raises KeyError for an unknown round or table."""
        published = self._of_state(state).places.get((round_no, table))
        if published is None:
            raise KeyError(f"round {round_no}, table {table}")
        return published

    def _all(self) -> Iterator["_OfTournament"]:
        return map(self._of_state, self._tournaments())

    def _of_state(self, state: TournamentState) -> "_OfTournament":
        known = self._of.get(state.tournament)
        if known is None or known.state is not state:
            known = self._of[state.tournament] = _OfTournament(state, published_tables((state,)))
        return known


class _OfTournament:
    """The tables of a tournament, which is past once its ranking is published and no result is missing."""

    def __init__(self, state: TournamentState, tables: dict[GameId, PublishedTable]) -> None:
        self.state, self.tables = state, tables
        # A round's table comes before a duel's with the same number.
        self.places = {(one.round, one.drawn.table): one for one in reversed(tables.values())}
        is_whole = all(table.is_accepted for table in tables.values())
        self.is_past = state.stage is Stage.PUBLISHED and is_whole


def tables_of(tournament: TournamentState) -> Iterator[PublishedTable]:
    """Yield the published tables of a tournament, round by round, then the duels."""
    for round_ in tournament.published_rounds:
        sheets = {sheet.game: sheet for sheet in round_.sheets}
        running = tournament.running_round == round_
        for drawn in round_.tables:
            yield PublishedTable(tournament, round_.round, drawn, running, sheets.get(drawn.game))
    waiting = {drawn.game for _, drawn in tournament.open_duels}
    for duels in tournament.duels:
        for drawn in duels.tables:
            yield PublishedTable(
                tournament,
                duels.round,
                drawn,
                drawn.game in waiting,
                sheet_of(duels.sheets, drawn.game),
                duels.kind,
            )


def running_tables(tournament: TournamentState) -> tuple[PublishedTable, ...]:
    """Return the tables of the running round or stage of the finals, including accepted ones."""
    tables = tuple(tables_of(tournament))
    rounds = {table.round for table in tables if table.is_running}
    return tuple(table for table in tables if table.round in rounds)


def last_tables(tournament: TournamentState) -> tuple[PublishedTable, ...]:
    """Return the tables of the last published round or stage of the finals."""
    tables = tuple(tables_of(tournament))
    last = max((table.round for table in tables), default=None)
    return tuple(table for table in tables if table.round == last)
