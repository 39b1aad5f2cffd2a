"""The admission of units to a bus: invitations, leases, duplicate ids and bans."""

from collections.abc import Callable

from sync.bus.frame import (
    EVERYBODY,
    BusFrame,
    BusFrameKind,
    Hush,
    Invitation,
    JoinRequest,
    address_mask,
    here_of,
    invitation_bytes,
    shun_bytes,
)
from sync.bus.members import BusEvent, Cloned, Full, Member, Members
from sync.bus.question import Question
from sync.bus.stream import TurnStream
from sync.bus.timing import BusTiming, Reaction

_MOST = 32
_FIRST_SLOTS = 4
_MOST_SLOTS = 32
FIRST_SHUN_MS = 10_000
LONGEST_SHUN_MS = 600_000


class _Shunned:
    """Banned units. Each further ban of the same unit lasts twice as long."""

    def __init__(self) -> None:
        self._until: dict[bytes, tuple[int, int]] = {}

    def add(self, unit: bytes, now_ms: int) -> int:
        """Ban a unit and return the duration in milliseconds."""
        times = self._until.get(unit, (0, 0))[1]
        for_ms = min(LONGEST_SHUN_MS, FIRST_SHUN_MS << min(times, 10))
        while len(self._until) >= _MOST and unit not in self._until:
            del self._until[next(iter(self._until))]
        self._until[unit] = (now_ms + for_ms, times + 1)
        return for_ms

    def is_banned(self, unit: bytes, now_ms: int) -> bool:
        return now_ms < self._until.get(unit, (0, 0))[0]


_INVITE_EVERY_MS = 500
_INVITE_WHEN_BUSY_MS = 1_500
_INVITE_MORE_MS = 20
"""The pause after an answered invitation if no member has anything to send."""
_INVITE_WHEN_FULL_MS = 10_000
_MOST_GREETING = 4
_DOUBTS = 2
"""The number of polls that a member may miss before its restarted unit replaces it."""
_TWIN_MS = 60_000


class AdmissionControl:
    """The admission of units to the bus.

    reign: the random number of this run of the station.
    chance: returns a random number below its argument.
    """

    def __init__(self, reign: int, timing: BusTiming, chance: Callable[[int], int], members: Members) -> None:
        self._reign = reign
        self._timing = timing
        self._chance = chance
        self._members = members
        self._newcomers: dict[bytes, JoinRequest] = {}
        self._slots = _FIRST_SLOTS
        self._shunned = _Shunned()
        self._challengers: dict[int, tuple[JoinRequest, int]] = {}
        self.invite_ms = 0

    def is_open(self, now_ms: int) -> bool:
        """Return whether an invitation is due now, and few newcomers are still in their handshake."""
        greeting = sum(member.is_greeting(now_ms) for member in self._members)
        return now_ms >= self.invite_ms and greeting + len(self._newcomers) < _MOST_GREETING

    def invitation(self) -> bytes:
        taken = address_mask(self._members.addresses())
        return invitation_bytes(Invitation(self._reign, self._slots, self._timing.slot_ms, taken))

    def answers_ms(self) -> int:
        timing = self._timing
        return timing.answer_ms + self._slots * timing.slot_ms + timing.here_ms

    def on_join_request(self, payload: bytes, now_ms: int) -> Member | None:
        """Queue a unit that answered an invitation, and return its previous member, which loses its address.

        Raises PeerFault for an invalid payload.
        """
        here = here_of(payload)
        if self._shunned.is_banned(here.unit, now_ms):
            return None
        former = self._members.of_unit(here.unit)
        if former is not None and former.life != here.life:
            self._challengers[former.lease] = (here, 0)
            former.waits = max(1, former.waits)
            former.retry_ms = now_ms
            return None
        self._queue(here)
        return former

    def on_invitation_end(self, question: Question, now_ms: int, *, is_garbage: bool, is_busy: bool) -> None:
        """Choose the time and the number of slots of the next invitation from the last one's answers."""
        if is_garbage:
            self._slots = min(_MOST_SLOTS, self._slots * 2)
        elif not question.voices:
            self._slots = max(_FIRST_SLOTS, self._slots // 2)
        if self._members.free_address() is None:
            pause = _INVITE_WHEN_FULL_MS
        elif question.voices or is_garbage:
            # Members get at least as much of the line as newcomers.
            is_waited_for = is_busy or len(self._newcomers) > 0
            pause = now_ms - question.sent_ms if is_waited_for else _INVITE_MORE_MS
        else:
            pause = _INVITE_WHEN_BUSY_MS if is_busy else _INVITE_EVERY_MS
        self.invite_ms = now_ms + pause

    def admit(self, now_ms: int) -> Member | BusEvent | None:
        """Give the next newcomer a lease, and return its member, or Full; return None if nobody waits."""
        unit = next(iter(self._newcomers), None)
        if unit is None:
            return None
        here = self._newcomers.pop(unit)
        address = self._members.free_address()
        if address is None:
            return Full(here.unit)
        timing = self._timing
        stream, reaction = TurnStream(timing.baud), Reaction(timing.answer_ms)
        member = Member(here.unit, here.life, address, self._lease(), stream, reaction, now_ms, now_ms)
        self._members.add(member)
        return member

    def is_replaced(self, member: Member, now_ms: int) -> bool:
        """Return whether a restarted unit takes the place of this member, which has just missed a poll."""
        challenger, doubts = self._challengers.get(member.lease, (None, 0))
        if challenger is None:
            return False
        self._challengers[member.lease] = (challenger, doubts + 1)
        member.retry_ms = now_ms
        if doubts + 1 < _DOUBTS:
            return False
        self._queue(challenger)
        return True

    def silence_twin(self, member: Member) -> tuple[BusFrame, Cloned] | None:
        """Return the frame that silences another unit with this member's id, and the event, or None."""
        challenger = self._challengers.pop(member.lease, None)
        if challenger is None:
            return None
        here = challenger[0]
        return _shun(here.unit, here.life, _TWIN_MS), Cloned(here.unit)

    def ban(self, member: Member, now_ms: int) -> tuple[BusFrame, int]:
        """Ban a member's unit, and return the frame that silences it and the duration in milliseconds."""
        for_ms = self._shunned.add(member.unit, now_ms)
        return _shun(member.unit, member.life, for_ms), for_ms

    def forget(self, member: Member) -> None:
        self._challengers.pop(member.lease, None)

    def _queue(self, here: JoinRequest) -> None:
        if here.unit in self._newcomers or len(self._newcomers) < _MOST:
            self._newcomers[here.unit] = here

    def _lease(self) -> int:
        taken = {member.lease for member in self._members}
        lease = 1 + self._chance(0xFFFF)
        while lease in taken:
            lease = lease % 0xFFFF + 1
        return lease


def _shun(unit: bytes, life: int, for_ms: int) -> BusFrame:
    return BusFrame(BusFrameKind.SHUN, EVERYBODY, 0, payload=shun_bytes(Hush(for_ms, unit), life))
