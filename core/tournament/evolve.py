"""Evolve a tournament: the state after each event."""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from base.errors import BadData
from base.growing_tuple import GrowingTuple
from core.game.ending.finished import FinishedGame
from core.game.result import Result
from core.rule_set import TablesOfFour
from core.terms import DuelPart, GameId, PlayerId, RoundNo
from core.tournament import events as e
from core.tournament.draw.by_hand import changed_tables
from core.tournament.draw.hall_tables import in_hall, moved
from core.tournament.standings.ranking_events import (
    LotsDrawn,
    OneOnOneEntered,
    RankingPublished,
    RoundsRankingPublished,
)
from core.tournament.state import (
    ChangeByHand,
    Entrant,
    RecordedWarning,
    Redraw,
    Round,
    Stage,
    TournamentState,
)
from core.tournament.state.clock_events import ClockEvent
from core.tournament.state.finals import Duels, Finals
from core.tournament.state.hall_clock import HallClock, clock_after
from core.tournament.state.sheets import AcceptedSheet
from core.tournament.state.table_list import list_from

_Result = TypeVar("_Result", bound=Result)


def evolve(  # noqa: C901 - one exhaustive match over all events
    state: TournamentState | None, event: e.TournamentEvent
) -> TournamentState:
    """Return the tournament after one event. state: None before its opening.

    Raises BadData for an impossible event. Undo needs the earlier states, which ``timeline`` keeps.
    """
    if isinstance(event, e.TournamentOpened):
        if state is not None:
            raise BadData("tournament log", f"tournament {state.tournament} is opened twice")
        return _apply_opening(event)
    if state is None:
        raise BadData("tournament log", f"{type(event).__name__} comes before the tournament is opened")
    if isinstance(event, ClockEvent):
        return replace(state, clock=clock_after(state.clock, event))
    match event:
        case e.WaiversChanged():
            planned = state.rounds_planned if event.rounds_planned is None else event.rounds_planned
            changed = replace(state, waivers=event.waivers, rounds_planned=planned)
        case e.TournamentRenamed():
            changed = replace(state, name=event.name, date=event.date)
        case e.TablesMoved():
            changed = _with_tables_moved(state, event)
        case e.PlayersRegistered():
            joined = tuple(Entrant(player.player, player.name, player.club) for player in event.players)
            changed = replace(state, entrants=state.entrants + joined)
        case e.PlayerRenamed() | e.PlayerWarned() | e.PlayerWithdrawn() | e.PlayerEjected():
            changed = _with_entrant(state, event)
        case e.PlayerReinstated():
            changed = _with_returned(state, event)
        case e.PlayerRemoved():
            left = tuple(entrant for entrant in state.entrants if entrant.player != event.player)
            changed = replace(state, entrants=left)
        case e.LateEntrySet():
            changed = replace(state, late_entry=event.is_open)
        case e.TablesOfFourAllowed():
            four = TablesOfFour(event.reason, event.dollars)
            changed = replace(state, rules=replace(state.rules, tables_of_four=four))
        case e.DrawSealed():
            changed = _apply_seal(state, event)
        case e.DrawMade():
            changed = _apply_draw(state, event)
        case e.DrawChanged():
            changed = _apply_change(state, event)
        case e.DrawPublished():
            changed = _apply_publication(state, event)
        case e.SheetAccepted() | e.SheetContested() | e.SheetCorrected():
            changed = _with_sheet(state, event)
        case e.SheetDisputed() | e.DisputeSettled():
            changed = _with_dispute(state, event)
        case LotsDrawn():
            seeds = (event.seed,) * len(event.groups)
            changed = replace(state, lots=state.lots + event.groups, lot_seeds=state.lot_seeds + seeds)
        case OneOnOneEntered():
            changed = replace(state, one_on_ones=(*state.one_on_ones, (event.winner, event.loser)))
        case e.DuelsBegun():
            changed = _with_duels(state, event)
        case RoundsRankingPublished():
            changed = replace(state, finals=Finals(event.finalists))
        case e.TieDuelCalledOff():
            changed = _with_duel_called_off(state, event.game)
        case e.DuelAccepted() | e.DuelContested() | e.DuelCorrected():
            changed = _with_duel_sheet(state, event)
        case e.OwedEntriesWaived():
            games = tuple(table.game for table in event.tables)
            changed = replace(state, owed_waived=(*state.owed_waived, *games))
        case e.OpenSheetsWaived():
            games = tuple(sheet.game for sheet in event.sheets)
            changed = replace(state, sheets_waived=(*state.sheets_waived, *games))
        case RankingPublished():
            return replace(state, stage=Stage.PUBLISHED)
        case e.StepsUndone():
            raise BadData("tournament log", "steps are undone by the timeline, not by one event")
        case _:
            assert_never(event)
    return replace(changed, stage=_stage(changed))


