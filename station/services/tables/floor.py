"""The hall as the judge sees it: one card per table, and each table's story."""

import msgspec

from saloon.core.game.clock.clock import RecordedClock
from saloon.core.game.match import MatchKind
from saloon.core.game.result import Result
from saloon.core.game.state import Phase
from saloon.core.terms import GameId, RoundNo, TableNo, TournamentId
from saloon.core.tournament.state import TournamentState
from saloon.station.services.authoritative_log import authoritative_log
from saloon.station.services.published import PublishedTable, running_tables, tables_of
from saloon.station.services.station_context import StationContext
from saloon.station.services.tables.clocks import table_time
from saloon.station.services.tables.floor_cards import FloorCard, SheetState, TableTime, TimedGameStep
from saloon.station.services.tables.late_entries import late_logs
from saloon.station.services.tables.reports import contesting, disagreeing, reported_result, sheet_state
from saloon.station.terminals.alarms import ALARMS, CallEnded
from saloon.station.terminals.enrolments import EnrolledTerminal
from saloon.station.terminals.terminal_cards import TerminalCard


def round_cards(
    desk: StationContext, tournament: TournamentState, round_no: RoundNo
) -> tuple[FloorCard, ...]:
    """Return the published tables of any round, by number; empty for a round that is not published."""
    cards = (_card(desk, table) for table in tables_of(tournament) if table.round == round_no)
    return tuple(sorted(cards, key=lambda card: card.table))


def disputed_tables(desk: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the tables of all rounds whose accepted record sheets are disputed, by round and number."""
    tables = (table for table in tables_of(tournament) if table.is_accepted)
    cards = (_card(desk, table) for table in tables if _is_disputed(desk, table))
    return tuple(sorted(cards, key=lambda card: (card.round, card.table)))


def _is_disputed(desk: StationContext, table: PublishedTable) -> bool:
    return sheet_state(table, desk.projections, desk.terminals_by_table()) is SheetState.DISPUTED


def floor(desk: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the tables of the running round or duels, by number; empty when none runs."""
    return tuple(_card(desk, table) for table in _running_by_number(tournament))


def _running_by_number(tournament: TournamentState) -> list[PublishedTable]:
    return sorted(running_tables(tournament), key=lambda table: table.drawn.table)


class LiveFloor:
    """The tables of running rounds for all open pages, which ask for the same cards after each change.

    A card is made once per change, and again after a second, since it contains the time left.
    """

    def __init__(self, desk: StationContext) -> None:
        self._desk = desk
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
            self._calls[key] = tuple(self._card(table) for table in tables if _rings(self._desk, table))
        return self._calls[key]

    def _card(self, table: PublishedTable) -> FloorCard:
        game = table.drawn.game
        if game not in self._cards:
            self._cards[game] = _card(self._desk, table)
        return self._cards[game]

    def _forget_old_cards(self) -> None:
        now = (self._desk.feed.number, self._desk.parts.clock.wall_ms() // 1000)
        if now != self._made_at:
            self._made_at = now
            self._cards.clear()
            self._calls.clear()


def duels(desk: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the duels of the finals that were called to tables, the semifinals first."""
    return tuple(_card(desk, table) for table in tables_of(tournament) if table.match is not MatchKind.GAME)


def card(desk: StationContext, tournament: TournamentState, round_no: RoundNo, table: TableNo) -> FloorCard:
    """Return one published table of any round. Raises KeyError for an unknown round or table."""
    for found in tables_of(tournament):
        if (found.round, found.drawn.table) == (round_no, table):
            return _card(desk, found)
    raise KeyError(f"round {round_no}, table {table}")


def story(desk: StationContext, game: GameId) -> tuple[TimedGameStep, ...]:
    """Return the steps of a game that count, undone ones included."""
    track = authoritative_log(game, desk.projections, desk.terminals_by_table())
    return () if track is None else tuple(track.steps)


def terminals(desk: StationContext) -> tuple[TerminalCard, ...]:
    """Return the terminals that may connect, by table; those without a table last."""
    cards = (_terminal_card(desk, known) for known in desk.terminals if not known.revoked)
    return tuple(sorted(cards, key=lambda c: (c.table is None, c.table or 0, c.terminal)))


def table_of_game(desk: StationContext, game: GameId) -> TableNo | None:
    """Return the table where a game is played, by its draw."""
    drawn = desk.projections.drawn.get(game)
    return None if drawn is None else drawn.table


def rings(desk: StationContext, game: GameId) -> bool:
    """Return whether the table of a game calls the judge, and no judge has dealt with that call."""
    track = authoritative_log(game, desk.projections, desk.terminals_by_table())
    if track is None or track.state is None or track.state.phase is Phase.VOIDED:
        return False
    return track.state.judge_called and track.calls > desk.projections.ended_calls.get(game, 0)


def _rings(desk: StationContext, table: PublishedTable) -> bool:
    return not table.is_accepted and rings(desk, table.drawn.game)


async def end_call(desk: StationContext, game: GameId, by: str) -> None:
    """Record durably that a table's call is dealt with. Raises KeyError, Unavailable."""

    async def _end() -> None:
        track = authoritative_log(game, desk.projections, desk.terminals_by_table())
        if track is None:
            raise KeyError(game)
        if rings(desk, game):
            await desk.append([(ALARMS, CallEnded(game, track.calls, by))])

    async with desk.lock:
        await desk.decide_with_retry(_end)
    desk.coming.pop(game, None)
    desk.feed.publish("table", table_of_game(desk, game))


def _terminal_card(desk: StationContext, known: EnrolledTerminal) -> TerminalCard:
    """Return the card of a terminal: its link and the version that it runs."""
    return msgspec.structs.replace(desk.links.card(known), runs=desk.updates.terminal_version(known.terminal))


def _card(desk: StationContext, found: PublishedTable) -> FloorCard:
    table = found.drawn.table
    known = next((t for t in desk.terminals if t.table == table and not t.revoked), None)
    track = authoritative_log(found.drawn.game, desk.projections, desk.terminals_by_table())
    state = None if track is None else track.state
    told, carried = reported_result(state), _disputing_result(found, desk)
    return FloorCard(
        round=found.round,
        table=table,
        game_id=found.drawn.game,
        players=found.drawn.players,
        terminal=None if known is None else _terminal_card(desk, known),
        match=found.match,
        game=state,
        sheet=sheet_state(found, desk.projections, desk.terminals_by_table()),
        reported=told if carried is None else carried,
        is_carried=carried is not None,
        accepted=None if found.accepted is None else found.accepted.result,
        rings=_rings(desk, found),
        coming=desk.coming.get(found.drawn.game, ""),
        doubt="" if found.accepted is None else found.accepted.disputed,
        late=late_logs(desk, found),
        time=_time(desk, found, RecordedClock() if state is None else state.clock),
        replaced_because="" if found.accepted is None else found.accepted.reason,
        corrections=() if found.accepted is None else found.accepted.corrections,
    )


def _time(desk: StationContext, found: PublishedTable, told: RecordedClock) -> TableTime | None:
    if not found.is_running or found.is_accepted:
        return None
    history = desk.projections.tournaments[found.tournament.tournament].steps
    return table_time(found, history, told, desk.parts.clock.wall_ms())


def _disputing_result(found: PublishedTable, desk: StationContext) -> Result | None:
    """Return the carried result that alone disputes the accepted one; None for none."""
    return None if disagreeing(found, desk.projections) else contesting(found)
