"""The interface for problems in a hall: data that pages show, and judges' decisions.

All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

from typing import Protocol

import msgspec

from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament.events import OwingTable, VoidedGame
from saloon.station.floor_contract import FloorCard, TimedGameStep
from saloon.station.terminals.terminals_contract import TerminalCard
from saloon.sync.diagnostics.findings import Finding
from saloon.sync.link.counters import Counters
from saloon.sync.protocol.entry import TerminalId


class JournalProblem(msgspec.Struct, frozen=True):
    """A problem with a terminal's journal. is_seen: a judge has seen it.

    seq: the entry concerned, 0 if the station has none. stored, received: the station's step under this
    number and the one that came later, if they can be read. names: of the seats.
    """

    problem: str
    is_seen: bool
    epoch: str = ""
    seq: int = 0
    stored: TimedGameStep | None = None
    received: TimedGameStep | None = None
    names: tuple[str, ...] = ()


class LinkHealth(msgspec.Struct, frozen=True):
    """The health of a terminal's link, in words and figures. finding: the diagnosis.

    counters: of a cable at this station. damaged, bit_errors: shares, 0 to 1, if they can be computed.
    """

    card: TerminalCard
    finding: Finding
    fields: dict[str, str | int]
    counters: Counters | None = None
    damaged: float = 0.0
    bit_errors: float = 0.0


class BusAlarm(msgspec.Struct, frozen=True):
    """An alarm about an RS-485 bus. device: its name at the station."""

    device: str
    problem: str


class Troubles(Protocol):
    """Judges' decisions about broken or conflicting terminals."""

    def is_away(self) -> bool:
        """Return whether the station's database is unreachable; the data shown is as old as that."""

    def link(self, terminal: TerminalId) -> LinkHealth:
        """Return the health of a terminal's link; raises ``KeyError``."""

    def owing(self, tournament: TournamentId) -> tuple[OwingTable, ...]:
        """Return the tables of the last round with entries missing that no judge has waived.

        Raises ``KeyError``.
        """

    def disputed(self, tournament: TournamentId) -> tuple[FloorCard, ...]:
        """Return the tables of all rounds whose accepted record sheets are disputed. Raises ``KeyError``."""

    async def end_call(self, game: GameId, by: str) -> None:
        """Mark a table's call as dealt with; it stops ringing. Raises ``KeyError``, ``Unavailable``."""

    async def of_terminal(self, terminal: TerminalId) -> tuple[JournalProblem, ...]:
        """Return all problems ever found in a terminal's journal, oldest first; raises ``Unavailable``."""

    async def export_of(self, terminal: TerminalId) -> bytes:
        """Export both versions of a terminal's quarantined entries, as JSON lines; raises ``Unavailable``."""

    async def mark_terminal_seen(self, terminal: TerminalId, by: str) -> None:
        """Mark all problems with a terminal's journal as seen; raises ``Unavailable``."""

    def voided_games(self, tournament: TournamentId, steps: int) -> tuple[VoidedGame, ...]:
        """Return the games in play that undoing these steps would void; raises ``KeyError``."""

    def voided_stories(self, game: GameId) -> tuple[tuple[TimedGameStep, ...], ...]:
        """Return the steps that terminals reported of a game before it was voided, one list for each."""

    def pair_alarms(self) -> tuple[BusAlarm, ...]:
        """Return the alarms about RS-485 buses."""

    async def go_on_from(self, game: GameId, subject: str, reason: str, by: str) -> None:
        """Continue a table's game from a terminal's late steps; its own entries since no longer count.

        Raises ``KeyError`` if there are none any more, ``Refused`` without a reason, ``Unavailable``.
        """

    async def mark_seen(self, subject: str, by: str) -> None:
        """Mark an alarm as seen, changing nothing else; raises ``Unavailable``."""
