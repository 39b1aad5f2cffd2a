"""The cards that show a judge each table of the hall, and each table's history."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from core.game.orders import Power
from core.game.result import Result
from core.game.state.game import RecordedClock
from core.game.takeover import is_agreement, is_confirmation
from core.terms import GameId, MatchKind, RoundNo, TableNo, TournamentId
from core.tournament.state.tournament import TournamentState
from station.enrolment.enrolments import EnrolledTerminal
from station.hall.authoritative_log import LateTrack, late_steps
from station.hall.clocks import table_time, written_ms
from station.hall.open_calls import open_calls
from station.hall.published import PublishedTable, running_tables, tables_of
from station.hall.reports import contesting, disagreeing, reported_result, sheet_state
from station.hall.station_context import StationContext
from station.projections.cards import (
    FloorCard,
    ReportedLateSteps,
    SheetState,
    TableTime,
    TerminalCard,
    TimedGameStep,
)

_KEPT_MS: Final = 20_000
"""The longest age of the times on a cached card."""


def round_cards(
    context: StationContext, tournament: TournamentState, round_no: RoundNo
) -> tuple[FloorCard, ...]:
    """Return the cards of any round's tables, by number; none if the round is not published."""
    return _sorted_cards(context, (table for table in tables_of(tournament) if table.round == round_no))


