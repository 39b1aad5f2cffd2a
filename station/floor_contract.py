"""What the floor's pages show of a table: its sheet, its time, its steps, its terminal."""

import datetime as dt
import enum

import msgspec

from saloon.core.game.agreement import open_disputes
from saloon.core.game.duel.finished import FinishedDuel
from saloon.core.game.events import GameStep
from saloon.core.game.finished import FinishedGame
from saloon.core.game.match import MatchKind
from saloon.core.game.state import GameState
from saloon.core.terms import GameId, PlayerId, RoundNo, Seconds, TableNo
from saloon.station.same_result import is_same
from saloon.station.terminals_contract import TerminalCard
from saloon.sync.entry import TerminalId


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
    accepted: what the judge accepted. corrections: the reasons, oldest first. rings: the table calls
    the judge, and nobody has dealt with it. coming: who answered the call, empty for nobody. late: what
    terminals saved of it that does not count.
    doubt: why a judge disputes the accepted sheet. time: None without a time limit.
    replaced_because: why the judge accepted another result than the terminal had reported.
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
    rings: bool = False
    replaced_because: str = ""
    coming: str = ""
    is_carried: bool = False
    corrections: tuple[str, ...] = ()
    late: tuple[LateTelling, ...] = ()
    doubt: str = ""
    time: TableTime | None = None

    @property
    def is_replaced(self) -> bool:
        """Return whether the accepted result differs from the terminal's report."""
        return (
            self.accepted is not None
            and self.reported is not None
            and not is_same(self.reported, self.accepted)
        )

    def needs_reason(self, result: FinishedGame | FinishedDuel) -> bool:
        """Return whether a result that a judge enters replaces what the terminal has reported."""
        return self.accepted is not None or (self.reported is not None and not is_same(self.reported, result))

    @property
    def disputing(self) -> tuple[PlayerId, ...]:
        """The players who dispute the ending that their table proposes."""
        seats = () if self.game is None else open_disputes(self.game)
        return tuple(self.players[seat - 1] for seat in seats)

    @property
    def has_unseen(self) -> bool:
        """Whether late steps wait for the judge's eye."""
        return any(not telling.is_seen for telling in self.late)
