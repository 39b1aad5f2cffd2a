"""Decide a tournament's commands: return the events that each one causes, or refuse it."""

from typing import assert_never

from base.errors import OurFault, Refused
from core.editions.edition import Edition
from core.tournament import commands as c
from core.tournament import registration
from core.tournament.draw import by_hand, hall_tables
from core.tournament.draw import draw_commands as drawing
from core.tournament.events import OpenSheetsWaived, OwedEntriesWaived, StepsUndone, TournamentEvent
from core.tournament.finals import dueling
from core.tournament.results import penalties, sheets
from core.tournament.round_clock import decide_clock
from core.tournament.standings import ranking
from core.tournament.state import TournamentState
from core.tournament.state.guards import published_game, require_reason, still_secret
from core.tournament.state.hall_clock import ClockCommand
from core.tournament.state.reasons import TournamentReason


def decide(  # noqa: C901 - one exhaustive match over all commands
    state: TournamentState | None, command: c.TournamentCommand, edition: Edition, by: str
) -> tuple[TournamentEvent, ...]:
    """Return the events that a command causes, all in one step; never empty.

    state: None before the opening. edition: the tournament's. by: the judge's name.
    Raises Refused, with a member of ``TournamentReason`` or of the game's reasons; then nothing has changed.
    """
    if isinstance(command, c.OpenTournament):
        if state is not None:
            raise Refused(TournamentReason.ALREADY_OPEN)
        return (registration.open_tournament(command, edition, by),)
    if state is None:
        raise Refused(TournamentReason.NOT_OPEN)
    if state.edition != edition.key:
        raise OurFault(f"tournament {state.tournament} is by {state.edition}, not by {edition.key}")
    if isinstance(command, ClockCommand):
        return (decide_clock(state, command, by),)
    match command:
        case c.WarnPlayer():
            return penalties.warn(state, command, edition, by)
        case c.ChangeWaivers():
            return (registration.change_waivers(state, command, edition, by),)
        case c.RenameTournament():
            return (registration.rename_tournament(state, command, by),)
        case c.RegisterPlayers():
            return (registration.register(state, command, edition, by),)
        case c.SetLateEntry():
            return (registration.set_late_entry(state, command, edition, by),)
        case c.AllowTablesOfFour():
            return (drawing.allow_tables_of_four(state, command, edition, by),)
        case c.RenamePlayer():
            return (registration.rename(state, command, by),)
        case c.RemovePlayer():
            return (registration.remove(state, command, by),)
        case c.ReinstatePlayer():
            return (penalties.reinstate(state, command, edition, by),)
        case c.WithdrawPlayer():
            return (penalties.withdraw(state, command, edition, by),)
        case c.EjectPlayer():
            return (penalties.eject(state, command, edition, by),)
        case c.MoveTables():
            return (hall_tables.move(state, command, edition, by),)
        case c.SealDraw():
            return (drawing.seal(state, command, edition, by),)
        case c.MakeDraw():
            return (drawing.make(state, command, edition, by),)
        case c.ChangeDraw():
            return (by_hand.change_draw(state, command, edition, by),)
        case c.PublishDraw():
            return (drawing.publish(state, command, edition, by),)
        case c.AcceptSheet():
            return (sheets.accept(state, command, edition, by),)
        case c.ContestSheet():
            return (sheets.contest(state, command, edition, by),)
        case c.CorrectSheet():
            return (sheets.correct(state, command, edition, by),)
        case c.DisputeSheet():
            return (sheets.dispute(state, command, by),)
        case c.SettleDispute():
            return (sheets.settle(state, command, by),)
        case c.DrawLots():
            return (ranking.draw_lots(state, command, edition, by),)
        case c.EnterOneOnOne():
            return (ranking.enter_one_on_one(state, command, edition, by),)
        case c.PublishRoundsRanking():
            return (dueling.publish_rounds_ranking(state, command, edition, by),)
        case c.BeginDuels():
            return (dueling.begin(state, command, edition, by),)
        case c.BeginTieDuel():
            return (dueling.begin_tie_duel(state, command, edition, by),)
        case c.CallOffTieDuel():
            return (dueling.call_off_tie_duel(state, command, by),)
        case c.PublishRanking():
            return (ranking.publish_ranking(state, command, edition, by),)
        case c.WaiveOwedEntries():
            return (_waive(state, command, by),)
        case c.WaiveOpenSheets():
            return (_waive_sheets(state, command, by),)
        case c.UndoSteps():
            return (_undo(state, command, by),)
        case _:
            assert_never(command)


def why_not(
    state: TournamentState | None, command: c.TournamentCommand, edition: Edition, by: str = ""
) -> Refused | None:
    """Return the refusal that a command would meet now; None if it would be accepted."""
    try:
        decide(state, command, edition, by)
    except Refused as refusal:
        return refusal
    return None


def _undo(state: TournamentState, command: c.UndoSteps, by: str) -> StepsUndone:
    """Return the event that undoes the last steps.

    Refused if it would void a game that the judge has not confirmed.
    """
    reason = require_reason(command.reason)
    possible = state.steps - 1
    if not 1 <= command.steps <= possible:
        raise Refused(TournamentReason.STEPS_OUT_OF_RANGE, steps=command.steps, possible=possible)
    silent = sorted(game.table for game in command.voids if game.game not in command.confirmed)
    if silent:
        tables = ", ".join(map(str, silent))
        raise Refused(TournamentReason.GAMES_WOULD_BE_VOID, games=len(silent), tables=tables)
    return StepsUndone(steps=command.steps, reason=reason, by=by, voided=command.voids)


def _waive(state: TournamentState, command: c.WaiveOwedEntries, by: str) -> OwedEntriesWaived:
    """Return the event by which the judge goes on without the entries currently missing.

    Refused without a reason, for no table, and for a game that was never published.
    """
    still_secret(state)
    reason = require_reason(command.reason)
    if all(table.game in state.owed_waived for table in command.owing):
        raise Refused(TournamentReason.NOTHING_OWED)
    known = {table.game for _, table in state.called_tables}
    for table in command.owing:
        if table.game not in known:
            raise Refused(TournamentReason.UNKNOWN_GAME, game=table.game)
    return OwedEntriesWaived(tables=command.owing, reason=reason, by=by)


def _waive_sheets(state: TournamentState, command: c.WaiveOpenSheets, by: str) -> OpenSheetsWaived:
    """Return the event by which the judge allows the next draw despite these missing or disputed sheets.

    Refused without a reason, without a new sheet, and for a sheet that is neither missing nor disputed.
    """
    still_secret(state)
    reason = require_reason(command.reason)
    missing = {table.game for _, table in state.missing_sheets}
    for sheet in command.sheets:
        published_game(state, sheet.game)
    new = tuple(
        sheet
        for sheet in command.sheets
        if sheet.game not in state.sheets_waived and (sheet.game in missing) is not sheet.is_disputed
    )
    if not new:
        raise Refused(TournamentReason.NOTHING_OPEN)
    return OpenSheetsWaived(sheets=new, reason=reason, by=by)
