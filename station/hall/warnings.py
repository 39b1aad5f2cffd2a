"""Warnings that judges gave at tables, each recorded in its tournament exactly once."""

from collections.abc import Iterator

import msgspec

from core.terms import TableNo, TournamentId
from core.tournament.penalties import WarnPlayer
from core.tournament.state.tournament import Stage
from station.projections.projections import Projections


class DueWarning(msgspec.Struct, frozen=True):
    """A warning at a table that is not recorded in its tournament yet."""

    tournament: TournamentId
    table: TableNo
    command: WarnPlayer

    @property
    def by(self) -> str:
        """Return the author of the tournament's step."""
        return f"terminal {self.table}"


def warnings_due(projections: Projections) -> Iterator[DueWarning]:
    """Yield the warnings in all terminals' logs that should be recorded now, in order of arrival.

    Logs of a game that no longer count are included, as a warning is not a move of the game. A copied warning
    counts as its original. A warning withdrawn at the station is not recorded again.
    """
    for origin, warning in projections.warnings.items():
        track = projections.tournaments.get(warning.tournament)
        if track is None or track.state.stage is Stage.PUBLISHED or origin in track.state.warnings_taken:
            continue
        if track.state.entrant(warning.player) is not None:
            command = WarnPlayer(warning.player, warning.reason, offence=warning.offence, origin=origin)
            yield DueWarning(warning.tournament, warning.table, command)
