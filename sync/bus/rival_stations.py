"""Detection of a second station on a pair of wires; pure.

Invitations contain the reign of their station. Both ends can hear another station's invitations between
collisions, and both must report it, since the frames of two stations otherwise look like noise.
"""

_APART_MS = 100
_FORGOTTEN_MS = 15_000
"""The silence after which a station is forgotten; it exceeds ten seconds, as invitations may collide."""


class RivalWatch:
    """A station's detection of another station. ``reign`` is this station's."""

    def __init__(self, reign: int) -> None:
        self._reign = reign
        self._first_ms: int | None = None
        self._last_ms = 0
        self.is_here = False

    def on_invitation(self, reign: int, now_ms: int) -> bool:
        """Record an invitation, possibly an echo, and return whether a second station is detected by it.

        A single one may still be in an adapter from before this station's restart.
        """
        if reign == self._reign:
            return False
        return self._hear(now_ms, is_sure=False)

    def on_question_in_silence(self, now_ms: int) -> bool:
        """Record a station's frame while this one is silent, which can't be an echo; return as above."""
        return self._hear(now_ms, is_sure=True)

    def _hear(self, now_ms: int, *, is_sure: bool) -> bool:
        if self._first_ms is None or now_ms - self._last_ms > _FORGOTTEN_MS:
            self._first_ms = now_ms
        self._last_ms = now_ms
        was_here, self.is_here = self.is_here, self.is_here or is_sure or now_ms - self._first_ms >= _APART_MS
        return self.is_here and not was_here

    def is_gone(self, now_ms: int) -> bool:
        """Return whether the other station has been silent long enough to be presumed gone."""
        if not self.is_here or now_ms - self._last_ms <= _FORGOTTEN_MS:
            return False
        self.is_here, self._first_ms = False, None
        return True


class ReignWatch:
    """A terminal's detection of a second station, by the reigns of invitations.

    A restarted station has a new reign and never returns to the old one; the reigns of two stations
    alternate.
    """

    def __init__(self) -> None:
        self._now: int | None = None
        self._before: int | None = None
        self._two_ms: int | None = None

    def on_invitation(self, reign: int, now_ms: int) -> None:
        """Record an invitation."""
        if reign == self._now:
            return
        if reign == self._before:
            self._two_ms = now_ms
        self._before, self._now = self._now, reign

    def hears_two(self, now_ms: int) -> bool:
        """Return whether two stations were heard recently."""
        return self._two_ms is not None and now_ms - self._two_ms <= _FORGOTTEN_MS
