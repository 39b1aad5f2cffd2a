"""Evolve a tournament: the state after each event."""

from typing import assert_never

from msgspec.structs import replace

from saloon.base.errors import BadData
from saloon.core.terms import PlayerId, RoundNo, TableNo
from saloon.core.tournament.clock.clock_events import ClockEvent
from saloon.core.tournament.clock.hall_clock import HallClock, clock_after
from saloon.core.tournament.draw.hall_tables import in_hall
from saloon.core.tournament.events import (
    DisputeSettled,
    DrawMade,
    DrawPublished,
    DrawSealed,
    DuelAccepted,
    DuelContested,
    DuelCorrected,
    DuelsBegun,
    LotsDrawn,
    OneOnOneEntered,
    OwedEntriesWaived,
    PlayerEjected,
    PlayerRenamed,
    PlayersRegistered,
    PlayerWarned,
    PlayerWithdrawn,
    RankingPublished,
    RoundsRankingPublished,
    SheetAccepted,
    SheetContested,
    SheetCorrected,
    SheetDisputed,
    StepsUndone,
    TablesMoved,
    TournamentEvent,
    TournamentOpened,
    WaiversChanged,
)
from saloon.core.tournament.finals.evolve_finals import finals_after
from saloon.core.tournament.state import AcceptedSheet, Entrant, Round, Stage, TournamentState


def evolve(state: TournamentState | None, event: TournamentEvent) -> TournamentState:
    """Return the tournament after one event; None before its opening.

    Raises BadData for an event that cannot follow. Undo is not an event's matter: it needs the
    states before, which ``timeline`` keeps.
    """
    if isinstance(event, TournamentOpened):
        if state is not None:
            raise BadData("tournament log", f"tournament {state.tournament} is opened twice")
        return _opened(event)
    if state is None:
        raise BadData("tournament log", f"{type(event).__name__} comes before the tournament is opened")
    if isinstance(event, ClockEvent):
        return replace(state, clock=clock_after(state.clock, event))
    if isinstance(event, RankingPublished):
        return replace(state, stage=Stage.PUBLISHED)
    changed = _after(state, event)
    return replace(changed, stage=_stage(changed))


def _opened(event: TournamentOpened) -> TournamentState:
    return TournamentState(
        tournament=event.tournament,
        name=event.name,
        rules=event.rules,
        date=event.date,
        waivers=event.waivers,
        unofficial=event.unofficial,
        with_finals=event.with_finals,
        first_table=event.first_table,
    )


def _stage(state: TournamentState) -> Stage:
    pending = state.pending_round
    if pending is not None:
        return Stage.DRAWN if pending.drawn else Stage.SEALED
    if not state.published_rounds:
        return Stage.REGISTRATION
    if state.running_round is not None:
        return Stage.PLAYING
    if state.rounds_planned is not None and len(state.published_rounds) >= state.rounds_planned:
        over = not state.with_finals or (state.finals is not None and state.finals.champion is not None)
        return Stage.FINISHED if over else Stage.FINALS
    return Stage.BETWEEN


_Later = (
    TablesMoved
    | WaiversChanged
    | PlayersRegistered
    | PlayerRenamed
    | PlayerWithdrawn
    | PlayerWarned
    | PlayerEjected
    | DrawSealed
    | DrawMade
    | DrawPublished
    | SheetAccepted
    | SheetContested
    | SheetCorrected
    | SheetDisputed
    | DisputeSettled
    | LotsDrawn
    | OneOnOneEntered
    | RoundsRankingPublished
    | DuelsBegun
    | DuelAccepted
    | DuelContested
    | DuelCorrected
    | OwedEntriesWaived
    | StepsUndone
)


