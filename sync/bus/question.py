"""The station's current question, and the time allowed for its answer."""

from dataclasses import dataclass

from sync.bus.frame import BusFrameKind
from sync.bus.interference import Deed
from sync.bus.members import Member
from sync.bus.timing import BusTiming


@dataclass
class Question:
    """A question.

    kind: the kind of frame, or None when only listening.
    member: the one that was polled, if any.
    group: members asked together.
    sent_ms: when its last byte left.
    ends_ms: its latest end.
    wait_ms: the longest wait for a polled member's first byte.
    first_ms, last_ms: first and last bytes of the answer.
    deed: the probe of an inquiry.
    """

    kind: BusFrameKind | None
    turn: int
    sent_ms: int
    ends_ms: int
    wait_ms: int = 0
    member: Member | None = None
    group: tuple[Member, ...] = ()
    deed: Deed | None = None
    first_ms: int | None = None
    last_ms: int = 0
    voices: int = 0
    invalid: int = 0
    noise: int = 0

    def on_bytes(self, count: int, now_ms: int) -> None:
        """Record that some bytes were received."""
        if self.first_ms is None:
            self.first_ms = now_ms
        self.last_ms = now_ms
        self.noise += count

    def is_to(self, member: Member, turn: int) -> bool:
        """Return whether a member's frame is an answer to this question."""
        return turn == self.turn and (self.member is member or member in self.group)

    def over_ms(self, timing: BusTiming, *, is_quiet: bool) -> int:
        """Return when the question ends, possibly because its answer broke off.

        ``is_quiet`` is True if no frame is incomplete.
        """
        if self.kind is BusFrameKind.POLL or self.kind is BusFrameKind.ADMIT:
            if self.first_ms is None:
                return self.sent_ms + self.wait_ms
            return min(self.ends_ms, self.last_ms + timing.gap_ms)
        if self.first_ms is None or self.kind is None:
            return self.ends_ms
        if self.kind is BusFrameKind.INVITE:
            # Units that hear another's answer stay silent, so no answer comes long after the first.
            return min(self.ends_ms, self.last_ms + timing.answer_ms + timing.here_ms)
        amid_ms = 0 if is_quiet else self.last_ms + timing.gap_ms
        return max(self.ends_ms, min(amid_ms, self.ends_ms + timing.gap_ms))
