"""What terminals report of a table, and how it stands beside what the judge accepted."""

from collections.abc import Iterator

from saloon.core.errors import Refused
from saloon.core.game.finished import FinishedGame, finished_game
from saloon.core.game.state import Elimination, GameState
from saloon.core.terms import GameId
from saloon.core.tournament.commands import AcceptSheet
from saloon.core.tournament.events import SheetAccepted, Source
from saloon.core.tournament.state import AcceptedSheet
from saloon.station.enrolments import EnrolledTerminal
from saloon.station.office.acceptance import DueAcceptance, confirmed_at, was_told_to_seat
from saloon.station.office.orders import PublishedTable
from saloon.station.office_contract import SheetState
from saloon.station.projections import GameTrack, Projections


def track_of(game: GameId, projections: Projections, terminal: EnrolledTerminal | None) -> GameTrack | None:
    """A game as the terminal that stands at its table tells it, else as the one that knows most."""
    here = None if terminal is None else projections.told_by(game, terminal.terminal)
    return here if here is not None else projections.longest(game)


def reported(state: GameState | None) -> FinishedGame | None:
    """The result that a terminal's events give; None while it plays."""
    if state is None:
        return None
    try:
        return finished_game(state)
    except Refused:
        return None


def accepted_sheet(table: PublishedTable) -> AcceptedSheet | None:
    """The record sheet that the judge accepted, as corrected; None while it is missing."""
    return next((sheet for sheet in table.round.sheets if sheet.game == table.drawn.game), None)


def sheet_state(table: PublishedTable, projections: Projections) -> SheetState:
    """How far a table's record sheet is.

    Disputed: a judge confirmed another result at the table after this one was accepted here, and
    nothing was corrected since.
    """
    game = table.drawn.game
    sheet = accepted_sheet(table)
    tracks = projections.games.get(game, [])
    if sheet is None:
        ended = any(track.state is not None and track.state.ending is not None for track in tracks)
        return SheetState.PROPOSED if ended else SheetState.PLAYING
    accepted_at = projections.tournaments[table.tournament.tournament].accepted_at.get(game, 0)
    for track in tracks:
        result = reported(track.state) if track.confirmed_by_judge else None
        late = (track.confirmed_at or 0) > accepted_at
        if result is not None and late and not sheet.corrections and not is_same(result, sheet.result):
            return SheetState.DISPUTED
    return SheetState.ACCEPTED


def is_same(one: FinishedGame, other: FinishedGame) -> bool:
    """Whether two results agree in what a record sheet says.

    Turns, whose turn it was, and which eliminations one card caused are counted by terminals only;
    who eliminated whom may be unknown on paper.
    """
    return (
        (one.round, one.table, one.players, one.roles, one.ending)
        == (other.round, other.table, other.players, other.roles, other.ending)
        and {left.seat for left in one.abandonments} == {left.seat for left in other.abandonments}
        and len(one.eliminations) == len(other.eliminations)
        and all(map(_is_same_elimination, one.eliminations, other.eliminations))
    )


def _is_same_elimination(one: Elimination, other: Elimination) -> bool:
    return one.seat == other.seat and (one.by == other.by or None in {one.by, other.by})


def acceptances_due(
    published: dict[GameId, PublishedTable], projections: Projections
) -> Iterator[DueAcceptance]:
    """The sheets that were confirmed at the tables and are to be accepted now.

    Each at most once: what the judge took back afterwards is the judge's to accept. Only from a
    terminal that was told to seat the game.
    """
    for game, table in published.items():
        if table.is_accepted:
            continue
        for track in projections.games.get(game, []):
            due = _acceptance(table, track, projections)
            if due is not None:
                yield due
                break


def _acceptance(table: PublishedTable, track: GameTrack, projections: Projections) -> DueAcceptance | None:
    state = track.state
    result = reported(state) if track.confirmed_by_judge else None
    if state is None or result is None or state.confirmed is None:
        return None
    game, number = table.drawn.game, table.drawn.table
    if not was_told_to_seat(track, game, projections):
        return None
    by = confirmed_at(track, number)
    command = AcceptSheet(game, result, Source.TERMINAL)
    seen = SheetAccepted(game, result, Source.TERMINAL, by)
    tournament = table.tournament.tournament
    if projections.tournaments[tournament].was_accepted(seen):
        return None
    return DueAcceptance(tournament, number, command, by)
