"""The interface for problems in a hall: data that pages show, and judges' decisions.

All methods run on the station's event loop. ``by`` is the judge's name from the session.
"""

import msgspec

from saloon.station.services.tables.floor_cards import TimedGameStep
from saloon.station.terminals.terminal_cards import TerminalCard
from saloon.sync.diagnostics.findings import Finding
from saloon.sync.link.counters import Counters


class JournalProblem(msgspec.Struct, frozen=True):
    """A problem with a terminal's journal. is_seen: a judge has seen it.

    seq: the entry concerned, 0 if the station has none. stored, received: the station's step under this
    number and the one that came later, if they can be read. names: of the seats.
    """

    problem: str
    is_seen: bool
    epoch: str = ""
    seq: int = 0
    stored: TimedGameStep | None = None
    received: TimedGameStep | None = None
    names: tuple[str, ...] = ()


class LinkHealth(msgspec.Struct, frozen=True):
    """The health of a terminal's link, in words and figures. finding: the diagnosis.

    counters: of a cable at this station. damaged, bit_errors: shares, 0 to 1, if they can be computed.
    """

    card: TerminalCard
    finding: Finding
    fields: dict[str, str | int]
    counters: Counters | None = None
    damaged: float = 0.0
    bit_errors: float = 0.0


class BusAlarm(msgspec.Struct, frozen=True):
    """An alarm about an RS-485 bus. device: its name at the station."""

    device: str
    problem: str
