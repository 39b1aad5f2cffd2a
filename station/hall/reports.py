"""Decisions that follow from the terminals' reports: sheets to accept or dispute, warnings to record."""

from collections.abc import Collection, Iterator

import msgspec

from base.errors import Refused
from core.game.result import Result, finished_match, is_same
from core.game.state.game import Confirmation, GameState
from core.terms import GameId, MatchKind, TableNo, TournamentId
from core.tournament.penalties import WarnPlayer
from core.tournament.sheets import AcceptDuel, AcceptSheet, accept_result
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage
from station.hall.authoritative_log import Standing, authoritative_log
from station.hall.published import PublishedTable
from station.projections.cards import SheetState
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections
from sync.protocol.entry import TerminalId

_AT_THE_TABLE = {Confirmation.PIN: "PIN", Confirmation.KEY: "key"}


class DueDecision(msgspec.Struct, frozen=True):
    """A judge's decision at a table that its tournament does not contain yet."""

    tournament: TournamentId
    table: TableNo
    command: AcceptSheet | AcceptDuel | WarnPlayer
    by: str


def reported_result(state: GameState | None) -> Result | None:
    """Return the result according to a terminal's events, or None while it is playing."""
    if state is None:
        return None
    try:
        return finished_match(state)
    except Refused:
        return None


def sheet_state(table: PublishedTable, projections: Projections, here: Standing) -> SheetState:
    """Return the state of a table's record sheet.

    A sheet is disputed if a judge has doubted it, or if, after it was accepted or corrected, a different
    result was reported by a terminal, confirmed at a table or imported.
    """
    game = table.drawn.game
    if table.accepted is None:
        track = authoritative_log(game, projections, here)
        is_over = track is not None and _is_over(track.state)
        if not is_over and table.match is not MatchKind.GAME and not table.is_running:
            return SheetState.WALKOVER
        return SheetState.PROPOSED if is_over else SheetState.PLAYING
    if table.accepted.disputed or disagreeing(table, projections) or contesting(table) is not None:
        return SheetState.DISPUTED
    return SheetState.ACCEPTED


def disagreeing(table: PublishedTable, projections: Projections) -> tuple[GameTrack, ...]:
    """Return the logs with a different result that arrived after the sheet was accepted or corrected."""
    if table.accepted is None:
        return ()
    game, accepted = table.drawn.game, table.accepted.result
    accepted_at = projections.tournaments[table.tournament.tournament].accepted_at.get(game, 0)
    tracks = []
    for track in projections.games.get(game, []):
        result = reported_result(track.state)
        is_late = max(track.ended_at or 0, track.confirmed_at or 0) > accepted_at
        if result is not None and is_late and not is_same(result, accepted):
            tracks.append(track)
    return tuple(tracks)


def contesting(table: PublishedTable) -> Result | None:
    """Return the imported result that differs from the accepted one, or None if there is none."""
    accepted = table.accepted
    if accepted is None:
        return None
    others = (result for result, _ in accepted.contested if not is_same(result, accepted.result))
    return next(others, None)


def _is_over(state: GameState | None) -> bool:
    if state is None:
        return False
    return state.ending is not None or (state.duel is not None and state.duel.winner is not None)


def acceptances_due(
    published: dict[GameId, PublishedTable],
    projections: Projections,
    here: Standing,
    trusted: Collection[TerminalId],
) -> Iterator[DueDecision]:
    """Yield the sheets that were confirmed at tables and should be accepted now.

    A sheet that a judge has withdrawn is not accepted again. Only the log that counts is considered, and only
    if its terminal still has the game and is one of the ``trusted`` ones.
    """
    for game, table in published.items():
        if table.is_accepted:
            continue
        track = authoritative_log(game, projections, here)
        is_trusted = track is not None and track.terminal in trusted
        due = _acceptance(table, track, projections) if track is not None and is_trusted else None
        if due is not None:
            yield due


def _acceptance(table: PublishedTable, track: GameTrack, projections: Projections) -> DueDecision | None:
    state = track.state
    result = reported_result(state) if track.confirmed_by_judge else None
    if state is None or result is None or state.confirmed is None:
        return None
    game = table.drawn.game
    if projections.handovers.is_relieved(game, track.terminal):
        return None
    by = f"terminal {table.drawn.table} ({_AT_THE_TABLE[state.confirmed]})"
    command = accept_result(game, result, Source.TERMINAL)
    if projections.tournaments[table.tournament.tournament].was_accepted(command):
        return None
    return DueDecision(table.tournament.tournament, table.drawn.table, command, by)


def warnings_due(projections: Projections) -> Iterator[DueDecision]:
    """Yield the warnings in all terminals' logs that should be recorded now, in order of arrival.

    Logs that do not count are included, because a warning is not a move in the game. A copied warning counts
    as its original. A warning withdrawn at the station is not recorded again.
    """
    for origin, warning in projections.warnings.items():
        track = projections.tournaments.get(warning.tournament)
        if track is None or track.state.stage is Stage.PUBLISHED or origin in track.state.warnings_taken:
            continue
        if track.state.entrant(warning.player) is not None:
            command = WarnPlayer(warning.player, warning.reason, offence=warning.offence, origin=origin)
            yield DueDecision(warning.tournament, warning.table, command, f"terminal {warning.table}")
