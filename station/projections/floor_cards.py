"""A table as the floor's pages show it: its record sheet, time, steps and terminal."""

import datetime as dt
import enum

import msgspec

from core.game.ending.sheet import open_disputes
from core.game.events import GameStep
from core.game.result import Result, is_same
from core.game.state.game import CallReason, GameState
from core.terms import GameId, MatchKind, PlayerId, RoundNo, Seconds, TableNo
from station.projections.terminal_cards import TerminalCard
from sync.protocol.entry import TerminalId


class SheetState(enum.Enum):
    """The state of a table's record sheet."""

    PLAYING = "playing"
    PROPOSED = "proposed"
    """The terminal shows an ending that no judge has confirmed."""
    ACCEPTED = "accepted"
    DISPUTED = "disputed"
    """A judge confirmed another result at the table after one was accepted here; both are kept."""
    WALKOVER = "walkover"
    """A duel of the finals decided by a player's withdrawal."""


class TimedGameStep(msgspec.Struct, frozen=True):
    """A step of a table's game log with its terminal's wall clock (ms since 1970)."""

    step: GameStep
    wall_ms: int
    seq: int


class ReportedLateSteps(msgspec.Struct, frozen=True):
    """Late steps: recorded by a terminal, but missing from the game that counts.

    game: the game's state at that terminal, including late steps.
    result: the complete result at that terminal, or None while playing.
    subject: identifies them for accepting or rejecting.
    is_seen: whether a judge has decided.
    may_go_on: whether the table can continue from them instead of from its current steps.
    """

    terminal: TerminalId
    epoch: str
    steps: tuple[TimedGameStep, ...]
    game: GameState | None
    result: Result | None
    subject: str
    is_seen: bool
    may_go_on: bool


class TableTime(msgspec.Struct, frozen=True):
    """The clock of a round at one table.

    left_s: negative once time is up.
    is_held: all tables are paused.
    is_held_alone: the station has paused only this table.
    is_held_at_table: the judge has paused it at the table.
    given_s: extra time.
    wall_ms: when these values were computed.
    pause: the number of the current pause at the table, else 0.
    is_let_run: the station has ended the pause, but the table has not confirmed this yet.
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
        return self.is_started and not (self.is_held or self.is_held_alone or self.is_held_at_table)

    @property
    def minutes(self) -> int:
        """The minutes left, rounded up, or 0 once time is up."""
        return max(0, -(-self.left_s // 60))

    @property
    def ends(self) -> str:
        """The end time in ISO 8601, or an empty string while the clock is stopped."""
        if not self.runs:
            return ""
        return dt.datetime.fromtimestamp(self.wall_ms / 1000 + self.left_s, dt.UTC).isoformat()


class FloorCard(msgspec.Struct, frozen=True):
    """A published table.

    game: the game as reported by its terminal, or None before that.
    reported: the result from the terminal's events, None while playing.
    corrections: their reasons, oldest first.
    rings: whether the table has an open call.
    call_reason, coming, escalated_by: as in ``OpenCall``.
    late: recorded steps that do not count.
    doubt: a judge's reason for disputing the accepted sheet.
    time: None without a time limit.
    replaced_because: the judge's reason for accepting a different result than the terminal's.
    is_carried: the reported result was imported and disputes the accepted one.
    heard_ms: wall clock of the game's latest step, None if there is none.
    """

    round: RoundNo
    table: TableNo
    game_id: GameId
    players: tuple[PlayerId, ...]
    match: MatchKind
    terminal: TerminalCard | None
    game: GameState | None
    sheet: SheetState
    reported: Result | None
    accepted: Result | None
    rings: bool = False
    replaced_because: str = ""
    call_reason: CallReason | None = None
    coming: str = ""
    escalated_by: str = ""
    is_carried: bool = False
    corrections: tuple[str, ...] = ()
    late: tuple[ReportedLateSteps, ...] = ()
    doubt: str = ""
    time: TableTime | None = None
    heard_ms: int | None = None

    @property
    def is_playing(self) -> bool:
        return self.sheet is SheetState.PLAYING

    @property
    def is_proposed(self) -> bool:
        """Whether an ending waits for a judge to confirm it."""
        return self.sheet is SheetState.PROPOSED

    @property
    def is_disputed(self) -> bool:
        """Whether two results of this table are kept until a judge decides."""
        return self.sheet is SheetState.DISPUTED

    @property
    def is_done(self) -> bool:
        """Whether the result is accepted, or none is needed."""
        return self.sheet in {SheetState.ACCEPTED, SheetState.WALKOVER}

    @property
    def is_replaced(self) -> bool:
        """Whether the accepted result differs from the terminal's report."""
        return (
            self.accepted is not None
            and self.reported is not None
            and not is_same(self.reported, self.accepted)
        )

    def needs_reason(self, result: Result) -> bool:
        """Return whether accepting this result contradicts the terminal or an accepted result."""
        return self.accepted is not None or (self.reported is not None and not is_same(self.reported, result))

    @property
    def disputing(self) -> tuple[PlayerId, ...]:
        seats = () if self.game is None else open_disputes(self.game)
        return tuple(self.players[seat - 1] for seat in seats)

    @property
    def has_unseen(self) -> bool:
        return any(not late.is_seen for late in self.late)