def _after(state: TournamentState, event: _Later) -> TournamentState:
    match event:
        case TablesMoved() | WaiversChanged():
            return _with_frame_changed(state, event)
        case PlayersRegistered():
            joined = tuple(Entrant(player.player, player.name, player.club) for player in event.players)
            return replace(state, entrants=state.entrants + joined)
        case PlayerRenamed() | PlayerWarned() | PlayerWithdrawn() | PlayerEjected():
            return _with_entrant(state, event)
        case DrawSealed() | DrawMade() | DrawPublished():
            return _with_draw(state, event)
        case SheetAccepted() | SheetContested() | SheetCorrected() | SheetDisputed() | DisputeSettled():
            return _with_sheet(state, event)
        case LotsDrawn() | OneOnOneEntered():
            return _with_tie_broken(state, event)
        case RoundsRankingPublished() | DuelsBegun() | DuelAccepted() | DuelContested() | DuelCorrected():
            return _with_finals(state, event)
        case OwedEntriesWaived():
            games = tuple(table.game for table in event.tables)
            return replace(state, owed_waived=(*state.owed_waived, *games))
        case StepsUndone():
            raise BadData("tournament log", "steps are taken back by the timeline, not by one event")
        case _:
            assert_never(event)


def _with_frame_changed(state: TournamentState, event: TablesMoved | WaiversChanged) -> TournamentState:
    """Other waivers; or other tables, also for a draw that is not published yet."""
    if isinstance(event, WaiversChanged):
        planned = state.rounds_planned if event.rounds_planned is None else event.rounds_planned
        return replace(state, waivers=event.waivers, rounds_planned=planned)
    pending, moved = state.pending_round, event.first - state.first_table
    rounds = state.rounds
    if pending is not None:
        tables = in_hall(pending.tables, TableNo(moved + 1))
        rounds = (*state.published_rounds, replace(pending, tables=tables))
    return replace(state, rounds=rounds, first_table=event.first)


def _with_tie_broken(state: TournamentState, event: LotsDrawn | OneOnOneEntered) -> TournamentState:
    match event:
        case LotsDrawn():
            seeds = (event.seed,) * len(event.groups)
            return replace(state, lots=state.lots + event.groups, lot_seeds=state.lot_seeds + seeds)
        case OneOnOneEntered():
            return replace(state, one_on_ones=(*state.one_on_ones, (event.winner, event.loser)))
        case _:
            assert_never(event)


def _with_entrant(
    state: TournamentState, event: PlayerRenamed | PlayerWarned | PlayerWithdrawn | PlayerEjected
) -> TournamentState:
    if state.entrant(event.player) is None:
        raise BadData("tournament log", f"{type(event).__name__} names {event.player}, who is not registered")
    finals, planned = state.finals, state.rounds_planned
    if isinstance(event, PlayerWithdrawn | PlayerEjected):
        planned = planned if event.rounds_planned is None else event.rounds_planned
        finals = None if finals is None else replace(finals, left=(*finals.left, event.player))
    return replace(
        state,
        entrants=tuple(
            _entrant_after(state, entrant, event) if entrant.player == event.player else entrant
            for entrant in state.entrants
        ),
        finals=finals,
        rounds_planned=planned,
    )


def _entrant_after(
    state: TournamentState,
    entrant: Entrant,
    event: PlayerRenamed | PlayerWarned | PlayerWithdrawn | PlayerEjected,
) -> Entrant:
    match event:
        case PlayerRenamed():
            return replace(entrant, name=event.name, club=event.club)
        case PlayerWarned():
            return replace(entrant, warnings=(*entrant.warnings, event.reason))
        case PlayerWithdrawn():
            last = event.during or _last_round(state)
            return replace(entrant, withdrawn=True, out_reason=event.reason, out_after_round=last)
        case PlayerEjected():
            last = event.during or _last_round(state)
            return replace(entrant, ejected=True, out_reason=event.reason, out_after_round=last)
        case _:
            assert_never(event)


def _last_round(state: TournamentState) -> RoundNo | None:
    return state.published_rounds[-1].round if state.published_rounds else None


def _with_draw(state: TournamentState, event: DrawSealed | DrawMade | DrawPublished) -> TournamentState:
    pending = state.pending_round
    if isinstance(event, DrawSealed):
        sealed = Round(event.round, event.attempt, event.seed, event.seal)
        return replace(state, rounds=(*state.published_rounds, sealed), attempts=_attempts(state, event))
    if pending is None or pending.round != event.round:
        raise BadData("tournament log", f"{type(event).__name__} of round {event.round}, which is not sealed")
    match event:
        case DrawMade():
            made = replace(
                pending,
                hall_word=event.hall_word,
                tables=in_hall(event.tables, state.first_table),
                repeated_sheriffs=event.repeated_sheriffs,
            )
            return replace(state, rounds=(*state.published_rounds, made))
        case DrawPublished():
            published = replace(pending, published=True)
            sheriffs = {table.players[0] for table in pending.tables}
            return replace(
                state,
                rounds=(*state.published_rounds, published),
                rounds_planned=event.rounds_planned,
                clock=HallClock(event.round),
                entrants=tuple(_marked(entrant, sheriffs, event.round) for entrant in state.entrants),
            )
        case _:
            assert_never(event)