def _apply_opening(event: e.TournamentOpened) -> TournamentState:
    return TournamentState(
        tournament=event.tournament,
        name=event.name,
        rules=event.rules,
        date=event.date,
        waivers=event.waivers,
        unofficial=event.unofficial,
        with_finals=event.with_finals,
        hall_tables=event.tables or list_from(event.first_table),
    )


def _stage(state: TournamentState) -> Stage:
    pending = state.pending_round
    if pending is not None:
        return Stage.DRAWN if pending.drawn else Stage.SEALED
    if not state.published_rounds:
        return Stage.REGISTRATION
    if state.running_round is not None:
        return Stage.PLAYING
    is_complete = all(drawn.complete for drawn in state.published_rounds)
    is_last = state.rounds_planned is not None and len(state.published_rounds) >= state.rounds_planned
    if is_last and is_complete:
        over = not state.with_finals or (state.finals is not None and state.finals.champion is not None)
        return Stage.FINISHED if over else Stage.FINALS
    return Stage.BETWEEN


def _with_tables_moved(state: TournamentState, event: e.TablesMoved) -> TournamentState:
    """Move the tables, including those of an unpublished draw."""
    pending, rounds = state.pending_round, state.rounds
    before, after = state.hall_tables, event.tables or list_from(event.first)
    if pending is not None:
        tables, drawn = moved(pending.tables, before, after), moved(pending.drawn_tables, before, after)
        rounds = (*state.published_rounds, replace(pending, tables=tables, drawn_tables=drawn))
    return replace(state, rounds=rounds, hall_tables=after)


def _with_entrant(
    state: TournamentState, event: e.PlayerRenamed | e.PlayerWarned | e.PlayerWithdrawn | e.PlayerEjected
) -> TournamentState:
    if state.entrant(event.player) is None:
        raise BadData("tournament log", f"{type(event).__name__} names {event.player}, who is not registered")
    finals, planned, taken = state.finals, state.rounds_planned, state.warnings_taken
    if isinstance(event, e.PlayerWarned) and event.origin is not None:
        taken = (*taken, event.origin)
    if isinstance(event, e.PlayerWithdrawn | e.PlayerEjected):
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
        warnings_taken=taken,
    )


def _with_returned(state: TournamentState, event: e.PlayerReinstated) -> TournamentState:
    back = tuple(
        replace(entrant, withdrawn=False, out_reason="", out_after_round=None)
        if entrant.player == event.player
        else entrant
        for entrant in state.entrants
    )
    planned = state.rounds_planned if event.rounds_planned is None else event.rounds_planned
    return replace(state, entrants=back, rounds_planned=planned)


def _entrant_after(
    state: TournamentState,
    entrant: Entrant,
    event: e.PlayerRenamed | e.PlayerWarned | e.PlayerWithdrawn | e.PlayerEjected,
) -> Entrant:
    match event:
        case e.PlayerRenamed():
            return replace(entrant, name=event.name, club=event.club)
        case e.PlayerWarned():
            warning = RecordedWarning(event.reason, event.offence, _last_round(state))
            return replace(entrant, warnings=(*entrant.warnings, warning))
        case e.PlayerWithdrawn():
            last = event.during or _last_round(state)
            return replace(entrant, withdrawn=True, out_reason=event.reason, out_after_round=last)
        case e.PlayerEjected():
            last = event.during or _last_round(state)
            return replace(
                entrant,
                ejected=True,
                out_reason=event.reason,
                out_after_round=last,
                out_offence=event.offence,
            )
        case _:
            assert_never(event)


