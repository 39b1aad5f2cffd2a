"""The seam between the pages and the station's work: everything a page may ask or do.

The office folds the streams, decides through the core and appends; pages only show and ask.
All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

import datetime as dt
import enum
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import Refused
from saloon.core.game.agreement import open_disputes
from saloon.core.game.commands import EndByTimeLimit
from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.game.events import GameStep
from saloon.core.game.finished import FinishedGame
from saloon.core.game.match import MatchKind
from saloon.core.game.state import GameState
from saloon.core.terms import GameId, PlayerId, RoundNo, Seconds, TableNo, TournamentId
from saloon.core.tournament.commands import TournamentCommand
from saloon.core.tournament.consequences import Consequences
from saloon.core.tournament.events import OwingTable, TournamentStep
from saloon.core.tournament.ledger import Account
from saloon.core.tournament.standings import Standings
from saloon.core.tournament.state import TournamentState
from saloon.core.tournament.why import Why
from saloon.station.cards_contract import Cards
from saloon.station.intake_contract import Intake
from saloon.station.updates.updates import TerminalVersion, Updates
from saloon.sync.entry import TerminalId
from saloon.sync.findings import Finding
from saloon.sync.link.counters import Counters


class TerminalLink(enum.Enum):
    """How a table's terminal is reached now."""

    NONE = "none"
    """No terminal is assigned to the table."""
    AWAY = "away"
    SERIAL = "serial"
    BUS = "bus"
    """A pair of wires that it shares with other tables."""
    TCP = "tcp"


class TerminalCard(msgspec.Struct, frozen=True):
    """A terminal the station knows. last_word_s: seconds since it was last heard, None for never.

    owes: entries it said it has and the station has not received; of one that is away, what it said
    last, and it may have entered more since. None where it said nothing yet.
    station: the name of the station where it is connected, where several run; else empty.
    enrolled_ms: wall clock. runs: its version, and what it does with a new one.
    """

    terminal: TerminalId
    table: TableNo | None
    link: TerminalLink
    last_word_s: float | None
    owes: int | None
    alarm: str = ""
    station: str = ""
    enrolled_ms: int = 0
    runs: TerminalVersion = TerminalVersion(None)


class NewTerminal(msgspec.Struct, frozen=True):
    """A terminal that nobody knows yet waits at a cable. place: the device. check_code: both ends show it."""

    terminal: TerminalId
    place: str
    check_code: str


class CodeState(enum.Enum):
    """What the code that lets one terminal in is worth."""

    VALID = "valid"
    CHECKED = "checked"
    """A terminal tries it at this moment."""
    LET_IN = "let in"
    WRONG = "wrong"
    """Somebody typed another code; this one is used up."""
    OVER = "over"


class CodeShown(msgspec.Struct, frozen=True):
    """The code that was shown last. code: in groups, only while it is valid. table: for whom."""

    state: CodeState
    table: TableNo | None
    left_s: int
    code: str


class SheetState(enum.Enum):
    """How far a table's record sheet is."""

    PLAYING = "playing"
    PROPOSED = "proposed"
    """The terminal shows an ending; the judge has not confirmed."""
    ACCEPTED = "accepted"
    DISPUTED = "disputed"
    """A judge confirmed another result at the table after one was accepted here; both are kept."""


class TimedGameStep(msgspec.Struct, frozen=True):
    """A step of a table's story with the wall clock of its terminal (milliseconds since 1970)."""

    step: GameStep
    wall_ms: int
    seq: int


class LateTelling(msgspec.Struct, frozen=True):
    """Steps that a terminal saved and the game that counts does not hold.

    game: how the game stands there, with them. result: the whole result there; None while it plays.
    subject: names them where they are taken over or left. is_seen: a judge has decided. may_go_on:
    the table can go on from them instead of its own steps.
    """

    terminal: TerminalId
    epoch: str
    steps: tuple[TimedGameStep, ...]
    game: GameState | None
    result: FinishedGame | FinishedDuel | None
    subject: str
    is_seen: bool
    may_go_on: bool


