"""What the station asked last, and how long the answer may take."""

from dataclasses import dataclass

from saloon.sync.bus.frame import Kind
from saloon.sync.bus.jam import Deed
from saloon.sync.bus.members import Member
from saloon.sync.bus.timing import BusTiming


@dataclass
class Question:
    """kind: of the frame that asked; None for nothing but listening. member: whose turn it is, if one's.

    asked: who was asked together. sent_ms: when its last byte was on the line. ends_ms: when it is
    over at the latest. wait_ms: how long a polled one may take to begin. first_ms, last_ms: bytes of
    the answer. deed: of an inquiry.
    """

    kind: Kind | None
    turn: int
    sent_ms: int
    ends_ms: int
    wait_ms: int = 0
    member: Member | None = None
    asked: tuple[Member, ...] = ()
    deed: Deed | None = None
    first_ms: int | None = None
    last_ms: int = 0
    voices: int = 0
    invalid: int = 0
    noise: int = 0

    def heard(self, count: int, now_ms: int) -> None:
        """So many bytes came."""
        if self.first_ms is None:
            self.first_ms = now_ms
        self.last_ms = now_ms
        self.noise += count

    def is_to(self, member: Member, turn: int) -> bool:
        """Whether an answer of this member is one to this question."""
        return turn == self.turn and (self.member is member or member in self.asked)

    def over_ms(self, timing: BusTiming, *, is_quiet: bool) -> int:
        """When it is over: at its end, or when its answer has stopped in the middle.

        is_quiet: whether nothing has begun and not ended.
        """
        if self.kind is Kind.POLL or self.kind is Kind.ADMIT:
            if self.first_ms is None:
                return self.sent_ms + self.wait_ms
            return min(self.ends_ms, self.last_ms + timing.gap_ms)
        if self.first_ms is None or self.kind is None:
            return self.ends_ms
        if self.kind is Kind.INVITE:
            # Whoever has heard another's answer keeps silent: nobody comes long after the first.
            return min(self.ends_ms, self.last_ms + timing.answer_ms + timing.here_ms)
        amid_ms = 0 if is_quiet else self.last_ms + timing.gap_ms
        return max(self.ends_ms, min(amid_ms, self.ends_ms + timing.gap_ms))
