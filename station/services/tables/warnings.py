"""Warnings that judges gave at the tables, each of which becomes the tournament's exactly once."""

from collections.abc import Iterator

import msgspec

from saloon.core.terms import TableNo, TournamentId
from saloon.core.tournament.commands import WarnPlayer
from saloon.core.tournament.state import Stage
from saloon.station.store.projections import Projections


class DueWarning(msgspec.Struct, frozen=True):
    """A warning at a table that its tournament has not recorded yet."""

    tournament: TournamentId
    table: TableNo
    command: WarnPlayer

    @property
    def by(self) -> str:
        """Return the author of the tournament's step."""
        return f"terminal {self.table}"


def warnings_due(projections: Projections) -> Iterator[DueWarning]:
    """Yield the warnings of all terminals' logs that are to be recorded now, in order of arrival.

    They come from every log of a game, also one that no longer counts: a judge's warning is no move of the
    game. A copy names its original, and counts as that. One that a judge took back here is not due again.
    """
    for origin, warning in projections.warnings.items():
        track = projections.tournaments.get(warning.tournament)
        if track is None or track.state.stage is Stage.PUBLISHED or origin in track.state.warnings_taken:
            continue
        if track.state.entrant(warning.player) is not None:
            command = WarnPlayer(warning.player, warning.reason, warning.offence, origin)
            yield DueWarning(warning.tournament, warning.table, command)
