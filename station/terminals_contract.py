"""What pages show of terminals, new ones too, and what a judge may do to take them in.

All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

import enum
from typing import Protocol

import msgspec

from saloon.core.terms import TableNo
from saloon.station.updates.updates import TerminalVersion
from saloon.sync.entry import TerminalId


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


class Enrolment(msgspec.Struct, frozen=True):
    """A provisioning file for one terminal, as TOML text with a one-time token inside."""

    table: TableNo | None
    toml: str


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
