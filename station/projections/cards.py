"""Tables and terminals as shown on pages: record sheets, clocks, links, locked screens, join codes."""

import datetime as dt
import enum

import msgspec

from core.game.ending.sheet import open_disputes
from core.game.events import GameStep
from core.game.orders import GlassLocked, GlassUnlocked, LockGlass, Power
from core.game.result import Result, is_same
from core.game.state.game import CallReason, GameState
from core.terms import GameId, MatchKind, PlayerId, RoundNo, Seconds, TableNo
from station.updates.updates import TerminalVersion
from sync.protocol.entry import TerminalId


class GlassLock(msgspec.Struct, frozen=True):
    """The lock of one terminal's screen. ``by`` is the judge of the last order, or empty before the first.

    is_wanted: the last order locks it.
    is_locked: as last reported.
    is_pending: the terminal has not responded to the last order.
    """

    by: str = ""
    is_wanted: bool = False
    is_locked: bool = False
    is_pending: bool = False


class GlassLocks:
    """The locks of all terminals' screens."""

    def __init__(self) -> None:
        self._locks: dict[TerminalId, GlassLock] = {}

    def of(self, terminal: TerminalId) -> GlassLock:
        return self._locks.get(terminal, GlassLock())

    def on_order(self, terminal: TerminalId, order: LockGlass) -> None:
        before = self.of(terminal)
        self._locks[terminal] = GlassLock(order.by, order.is_locked, before.is_locked, is_pending=True)

    def on_report(self, terminal: TerminalId, fact: GlassLocked | GlassUnlocked) -> None:
        """Apply a report. A judge at the table may have unlocked the screen before the last order arrived."""
        before, is_locked = self.of(terminal), isinstance(fact, GlassLocked)
        is_pending = before.is_pending and is_locked is not before.is_wanted
        self._locks[terminal] = GlassLock(before.by, before.is_wanted, is_locked, is_pending=is_pending)


class TerminalLink(enum.Enum):
    """The current connection of a table's terminal."""

    NONE = "none"
    """No terminal is assigned to the table."""
    AWAY = "away"
    SERIAL = "serial"
    BUS = "bus"
    """An RS-485 bus, shared with other tables."""
    TCP = "tcp"


class TerminalCard(msgspec.Struct, frozen=True):
    """A known terminal.

    last_word_s: the seconds since its last message, None if there was none.
    owes: the number of reported entries that the station has not received, or None if it has reported nothing
        yet. A disconnected terminal may have more entries than it last reported.
    station: the name of the station to which it is connected, if there are several; else empty.
    enrolled_ms: wall clock.
    runs: its version, and the state of an update.
    power: as last reported.
    is_unwatched: it runs at the station for a phone or tablet that is disconnected.
    trusted, let_in_by: as in ``EnrolledTerminal``.
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
    glass: GlassLock = GlassLock()
    power: Power = Power.MAINS
    is_unwatched: bool = False
    trusted: bool = True
    let_in_by: str = ""

    @property
    def is_away(self) -> bool:
        return self.link is TerminalLink.AWAY


class NewTerminal(msgspec.Struct, frozen=True):
    """An unknown terminal that waits at a cable (``place``). Both ends show the check code."""

    terminal: TerminalId
    place: str
    check_code: str


class CodeState(enum.Enum):
    """The state of a join code."""

    VALID = "valid"
    CHECKED = "checked"
    """A terminal is trying it now."""
    LET_IN = "let in"
    WRONG = "wrong"
    """A wrong code was entered, which used this one up."""
    OVER = "over"


class JoinCodeState(msgspec.Struct, frozen=True):
    """The last join code. ``code`` is in groups, and empty unless it is valid."""

    state: CodeState
    table: TableNo | None
    left_s: int
    code: str


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
        return self.sheet is SheetState.PROPOSED

    @property
    def is_on_paper(self) -> bool:
        """Return whether a judge has to enter the record sheet, as no terminal is there to report it."""
        return self.terminal is None and self.reported is None and self.accepted is None

    @property
    def is_disputed(self) -> bool:
        return self.sheet is SheetState.DISPUTED

    @property
    def is_done(self) -> bool:
        return self.sheet in {SheetState.ACCEPTED, SheetState.WALKOVER}

    @property
    def is_replaced(self) -> bool:
        """Return whether the accepted result differs from the terminal's report."""
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
