"""Problems with terminals, for the judge: late steps, conflicting journals, bad links and unseen alarms."""

import asyncio
import base64

import msgspec
import structlog

from base.errors import Refused
from core.game.events import GameStep
from core.game.state.game import Penalty
from core.terms import GameId, SeatNo, TableNo, TournamentId
from core.tournament.penalties import UnrecordedDeparture, unrecorded_departures
from core.tournament.state.decision import OwingTable
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import steps_to_draft
from station.hall.alarms import raise_due_alarms, show_alarms
from station.hall.authoritative_log import late_steps, sound_steps, steps_beside
from station.hall.game_orders import take_game
from station.hall.hall_facts import tables_with_missing_entries
from station.hall.links import LinkHealth, diagnose_link
from station.hall.station_context import StationContext, uninterrupted
from station.hall.table_cards import card, disputed_tables, may_go_on, subject_of
from station.projections.alarms import (
    ALARMS,
    AlarmSeen,
    is_about_table,
    quarantine_subject,
)
from station.projections.cards import FloorCard, TimedGameStep
from sync.protocol.entry import Entry, Quarantined, TerminalId, content_of, table_stream


class JournalProblem(msgspec.Struct, frozen=True):
    """A problem with a terminal's journal, or an alarm about its table.

    is_at_table: it is about the table: wrong PINs locked its keypad, or somebody put it there during a game.
    epoch, seq: the entry concerned; empty and 0 if the station has none.
    stored, received: the stored step and the conflicting one, if they can be read.
    names: the players' names, by seat.
    """

    problem: str
    is_seen: bool
    epoch: str = ""
    seq: int = 0
    stored: TimedGameStep | None = None
    received: TimedGameStep | None = None
    names: tuple[str, ...] = ()
    is_at_table: bool = False


_log = structlog.get_logger()
_step = msgspec.msgpack.Decoder(GameStep)


