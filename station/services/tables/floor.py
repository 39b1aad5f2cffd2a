"""The hall as the judge sees it: one card per table, and each table's story."""

import msgspec

from saloon.core.game.clock.clock import RecordedClock
from saloon.core.game.match import MatchKind
from saloon.core.game.result import Result
from saloon.core.terms import GameId, RoundNo, TableNo, TournamentId
from saloon.core.tournament.state import TournamentState
from saloon.station.services.authoritative_log import authoritative_log
from saloon.station.services.published import PublishedTable, running_tables, tables_of
from saloon.station.services.station_context import StationContext
from saloon.station.services.tables.calls import ringing_log
from saloon.station.services.tables.clocks import table_time
from saloon.station.services.tables.floor_cards import FloorCard, SheetState, TableTime, TimedGameStep
from saloon.station.services.tables.late_entries import late_logs
from saloon.station.services.tables.reports import contesting, disagreeing, reported_result, sheet_state
from saloon.station.terminals.alarms import ALARMS, CallEnded
from saloon.station.terminals.enrolments import EnrolledTerminal
from saloon.station.terminals.terminal_cards import TerminalCard


def round_cards(
    context: StationContext, tournament: TournamentState, round_no: RoundNo
) -> tuple[FloorCard, ...]:
    """Return the published tables of any round, by number; empty for a round that is not published."""
    cards = (_card(context, table) for table in tables_of(tournament) if table.round == round_no)
    return tuple(sorted(cards, key=lambda card: card.table))


