"""Debouncing: raw levels become presses. It acts on the first edge, then ignores chatter, and does no I/O.

Chatter beyond the quiet time is a loose wire, recognised by its presses alone. Hammering on a button mutes it
as well; it works again after a rest.
"""

from typing import Final

import msgspec

QUIET_MS = 30
"""Milliseconds after an edge for which a button's chatter is ignored."""
SETTLED_MS = 100
"""Milliseconds for which a key switch must be still to count."""
SHORT_MS: Final = 40
"""The shortest press, in milliseconds, that can come from a finger."""
MOST_SHORT: Final = 2
"""The number of consecutive short presses that means a loose wire."""
ROW_MS: Final = 2_000
"""Presses further apart than this, in milliseconds, are not consecutive."""
PACES: Final = ((5, ROW_MS), (9, 10_000))
"""Limits as (presses, milliseconds), above what people need: nine presses end all turns at a table of ten."""
REST_MS: Final = 3_000
"""Milliseconds that a muted button must be open and still to work again."""
LONG_REST_MS: Final = 30_000
"""The same for a button that was muted recently."""
NOT_LONG_AGO_MS: Final = 300_000


class ButtonState(msgspec.Struct, frozen=True):
    """A button.

    closed: its last accepted level.
    quiet_until_ms: until then chatter is ignored.
    """

    closed: bool = False
    since_ms: int = 0
    quiet_until_ms: int = 0
    held: bool = False

    def after(self, *, level: bool, now_ms: int) -> "ButtonState":
        """Return the button's state, given its level now."""
        if now_ms < self.quiet_until_ms or level == self.closed:
            return self
        return ButtonState(level, now_ms, now_ms + QUIET_MS)

    def is_due_to_be_held(self, now_ms: int, hold_ms: int) -> bool:
        """Return whether it has been closed for the hold time and this was not reported yet."""
        return self.closed and not self.held and now_ms - self.since_ms >= hold_ms

    def deadline_ms(self, now_ms: int, hold_ms: int) -> int | None:
        """Return when to check again."""
        due = [self.quiet_until_ms] if now_ms < self.quiet_until_ms else []
        if self.closed and not self.held:
            due.append(self.since_ms + hold_ms)
        return min(due, default=None)


class KeyState(msgspec.Struct, frozen=True):
    """A key switch.

    on: its last stable level.
    level: the current one, since since_ms.
    """

    on: bool = False
    level: bool = False
    since_ms: int = 0

    def after(self, *, level: bool, now_ms: int) -> "KeyState":
        """Return the key's state, given its level now."""
        moved = self if level == self.level else KeyState(self.on, level, now_ms)
        if moved.level != moved.on and now_ms - moved.since_ms >= SETTLED_MS:
            return KeyState(moved.level, moved.level, moved.since_ms)
        return moved

    def deadline_ms(self) -> int | None:
        """Return when to check again."""
        return self.since_ms + SETTLED_MS if self.level != self.on else None


class Chatter(msgspec.Struct, frozen=True):
    """The recent movements of a button, after debouncing. Times are of one monotonic clock.

    presses: their times, oldest first, as far as needed.
    shorts: consecutive presses that were too short.
    mended_ms: when it was last unmuted, or None if it was never muted.
    """

    presses: tuple[int, ...] = ()
    shorts: int = 0
    moved_ms: int = 0
    is_silent: bool = False
    mended_ms: int | None = None

    @property
    def rest_ms(self) -> int:
        """The milliseconds that a muted button must be still."""
        if self.mended_ms is None or self.presses[-1] - self.mended_ms > NOT_LONG_AGO_MS:
            return REST_MS
        return LONG_REST_MS

    def after_edge(self, *, closed: bool, at_ms: int) -> "Chatter":
        """Return the state after a press or release. The press that mutes the button does not count."""
        if self.is_silent:
            return msgspec.structs.replace(self, moved_ms=at_ms)
        if not closed:
            shorts = self.shorts + 1 if at_ms - self.moved_ms < SHORT_MS else 0
            is_silent = shorts >= MOST_SHORT
            return msgspec.structs.replace(self, shorts=shorts, moved_ms=at_ms, is_silent=is_silent)
        presses = (*self.presses[-_MOST_PRESSES:], at_ms)
        return msgspec.structs.replace(
            self,
            presses=presses,
            shorts=self.shorts if at_ms - self.moved_ms <= ROW_MS else 0,
            moved_ms=at_ms,
            is_silent=any(_is_beyond(presses, most, within_ms) for most, within_ms in PACES),
        )

    def at(self, now_ms: int, *, closed: bool) -> "Chatter":
        """Return the state at a time: a muted button works again after a rest.

        ``closed`` is its level now.
        """
        if not self.is_silent or closed or now_ms < self.moved_ms + self.rest_ms:
            return self
        return Chatter(moved_ms=self.moved_ms, mended_ms=now_ms)

    def deadline_ms(self, *, closed: bool) -> int | None:
        """Return when a muted button will work again if it does not move."""
        return self.moved_ms + self.rest_ms if self.is_silent and not closed else None


_MOST_PRESSES: Final = max(most for most, _ in PACES)


def _is_beyond(presses: tuple[int, ...], most: int, within_ms: int) -> bool:
    """Return whether the last press exceeds a limit."""
    return len(presses) > most and presses[-1] - presses[-1 - most] <= within_ms
