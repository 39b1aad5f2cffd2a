"""A limit on the entries of one terminal within an hour, so that a stolen one cannot fill the disk."""

from dataclasses import dataclass
from typing import Final

import msgspec

from base.clock import Clock
from sync.protocol.entry import TerminalId

TOO_MUCH: Final = "it sends far more than a game produces; the station stores the rest slowly"
"""The alarm about a terminal that sends too many entries."""
_HOUR_MS: Final = 3_600_000


class QuotaSettings(msgspec.Struct, frozen=True):
    """The entries, and their bytes, that a terminal may send at once and within each hour after that.

    A long game has about 1,000 entries of 200 bytes. A terminal may return with 10,000 unsent ones, which is
    far below these limits.
    """

    entries: int = 60_000
    size: int = 16 * 1024 * 1024


@dataclass
class _Left:
    entries: float
    size: float
    at_ms: int
    alarmed_ms: int | None = None


class EntryQuota:
    """A counter of entries by terminal. Not thread-safe."""

    def __init__(self, clock: Clock, settings: QuotaSettings) -> None:
        self._clock = clock
        self._settings = settings
        self._left: dict[TerminalId, _Left] = {}

    def take(self, terminal: TerminalId, entries: int, size: int) -> bool:
        """Count entries that have arrived, and return False if they may not be stored now.

        If any quota is left, all of them may be stored, so that a terminal that has used it up continues
        slowly.
        """
        left = self._grown(terminal)
        if left.entries <= 0 or left.size <= 0:
            return False
        left.entries -= entries
        left.size -= size
        return True

    def is_alarm_due(self, terminal: TerminalId) -> bool:
        """Return whether to alarm the judge: at most once an hour."""
        left = self._grown(terminal)
        if left.alarmed_ms is not None and left.at_ms - left.alarmed_ms < _HOUR_MS:
            return False
        left.alarmed_ms = left.at_ms
        return True

    def _grown(self, terminal: TerminalId) -> _Left:
        now_ms = self._clock.monotonic_ms()
        most = self._settings
        left = self._left.setdefault(terminal, _Left(most.entries, most.size, now_ms))
        share = (now_ms - left.at_ms) / _HOUR_MS
        left.entries = min(float(most.entries), left.entries + share * most.entries)
        left.size = min(float(most.size), left.size + share * most.size)
        left.at_ms = now_ms
        return left