def disputed_tables(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the cards of all tables with a disputed record sheet, by round and number."""
    folds, here = context.projections, context.terminals_by_table
    tables = (table for table in tables_of(tournament) if table.is_accepted)
    disputed = (table for table in tables if sheet_state(table, folds, here) is SheetState.DISPUTED)
    return _sorted_cards(context, disputed)


def _sorted_cards(context: StationContext, tables: Iterable[PublishedTable]) -> tuple[FloorCard, ...]:
    cards = (_card(context, table) for table in tables)
    return tuple(sorted(cards, key=lambda card: (card.round, card.table)))


def floor(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the cards of the running round or duels, by number; none if nothing is running."""
    return tuple(_card(context, table) for table in _running_by_number(tournament))


def _running_by_number(tournament: TournamentState) -> list[PublishedTable]:
    return sorted(running_tables(tournament), key=lambda table: table.drawn.table)


class LiveFloor:
    """A cache of the cards of running rounds, shared by all open pages.

    A card is cached until something changes at its table, but at most for some seconds, as it contains the
    time left and the age of the terminal's last message.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._seen = 0
        self._cards: dict[GameId, tuple[FloorCard, int]] = {}
        self._calls: dict[TournamentId, tuple[FloorCard, ...]] = {}
        self._running: dict[TournamentId, tuple[TournamentState, Mapping[TableNo, PublishedTable]]] = {}

    def now_ms(self) -> int:
        return self._context.parts.clock.wall_ms()

    def cards(self, tournament: TournamentState) -> tuple[FloorCard, ...]:
        return tuple(self.each_card(tournament))

    def each_card(self, tournament: TournamentState) -> Iterator[FloorCard]:
        """Yield the current card of each table, by number. Other tasks may run between two cards."""
        for table in self._running_tables(tournament).values():
            self._forget_changed()
            yield self._card(table)

    def card(self, tournament: TournamentState, number: int) -> FloorCard | None:
        """Return the card of one table, or None if it is not playing."""
        self._forget_changed()
        table = self._running_tables(tournament).get(TableNo(number))
        return None if table is None else self._card(table)

    def _running_tables(self, tournament: TournamentState) -> Mapping[TableNo, PublishedTable]:
        kept = self._running.get(tournament.tournament)
        if kept is None or kept[0] is not tournament:
            tables = {table.drawn.table: table for table in _running_by_number(tournament)}
            kept = self._running[tournament.tournament] = (tournament, tables)
        return kept[1]

    def calls(self, tournament: TournamentState) -> tuple[FloorCard, ...]:
        """Return the cards of calling tables, in the order of ``open_calls``."""
        self._forget_changed()
        key = tournament.tournament
        if key not in self._calls:
            calls = open_calls(self._context, self._running_tables(tournament).values())
            self._calls[key] = tuple(self._card(call.table) for call in calls)
        return self._calls[key]

    def _card(self, table: PublishedTable) -> FloorCard:
        game, now_ms = table.drawn.game, self.now_ms()
        kept, made_ms = self._cards.get(game, (None, 0))
        if kept is not None and 0 <= now_ms - made_ms < _KEPT_MS:
            return kept
        made = _card(self._context, table)
        self._cards[game] = (made, now_ms)
        return made

    def _forget_changed(self) -> None:
        feed = self._context.feed
        if feed.number == self._seen:
            return
        changed = feed.tables_changed_since(self._seen)
        self._seen = feed.number
        self._calls.clear()
        if changed is None:
            self._cards.clear()
            return
        for game in [game for game, (card, _) in self._cards.items() if card.table in changed]:
            del self._cards[game]


def duels(context: StationContext, tournament: TournamentState) -> tuple[FloorCard, ...]:
    """Return the cards of all duels that were called to tables, semifinals first."""
    return tuple(
        _card(context, table) for table in tables_of(tournament) if table.match is not MatchKind.GAME
    )


def card(
    context: StationContext, tournament: TournamentState, round_no: RoundNo, table: TableNo
) -> FloorCard:
    """Return the card of one published table. Raises KeyError for an unknown round or table."""
    return _card(context, context.published.find(tournament, round_no, table))


def story(context: StationContext, game: GameId) -> tuple[TimedGameStep, ...]:
    """Return the game's steps that count, including undone ones, with their original times."""
    track = context.log_of(game)
    steps = () if track is None else track.steps
    walls = written_ms(steps, context.projections.games.get(game, ()))
    return tuple(msgspec.structs.replace(step, wall_ms=ms) for step, ms in zip(steps, walls, strict=True))


def terminals(context: StationContext) -> tuple[TerminalCard, ...]:
    """Return the cards of all terminals that may connect, by table, spares last."""
    cards = (_terminal_card(context, known) for known in context.terminals if not known.revoked)
    return tuple(sorted(cards, key=lambda c: (c.table is None, c.table or 0, c.terminal)))


def table_of_game(context: StationContext, game: GameId) -> TableNo | None:
    drawn = context.projections.drawn.get(game)
    return None if drawn is None else drawn.table


def _terminal_card(context: StationContext, known: EnrolledTerminal) -> TerminalCard:
    return msgspec.structs.replace(
        context.links.card(known),
        runs=context.updates.terminal_version(known.terminal),
        glass=context.projections.glass_locks.of(known.terminal),
        is_unwatched=known.terminal in context.unwatched,
        power=context.projections.power.get(known.terminal, Power.MAINS),
    )


def _card(context: StationContext, published: PublishedTable) -> FloorCard:
    table, game = published.drawn.table, published.drawn.game
    known = context.terminal_at(table)
    track = context.log_of(game)
    state = None if track is None else track.state
    reported, carried = reported_result(state), _disputing_result(published, context)
    call = next(iter(open_calls(context, (published,))), None)
    return FloorCard(
        round=published.round,
        table=table,
        game_id=game,
        players=published.drawn.players,
        terminal=None if known is None else _terminal_card(context, known),
        match=published.match,
        game=state,
        sheet=sheet_state(published, context.projections, context.terminals_by_table),
        reported=reported if carried is None else carried,
        is_carried=carried is not None,
        accepted=None if published.accepted is None else published.accepted.result,
        rings=call is not None,
        call_reason=None if call is None else call.reason,
        coming="" if call is None else call.coming,
        escalated_by="" if call is None else call.escalated_by,
        doubt="" if published.accepted is None else published.accepted.disputed,
        late=tuple(
            _report(context, published, late)
            for late in late_steps(game, context.projections, context.terminals_by_table)
        ),
        time=_time(context, published, RecordedClock() if state is None else state.clock),
        replaced_because="" if published.accepted is None else published.accepted.reason,
        corrections=() if published.accepted is None else published.accepted.corrections,
        heard_ms=track.steps[-1].wall_ms if track is not None and track.steps else None,
    )


def _time(context: StationContext, table: PublishedTable, recorded: RecordedClock) -> TableTime | None:
    if not table.is_awaited:
        return None
    history = context.projections.tournaments[table.tournament.tournament].steps
    return table_time(table, history, recorded, context.parts.clock.wall_ms())


def _disputing_result(table: PublishedTable, context: StationContext) -> Result | None:
    """Return the imported result that disputes the accepted one, unless a terminal's log disputes it too."""
    return None if disagreeing(table, context.projections) else contesting(table)


def _report(context: StationContext, table: PublishedTable, late: LateTrack) -> ReportedLateSteps:
    numbers = {step.origin.seq for step in late.steps}
    subject = subject_of(table.drawn.game, late)
    # The judge does not need to see the station's own orders, nor questions repeated by the next terminal.
    by_hand = any(
        step.step.order is None and not is_confirmation(step.step) and not is_agreement(step.step)
        for step in late.steps
    )
    return ReportedLateSteps(
        terminal=late.track.terminal,
        epoch=late.track.epoch,
        steps=tuple(timed for timed in late.track.steps if timed.seq in numbers),
        game=late.track.state,
        result=reported_result(late.track.state),
        subject=subject,
        is_seen=not by_hand or subject in context.projections.seen,
        may_go_on=may_go_on(context, table, late),
    )


def subject_of(game: GameId, late: LateTrack) -> str:
    """Return the alarm subject of late steps. It changes when more steps arrive."""
    last = late.steps[-1].origin
    return f"late/{game}/{last.terminal}/{last.epoch}/{last.seq}"


def may_go_on(context: StationContext, table: PublishedTable, late: LateTrack) -> bool:
    """Return whether the table can continue from these steps instead of its own."""
    here = context.terminals_by_table.get(table.drawn.table)
    is_whole = not late.track.problem and late.track.followed == len(late.track.steps)
    return table.is_awaited and here is not None and is_whole
