"""Detect a button with a loose wire from its presses alone. Pure.

Chatter that is over within the quiet time of ``debounce`` never gets here; this is the slower kind. A person
who hammers a button silences it too; it works again as soon as it rests.
"""

from typing import Final

import msgspec

SHORT_MS: Final = 40
"""A press shorter than this is not a finger's."""
MOST_SHORT: Final = 2
"""Number of consecutive presses that are too short, from which a wire is loose."""
ROW_MS: Final = 2_000
"""Presses further apart are not consecutive."""
PACES: Final = ((5, ROW_MS), (9, 10_000))
"""Presses that a person may need within these milliseconds; nine pass the turn round a table of ten."""
REST_MS: Final = 3_000
"""Milliseconds that a silenced button must be open and still until it works again."""
LONG_REST_MS: Final = 30_000
"""As REST_MS, for a button that was silenced not long ago."""
NOT_LONG_AGO_MS: Final = 300_000


class Chatter(msgspec.Struct, frozen=True):
    """The recent movements of a button, after ``debounce``. Times are of one monotonic clock.

    presses: their times, oldest first, no more than the limits need. shorts: consecutive presses that were
    too short. mended_ms: the time it was last released from silence; None for never silenced.
    """

    presses: tuple[int, ...] = ()
    shorts: int = 0
    moved_ms: int = 0
    is_silent: bool = False
    mended_ms: int | None = None

    @property
    def rest_ms(self) -> int:
        """The milliseconds that a silenced button must be still."""
        if self.mended_ms is None or self.presses[-1] - self.mended_ms > NOT_LONG_AGO_MS:
            return REST_MS
        return LONG_REST_MS

    def moved(self, *, closed: bool, at_ms: int) -> "Chatter":
        """Return the state after a press or release. The press that silences the button does not count."""
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
        """Return the state later on: a silenced button that rested works again. closed: its level now."""
        if not self.is_silent or closed or now_ms < self.moved_ms + self.rest_ms:
            return self
        return Chatter(moved_ms=self.moved_ms, mended_ms=now_ms)

    def deadline_ms(self, *, closed: bool) -> int | None:
        """Return the time at which a silenced button works again, if it does not move."""
        return self.moved_ms + self.rest_ms if self.is_silent and not closed else None


_MOST_PRESSES: Final = max(most for most, _ in PACES)


def _is_beyond(presses: tuple[int, ...], most: int, within_ms: int) -> bool:
    """Return whether the last press is one too many."""
    return len(presses) > most and presses[-1] - presses[-1 - most] <= within_ms
