"""Decide whether the rules allow a command, and which events it causes."""

from typing import assert_never

from saloon.base.errors import OurFault, Refused
from saloon.core.editions.edition import Edition
from saloon.core.tournament import registration
from saloon.core.tournament.clock.clock import decide_clock
from saloon.core.tournament.clock.clock_commands import ClockCommand
from saloon.core.tournament.commands import (
    AcceptDuel,
    AcceptSheet,
    BeginDuels,
    ChangeWaivers,
    ContestDuel,
    ContestSheet,
    CorrectDuel,
    CorrectSheet,
    DisputeSheet,
    DrawLots,
    EjectPlayer,
    EnterOneOnOne,
    MakeDraw,
    MoveTables,
    OpenTournament,
    PublishDraw,
    PublishRanking,
    PublishRoundsRanking,
    RegisterPlayers,
    RenamePlayer,
    SealDraw,
    SettleDispute,
    TournamentCommand,
    UndoSteps,
    WaiveOwedEntries,
    WarnPlayer,
    WithdrawPlayer,
)
from saloon.core.tournament.draw import drawing, hall_tables
from saloon.core.tournament.events import StepsUndone, TournamentEvent
from saloon.core.tournament.finals import dueling
from saloon.core.tournament.guards import given_reason
from saloon.core.tournament.reasons import Reason
from saloon.core.tournament.results import missing_entries as owing
from saloon.core.tournament.results import penalties, sheets
from saloon.core.tournament.standings import ranking
from saloon.core.tournament.state import TournamentState


def decide(
    state: TournamentState | None, command: TournamentCommand, edition: Edition, by: str
) -> tuple[TournamentEvent, ...]:
    """Return the events that a command causes, all of one step; never none.

    state: None before the opening. edition: the tournament's. by: the judge's name.
    Raises Refused, with a member of ``Reason`` or of the game's reasons; nothing has changed then.
    """
    if isinstance(command, OpenTournament):
        if state is not None:
            raise Refused(Reason.ALREADY_OPEN)
        return (registration.open_tournament(command, edition, by),)
    if state is None:
        raise Refused(Reason.NOT_OPEN)
    if state.edition != edition.key:
        raise OurFault(f"tournament {state.tournament} is by {state.edition}, not by {edition.key}")
    if isinstance(command, ClockCommand):
        return (decide_clock(state, command, by),)
    if isinstance(command, WarnPlayer):
        return penalties.warn(state, command, edition, by)
    return (_decided(state, command, edition, by),)


def why_not(
    state: TournamentState | None, command: TournamentCommand, edition: Edition, by: str = ""
) -> Refused | None:
    """Return the refusal that a command would meet now; None if it would be carried out."""
    try:
        decide(state, command, edition, by)
    except Refused as refusal:
        return refusal
    return None


_Single = (
    MoveTables
    | ChangeWaivers
    | RegisterPlayers
    | RenamePlayer
    | WithdrawPlayer
    | EjectPlayer
    | SealDraw
    | MakeDraw
    | PublishDraw
    | AcceptSheet
    | ContestSheet
    | CorrectSheet
    | DisputeSheet
    | SettleDispute
    | DrawLots
    | EnterOneOnOne
    | PublishRoundsRanking
    | BeginDuels
    | AcceptDuel
    | ContestDuel
    | CorrectDuel
    | PublishRanking
    | WaiveOwedEntries
    | UndoSteps
)
"""The commands that cause one event."""


def _decided(state: TournamentState, command: _Single, edition: Edition, by: str) -> TournamentEvent:
    match command:
        case ChangeWaivers() | RegisterPlayers() | RenamePlayer() | WithdrawPlayer() | EjectPlayer():
            return _about_players(state, command, edition, by)
        case MoveTables() | SealDraw() | MakeDraw() | PublishDraw():
            return _about_draw(state, command, edition, by)
        case AcceptSheet() | ContestSheet() | CorrectSheet() | DisputeSheet() | SettleDispute():
            return _about_sheet(state, command, edition, by)
        case DrawLots() | EnterOneOnOne():
            return _about_ties(state, command, edition, by)
        case PublishRoundsRanking() | BeginDuels() | AcceptDuel() | ContestDuel() | CorrectDuel():
            return _about_finals(state, command, edition, by)
        case PublishRanking():
            return ranking.publish_ranking(state, command, edition, by)
        case WaiveOwedEntries():
            return owing.waive(state, command, by)
        case UndoSteps():
            return _undo(state, command, by)
        case _:
            assert_never(command)


