"""Detection of a second station on a pair of wires; pure.

An invitation carries the reign of its station. Both ends hear those of another station between
collisions, and both must say so: frames of two stations look like noise otherwise.
"""

_APART_MS = 100
_FORGOTTEN_MS = 15_000
"""A station invites at least every ten seconds, but some of its invitations collide."""


class RivalWatch:
    """The other station's questions, as a station hears them. reign: of this station."""

    def __init__(self, reign: int) -> None:
        self._reign = reign
        self._first_ms: int | None = None
        self._last_ms = 0
        self.is_here = False

    def on_invitation(self, reign: int, now_ms: int) -> bool:
        """Note an invitation, perhaps an echo of its own; return whether a second station is found now.

        One alone may be what an adapter kept of this station's last life.
        """
        if reign == self._reign:
            return False
        return self._hear(now_ms, is_sure=False)

    def on_question_in_silence(self, now_ms: int) -> bool:
        """Note a station's frame while this one listens, so that it is no echo; return as above."""
        return self._hear(now_ms, is_sure=True)

    def _hear(self, now_ms: int, *, is_sure: bool) -> bool:
        if self._first_ms is None or now_ms - self._last_ms > _FORGOTTEN_MS:
            self._first_ms = now_ms
        self._last_ms = now_ms
        was_here, self.is_here = self.is_here, self.is_here or is_sure or now_ms - self._first_ms >= _APART_MS
        return self.is_here and not was_here

    def is_gone(self, now_ms: int) -> bool:
        """Return whether the other station has just been silent for long enough to be gone."""
        if not self.is_here or now_ms - self._last_ms <= _FORGOTTEN_MS:
            return False
        self.is_here, self._first_ms = False, None
        return True


class ReignWatch:
    """The reigns of the invitations that a terminal hears.

    A station that starts again has a new reign and never returns to the last one; two stations take turns.
    """

    def __init__(self) -> None:
        self._now: int | None = None
        self._before: int | None = None
        self._two_ms: int | None = None

    def on_invitation(self, reign: int, now_ms: int) -> None:
        """Note an invitation."""
        if reign == self._now:
            return
        if reign == self._before:
            self._two_ms = now_ms
        self._before, self._now = self._now, reign

    def hears_two(self, now_ms: int) -> bool:
        """Return whether two stations were heard lately."""
        return self._two_ms is not None and now_ms - self._two_ms <= _FORGOTTEN_MS