def disputed_tables(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the tables of all rounds whose accepted record sheets are disputed, by round and number."""
    tables = (table for table in tables_of(tournament) if table.is_accepted)
    cards = (_card(context, table) for table in tables if _is_disputed(context, table))
    return tuple(sorted(cards, key=lambda card: (card.round, card.table)))


def _is_disputed(context: StationContext, table: PublishedTable) -> bool:
    return sheet_state(table, context.projections, context.terminals_by_table()) is SheetState.DISPUTED


def floor(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the tables of the running round or duels, by number; empty when none runs."""
    return tuple(_card(context, table) for table in _running_by_number(tournament))


def _running_by_number(tournament: TournamentState) -> list[PublishedTable]:
    return sorted(running_tables(tournament), key=lambda table: table.drawn.table)


class LiveFloor:
    """The tables of running rounds for all open pages, which ask for the same cards after each change.

    A card is made once per change, and again after a second, since it contains the time left.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._made_at = (0, 0)
        self._cards: dict[GameId, FloorCard] = {}
        self._calls: dict[TournamentId, tuple[FloorCard, ...]] = {}

    def cards(self, tournament: TournamentState) -> tuple[FloorCard, ...]:
        """Return the cards of all tables, by number; empty when no round runs."""
        self._forget_old_cards()
        return tuple(self._card(table) for table in _running_by_number(tournament))

    def card(self, tournament: TournamentState, number: int) -> FloorCard | None:
        """Return the card of one table; None for a table that does not play."""
        self._forget_old_cards()
        found = (table for table in _running_by_number(tournament) if table.drawn.table == number)
        return next(map(self._card, found), None)

    def calls(self, tournament: TournamentState) -> tuple[FloorCard, ...]:
        """Return the cards of the tables that call the judge, by number."""
        self._forget_old_cards()
        key = tournament.tournament
        if key not in self._calls:
            tables = _running_by_number(tournament)
            self._calls[key] = tuple(self._card(table) for table in tables if _rings(self._context, table))
        return self._calls[key]

    def _card(self, table: PublishedTable) -> FloorCard:
        game = table.drawn.game
        if game not in self._cards:
            self._cards[game] = _card(self._context, table)
        return self._cards[game]

    def _forget_old_cards(self) -> None:
        now = (self._context.feed.number, self._context.parts.clock.wall_ms() // 1000)
        if now != self._made_at:
            self._made_at = now
            self._cards.clear()
            self._calls.clear()


def duels(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the duels of the finals that were called to tables, the semifinals first."""
    return tuple(
        _card(context, table) for table in tables_of(tournament) if table.match is not MatchKind.GAME
    )


def card(
    context: StationContext, tournament: TournamentState, round_no: RoundNo, table: TableNo
) -> FloorCard:
    """Return one published table of any round. Raises KeyError for an unknown round or table."""
    for found in tables_of(tournament):
        if (found.round, found.drawn.table) == (round_no, table):
            return _card(context, found)
    raise KeyError(f"round {round_no}, table {table}")


def story(context: StationContext, game: GameId) -> tuple[TimedGameStep, ...]:
    """Return the steps of a game that count, undone ones included."""
    track = authoritative_log(game, context.projections, context.terminals_by_table())
    return () if track is None else tuple(track.steps)


def terminals(context: StationContext) -> tuple[TerminalCard, ...]:
    """Return the terminals that may connect, by table; those without a table last."""
    cards = (_terminal_card(context, known) for known in context.terminals if not known.revoked)
    return tuple(sorted(cards, key=lambda c: (c.table is None, c.table or 0, c.terminal)))


def table_of_game(context: StationContext, game: GameId) -> TableNo | None:
    """Return the table where a game is played, by its draw."""
    drawn = context.projections.drawn.get(game)
    return None if drawn is None else drawn.table


def rings(context: StationContext, game: GameId) -> bool:
    """Return whether the table of a game calls the judge, and no judge has dealt with that call."""
    return ringing_log(game, context.projections, context.terminals_by_table()) is not None


def _rings(context: StationContext, table: PublishedTable) -> bool:
    return not table.is_accepted and rings(context, table.drawn.game)


async def end_call(context: StationContext, game: GameId, by: str) -> None:
    """Record durably that a table's call is dealt with. Raises KeyError, Unavailable."""

    async def _end() -> None:
        track = authoritative_log(game, context.projections, context.terminals_by_table())
        if track is None:
            raise KeyError(game)
        if rings(context, game):
            await context.append([(ALARMS, CallEnded(game, track.calls, by))])

    async with context.lock:
        await context.decide_with_retry(_end)
    context.coming.pop(game, None)
    context.feed.publish("table", table_of_game(context, game))


def _terminal_card(context: StationContext, known: EnrolledTerminal) -> TerminalCard:
    """Return the card of a terminal: its link and the version that it runs."""
    return msgspec.structs.replace(
        context.links.card(known), runs=context.updates.terminal_version(known.terminal)
    )


def _card(context: StationContext, found: PublishedTable) -> FloorCard:
    table = found.drawn.table
    known = next((t for t in context.terminals if t.table == table and not t.revoked), None)
    track = authoritative_log(found.drawn.game, context.projections, context.terminals_by_table())
    state = None if track is None else track.state
    told, carried = reported_result(state), _disputing_result(found, context)
    return FloorCard(
        round=found.round,
        table=table,
        game_id=found.drawn.game,
        players=found.drawn.players,
        terminal=None if known is None else _terminal_card(context, known),
        match=found.match,
        game=state,
        sheet=sheet_state(found, context.projections, context.terminals_by_table()),
        reported=told if carried is None else carried,
        is_carried=carried is not None,
        accepted=None if found.accepted is None else found.accepted.result,
        rings=_rings(context, found),
        coming=context.coming.get(found.drawn.game, ""),
        doubt="" if found.accepted is None else found.accepted.disputed,
        late=late_logs(context, found),
        time=_time(context, found, RecordedClock() if state is None else state.clock),
        replaced_because="" if found.accepted is None else found.accepted.reason,
        corrections=() if found.accepted is None else found.accepted.corrections,
    )


def _time(context: StationContext, found: PublishedTable, told: RecordedClock) -> TableTime | None:
    if not found.is_running or found.is_accepted:
        return None
    history = context.projections.tournaments[found.tournament.tournament].steps
    return table_time(found, history, told, context.parts.clock.wall_ms())


def _disputing_result(found: PublishedTable, context: StationContext) -> Result | None:
    """Return the carried result that alone disputes the accepted one; None for none."""
    return None if disagreeing(found, context.projections) else contesting(found)
