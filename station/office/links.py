"""How the terminals are reached now: what the hub says of them, as cards for the judge."""

from collections.abc import Callable
from dataclasses import dataclass

from saloon.station.enrolments import EnrolledTerminal
from saloon.station.office_contract import TerminalCard, TerminalLink
from saloon.sync.entry import TerminalId

_LINKS = {"serial": TerminalLink.SERIAL, "tcp": TerminalLink.TCP}


@dataclass
class _Line:
    link: TerminalLink = TerminalLink.AWAY
    heard_ms: int | None = None
    owes: int | None = None
    alarm: str = ""


class Links:
    """The lines of all terminals. monotonic_ms: the clock."""

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        self._monotonic_ms = monotonic_ms
        self._lines: dict[TerminalId, _Line] = {}

    def changed(self, terminal: TerminalId, wire: str | None) -> None:
        """A terminal came by this wire, or went."""
        line = self._line(terminal)
        line.link = TerminalLink.AWAY if wire is None else _LINKS[wire]
        line.owes = None
        line.heard_ms = self._monotonic_ms()

    def heard(self, terminal: TerminalId, owes: int) -> bool:
        """A terminal spoke; whether what it owes has changed. A claim is paid by entries, not by silence."""
        line = self._line(terminal)
        line.heard_ms = self._monotonic_ms()
        if line.owes is not None and owes == 0:
            return False
        line.owes = owes
        return True

    def paid(self, terminal: TerminalId, entries: int) -> None:
        """So many entries of a terminal became durable."""
        line = self._line(terminal)
        if line.owes is not None:
            line.owes = max(0, line.owes - entries)

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Something the judge must know of a terminal; it stays until the station starts anew."""
        self._line(terminal).alarm = problem

    def is_caught_up(self, terminal: TerminalId) -> bool:
        """Whether the terminal is here and the station has all that it has."""
        line = self._line(terminal)
        return line.link is not TerminalLink.AWAY and line.owes == 0

    def card(self, terminal: EnrolledTerminal) -> TerminalCard:
        """A terminal as the judge sees it."""
        line = self._line(terminal.terminal)
        heard = line.heard_ms
        return TerminalCard(
            terminal=terminal.terminal,
            table=terminal.table,
            link=line.link,
            last_word_s=None if heard is None else (self._monotonic_ms() - heard) / 1000,
            owes=line.owes,
            alarm=line.alarm,
        )

    def _line(self, terminal: TerminalId) -> _Line:
        return self._lines.setdefault(terminal, _Line())