def _last_round(state: TournamentState) -> RoundNo | None:
    return state.published_rounds[-1].round if state.published_rounds else None


def _apply_seal(state: TournamentState, event: e.DrawSealed) -> TournamentState:
    sealed = Round(event.round, event.attempt, event.seed, event.seal)
    attempts, redraws = _attempts(state, event), state.redraws
    if event.attempt > 1:
        redraws = (*redraws, Redraw(event.round, event.attempt, event.reason))
    return replace(state, rounds=(*state.published_rounds, sealed), attempts=attempts, redraws=redraws)


def _sealed_round(state: TournamentState, event: e.DrawMade | e.DrawChanged | e.DrawPublished) -> Round:
    pending = state.pending_round
    if pending is None or pending.round != event.round:
        raise BadData("tournament log", f"{type(event).__name__} of round {event.round}, which is not sealed")
    return pending


def _apply_draw(state: TournamentState, event: e.DrawMade) -> TournamentState:
    tables = in_hall(event.tables, state.hall_tables)
    drawn = replace(
        _sealed_round(state, event),
        hall_word=event.hall_word,
        tables=tables,
        drawn_tables=tables,
        repeated_sheriffs=event.repeated_sheriffs,
        series=event.series,
    )
    return replace(state, rounds=(*state.published_rounds, drawn))


def _apply_change(state: TournamentState, event: e.DrawChanged) -> TournamentState:
    draft = _sealed_round(state, event)
    tables = changed_tables(draft.tables, event.change)
    sheriffs = {table.players[0] for table in tables}
    changed = replace(
        draft,
        tables=tables,
        changes=(*draft.changes, ChangeByHand(event.change, event.reason, event.by)),
        repeated_sheriffs=tuple(player for player in draft.repeated_sheriffs if player in sheriffs),
    )
    return replace(state, rounds=(*state.published_rounds, changed))


def _apply_publication(state: TournamentState, event: e.DrawPublished) -> TournamentState:
    published = replace(_sealed_round(state, event), published=True)
    sheriffs = {table.players[0] for table in published.tables}
    return replace(
        state,
        rounds=(*state.published_rounds, published),
        rounds_planned=event.rounds_planned,
        clock=HallClock(event.round),
        entrants=tuple(_mark_sheriff(entrant, sheriffs, event.round) for entrant in state.entrants),
    )


def _attempts(state: TournamentState, event: e.DrawSealed | e.DuelsBegun) -> tuple[int, ...]:
    if not 1 <= event.round <= len(state.attempts) + 2:
        raise BadData("tournament log", f"{type(event).__name__} of round {event.round} comes too soon")
    before = (*state.attempts, *(0,) * event.round)[: event.round - 1]
    return (*before, event.attempt, *state.attempts[event.round :])


def _mark_sheriff(entrant: Entrant, sheriffs: set[PlayerId], round_no: RoundNo) -> Entrant:
    if entrant.player not in sheriffs:
        return entrant
    return replace(entrant, sheriff_in=(*entrant.sheriff_in, round_no))


def _with_dispute(state: TournamentState, event: e.SheetDisputed | e.DisputeSettled) -> TournamentState:
    rounds = tuple(
        replace(
            drawn,
            sheets=drawn.sheets.changed(
                lambda sheet: _apply_dispute(sheet, event) if sheet.game == event.game else sheet
            ),
        )
        for drawn in state.rounds
    )
    if not any(event.game == sheet.game for drawn in rounds for sheet in drawn.sheets):
        raise BadData("tournament log", f"a sheet is disputed that was not accepted: {event.game}")
    return replace(state, rounds=rounds, sheets_waived=_waived_without(state, event.game))


def _waived_without(state: TournamentState, game: GameId) -> tuple[GameId, ...]:
    """Return the waived games without one whose sheet changed, which may block the next draw again."""
    return tuple(waived for waived in state.sheets_waived if waived != game)


def _apply_dispute(
    sheet: AcceptedSheet[FinishedGame], event: e.SheetDisputed | e.DisputeSettled
) -> AcceptedSheet[FinishedGame]:
    if isinstance(event, e.SheetDisputed):
        return replace(sheet, disputed=event.reason)
    return replace(sheet, disputed="", contested=())


