"""The terminals' connections, as reported by the hub and by other stations."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from station.cluster import ConnectedTerminal, OtherStations
from station.enrolment.enrolments import EnrolledTerminal
from station.projections.cards import TerminalCard, TerminalLink
from sync.connection_trial import NOISY, damage
from sync.link.counters import Counters
from sync.ports.findings import Finding
from sync.protocol.entry import TerminalId


@dataclass
class _Line:
    link: TerminalLink = TerminalLink.AWAY
    heard_ms: int | None = None
    owes: int | None = None
    alarm: str = ""


@dataclass
class _Elsewhere(_Line):
    """A connection to another station. ``heard_ms`` is by this station's clock."""

    station: str = ""


class Links:
    """The connections of all terminals. ``monotonic_ms`` is the clock."""

    def __init__(self, monotonic_ms: Callable[[], int]) -> None:
        self._monotonic_ms = monotonic_ms
        self._lines: dict[TerminalId, _Line] = {}
        self._pairs: dict[str, str] = {}
        self._elsewhere: dict[TerminalId, _Elsewhere] = {}
        self._here = ""
        self._changed: Callable[[], None] = lambda: None

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` whenever one of this station's connections changes."""
        self._changed = changed

    def on_change(self, terminal: TerminalId, wire: str | None) -> None:
        """Record that a terminal was connected over this wire, or disconnected (None)."""
        line = self._line(terminal)
        line.link = TerminalLink.AWAY if wire is None else TerminalLink(wire)
        if wire is not None:
            # Reports of an earlier connection are outdated; the terminal reports again.
            line.owes = None
        line.heard_ms = self._monotonic_ms()
        self._changed()

    def on_message(self, terminal: TerminalId, owes: int) -> bool:
        """Record a terminal's message, and return whether its number of missing entries has changed."""
        line = self._line(terminal)
        line.heard_ms = self._monotonic_ms()
        if line.owes == owes:
            return False
        line.owes = owes
        self._changed()
        return True

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Set a terminal's alarm; an empty text clears it."""
        self._line(terminal).alarm = problem
        self._changed()

    def bus_alarm(self, device: str, problem: str) -> None:
        """Set the alarm of an RS-485 bus; an empty text clears it."""
        self._pairs.pop(device, None)
        if problem:
            self._pairs[device] = problem

    def bus_alarms(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._pairs.items())

    def is_caught_up(self, terminal: TerminalId) -> bool:
        line = self._best(terminal)
        return line.link is not TerminalLink.AWAY and line.owes == 0

    def connected_terminals(self) -> tuple[ConnectedTerminal, ...]:
        """Return this station's connections, for the other stations."""
        now_ms = self._monotonic_ms()
        return tuple(
            ConnectedTerminal(
                terminal, line.link.value, now_ms - (line.heard_ms or now_ms), line.owes, line.alarm
            )
            for terminal, line in self._lines.items()
            if line.link is not TerminalLink.AWAY
        )

    def set_others(self, here: str, others: OtherStations) -> tuple[TerminalId, ...]:
        """Replace the other stations' connections, and return the terminals whose card has changed."""
        now_ms = self._monotonic_ms()
        former, self._elsewhere = self._elsewhere, {}
        for line in others.lines:
            one = _Elsewhere(
                TerminalLink(line.wire), now_ms - line.heard_ago_ms, line.owes, line.alarm, line.station
            )
            known = self._elsewhere.get(line.terminal)
            if known is None or (known.heard_ms or 0) < now_ms - line.heard_ago_ms:
                self._elsewhere[line.terminal] = one
        for terminal, gone in former.items():
            left = self._line(terminal)
            if terminal not in self._elsewhere and left.link is TerminalLink.AWAY:
                # Entries that it last reported there may still be missing.
                left.owes, left.heard_ms = gone.owes, gone.heard_ms
        was_alone, self._here = not self._here, here if others.names else ""
        if was_alone is bool(self._here):
            return tuple({**self._lines, **former, **self._elsewhere})
        return tuple(
            terminal
            for terminal in {**former, **self._elsewhere}
            if _shown_fields(former.get(terminal)) != _shown_fields(self._elsewhere.get(terminal))
        )

    def card(self, terminal: EnrolledTerminal) -> TerminalCard:
        """Return a terminal's card with its best connection, here or at another station."""
        line = self._best(terminal.terminal)
        heard_ms = line.heard_ms
        return TerminalCard(
            terminal=terminal.terminal,
            table=terminal.table,
            link=line.link,
            last_word_s=None if heard_ms is None else (self._monotonic_ms() - heard_ms) / 1000,
            owes=line.owes,
            alarm=line.alarm or self._line(terminal.terminal).alarm,
            station=self._station_of(line),
            enrolled_ms=terminal.enrolled_ms,
            trusted=terminal.trusted,
            let_in_by=terminal.let_in_by,
        )

    def _station_of(self, line: _Line) -> str:
        if line.link is TerminalLink.AWAY:
            return ""
        return line.station if isinstance(line, _Elsewhere) else self._here

    def _best(self, terminal: TerminalId) -> _Line:
        """Return the connection with the latest message, because a broken one is noticed late."""
        here, there = self._line(terminal), self._elsewhere.get(terminal)
        if there is None:
            return here
        return max(here, there, key=lambda line: (line.link is not TerminalLink.AWAY, line.heard_ms or 0))

    def _line(self, terminal: TerminalId) -> _Line:
        return self._lines.setdefault(terminal, _Line())


def _shown_fields(line: _Line | None) -> tuple[object, ...]:
    return () if line is None else (line.link, line.owes, line.alarm)


class LinkHealth(msgspec.Struct, frozen=True):
    """The diagnosis of a terminal's link.

    fields: the values for the finding's sentence.
    counters: those of a cable at this station.
    damaged, bit_errors: shares, 0 to 1, if they can be computed.
    """

    card: TerminalCard
    finding: Finding
    fields: dict[str, str | int]
    counters: Counters | None = None
    damaged: float = 0.0
    bit_errors: float = 0.0


_FEW = 20
"""The fewest frames from which the share of damaged ones is meaningful."""


def diagnose_link(card: TerminalCard, counters: Counters | None) -> LinkHealth:
    """Diagnose a terminal's link. ``counters`` are its cable's, or None without a cable."""
    if card.link is TerminalLink.AWAY:
        never = card.last_word_s is None
        return LinkHealth(card, Finding.NEVER_HEARD if never else Finding.WENT_AWAY, {})
    if counters is None:
        return LinkHealth(card, Finding.LINK_WELL, {})
    damaged, bits = damage(counters)
    seen = counters.frames_received + counters.frames_invalid
    if seen >= _FEW and damaged >= NOISY:
        return LinkHealth(card, Finding.NOISE, {"share": round(damaged * 100)}, counters, damaged, bits)
    return LinkHealth(card, Finding.LINK_WELL, {}, counters, damaged, bits)
