"""Find the games that an undo would void. Their steps remain stored."""

from collections.abc import Iterator, Mapping

from core.game.state.game import GameState, Phase
from core.terms import GameId, TournamentId
from core.tournament.state.decision import Progress, VoidedGame
from station.hall.authoritative_log import authoritative_log
from station.hall.published import PublishedTable, published_tables
from station.hall.station_context import StationContext
from station.projections.floor_cards import TimedGameStep
from station.projections.terminal_cards import TerminalLink

_PROGRESS: Mapping[Phase, Progress | None] = {
    Phase.SEATING: None,
    Phase.ROLES: Progress.BEGINNING,
    Phase.AUCTION: Progress.BEGINNING,
    Phase.CHARACTERS: Progress.BEGINNING,
    Phase.PLAYING: Progress.PLAYING,
    Phase.DUEL: Progress.PLAYING,
    Phase.ENDED: Progress.OVER,
    Phase.SHEET: Progress.OVER,
    Phase.CONFIRMED: Progress.OVER,
    Phase.VOIDED: None,
}
"""The progress of a game by its phase, or None if nothing would be lost."""


def voided_games(context: StationContext, tournament: TournamentId, steps: int) -> tuple[VoidedGame, ...]:
    """Return the started games whose draw was published by the last ``steps`` steps. Raises KeyError."""
    moments = context.projections.tournaments[tournament].timeline.moments
    if not 0 < steps < len(moments):
        return ()
    kept = published_tables((moments[-1 - steps].state,))
    now = published_tables((moments[-1].state,))
    games = (_void(context, table) for game, table in now.items() if game not in kept)
    return tuple(game for game in games if game is not None)


def _void(context: StationContext, table: PublishedTable) -> VoidedGame | None:
    game = table.drawn.game
    track = authoritative_log(game, context.projections, context.terminals_by_table())
    state = None if track is None else track.state
    progress = Progress.ACCEPTED if table.is_accepted else _progress(context, table, state)
    if progress is None:
        return None
    if state is None or state.phase is Phase.VOIDED:
        return VoidedGame(table.round, table.drawn.table, game, progress)
    eliminated = tuple(table.drawn.players[out.seat - 1] for out in state.eliminations)
    return VoidedGame(table.round, table.drawn.table, game, progress, state.turns, eliminated)


def _progress(context: StationContext, table: PublishedTable, state: GameState | None) -> Progress | None:
    """Return the progress of a game without an accepted sheet, or None if nothing would be lost.

    A disconnected terminal may have started or continued the game since it last reported.
    """
    known = None if state is None else _PROGRESS[state.phase]
    is_open = state is None or state.phase is Phase.SEATING
    return Progress.UNKNOWN if is_open and _may_play_unheard(context, table) else known


def _may_play_unheard(context: StationContext, table: PublishedTable) -> bool:
    keeper = context.terminals_by_table().get(table.drawn.table)
    terminal = next((known for known in context.terminals if known.terminal == keeper), None)
    if terminal is None:
        return False
    is_given = context.projections.handovers.was_given(table.drawn.game, terminal.terminal)
    return is_given and context.links.card(terminal).link is TerminalLink.AWAY


def stories(context: StationContext, game: GameId) -> Iterator[tuple[TimedGameStep, ...]]:
    """Yield the steps that terminals reported of a game before it was voided, log by log."""
    for track in context.projections.games.get(game, ()):
        if track.state is not None and track.state.phase is Phase.VOIDED:
            yield tuple(track.steps)
