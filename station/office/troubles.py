"""What breaks in a hall, in the judge's hands: late steps, forks, alarms that wait to be seen."""

import structlog

from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament.events import OwingTable
from saloon.station.alarms import ALARMS, AlarmSeen
from saloon.station.office import late
from saloon.station.office.desk import Desk
from saloon.station.office.owing import owing

_log = structlog.get_logger()


class DeskTroubles:
    """``office_contract.Troubles`` on a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def is_away(self) -> bool:
        """Whether the station's database does not answer."""
        return self._desk.is_away

    def owing(self, tournament: TournamentId) -> tuple[OwingTable, ...]:
        """The tables that owe entries and that no judge went on without. Raises KeyError."""
        state = self._desk.projections.tournaments[tournament].state
        return tuple(owed for owed in owing(self._desk, state) if owed.game not in state.owed_waived)

    async def go_on_from(self, game: GameId, subject: str, reason: str, by: str) -> None:
        """Have a table go on from late steps. Raises KeyError, Refused, Unavailable."""
        await self._desk.to_the_end(late.go_on_from(self._desk, game, subject, reason, by))

    async def mark_seen(self, subject: str, by: str) -> None:
        """The judge has seen an alarm: it rings no more, also after a restart. Raises Unavailable."""
        await self._desk.to_the_end(self._mark_seen(subject, by))
        _log.info("alarm seen", subject=subject, by=by)

    async def _mark_seen(self, subject: str, by: str) -> None:
        desk = self._desk

        async def _marked() -> None:
            if subject not in desk.projections.seen:
                await desk.append([(ALARMS, AlarmSeen(subject, by))])

        async with desk.lock:
            await desk.decided(_marked)
        desk.feed.publish("tournament")
        desk.feed.publish("terminals")
