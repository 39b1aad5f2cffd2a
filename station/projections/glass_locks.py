"""The locks of the terminals' screens: as ordered by judges, and as reported by terminals."""

import msgspec

from core.game.orders import GlassLocked, GlassUnlocked, LockGlass
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