def _with_sheet(
    state: TournamentState, event: e.SheetAccepted | e.SheetContested | e.SheetCorrected
) -> TournamentState:
    """Return the state after an event about a record sheet."""
    number, table = event.result.round, event.result.table
    drawn = state.rounds[number - 1] if 1 <= number <= len(state.rounds) else None
    if drawn is None or not drawn.has(event.game, table):
        raise BadData("tournament log", f"{type(event).__name__} of a game that is not drawn: {event.game}")
    after = replace(drawn, sheets=sheets_after(drawn.sheets, event))
    if after.complete and after.missing:
        raise BadData("tournament log", f"a record sheet of round {number} is accepted twice")
    rounds = (*state.rounds[: number - 1], after, *state.rounds[number:])
    return replace(state, rounds=rounds, sheets_waived=_waived_without(state, event.game))


def _apply_finals(state: TournamentState, event: e.TournamentEvent) -> Finals:
    if state.finals is None:
        raise BadData("tournament log", f"{type(event).__name__} comes before the finalists are named")
    return state.finals


def _with_duels(state: TournamentState, event: e.DuelsBegun) -> TournamentState:
    tables = in_hall(event.tables, state.hall_tables)
    duels = Duels(event.part, event.round, event.attempt, event.kind, tables)
    if event.part is DuelPart.TIE_BREAK:
        return replace(state, tie_duels=(*state.tie_duels, duels), attempts=_attempts(state, event))
    finals = _apply_finals(state, event)
    is_final = event.part is DuelPart.FINAL
    finals = replace(finals, final=duels) if is_final else replace(finals, semifinals=duels)
    return replace(state, finals=finals, attempts=_attempts(state, event))


def _with_duel_called_off(state: TournamentState, game: GameId) -> TournamentState:
    ties = tuple(
        replace(duels, called_off=True) if duels.tables[0].game == game else duels
        for duels in state.tie_duels
    )
    if ties == state.tie_duels:
        raise BadData("tournament log", f"a duel is called off that is not running: {game}")
    return replace(state, tie_duels=ties)


def _with_duel_sheet(
    state: TournamentState, event: e.DuelAccepted | e.DuelContested | e.DuelCorrected
) -> TournamentState:
    ties = tuple(_duels_after(duels, event) for duels in state.tie_duels)
    if ties != state.tie_duels:
        return replace(state, tie_duels=ties)
    finals = _apply_finals(state, event)
    changed = replace(
        finals,
        semifinals=None if finals.semifinals is None else _duels_after(finals.semifinals, event),
        final=None if finals.final is None else _duels_after(finals.final, event),
    )
    if changed == finals:
        raise BadData("tournament log", f"{type(event).__name__} changes nothing: duel {event.game}")
    return replace(state, finals=changed)


def _duels_after(duels: Duels, event: e.DuelAccepted | e.DuelContested | e.DuelCorrected) -> Duels:
    if not any(table.game == event.game for table in duels.tables):
        return duels
    return replace(duels, sheets=sheets_after(duels.sheets, event))


def sheets_after(
    sheets: GrowingTuple[AcceptedSheet[_Result]],
    event: e.ResultAccepted[_Result] | e.ResultContested[_Result] | e.ResultCorrected[_Result],
) -> GrowingTuple[AcceptedSheet[_Result]]:
    """Return the accepted sheets of a round or of duels after an event."""
    if isinstance(event, e.ResultAccepted):
        accepted = AcceptedSheet(
            event.game, event.result, event.source, event.by, origin=event.origin, reason=event.reason
        )
        return sheets.added(accepted)
    return sheets.changed(lambda sheet: _apply_changes(sheet, event) if sheet.game == event.game else sheet)


def _apply_changes(
    sheet: AcceptedSheet[_Result], event: e.ResultContested[_Result] | e.ResultCorrected[_Result]
) -> AcceptedSheet[_Result]:
    if isinstance(event, e.ResultContested):
        return replace(sheet, contested=(*sheet.contested, (event.result, event.origin)))
    corrections = (*sheet.corrections, event.reason)
    return replace(
        sheet, result=event.result, by=event.by, corrections=corrections, contested=(), disputed=""
    )
