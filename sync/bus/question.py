"""The station's current question on the bus, and the choice of members to poll as a group."""

from dataclasses import dataclass

from sync.bus.frame import BusFrameKind
from sync.bus.interference import Probe
from sync.bus.members import Member, Members
from sync.bus.timing import BusTiming


@dataclass
class Question:
    """A frame that expects an answer, and the time allowed for it.

    kind: None when the station only listens.
    member: the polled member, if any.
    group: members polled together.
    sent_ms: when its last byte left.
    ends_ms: its latest end.
    wait_ms: the longest wait for a polled member's first byte.
    first_ms, last_ms: when the first and last bytes of the answer arrived.
    probe: the probe of an inquiry that this question carries out.
    """

    kind: BusFrameKind | None
    turn: int
    sent_ms: int
    ends_ms: int
    wait_ms: int = 0
    member: Member | None = None
    group: tuple[Member, ...] = ()
    probe: Probe | None = None
    first_ms: int | None = None
    last_ms: int = 0
    voices: int = 0
    invalid: int = 0
    noise: int = 0

    def on_bytes(self, count: int, now_ms: int) -> None:
        """Record the arrival of bytes of the answer."""
        if self.first_ms is None:
            self.first_ms = now_ms
        self.last_ms = now_ms
        self.noise += count

    def is_to(self, member: Member, turn: int) -> bool:
        """Return whether a frame of this member and turn answers the question."""
        return turn == self.turn and (self.member is member or member in self.group)

    def over_ms(self, timing: BusTiming, *, is_quiet: bool) -> int:
        """Return when the question ends, given the answer so far.

        ``is_quiet`` is False while a frame is incomplete.
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


_ASK_EVERY_MS = 200
"""The longest time (ms) for which busy members postpone the question to idle ones."""
_POLLED_ONE_BY_ONE = 4


class GroupPolling:
    """The choice of idle members to poll as a group, which narrows after a collision."""

    def __init__(self) -> None:
        self._groups: list[tuple[Member, ...]] = []
        self._asked_ms = 0

    def next_group(
        self, members: Members, turn: Member | None, now_ms: int, rest_until_ms: int
    ) -> tuple[Member, ...]:
        """Return the members to poll now, or an empty tuple if it is too early.

        ``turn`` is a busy member that waits to be polled, if any.
        """
        if self._groups:
            return self._groups.pop()
        is_time = now_ms >= (rest_until_ms if turn is None else self._asked_ms + _ASK_EVERY_MS)
        return members.idle(now_ms) if is_time else ()

    def end_window(self, group: tuple[Member, ...], now_ms: int, *, is_garbage: bool) -> None:
        """End the time for answers; after a collision, split the group or poll its members one by one."""
        self._asked_ms = now_ms
        if not is_garbage:
            return
        if len(group) <= _POLLED_ONE_BY_ONE:
            for member in group:
                member.waits = max(1, member.waits)
            return
        middle = len(group) // 2
        self._groups += [group[middle:], group[:middle]]

    def remove(self, member: Member) -> None:
        kept = (tuple(one for one in group if one is not member) for group in self._groups)
        self._groups = [group for group in kept if group]
