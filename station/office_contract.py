"""The seam between the pages and the station's work: everything a page may ask or do.

The office folds the streams, decides through the core and appends; pages only show and ask.
All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from saloon.core.tournament.commands import TournamentCommand
from saloon.core.tournament.consequences import Consequences
from saloon.core.tournament.events import TournamentStep
from saloon.core.tournament.ledger import Account
from saloon.core.tournament.standings import Standings
from saloon.core.tournament.state import TournamentState
from saloon.core.tournament.why import Why
from saloon.station.cards_contract import Cards
from saloon.station.floor_contract import FloorCard, TimedGameStep
from saloon.station.intake_contract import Intake
from saloon.station.terminals_contract import Admission, Enrolment, TerminalCard
from saloon.station.troubles_contract import Troubles
from saloon.station.updates.updates import Updates
from saloon.sync.entry import TerminalId


class Change(msgspec.Struct, frozen=True):
    """Something that pages show has changed. number: grows by one each time.

    table: only this table's card, None for the whole tournament. what: ``table``,
    ``tournament``, ``terminals`` or ``station``.
    """

    number: int
    what: str
    table: TableNo | None = None


class Office(Protocol):
    """What the pages may ask of the station.

    intake: of parcels that came without a wire. admission: of new terminals. cards: for them.
    updates: new versions for them.
    """

    intake: Intake
    admission: Admission
    cards: Cards
    updates: Updates

    @property
    def troubles(self) -> Troubles:
        """What breaks in a hall."""

    def tournaments(self) -> tuple[TournamentState, ...]:
        """All tournaments, newest first."""

    def tournament(self, tournament: TournamentId) -> TournamentState:
        """One tournament; raises ``KeyError`` for an unknown one."""

    def history(self, tournament: TournamentId) -> tuple[TournamentStep, ...]:
        """All steps of a tournament, oldest first, undone ones included."""

    def edition(self, key: str) -> Edition:
        """An edition by its key; raises ``BadData``."""

    def rules(self, tournament: TournamentId) -> Edition:
        """The rules that a tournament is played by; raises ``KeyError``."""

    def editions(self) -> tuple[Edition, ...]:
        """The editions on offer."""

    async def decide(self, tournament: TournamentId, command: TournamentCommand, by: str) -> TournamentState:
        """Carry a command out durably, orders to the terminals included.

        Raises ``Refused``, ``Unavailable`` when the disk refuses, ``BadData`` for an unknown edition
        and ``KeyError`` for an unknown tournament; nothing has changed then.
        """

    def why_not(self, tournament: TournamentId, command: TournamentCommand) -> Refused | None:
        """The refusal that a command would meet now, to be told in the reader's language; None for none."""

    def consequences(self, tournament: TournamentId, command: TournamentCommand) -> Consequences:
        """What a command would change if it were carried out now: dollars, ranks, later budgets.

        Raises ``KeyError``, and ``Refused`` for what would be refused.
        """

    def floor(
        self, tournament: TournamentId, *, all_duels: bool = False, round_no: RoundNo | None = None
    ) -> tuple[FloorCard, ...]:
        """The tables of the round, or the duels, that run, by number; empty when none does.

        all_duels: those of the finals instead, also the finished ones, the semifinals first. round_no:
        those of this round instead, whether it runs or is over.
        """

    def card(self, tournament: TournamentId, round_no: RoundNo, table: TableNo) -> FloorCard:
        """One table of any published round; raises ``KeyError``."""

    def story(self, game: GameId) -> tuple[TimedGameStep, ...]:
        """What a terminal reported of a game, undone steps included."""

    def standings(self, tournament: TournamentId, *, of_rounds: bool = False) -> Standings:
        """The standings as of now; for the judge only, and for all once published.

        of_rounds: without the places and prizes of the finals.
        """

    def why(self, tournament: TournamentId, player: PlayerId) -> Why:
        """Every sum behind a player's score and rank; raises ``KeyError``, and ``Refused`` for a stranger."""

    def accounts(self, tournament: TournamentId) -> Mapping[PlayerId, Account]:
        """Each player's money as of now: total, spent, games; for the judge only. Raises ``KeyError``."""

    async def answer_call(self, game: GameId, by: str) -> None:
        """Tell a table that the judge is on the way; raises ``KeyError`` where no terminal has the game."""

    async def call_time(self, game: GameId, call: EndByTimeLimit, by: str) -> None:
        """Tell a table what follows from its time limit; raises ``Refused`` for what cannot follow.

        Raises ``KeyError`` where no terminal has the game.
        """

    def terminals(self) -> tuple[TerminalCard, ...]:
        """All terminals known, by table."""

    async def assign(self, terminal: TerminalId, table: TableNo | None, by: str) -> None:
        """Say which table a terminal stands at; raises ``KeyError``, or ``BadData`` for no table's number."""

    async def enrol(self, table: TableNo | None, by: str) -> Enrolment:
        """A new provisioning file; raises ``BadData`` for no number of a table."""

    async def revoke(self, terminal: TerminalId, by: str) -> None:
        """Refuse a terminal from now on."""

    async def set_judge_pin(self, pin: str, by: str) -> None:
        """The PIN that opens the judge's menu at all terminals; raises ``BadData`` for no 4 to 8 digits."""

    async def backup(self) -> bytes:
        """A consistent copy of the station's database, taken while it runs."""

    def export(self, tournament: TournamentId) -> Iterator[bytes]:
        """The tournament's proof pack (docs/export.md), line by line; raises ``KeyError``.

        Each piece may be read from any thread, and may raise ``Unavailable``.
        """

    def changes(self, since: int | None) -> AsyncIterator[Change]:
        """Changes after a number, then each new one as it happens; None for from now on."""
