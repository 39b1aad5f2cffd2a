"""Turn raw levels into presses: act on the first edge, ignore the chatter, then look again. Pure."""

import msgspec

QUIET_MS = 30
"""Milliseconds after an edge for which a button's chatter is ignored."""
SETTLED_MS = 100
"""Milliseconds for which a key switch must be still to count."""


class ButtonState(msgspec.Struct, frozen=True):
    """A button. closed: its last accepted level. quiet_until_ms: chatter is ignored until then."""

    closed: bool = False
    since_ms: int = 0
    quiet_until_ms: int = 0
    held: bool = False

    def after(self, *, level: bool, now_ms: int) -> "ButtonState":
        """Return the button's state with its level now."""
        if now_ms < self.quiet_until_ms or level == self.closed:
            return self
        return ButtonState(level, now_ms, now_ms + QUIET_MS)

    def is_due_to_be_held(self, now_ms: int, hold_ms: int) -> bool:
        """Return whether it is closed long enough and this was not reported yet."""
        return self.closed and not self.held and now_ms - self.since_ms >= hold_ms

    def deadline_ms(self, now_ms: int, hold_ms: int) -> int | None:
        """Return the time to look again."""
        due = [self.quiet_until_ms] if now_ms < self.quiet_until_ms else []
        if self.closed and not self.held:
            due.append(self.since_ms + hold_ms)
        return min(due, default=None)


class KeyState(msgspec.Struct, frozen=True):
    """A key switch. on: its last stable level. level: the level now, since since_ms."""

    on: bool = False
    level: bool = False
    since_ms: int = 0

    def after(self, *, level: bool, now_ms: int) -> "KeyState":
        """Return the key's state with its level now."""
        moved = self if level == self.level else KeyState(self.on, level, now_ms)
        if moved.level != moved.on and now_ms - moved.since_ms >= SETTLED_MS:
            return KeyState(moved.level, moved.level, moved.since_ms)
        return moved

    def deadline_ms(self) -> int | None:
        """Return the time to look again."""
        return self.since_ms + SETTLED_MS if self.level != self.on else None
