"""Facts about the hall that decisions need and that the tournament's own log does not contain."""

from collections.abc import Iterator, Mapping

from core.game.state.game import GameState, Phase
from core.terms import GameId, TournamentId
from core.tournament.decisions import TournamentDecision
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import unrecorded_departures
from core.tournament.standings.ranking import DrawLots, EnterOneOnOne, PublishRanking
from core.tournament.state.decision import (
    NOTHING_KNOWN,
    DisputedTable,
    HallFacts,
    OwingTable,
    Progress,
    TableInUse,
    VoidedGame,
)
from core.tournament.state.tournament import TournamentState
from station.hall.published import PublishedTable, last_tables, published_tables, tables_of
from station.hall.station_context import StationContext
from station.hall.table_cards import card, disputed_tables
from station.projections.cards import FloorCard, TerminalLink, TimedGameStep

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
    """Return the started games that undoing the last ``steps`` steps would void. Raises KeyError."""
    moments = context.projections.tournaments[tournament].timeline.moments
    if not 0 < steps < len(moments):
        return ()
    kept = published_tables((moments[-1 - steps].state,))
    now = published_tables((moments[-1].state,))
    games = (_void(context, table) for game, table in now.items() if game not in kept)
    return tuple(game for game in games if game is not None)


def _void(context: StationContext, table: PublishedTable) -> VoidedGame | None:
    game = table.drawn.game
    track = context.log_of(game)
    state = None if track is None else track.state
    progress = Progress.ACCEPTED if table.is_accepted else _progress(context, table, state)
    if progress is None:
        return None
    if state is None or state.phase is Phase.VOIDED:
        return VoidedGame(table.round, table.drawn.table, game, progress)
    eliminated = tuple(table.drawn.players[out.seat - 1] for out in state.eliminations)
    return VoidedGame(table.round, table.drawn.table, game, progress, state.turns, eliminated)


def _progress(context: StationContext, table: PublishedTable, state: GameState | None) -> Progress | None:
    """Return the progress of a game without an accepted sheet, or None if nothing would be lost."""
    known = None if state is None else _PROGRESS[state.phase]
    is_open = state is None or state.phase is Phase.SEATING
    return Progress.UNKNOWN if is_open and _may_play_unheard(context, table) else known


def _may_play_unheard(context: StationContext, table: PublishedTable) -> bool:
    terminal = context.terminal_at(table.drawn.table)
    if terminal is None:
        return False
    is_given = context.projections.handovers.was_given(table.drawn.game, terminal.terminal)
    return is_given and context.links.card(terminal).link is TerminalLink.AWAY


def voided_stories(context: StationContext, game: GameId) -> Iterator[tuple[TimedGameStep, ...]]:
    """Yield the steps that each terminal reported of a game before it was voided."""
    for track in context.projections.games.get(game, ()):
        if track.state is not None and track.state.phase is Phase.VOIDED:
            yield tuple(track.steps)


def tables_with_missing_entries(
    context: StationContext, tournament: TournamentState
) -> tuple[OwingTable, ...]:
    """Return the tables of the last round or duels with entries that are or may be missing."""
    tables = last_tables(tournament)
    cards = (card(context, tournament, table.round, table.drawn.table) for table in tables)
    missing = (_missing_from_table(one) for one in cards)
    return tuple(sorted((owed for owed in missing if owed is not None), key=lambda owed: owed.table))


def _missing_from_table(floor_card: FloorCard) -> OwingTable | None:
    """Return the table if any of its entries are or may be missing.

    A table without a terminal plays on paper, so nothing is missing. A disconnected terminal may have
    recorded more than it last reported, unless its game was reported to the end.
    """
    terminal = floor_card.terminal
    if terminal is None:
        return None
    is_told = floor_card.reported is not None or (
        floor_card.game is not None and floor_card.game.phase is Phase.VOIDED
    )
    if terminal.owes == 0 and (terminal.link is not TerminalLink.AWAY or is_told):
        return None
    if terminal.owes is None and is_told:
        return None
    return OwingTable(floor_card.round, floor_card.table, floor_card.game_id, terminal.owes or None)


def _in_use(context: StationContext, tournament: TournamentState) -> tuple[TableInUse, ...]:
    """Return the tables at which other tournaments are playing, with a terminal or on paper."""
    others = (state for state in context.tournament_states() if state.tournament != tournament.tournament)
    return tuple(
        TableInUse(table.drawn.table, state.name)
        for state in others
        for table in tables_of(state)
        if table.is_awaited
    )


_NEED_HALL_FACTS = (
    SealDraw,
    MakeDraw,
    PublishDraw,
    DrawLots,
    EnterOneOnOne,
    PublishRoundsRanking,
    BeginDuels,
    PublishRanking,
)


def hall_facts(
    context: StationContext, tournament: TournamentState | None, decision: TournamentDecision
) -> HallFacts:
    """Return the facts about the hall on which a decision depends.

    The core does not check for players who left a table, because logs older than this check must stay valid.
    """
    if tournament is None or not isinstance(decision, _NEED_HALL_FACTS):
        return NOTHING_KNOWN
    return HallFacts(
        owing=tables_with_missing_entries(context, tournament),
        left=tuple(leaver.player for leaver in unrecorded_departures(tournament)),
        disputed=tuple(
            DisputedTable(card.round, card.table) for card in disputed_tables(context, tournament)
        ),
        in_use=_in_use(context, tournament),
    )
