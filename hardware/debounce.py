"""Raw levels to presses: act on the first edge, ignore the chatter, then look again. Pure."""

import msgspec

QUIET_MS = 30
"""After an edge a button's chatter is ignored for so long."""
SETTLED_MS = 100
"""A key switch counts when it stood still for so long."""


class ButtonState(msgspec.Struct, frozen=True):
    """A button. closed: as it was last believed. quiet_until_ms: chatter is ignored before."""

    closed: bool = False
    since_ms: int = 0
    quiet_until_ms: int = 0
    held: bool = False

    def after(self, *, level: bool, now_ms: int) -> "ButtonState":
        """The button when its level is so now."""
        if now_ms < self.quiet_until_ms or level == self.closed:
            return self
        return ButtonState(level, now_ms, now_ms + QUIET_MS)

    def is_due_to_be_held(self, now_ms: int, hold_ms: int) -> bool:
        """Whether it is closed long enough and that was not told yet."""
        return self.closed and not self.held and now_ms - self.since_ms >= hold_ms

    def deadline_ms(self, now_ms: int, hold_ms: int) -> int | None:
        """When to look again."""
        due = [self.quiet_until_ms] if now_ms < self.quiet_until_ms else []
        if self.closed and not self.held:
            due.append(self.since_ms + hold_ms)
        return min(due, default=None)


class KeyState(msgspec.Struct, frozen=True):
    """A key switch. on: as it last stood still. level: as it is now, since since_ms."""

    on: bool = False
    level: bool = False
    since_ms: int = 0

    def after(self, *, level: bool, now_ms: int) -> "KeyState":
        """The key when its level is so now."""
        moved = self if level == self.level else KeyState(self.on, level, now_ms)
        if moved.level != moved.on and now_ms - moved.since_ms >= SETTLED_MS:
            return KeyState(moved.level, moved.level, moved.since_ms)
        return moved

    def deadline_ms(self) -> int | None:
        """When to look again."""
        return self.since_ms + SETTLED_MS if self.level != self.on else None
