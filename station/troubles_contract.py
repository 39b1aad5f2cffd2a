"""What pages show of what breaks in a hall, and what a judge decides about it.

All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

from typing import Protocol

import msgspec

from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament.events import OwingTable, VoidedGame
from saloon.station.floor_contract import FloorCard, TimedGameStep
from saloon.station.terminals_contract import TerminalCard
from saloon.sync.entry import TerminalId
from saloon.sync.findings import Finding
from saloon.sync.link.counters import Counters


class TerminalTrouble(msgspec.Struct, frozen=True):
    """Something that is wrong with a terminal's journal. is_seen: a judge has seen it.

    seq: the entry that it is about, 0 where none is here. stored, received: what the station had under
    this number and what came later, as far as they can be read. names: of the seats.
    """

    problem: str
    is_seen: bool
    epoch: str = ""
    seq: int = 0
    stored: TimedGameStep | None = None
    received: TimedGameStep | None = None
    names: tuple[str, ...] = ()


class LinkLook(msgspec.Struct, frozen=True):
    """How a terminal's link is, in words and figures. finding: why it is not well, or that it is.

    counters: of a cable at this station. damaged, bit_errors: shares, 0 to 1, as far as they follow.
    """

    card: TerminalCard
    finding: Finding
    fields: dict[str, str | int]
    counters: Counters | None = None
    damaged: float = 0.0
    bit_errors: float = 0.0


class PairAlarm(msgspec.Struct, frozen=True):
    """A pair of wires that several terminals share is not well. device: its name at the station."""

    device: str
    problem: str


class Troubles(Protocol):
    """What the judge decides when terminals broke or disagree."""

    def is_away(self) -> bool:
        """Whether the station's database does not answer; what is shown is then as old as that."""

    def link(self, terminal: TerminalId) -> LinkLook:
        """How the link of a terminal is; raises ``KeyError``."""

    def owing(self, tournament: TournamentId) -> tuple[OwingTable, ...]:
        """The tables of the last round that owe entries and that no judge went on without.

        Raises ``KeyError``.
        """

    def disputed(self, tournament: TournamentId) -> tuple[FloorCard, ...]:
        """The tables of all rounds whose accepted record sheets are disputed. Raises ``KeyError``."""

    async def end_call(self, game: GameId, by: str) -> None:
        """A judge has dealt with a table's call: it rings no more. Raises ``KeyError``, ``Unavailable``."""

    async def of_terminal(self, terminal: TerminalId) -> tuple[TerminalTrouble, ...]:
        """All that was ever noticed of a terminal's journal, oldest first; raises ``Unavailable``."""

    async def export_of(self, terminal: TerminalId) -> bytes:
        """Both versions of all entries in quarantine, one JSON object a line; raises ``Unavailable``."""

    async def mark_terminal_seen(self, terminal: TerminalId, by: str) -> None:
        """The judge has seen all that is wrong with a terminal's journal; raises ``Unavailable``."""

    def voided_games(self, tournament: TournamentId, steps: int) -> tuple[VoidedGame, ...]:
        """The games in play that would be void if these steps were taken back; raises ``KeyError``."""

    def voided_stories(self, game: GameId) -> tuple[tuple[TimedGameStep, ...], ...]:
        """Return what terminals reported of a game before it was void, one list for each."""

    def pair_alarms(self) -> tuple[PairAlarm, ...]:
        """The shared pairs of wires that are not well now."""

    async def go_on_from(self, game: GameId, subject: str, reason: str, by: str) -> None:
        """Have a table go on from a terminal's late steps; what it entered itself then counts no more.

        Raises ``KeyError`` where there are none any more, ``Refused`` without a reason, ``Unavailable``.
        """

    async def mark_seen(self, subject: str, by: str) -> None:
        """The judge has seen an alarm and leaves things as they are; raises ``Unavailable``."""
