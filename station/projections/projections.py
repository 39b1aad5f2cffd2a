"""Fold all entries into tournaments, games, orders and alarms in memory.

Nothing here is durable; it is rebuilt from the store at every start, with the same result.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import assert_never

import msgspec

from base.errors import BadData, Unavailable
from core.game import orders as reports
from core.game.ending.judge_calls import WarnPlayer
from core.game.events import GameStep, StepOrigin
from core.game.orders import (
    AssignTable,
    LockGlass,
    Order,
    RelieveTable,
    SeatGame,
    ShowMessage,
    TakeGame,
    WithdrawMessage,
)
from core.game.setup import TableSeated
from core.terms import GameId, TournamentId
from core.tournament import timeline as tournament_timeline
from core.tournament.decisions import TournamentStep, UndoSteps
from core.tournament.draw.drawing import PublishDraw
from core.tournament.finals import BeginDuels
from station.projections.alarms import (
    Alarm,
    AlarmRaised,
    AlarmSeen,
    CallEntry,
    CallRecords,
    PinLock,
    UnrecordedAssignmentFound,
    pin_lock_subject,
)
from station.projections.cards import GlassLocks, TimedGameStep
from station.projections.game_logs import (
    GameHandover,
    GameLogs,
    GameTrack,
    Handovers,
    TableWarning,
    track_of,
    warning_of,
)
from station.projections.message_records import MessageBody, MessageLog
from station.projections.tournament_logs import GamePlace, TournamentTrack
from station.store.game_index import GameRun, PutOff
from station.store.streams import TERMINALS, StoredEntry, terminal_of
from sync.protocol.entry import ClockReading, Content, Entry, Epoch, StreamId, TerminalId, content_of

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_order = msgspec.msgpack.Decoder(Order)
_alarm = msgspec.msgpack.Decoder(Alarm)
_message = msgspec.msgpack.Decoder(MessageBody)
_CALLED_TO_TABLES = PublishDraw | BeginDuels


class AffectedState(msgspec.Struct, frozen=True):
    """The tournament, game or terminal that an entry has changed, or a problem with the entry.

    apart: the game of a step whose terminal was never given it.
    is_message: the entry is a message, or a terminal's report about itself.
    """

    tournament: TournamentId | None = None
    game: GameId | None = None
    apart: GameId | None = None
    terminal: TerminalId | None = None
    problem: str = ""
    is_message: bool = False


class _TerminalContent(msgspec.Struct, frozen=True, array_like=True):
    """A terminal's entry, decoded in one pass, as a start reads hundreds of thousands of them."""

    clock: ClockReading
    body: GameStep | reports.TerminalReport


_terminal_content = msgspec.msgpack.Decoder(_TerminalContent)