def _about_sheet(
    state: TournamentState,
    command: AcceptSheet | ContestSheet | CorrectSheet | DisputeSheet | SettleDispute,
    edition: Edition,
    by: str,
) -> TournamentEvent:
    match command:
        case AcceptSheet():
            return sheets.accept(state, command, edition, by)
        case ContestSheet():
            return sheets.contest(state, command, edition, by)
        case CorrectSheet():
            return sheets.correct(state, command, edition, by)
        case DisputeSheet():
            return sheets.dispute(state, command, by)
        case SettleDispute():
            return sheets.settle(state, command, by)
        case _:
            assert_never(command)


def _about_players(
    state: TournamentState,
    command: ChangeWaivers | RegisterPlayers | RenamePlayer | WithdrawPlayer | EjectPlayer,
    edition: Edition,
    by: str,
) -> TournamentEvent:
    match command:
        case ChangeWaivers():
            return registration.change_waivers(state, command, edition, by)
        case RegisterPlayers():
            return registration.register(state, command, by)
        case RenamePlayer():
            return registration.rename(state, command, by)
        case WithdrawPlayer():
            return penalties.withdraw(state, command, edition, by)
        case EjectPlayer():
            return penalties.eject(state, command, edition, by)
        case _:
            assert_never(command)


def _about_ties(
    state: TournamentState, command: DrawLots | EnterOneOnOne, edition: Edition, by: str
) -> TournamentEvent:
    match command:
        case DrawLots():
            return ranking.draw_lots(state, command, edition, by)
        case EnterOneOnOne():
            return ranking.enter_one_on_one(state, command, edition, by)
        case _:
            assert_never(command)


def _about_draw(
    state: TournamentState, command: MoveTables | SealDraw | MakeDraw | PublishDraw, edition: Edition, by: str
) -> TournamentEvent:
    match command:
        case MoveTables():
            return hall_tables.move(state, command, by)
        case SealDraw():
            return drawing.seal(state, command, edition, by)
        case MakeDraw():
            return drawing.make(state, command, edition, by)
        case PublishDraw():
            return drawing.publish(state, command, edition, by)
        case _:
            assert_never(command)


def _about_finals(
    state: TournamentState,
    command: PublishRoundsRanking | BeginDuels | AcceptDuel | ContestDuel | CorrectDuel,
    edition: Edition,
    by: str,
) -> TournamentEvent:
    match command:
        case PublishRoundsRanking():
            return dueling.publish_rounds_ranking(state, command, edition, by)
        case BeginDuels():
            return dueling.begin(state, command, edition, by)
        case AcceptDuel():
            return dueling.accept(state, command, edition, by)
        case ContestDuel():
            return dueling.contest(state, command, edition, by)
        case CorrectDuel():
            return dueling.correct(state, command, edition, by)
        case _:
            assert_never(command)


def _undo(state: TournamentState, command: UndoSteps, by: str) -> StepsUndone:
    """Return the undo of the last steps; a draw never outlives the steps that follow from it.

    Refused while a game would be void that the judge has not confirmed by name.
    """
    reason = given_reason(command.reason)
    possible = state.steps - 1
    if not 1 <= command.steps <= possible:
        raise Refused(Reason.STEPS_OUT_OF_RANGE, steps=command.steps, possible=possible)
    silent = sorted(game.table for game in command.voids if game.game not in command.confirmed)
    if silent:
        raise Refused(Reason.GAMES_WOULD_BE_VOID, tables=", ".join(map(str, silent)))
    return StepsUndone(steps=command.steps, reason=reason, by=by, voided=command.voids)
