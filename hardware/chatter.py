"""Told from its presses alone: a button whose wire is loose, and no hand on it. Pure.

Chatter that is over within the quiet time of ``debounce`` never gets here; this is the slower kind. A hand
may hammer: it is silenced as well, and has its button back as soon as it rests.
"""

from typing import Final

import msgspec

SHORT_MS: Final = 40
"""No finger lets go of a button as soon as that."""
MOST_SHORT: Final = 2
"""So many presses in a row that were too short are no finger's."""
ROW_MS: Final = 2_000
"""Presses further apart are not in a row."""
PACES: Final = ((5, ROW_MS), (9, 10_000))
"""Presses within so many milliseconds that a hand may need; nine bring the turn round a table of ten."""
REST_MS: Final = 3_000
"""A silenced button works again when it was open and still for so long."""
LONG_REST_MS: Final = 30_000
"""As REST_MS, for one that was silenced before, and not long ago."""
NOT_LONG_AGO_MS: Final = 300_000


class Chatter(msgspec.Struct, frozen=True):
    """How a button moved lately, after ``debounce``. Times are of one monotonic clock.

    presses: when, oldest first, no more than a pace looks at. shorts: how many in a row were too short.
    mended_ms: when it was last let speak again; None for never silenced.
    """

    presses: tuple[int, ...] = ()
    shorts: int = 0
    moved_ms: int = 0
    is_silent: bool = False
    mended_ms: int | None = None

    @property
    def rest_ms(self) -> int:
        """How long a silenced button must be still."""
        if self.mended_ms is None or self.presses[-1] - self.mended_ms > NOT_LONG_AGO_MS:
            return REST_MS
        return LONG_REST_MS

    def moved(self, *, closed: bool, at_ms: int) -> "Chatter":
        """The button pressed or let go. The press that silences it is itself no hand's any more."""
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
        """The same later: a silenced button that was still speaks again. closed: as it is now."""
        if not self.is_silent or closed or now_ms < self.moved_ms + self.rest_ms:
            return self
        return Chatter(moved_ms=self.moved_ms, mended_ms=now_ms)

    def deadline_ms(self, *, closed: bool) -> int | None:
        """When a silenced button speaks again, if it stays as it is."""
        return self.moved_ms + self.rest_ms if self.is_silent and not closed else None


_MOST_PRESSES: Final = max(most for most, _ in PACES)


def _is_beyond(presses: tuple[int, ...], most: int, within_ms: int) -> bool:
    """Whether the last press is one too many."""
    return len(presses) > most and presses[-1] - presses[-1 - most] <= within_ms