class Projections:
    """Projections of all streams, updated entry by entry.

    games: the tracks of each game, in order of arrival.
    last_reported: the last game of each terminal.
    apart: steps by terminals that were not given the game, stored but not folded.
    drawn: the place of each published game.
    raised, seen: the station's alarms by subject.
    warnings: those given at tables, by the step in which each was first recorded, in order of arrival.
    position: the position of the last entry, in order of arrival.
    read: see ``GameLogs``.
    """

    def __init__(self, read: Callable[[Sequence[GameRun]], Sequence[StoredEntry]] = lambda _: ()) -> None:
        self.tournaments: dict[TournamentId, TournamentTrack] = {}
        self.games = GameLogs(self._fold_step, read)
        self.last_reported: dict[TerminalId, GameId] = {}
        self.apart: dict[GameId, list[GameTrack]] = {}
        self.drawn: dict[GameId, GamePlace] = {}
        self.orders: dict[TerminalId, list[Order]] = {}
        self.handovers = Handovers()
        self.raised: dict[str, AlarmRaised] = {}
        self.seen: dict[str, AlarmSeen] = {}
        self.calls = CallRecords()
        self.warnings: dict[StepOrigin, TableWarning] = {}
        self.messages = MessageLog()
        self.glass_locks = GlassLocks()
        self.power: dict[TerminalId, reports.Power] = {}
        self.pin_locks: dict[TerminalId, PinLock] = {}
        self.epochs_of_orders: dict[TerminalId, set[Epoch]] = {}
        self.position = 0
        self._applied: dict[tuple[StreamId, Epoch], int] = {}

    def apply_all(self, entries: Iterable[Entry]) -> tuple[AffectedState, ...]:
        return tuple(self.apply(entry) for entry in entries)

    def read_all(self, entries: Iterable[PutOff]) -> tuple[AffectedState, ...]:
        """Apply all stored entries and runs in order of arrival, and return the problems.

        Games whose results are awaited are folded now, and the others when they are first requested.
        """
        problems, applied, decode = [], self._applied, _terminal_content.decode
        # For each stream, the game last given to its terminal, and the game's put-off steps.
        latest = dict[StreamId, tuple[GameId | None, list[PutOff]]]()
        no_game: tuple[None, list[PutOff]] = None, []
        furthest = 0
        for entry in entries:
            if isinstance(entry, GameRun):
                latest[entry.stream] = entry.game, self.games.put_off(entry.game)
                self.last_reported[terminal_of(entry.stream)] = entry.game
                latest[entry.stream][1].append(entry)
                applied[entry.stream, entry.epoch] = entry.last
                # Later entries may have arrived before the end of this run, and it may contain the last one.
                furthest = max(furthest, entry.until)
                continue
            self.position, stream, step = entry.arrival, entry.stream, None
            if stream.startswith(TERMINALS):
                try:
                    step = decode(entry.raw).body
                except _UNREADABLE:
                    step = None
            if isinstance(step, GameStep) and not (step.events and isinstance(step.events[0], WarnPlayer)):
                game, steps = latest.get(stream, no_game)
                if game != step.game and self.handovers.was_given(step.game, terminal_of(stream)):
                    game, steps = latest[stream] = step.game, self.games.put_off(step.game)
                    self.last_reported[terminal_of(stream)] = game
                if game == step.game:
                    steps.append(entry)
                    applied[stream, entry.epoch] = entry.seq
                    continue
            touched = self._apply(entry)
            if touched.problem:
                problems.append(touched)
        self.position = max(furthest, self.position)
        return (*problems, *self._problems_of_awaited_games())

    def apply(self, entry: Entry) -> AffectedState:
        """Apply one stored entry.

        An entry that was already applied changes nothing. Nor does an unreadable one, or one of a game whose
        earlier steps are unreadable; it is reported in ``problem``, and the store keeps it.
        """
        if entry.seq <= self._applied.get((entry.stream, entry.epoch), 0):
            return AffectedState()
        self.position += 1
        return self._apply(entry)

    def _apply(self, entry: Entry | StoredEntry) -> AffectedState:
        self._applied[entry.stream, entry.epoch] = entry.seq
        kind, _, name = entry.stream.partition("/")
        try:
            if kind == "table":
                return self._terminal_entry(TerminalId(name), entry)
            content = content_of(entry.raw)
            match kind:
                case "tournament":
                    return self._tournament_step(TournamentId(name), entry, content)
                case "orders":
                    return self._order(TerminalId(name), entry, content)
                case "alarms":
                    return self._alarm(content)
                case "messages":
                    self.messages.apply(_message.decode(content.body), content.clock.wall_ms)
                    return AffectedState(is_message=True)
                case _:
                    return AffectedState(problem=f"{entry.stream}: no such kind of stream")
        except (*_UNREADABLE, BadData, Unavailable) as error:
            terminal = TerminalId(name) if kind in {"table", "orders"} else None
            return AffectedState(terminal=terminal, problem=f"{entry.stream}, entry {entry.seq}: {error}")

    def track_of_terminal(self, game: GameId, terminal: TerminalId) -> GameTrack | None:
        """Return a terminal's latest track of a game, or None if it has reported none."""
        tracks = [track for track in self.games.get(game, ()) if track.terminal == terminal]
        return tracks[-1] if tracks else None

    def _tournament_step(
        self, tournament: TournamentId, entry: Entry | StoredEntry, content: Content
    ) -> AffectedState:
        step = _tournament_step.decode(content.body)
        track = self.tournaments.get(tournament)
        timeline = tournament_timeline.extend(None if track is None else track.timeline, step)
        if track is None:
            track = self.tournaments[tournament] = TournamentTrack(timeline, [])
        if any(isinstance(event, UndoSteps) for event in step.events):
            called = {table.game for _, table in timeline.state.called_tables}
            for game in {table.game for _, table in track.state.called_tables} - called:
                for log in self.games.get(game, ()):
                    log.is_given_up = True
        track.add(step, timeline, (entry.epoch, entry.seq), self.position)
        if any(isinstance(event, _CALLED_TO_TABLES) for event in step.events):
            for round_no, table in track.state.called_tables:
                self._note_place(table.game, GamePlace(tournament, round_no, (table.table,), entry.epoch))
        return AffectedState(tournament=tournament)

    def _note_place(self, game: GameId, place: GamePlace) -> None:
        known = self.drawn.get(game)
        if known is None or known.table != place.table:
            self.games.get(game)
            tables = () if known is None else known.tables
            self.drawn[game] = msgspec.structs.replace(known or place, tables=tables + place.tables)

    def _terminal_entry(self, terminal: TerminalId, entry: Entry | StoredEntry) -> AffectedState:
        content = _terminal_content.decode(entry.raw)
        step, wall_ms = content.body, content.clock.wall_ms
        if isinstance(step, reports.TerminalReport):
            return self._report(terminal, step, entry, wall_ms)
        return self._game_step(terminal, entry, TimedGameStep(step, wall_ms, entry.seq))

    def _report(
        self, terminal: TerminalId, report: reports.TerminalReport, entry: Entry | StoredEntry, wall_ms: int
    ) -> AffectedState:
        match report.fact:
            case reports.MessageShown() | reports.MessageConfirmed() | reports.MessageExpired():
                self.messages.on_report(terminal, report.fact, wall_ms)
            case reports.GlassLocked() | reports.GlassUnlocked():
                self.glass_locks.on_report(terminal, report.fact)
            case reports.PowerChanged():
                self.power[terminal] = report.fact.power
            case reports.PinsLocked():
                subject = pin_lock_subject(terminal, entry.epoch, entry.seq)
                self.pin_locks[terminal] = PinLock(subject, report.fact.wrong)
            case reports.TerminalRestarting() | reports.TerminalIdentified():
                pass
        return AffectedState(terminal=terminal, is_message=True)

    def _game_step(
        self, terminal: TerminalId, entry: Entry | StoredEntry, timed: TimedGameStep
    ) -> AffectedState:
        game = timed.step.game
        if not self.handovers.was_given(game, terminal):
            track_of(self.apart.setdefault(game, []), terminal, entry.epoch, timed).steps.append(timed)
            return AffectedState(terminal=terminal, apart=game)
        self.last_reported[terminal] = game
        track = self._extend_track(terminal, entry.epoch, timed, self.position)
        if warning := warning_of(track, timed):
            self.warnings.setdefault(*warning)
        return AffectedState(game=game, terminal=terminal, problem=track.problem)

    def _fold_step(self, stored: StoredEntry) -> None:
        content = _terminal_content.decode(stored.raw)
        assert isinstance(content.body, GameStep)  # reports are never put off
        timed = TimedGameStep(content.body, content.clock.wall_ms, stored.seq)
        self._extend_track(terminal_of(stored.stream), stored.epoch, timed, stored.arrival)

    def _problems_of_awaited_games(self) -> Iterator[AffectedState]:
        for tournament in self.tournaments.values():
            for _, table in (*tournament.state.missing_sheets, *tournament.state.open_duels):
                for track in self.games.get(table.game, ()):
                    if track.problem:
                        yield AffectedState(game=table.game, terminal=track.terminal, problem=track.problem)

    def _extend_track(
        self, terminal: TerminalId, epoch: Epoch, timed: TimedGameStep, position: int
    ) -> GameTrack:
        track = track_of(self.games.of(timed.step.game), terminal, epoch, timed)
        track.add(timed, position, self._contradiction(timed.step))
        return track

    def _contradiction(self, step: GameStep) -> str:
        """Return how a step contradicts its draw or the step that it copies; empty if it does not."""
        if isinstance(step.origin, StepOrigin):
            original = self.games.original(step.game, step.origin)
            if original is not None and original.events != step.events:
                return f"it contradicts entry {step.origin.seq} of {step.origin.terminal}, its original"
        drawn = self.drawn.get(step.game)
        for event in step.events:
            if not isinstance(event, TableSeated) or drawn is None:
                continue
            place = event.tournament, event.round
            if place != (drawn.tournament, drawn.round) or event.table not in drawn.tables:
                return f"it seats table {event.table} of round {event.round}, where the game was not drawn"
        return ""

    def _order(self, terminal: TerminalId, entry: Entry | StoredEntry, content: Content) -> AffectedState:
        order: Order = _order.decode(content.body)
        self.orders.setdefault(terminal, []).append(order)
        match order:
            case SeatGame():
                self.handovers.give(order.seating.game, GameHandover(terminal))
                self.messages.on_order(terminal, order)
            case TakeGame():
                self.handovers.give_steps(terminal, order)
                self.messages.on_order(terminal, order)
            case AssignTable() | ShowMessage() | WithdrawMessage():
                self.messages.on_order(terminal, order)
            case LockGlass():
                self.glass_locks.on_order(terminal, order)
            case RelieveTable():
                self.handovers.relieve(order.game, terminal)
            case _:
                pass
        self.epochs_of_orders.setdefault(terminal, set()).add(entry.epoch)
        return AffectedState(terminal=terminal)

    def _alarm(self, content: Content) -> AffectedState:
        alarm: Alarm = _alarm.decode(content.body)
        if isinstance(alarm, CallEntry):
            self.calls.on_entry(alarm, content.clock.wall_ms)
            return AffectedState(game=alarm.game if alarm.game in self.games else None)
        match alarm:
            case AlarmRaised():
                self.raised[alarm.subject] = alarm
                self.seen.pop(alarm.subject, None)
            case AlarmSeen():
                self.seen[alarm.subject] = alarm
            case UnrecordedAssignmentFound():
                self.handovers.give(alarm.game, GameHandover(alarm.terminal))
                self._admit(alarm.game, alarm.terminal)
                return AffectedState(game=alarm.game, terminal=alarm.terminal)
            case _:
                assert_never(alarm)
        return AffectedState()

    def _admit(self, game: GameId, terminal: TerminalId) -> None:
        """Fold the steps that a terminal sent before the station knew that it was given the game."""
        kept = self.apart.pop(game, [])
        for track in kept:
            if track.terminal != terminal:
                self.apart.setdefault(game, []).append(track)
                continue
            self.last_reported[terminal] = game
            for timed in track.steps:
                self._extend_track(terminal, track.epoch, timed, self.position)
