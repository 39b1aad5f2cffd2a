"""Terminals as pages show them: links, locks of their screens, enrolment and join codes."""

import enum

import msgspec

from core.game.orders import GlassLocked, GlassUnlocked, LockGlass, Power
from core.terms import TableNo
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