class HallProblems:
    """The judge's view of problems with terminals, and the decisions about them."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    def link(self, terminal: TerminalId) -> LinkHealth:
        """Return the diagnosis of a terminal's link. Raises KeyError."""
        card_now = self._context.links.card(self._context.terminals_by_id[terminal])
        return diagnose_link(card_now, self._context.counters(terminal))

    def tables_with_missing_entries(self, tournament: TournamentId) -> tuple[OwingTable, ...]:
        """Return the last round's tables with missing entries that no judge has waived. Raises KeyError."""
        state = self._context.projections.tournaments[tournament].state
        return tuple(
            owed
            for owed in tables_with_missing_entries(self._context, state)
            if owed.game not in state.owed_waived
        )

    def steps_to_draft(self, tournament: TournamentId) -> int:
        """Return how many steps to undo to make the last published draw a draft again. Raises KeyError."""
        return steps_to_draft(self._context.projections.tournaments[tournament].timeline)

    def disputed_tables(self, tournament: TournamentId) -> tuple[FloorCard, ...]:
        return disputed_tables(self._context, self._context.projections.tournaments[tournament].state)

    def departures(self, state: TournamentState) -> tuple[tuple[UnrecordedDeparture, Penalty], ...]:
        """Return the players who left at a table but not the tournament, with the penalty, if any."""
        return tuple(
            (departure, self._ejection(state, departure)) for departure in unrecorded_departures(state)
        )

    def _ejection(self, state: TournamentState, departure: UnrecordedDeparture) -> Penalty:
        found_card = card(self._context, state, departure.round, departure.table)
        ejections = () if found_card.game is None else found_card.game.ejections
        seat = found_card.players.index(departure.player) + 1
        said = (event for event in ejections if event.seat == seat)
        return next(said, Penalty(SeatNo(seat)))

    def bus_alarms(self) -> tuple[tuple[str, str], ...]:
        return self._context.links.bus_alarms()

    @uninterrupted
    async def continue_from_late_steps(self, game: GameId, subject: str, reason: str, by: str) -> None:
        """Continue a table's game from a terminal's late steps; its own later steps no longer count.

        Raises KeyError if there are no such steps any more, Refused without a reason, Unavailable.
        """
        if not reason.strip():
            raise Refused(TournamentReason.EMPTY_REASON)
        context = self._context

        async def _order() -> tuple[TableNo, list[str]]:
            table = context.published.by_game()[game]
            tracks = late_steps(game, context.projections, context.terminals_by_table)
            late = {subject_of(game, late): late for late in tracks}[subject]
            here = context.terminals_by_table.get(table.drawn.table)
            if here is None or not may_go_on(context, table, late):
                raise KeyError(subject)
            limit = table.tournament.waivers.time_limit_min
            orders = take_game(sound_steps(late.track), 0, limit, reason.strip())
            beside = steps_beside(late.track, context.projections.games[game])
            replaced = [subject_of(game, other) for other in beside if other.track.terminal == here]
            await context.order([(here, order) for order in orders])
            return table.drawn.table, replaced

        async def _mark() -> None:
            await context.append([(ALARMS, AlarmSeen(each, by)) for each in (subject, *replaced)])

        async with context.lock:
            table, replaced = await context.decide_with_retry(_order)
            await context.decide_with_retry(_mark)
        context.feed.publish("table", table)
        _log.info("late steps taken over", game=game, subject=subject, by=by)

    async def of_terminal(self, terminal: TerminalId) -> tuple[JournalProblem, ...]:
        """Return all problems ever found in a terminal's journal, oldest first. Raises Unavailable."""
        folds = self._context.projections
        forks = tuple(
            JournalProblem(
                alarm.problem, alarm.subject in folds.seen, is_at_table=is_about_table(alarm.subject)
            )
            for alarm in folds.raised.values()
            if alarm.terminal == terminal
        )
        versions = await asyncio.to_thread(self._versions, terminal)
        return (*forks, *(self._trouble(bad, stored) for bad, stored in versions))

    async def export_of(self, terminal: TerminalId) -> bytes:
        """Export both versions of a terminal's quarantined entries as JSON Lines. Raises Unavailable."""
        versions = await asyncio.to_thread(self._versions, terminal)
        return b"".join(msgspec.json.encode(_export(bad, stored)) + b"\n" for bad, stored in versions)

    async def mark_terminal_seen(self, terminal: TerminalId, by: str) -> None:
        """Mark all problems with a terminal's journal as seen. Raises Unavailable."""
        versions = await asyncio.to_thread(self._versions, terminal)
        raised = self._context.projections.raised.values()
        subjects = [alarm.subject for alarm in raised if alarm.terminal == terminal]
        self._context.links.alarm(terminal, "")
        for subject in (*subjects, *(quarantine_subject(bad.entry) for bad, _ in versions)):
            await self.mark_seen(subject, by)
        # Another alarm may have been held back until these were seen.
        await show_alarms(self._context)
        self._context.feed.publish("terminals")

    @uninterrupted
    async def mark_seen(self, subject: str, by: str) -> None:
        """Mark an alarm as seen, changing nothing else. Raises Unavailable."""
        context = self._context

        async def _mark() -> None:
            if subject not in context.projections.seen:
                await context.append([(ALARMS, AlarmSeen(subject, by))])

        async with context.lock:
            await context.decide_with_retry(_mark)
            await raise_due_alarms(context)
        context.feed.publish("tournament")
        context.feed.publish("terminals")
        _log.info("alarm seen", subject=subject, by=by)

    def _versions(self, terminal: TerminalId) -> tuple[tuple[Quarantined, Entry | None], ...]:
        """Return each quarantined entry of a terminal with the stored entry of the same number. Blocks."""
        store, stream = self._context.parts.store, table_stream(terminal)
        return tuple(
            (bad, store.entry_at(stream, bad.entry.epoch, bad.entry.seq))
            for bad in store.quarantined_entries()
            if bad.entry.stream == stream
        )

    def _trouble(self, bad: Quarantined, stored: Entry | None) -> JournalProblem:
        received, kept = _read(bad.entry), None if stored is None else _read(stored)
        about = received or kept
        state = None
        if about is not None:
            tracks = self._context.projections.games.get(about.step.game, [])
            state = next((track.state for track in tracks if track.state is not None), None)
        return JournalProblem(
            problem=bad.problem,
            is_seen=quarantine_subject(bad.entry) in self._context.projections.seen,
            epoch=bad.entry.epoch,
            seq=bad.entry.seq,
            stored=kept,
            received=received,
            names=() if state is None else tuple(seat.name for seat in state.seats),
        )


def _read(entry: Entry) -> TimedGameStep | None:
    try:
        content = content_of(entry.raw)
        return TimedGameStep(_step.decode(content.body), content.clock.wall_ms, entry.seq)
    except (msgspec.DecodeError, RecursionError):
        return None


def _export(bad: Quarantined, stored: Entry | None) -> dict[str, str | int | None]:
    entry = bad.entry
    return {
        "stream": entry.stream,
        "epoch": entry.epoch,
        "seq": entry.seq,
        "problem": bad.problem,
        "received": base64.b64encode(entry.raw).decode(),
        "received_hash": entry.hash.hex(),
        "stored": None if stored is None else base64.b64encode(stored.raw).decode(),
        "stored_hash": None if stored is None else stored.hash.hex(),
    }