def _attempts(state: TournamentState, event: DrawSealed | DuelsBegun) -> tuple[int, ...]:
    if not 1 <= event.round <= len(state.attempts) + 2:
        raise BadData("tournament log", f"{type(event).__name__} of round {event.round} comes too soon")
    before = (*state.attempts, *(0,) * event.round)[: event.round - 1]
    return (*before, event.attempt, *state.attempts[event.round :])


def _marked(entrant: Entrant, sheriffs: set[PlayerId], round_no: RoundNo) -> Entrant:
    if entrant.player not in sheriffs:
        return entrant
    return replace(entrant, sheriff_in=(*entrant.sheriff_in, round_no))


def _with_dispute(state: TournamentState, event: SheetDisputed | DisputeSettled) -> TournamentState:
    rounds = tuple(
        replace(
            drawn,
            sheets=tuple(
                _doubted(sheet, event) if sheet.game == event.game else sheet for sheet in drawn.sheets
            ),
        )
        for drawn in state.rounds
    )
    if not any(event.game == sheet.game for drawn in rounds for sheet in drawn.sheets):
        raise BadData("tournament log", f"a sheet is doubted that is not accepted: {event.game}")
    return replace(state, rounds=rounds)


def _doubted(sheet: AcceptedSheet, event: SheetDisputed | DisputeSettled) -> AcceptedSheet:
    if isinstance(event, SheetDisputed):
        return replace(sheet, disputed=event.reason)
    return replace(sheet, disputed="", contested=())


def _with_sheet(
    state: TournamentState,
    event: SheetAccepted | SheetContested | SheetCorrected | SheetDisputed | DisputeSettled,
) -> TournamentState:
    """Return the state after a record sheet, whose table is found by its own numbers."""
    if isinstance(event, SheetDisputed | DisputeSettled):
        return _with_dispute(state, event)
    number, table = event.result.round, event.result.table
    drawn = state.rounds[number - 1] if 1 <= number <= len(state.rounds) else None
    if drawn is None or not drawn.has(event.game, table):
        raise BadData("tournament log", f"{type(event).__name__} of a game that is not drawn: {event.game}")
    after = _sheets_after(drawn, event)
    if after.complete and after.missing:
        raise BadData("tournament log", f"a record sheet of round {number} is accepted twice")
    return replace(state, rounds=(*state.rounds[: number - 1], after, *state.rounds[number:]))


def _sheets_after(drawn: Round, event: SheetAccepted | SheetContested | SheetCorrected) -> Round:
    match event:
        case SheetAccepted():
            sheet = AcceptedSheet(
                event.game, event.result, event.source, event.by, origin=event.origin, reason=event.reason
            )
            return replace(drawn, sheets=(*drawn.sheets, sheet))
        case SheetContested() | SheetCorrected():
            return replace(drawn, sheets=tuple(_changed(sheet, event) for sheet in drawn.sheets))
        case _:
            assert_never(event)


def _changed(sheet: AcceptedSheet, event: SheetContested | SheetCorrected) -> AcceptedSheet:
    if sheet.game != event.game:
        return sheet
    if isinstance(event, SheetContested):
        return replace(sheet, contested=(*sheet.contested, (event.result, event.origin)))
    corrections = (*sheet.corrections, event.reason)
    return replace(
        sheet, result=event.result, by=event.by, corrections=corrections, contested=(), disputed=""
    )


def _with_finals(
    state: TournamentState,
    event: RoundsRankingPublished | DuelsBegun | DuelAccepted | DuelContested | DuelCorrected,
) -> TournamentState:
    if isinstance(event, DuelsBegun):
        called = replace(event, tables=in_hall(event.tables, state.first_table))
        return replace(state, finals=finals_after(state.finals, called), attempts=_attempts(state, event))
    return replace(state, finals=finals_after(state.finals, event))
