"""The duels of the finals at their tables: whom to seat, and which results the judges confirmed there."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from saloon.core.errors import Refused
from saloon.core.game.duel.finished import FinishedDuel, finished_duel
from saloon.core.game.state import GameState
from saloon.core.terms import GameId
from saloon.core.tournament.commands import AcceptDuel
from saloon.core.tournament.events import DrawnTable, DuelAccepted, Source
from saloon.core.tournament.finals import Duels
from saloon.core.tournament.state import TournamentState
from saloon.station.office.acceptance import DueAcceptance, confirmed_at, was_told_to_seat
from saloon.station.projections import GameTrack, Projections


class CalledDuel(msgspec.Struct, frozen=True):
    """A duel that was called to its table, with its tournament."""

    tournament: TournamentState
    duels: Duels
    drawn: DrawnTable

    @property
    def is_accepted(self) -> bool:
        """Whether its result is accepted."""
        return any(accepted.game == self.drawn.game for accepted in self.duels.results)

    @property
    def is_running(self) -> bool:
        """Whether it is to be played: nobody has won it, and nobody has left."""
        finals = self.tournament.finals
        return finals is not None and (self.duels, self.drawn) in finals.open_duels


def called_duels(tournaments: Sequence[TournamentState]) -> dict[GameId, CalledDuel]:
    """All duels that were called to tables, by game."""
    return {
        drawn.game: CalledDuel(tournament, duels, drawn)
        for tournament in tournaments
        if tournament.finals is not None
        for duels in tournament.finals.begun
        for drawn in duels.tables
    }


def reported_duel(state: GameState | None) -> FinishedDuel | None:
    """The result that a terminal's events give; None while it plays, and for a game with roles."""
    if state is None:
        return None
    try:
        return finished_duel(state)
    except Refused:
        return None


def duel_acceptances_due(
    called: Mapping[GameId, CalledDuel], projections: Projections
) -> Iterator[DueAcceptance]:
    """The duels whose results were confirmed at the tables and are to be accepted now, each at most once."""
    for game, duel in called.items():
        if duel.is_accepted:
            continue
        found = (_acceptance(duel, track, projections) for track in projections.games.get(game, []))
        due = next((due for due in found if due is not None), None)
        if due is not None:
            yield due


def _acceptance(duel: CalledDuel, track: GameTrack, projections: Projections) -> DueAcceptance | None:
    result = reported_duel(track.state) if track.confirmed_by_judge else None
    game, table = duel.drawn.game, duel.drawn.table
    if result is None or not was_told_to_seat(track, game, projections):
        return None
    by = confirmed_at(track, table)
    tournament = duel.tournament.tournament
    seen = DuelAccepted(game, result, Source.TERMINAL, by)
    if projections.tournaments[tournament].was_accepted(seen):
        return None
    return DueAcceptance(tournament, table, AcceptDuel(game, result, Source.TERMINAL), by)
