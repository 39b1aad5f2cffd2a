"""The interface for terminals: data that pages show, and enrolling new ones.

All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

import enum

import msgspec

from saloon.core.terminal_report import Power
from saloon.core.terms import TableNo
from saloon.station.terminals.glass_locks import GlassLock
from saloon.station.updates.updates import TerminalVersion
from saloon.sync.protocol.entry import TerminalId


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
    """A terminal the station knows. last_word_s: seconds since its last message, None for never.

    owes: entries it reported and the station has not received; of a disconnected one, by its last report,
    and it may have more since. None if it has reported nothing yet.
    station: the name of the station it is connected to, if several run; else empty.
    enrolled_ms: wall clock. runs: its version, and the state of a new one. glass: whether it is locked.
    power: by its last report. is_unwatched: it runs at the station for a phone or tablet that is away.
    trusted, let_in_by: as of ``EnrolledTerminal``.
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


class NewTerminal(msgspec.Struct, frozen=True):
    """An unknown terminal that waits at a cable. place: the device. check_code: shown at both ends."""

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
    """A wrong code was typed; this one is used up."""
    OVER = "over"


class JoinCodeState(msgspec.Struct, frozen=True):
    """The last join code. code: in groups, only while it is valid. table: for its terminal."""

    state: CodeState
    table: TableNo | None
    left_s: int
    code: str


class ProvisioningText(msgspec.Struct, frozen=True):
    """A provisioning file for one terminal, as TOML text with a one-time token inside."""

    table: TableNo | None
    toml: str
