"""The interface between the pages and the station's state: everything a page may read or do.

The implementation folds the streams, decides through the core and appends; pages only display and ask.
All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

import msgspec

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from saloon.core.tournament.commands import TournamentCommand
from saloon.core.tournament.consequences import Consequences
from saloon.core.tournament.events import TournamentStep
from saloon.core.tournament.results.ledger import Account
from saloon.core.tournament.standings.standings import Standings
from saloon.core.tournament.standings.why import Why
from saloon.core.tournament.state import TournamentState
from saloon.station.floor_contract import FloorCard, TimedGameStep
from saloon.station.imports.intake_contract import ParcelImporter
from saloon.station.sd_cards.cards_contract import Cards
from saloon.station.terminals.terminals_contract import Admission, Enrolment, TerminalCard
from saloon.station.terminals.troubles_contract import Troubles
from saloon.station.updates.updates import Updates
from saloon.sync.protocol.entry import TerminalId


class Change(msgspec.Struct, frozen=True):
    """A change of something that pages show. number: grows by one each time.

    table: only this table's card, None for the whole tournament. what: ``table``,
    ``tournament``, ``terminals`` or ``station``.
    """

    number: int
    what: str
    table: TableNo | None = None


class StationService(Protocol):
    """The station's services for the pages.

    intake: importing parcels that came by code, file or stick. admission: enrolling new terminals.
    cards: for new terminals. updates: new versions for terminals.
    """

    intake: ParcelImporter
    admission: Admission
    cards: Cards
    updates: Updates

    @property
    def troubles(self) -> Troubles:
        """The problems and alarms of a hall."""

    def tournaments(self) -> tuple[TournamentState, ...]:
        """Return all tournaments, the newest first."""

    def tournament(self, tournament: TournamentId) -> TournamentState:
        """Return one tournament; raises ``KeyError`` for an unknown one."""

    def history(self, tournament: TournamentId) -> tuple[TournamentStep, ...]:
        """Return all steps of a tournament, the oldest first, undone ones included."""

    def edition(self, key: str) -> Edition:
        """Return an edition by its key; raises ``BadData``."""

    def rules(self, tournament: TournamentId) -> Edition:
        """Return the rules of a tournament; raises ``KeyError``."""

    def editions(self) -> tuple[Edition, ...]:
        """Return the available editions."""

    async def decide(self, tournament: TournamentId, command: TournamentCommand, by: str) -> TournamentState:
        """Execute a command durably, including its orders to the terminals.

        Raises ``Refused``, ``Unavailable`` if the disk fails, ``BadData`` for an unknown edition
        and ``KeyError`` for an unknown tournament; nothing is changed then.
        """

    def why_not(self, tournament: TournamentId, command: TournamentCommand) -> Refused | None:
        """Return the refusal a command would meet now, for the reader's language; None for none."""

    def consequences(self, tournament: TournamentId, command: TournamentCommand) -> Consequences:
        """Return the changes that a command would cause now: dollars, ranks, later budgets.

        Raises ``KeyError``, and ``Refused`` if the command would be refused.
        """

    def floor(
        self, tournament: TournamentId, *, all_duels: bool = False, round_no: RoundNo | None = None
    ) -> tuple[FloorCard, ...]:
        """Return the tables of the current round, or the current duels, by number; empty if there are none.

        all_duels: all duels of the finals instead, also finished ones, the semifinals first. round_no:
        the tables of this round instead, current or over.
        """

    def card(self, tournament: TournamentId, round_no: RoundNo, table: TableNo) -> FloorCard:
        """Return one table of any published round; raises ``KeyError``."""

    def story(self, game: GameId) -> tuple[TimedGameStep, ...]:
        """Return the steps that a terminal reported of a game, undone ones included."""

    def standings(self, tournament: TournamentId, *, of_rounds: bool = False) -> Standings:
        """Return the current standings; for the judge only, and for all once published.

        of_rounds: without the places and prizes of the finals.
        """

    def why(self, tournament: TournamentId, player: PlayerId) -> Why:
        """Explain a player's score and rank; raises ``KeyError``, ``Refused`` for an unknown player."""

    def accounts(self, tournament: TournamentId) -> Mapping[PlayerId, Account]:
        """Return each player's money: total, spent, games; for the judge only. Raises ``KeyError``."""

    async def answer_call(self, game: GameId, by: str) -> None:
        """Tell a table that the judge is on the way; raises ``KeyError`` if no terminal has the game."""

    async def call_time(self, game: GameId, call: EndByTimeLimit, by: str) -> None:
        """Send a table the consequence of its time limit; raises ``Refused`` if it is not possible.

        Raises ``KeyError`` if no terminal has the game.
        """

    def terminals(self) -> tuple[TerminalCard, ...]:
        """Return all known terminals, by table."""

    async def assign(self, terminal: TerminalId, table: TableNo | None, by: str) -> None:
        """Assign a terminal to a table; raises ``KeyError``, or ``BadData`` for an invalid table number."""

    async def enrol(self, table: TableNo | None, by: str) -> Enrolment:
        """Create a provisioning file; raises ``BadData`` for an invalid table number."""

    async def revoke(self, terminal: TerminalId, by: str) -> None:
        """Refuse a terminal from now on."""

    async def set_judge_pin(self, pin: str, by: str) -> None:
        """Set the PIN of all terminals' judge menu; raises ``BadData`` unless it has 4 to 8 digits."""

    async def backup(self) -> bytes:
        """Return a consistent copy of the station's database, taken while it runs."""

    def export(self, tournament: TournamentId) -> Iterator[bytes]:
        """Return the tournament's proof pack (docs/export.md), line by line; raises ``KeyError``.

        Each piece may be read from any thread, and may raise ``Unavailable``.
        """

    def changes(self, since: int | None) -> AsyncIterator[Change]:
        """Yield changes after a number, then each new one as it happens; None to start from now."""