class TableTime(msgspec.Struct, frozen=True):
    """The clock of a round at one table.

    left_s: negative when it was over. is_held: all tables stand; is_held_alone: this one, by the station;
    is_held_at_table: by the judge's hand there. given_s: in addition to the limit. wall_ms: when all that
    was so. pause: the number of the pause at the table while it lasts, else 0. is_let_run: the station has
    ended it, and the table has not said so yet.
    """

    left_s: Seconds
    is_started: bool
    is_held: bool
    is_held_alone: bool
    is_held_at_table: bool
    given_s: Seconds
    wall_ms: int
    pause: int = 0
    is_let_run: bool = False

    @property
    def runs(self) -> bool:
        """Whether less is left with every moment."""
        return self.is_started and not (self.is_held or self.is_held_alone or self.is_held_at_table)

    @property
    def minutes(self) -> int:
        """Minutes left, a begun one as a whole; 0 when it was over."""
        return max(0, -(-self.left_s // 60))

    @property
    def ends(self) -> str:
        """When it is over, ISO 8601; empty while it stands."""
        if not self.runs:
            return ""
        return dt.datetime.fromtimestamp(self.wall_ms / 1000 + self.left_s, dt.UTC).isoformat()


class FloorCard(msgspec.Struct, frozen=True):
    """A published table. match: what is played. game: what its terminal reported, None for nothing yet.

    reported: the result as the terminal's events give it, None while it plays.
    accepted: what the judge accepted. corrections: the reasons, oldest first. coming: who answered
    the call that still rings, empty for nobody. late: what terminals saved of it that does not count.
    doubt: why a judge disputes the accepted sheet. time: None without a time limit.
    is_carried: what is reported came by code or stick, and disputes what was accepted.
    """

    round: RoundNo
    table: TableNo
    game_id: GameId
    players: tuple[PlayerId, ...]
    match: MatchKind
    terminal: TerminalCard | None
    game: GameState | None
    sheet: SheetState
    reported: FinishedGame | FinishedDuel | None
    accepted: FinishedGame | FinishedDuel | None
    coming: str = ""
    is_carried: bool = False
    corrections: tuple[str, ...] = ()
    late: tuple[LateTelling, ...] = ()
    doubt: str = ""
    time: TableTime | None = None

    @property
    def disputing(self) -> tuple[PlayerId, ...]:
        """The players who dispute the ending that their table proposes."""
        seats = () if self.game is None else open_disputes(self.game)
        return tuple(self.players[seat - 1] for seat in seats)

    @property
    def has_unseen(self) -> bool:
        """Whether late steps wait for the judge's eye."""
        return any(not telling.is_seen for telling in self.late)


class Change(msgspec.Struct, frozen=True):
    """Something that pages show has changed. number: grows by one each time.

    table: only this table's card, None for the whole tournament. what: ``table``,
    ``tournament``, ``terminals`` or ``station``.
    """

    number: int
    what: str
    table: TableNo | None = None


class Enrolment(msgspec.Struct, frozen=True):
    """A provisioning file for one terminal, as TOML text with a one-time token inside."""

    table: TableNo | None
    toml: str


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

    async def of_terminal(self, terminal: TerminalId) -> tuple[TerminalTrouble, ...]:
        """All that was ever noticed of a terminal's journal, oldest first; raises ``Unavailable``."""

    async def export_of(self, terminal: TerminalId) -> bytes:
        """Both versions of all entries in quarantine, one JSON object a line; raises ``Unavailable``."""

    async def mark_terminal_seen(self, terminal: TerminalId, by: str) -> None:
        """The judge has seen all that is wrong with a terminal's journal; raises ``Unavailable``."""

    def pair_alarms(self) -> tuple[PairAlarm, ...]:
        """The shared pairs of wires that are not well now."""

    async def go_on_from(self, game: GameId, subject: str, reason: str, by: str) -> None:
        """Have a table go on from a terminal's late steps; what it entered itself then counts no more.

        Raises ``KeyError`` where there are none any more, ``Refused`` without a reason, ``Unavailable``.
        """

    async def mark_seen(self, subject: str, by: str) -> None:
        """The judge has seen an alarm and leaves things as they are; raises ``Unavailable``."""


class Admission(Protocol):
    """What the judge may do about terminals that nobody knows yet."""

    def waiting(self) -> tuple[NewTerminal, ...]:
        """The terminals that wait at a cable to be taken in."""

    async def take_in(self, check_code: str, table: TableNo | None, by: str) -> None:
        """Take the one in that shows this check code; raises ``KeyError`` when it has gone, ``BadData``."""

    async def refuse(self, check_code: str, by: str) -> None:
        """Send the one away that shows this check code; raises ``KeyError`` when it has gone."""

    async def show_code(self, table: TableNo | None, by: str) -> None:
        """Show a code that lets one terminal in; the one before is void. Raises ``BadData``."""

    async def code_shown(self) -> CodeShown | None:
        """The code that is shown, or what became of the last one; None for none, or long ago."""


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

    def floor(self, tournament: TournamentId, *, all_duels: bool = False) -> tuple[FloorCard, ...]:
        """The tables of the round, or the duels, that run, by number; empty when none does.

        all_duels: those of the finals instead, also the finished ones, the semifinals first.
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
