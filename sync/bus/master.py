"""The station's end of a shared pair of wires: it alone speaks first; sans-I/O.

One question at a time: what is said, and how long the answer may take, is one ``Question``;
``to_line`` closes it when its time is over and chooses the next.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.bus.events import BusEvent, Cloned, Full, Joined, Left
from saloon.sync.bus.frame import EVERYBODY, FROM_STATION, Frame, FrameReader, Kind, burst
from saloon.sync.bus.members import ACK_WITHIN_MS, Member, Members
from saloon.sync.bus.newcomers import Newcomers, Shunned
from saloon.sync.bus.payloads import (
    Admission,
    Here,
    Hush,
    Invitation,
    admission_bytes,
    count_bytes,
    count_of,
    here_of,
    invitation_bytes,
    mask_bytes,
    shun_bytes,
    taken_mask,
)
from saloon.sync.bus.stream import TurnStream
from saloon.sync.bus.timing import BusTiming, Reaction

_REST_MS = 10
"""A pause between two questions to idle terminals: their processors have other work too."""
_ASK_EVERY_MS = 200
"""How long busy terminals may go on before the idle ones are asked."""
_INVITE_EVERY_MS = 500
_INVITE_WHEN_BUSY_MS = 1_500
_INVITE_MORE_MS = 20
"""After an invitation that somebody answered."""
_MOST_GREETING = 4
_POLLED_ONE_BY_ONE = 4
_ADMISSION_TRIES = 4
_DOUBTS = 2
"""Polls that the former life of a unit gets before a new one takes its place."""
_CLONE_MS = 60_000
_INVITE_WHEN_FULL_MS = 10_000


@dataclass
class _Question:
    """What was asked last. member: whose turn it is; None for questions to many.

    asked: addresses. ends_ms: when it is over at the latest; first_ms, last_ms: bytes of the answer.
    """

    kind: Kind
    turn: int
    sent_ms: int
    ends_ms: int
    member: Member | None = None
    asked: tuple[Member, ...] = ()
    first_ms: int | None = None
    last_ms: int = 0
    voices: int = 0
    invalid: int = 0


class MasterCounters(msgspec.Struct, frozen=True):
    """What the station has seen of a pair."""

    members: int
    polls: int
    polls_in_vain: int
    asks: int
    invitations: int
    frames_invalid: int
    strays: int


class BusMaster:
    """One pair of wires. reign: 16 random bits, new at each start.

    chance: gives a number below the one it is given, for leases.
    """

    def __init__(self, reign: int, timing: BusTiming, chance: Callable[[int], int]) -> None:
        self._reign = reign
        self._timing = timing
        self._chance = chance
        self._reader = FrameReader()
        self.members = Members()
        self._newcomers = Newcomers()
        self._shunned = Shunned()
        self._challengers: dict[int, tuple[Here, int]] = {}
        self._to_ask: list[tuple[Member, ...]] = []
        self._events: list[BusEvent] = []
        self._notices: list[Frame] = []
        self._question: _Question | None = None
        self._turn = 0
        self._line_free_ms = 0
        self._rest_until_ms = 0
        self._invite_ms = 0
        self._asked_ms = 0
        self._polls = self._in_vain = self._asks = self._invitations = self._strays = 0

    def events(self) -> tuple[BusEvent, ...]:
        """What has happened since the last call."""
        events = tuple(self._events)
        self._events.clear()
        return events

    def counters(self) -> MasterCounters:
        """What was seen so far."""
        return MasterCounters(
            len(self.members),
            self._polls,
            self._in_vain,
            self._asks,
            self._invitations,
            self._reader.invalid,
            self._strays,
        )

    def send(self, lease: int, data: bytes) -> int:
        """Hand over bytes for a terminal; how many were taken. 0 for a lease that is over."""
        member = self._of_lease(lease)
        return member.stream.send(data) if member is not None else 0

    def received(self, lease: int) -> bytes:
        """The bytes of a terminal's stream that are in order; asking takes them."""
        member = self._of_lease(lease)
        return member.stream.received() if member is not None else b""

    def end(self, lease: int) -> None:
        """The owner has closed a stream: the terminal must begin anew."""
        member = self._of_lease(lease)
        if member is not None:
            self._drop(member, "closed by the station")

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the line."""
        before = self._reader.invalid
        question = self._question
        if question is not None and data.strip(b"\0"):
            if question.first_ms is None:
                question.first_ms = now_ms
            question.last_ms = now_ms
        for frame in self._reader.feed(data):
            if frame.kind not in FROM_STATION:
                self._heard(frame, now_ms)
        if question is not None:
            question.invalid += self._reader.invalid - before

    def to_line(self, now_ms: int) -> bytes:
        """What to say now; empty while somebody else may speak, or nothing is due."""
        if now_ms < self._line_free_ms:
            return b""
        if self._question is not None:
            if now_ms < self._question_ends_ms(self._question):
                return b""
            self._close(self._question, now_ms)
        frames = tuple(self._next_question(now_ms))
        if not frames:
            return b""
        data = burst(*frames)
        self._line_free_ms = now_ms + self._timing.line_ms(len(data))
        question = self._question
        if question is not None:
            span = self._line_free_ms - question.sent_ms
            question.sent_ms += span
            question.ends_ms += span
        return data

    def next_deadline_ms(self, now_ms: int) -> int:
        """When ``to_line`` must be asked next, unless bytes come before."""
        if now_ms < self._line_free_ms:
            return self._line_free_ms
        if self._question is not None:
            return self._question_ends_ms(self._question)
        if self.members.next_turn(now_ms) is not None or self._notices:
            return now_ms
        due = [member.next_ms() for member in self.members]
        due += [self._rest_until_ms] if self.members.idle(now_ms) else []
        return max(now_ms, min([*due, self._invite_ms]))

    def _question_ends_ms(self, question: _Question) -> int:
        """When a question is over: at its end, or when its answer has stopped in the middle."""
        if question.first_ms is None:
            is_poll = question.member is not None
            return question.sent_ms + self._timing.answer_ms if is_poll else question.ends_ms
        if question.kind is Kind.INVITE:
            # Whoever has heard another's answer keeps silent: nobody comes long after the first.
            return min(question.ends_ms, question.last_ms + self._timing.answer_ms + self._timing.here_ms)
        if question.member is None:
            amid = 0 if self._reader.is_quiet() else question.last_ms + self._timing.gap_ms
            return max(question.ends_ms, min(amid, question.ends_ms + self._timing.gap_ms))
        return min(question.ends_ms, question.last_ms + self._timing.gap_ms)

    def _next_question(self, now_ms: int) -> Iterator[Frame]:
        if self._notices:
            notices, self._notices = self._notices, []
            yield from notices
            return
        newcomer = self._next_newcomer(now_ms)
        if newcomer is not None:
            yield from self._poll(newcomer, now_ms)
            return
        if now_ms >= self._invite_ms and not self._too_many_greet(now_ms):
            yield self._invite(now_ms)
            return
        turn = self.members.next_turn(now_ms)
        if self._to_ask:
            yield from self._ask(self._to_ask.pop(), now_ms)
            return
        idle = self.members.idle(now_ms)
        is_time = now_ms >= (self._asked_ms + _ASK_EVERY_MS if turn is not None else self._rest_until_ms)
        if idle and is_time:
            yield from self._ask(idle, now_ms)
            return
        if turn is not None:
            yield from self._poll(turn, now_ms)

    def _ask(self, asked: tuple[Member, ...], now_ms: int) -> Iterator[Frame]:
        self._asks += 1
        self._asked_ms = now_ms
        wait = max(member.reaction.wait_ms for member in asked) + self._timing.line_ms(24)
        self._put_question(Kind.ASK, now_ms, wait, asked=asked)
        yield Frame(Kind.ASK, EVERYBODY, self._turn, payload=mask_bytes(tuple(m.address for m in asked)))

    def _invite(self, now_ms: int) -> Frame:
        self._invitations += 1
        timing, slots = self._timing, self._newcomers.slots
        wait = timing.answer_ms + slots * timing.slot_ms + timing.here_ms
        self._put_question(Kind.INVITE, now_ms, wait)
        invitation = Invitation(self._reign, slots, timing.slot_ms, taken_mask(self.members.addresses()))
        return Frame(Kind.INVITE, EVERYBODY, self._turn, payload=invitation_bytes(invitation))

    def _poll(self, member: Member, now_ms: int) -> Iterator[Frame]:
        self._polls += 1
        grant = self._timing.grant(self.members.voices(now_ms))
        wait = self._timing.answer_ms + self._timing.line_ms(grant + 128) + self._timing.gap_ms
        self._put_question(Kind.POLL, now_ms, wait, member=member)
        who, stream = (member.address, self._turn, member.lease), member.stream
        member.served = self._polls
        member.ack_ms = None
        if not member.is_joined:
            admission = Admission(grant, member.life, member.unit)
            yield Frame(Kind.ADMIT, *who, payload=admission_bytes(admission))
            return
        for sent in stream.frames(grant):
            yield Frame(Kind.DOWN, *who, sent.number, stream.expected, sent.payload)
        yield Frame(Kind.POLL, *who, stream.next_number, stream.expected, count_bytes(grant, stream.ranges()))

    def _put_question(
        self,
        kind: Kind,
        now_ms: int,
        wait_ms: int,
        *,
        member: Member | None = None,
        asked: tuple[Member, ...] = (),
    ) -> None:
        self._turn = (self._turn + 1) % 256
        self._reader.hush()
        self._question = _Question(kind, self._turn, now_ms, now_ms + wait_ms, member, asked)

    def _close(self, question: _Question, now_ms: int) -> None:
        """Its time is over."""
        self._question = None
        is_garbage = self._reader.hush() or question.invalid > 0
        if question.member is not None:
            self._polled_in_vain(question.member, now_ms)
        elif question.kind is Kind.INVITE:
            self._newcomers.invited(voices=question.voices, is_garbage=is_garbage)
            self._plan_invitation(question, now_ms, came=question.voices > 0 or is_garbage)
        else:
            if is_garbage:
                self._take_apart(question.asked)
            self._rest_until_ms = now_ms + _REST_MS

    def _take_apart(self, asked: tuple[Member, ...]) -> None:
        """Voices have met: ask halves, or few one by one."""
        if len(asked) <= _POLLED_ONE_BY_ONE:
            for member in asked:
                member.waits = max(1, member.waits)
            return
        middle = len(asked) // 2
        self._to_ask += [asked[middle:], asked[:middle]]

    def _plan_invitation(self, question: _Question, now_ms: int, *, came: bool) -> None:
        is_busy = self.members.next_turn(now_ms) is not None
        if self.members.free_address() is None:
            pause = _INVITE_WHEN_FULL_MS
        elif came:
            # Those who are here get at least as much of the line as those who come.
            pause = now_ms - question.sent_ms if is_busy or len(self._newcomers) else _INVITE_MORE_MS
        else:
            pause = _INVITE_WHEN_BUSY_MS if is_busy else _INVITE_EVERY_MS
        self._invite_ms = now_ms + pause

    def _too_many_greet(self, now_ms: int) -> bool:
        greeting = sum(member.is_greeting(now_ms) for member in self.members)
        return greeting + len(self._newcomers) >= _MOST_GREETING

    def _polled_in_vain(self, member: Member, now_ms: int) -> None:
        self._in_vain += 1
        member.failed(now_ms)
        challenger, doubts = self._challengers.get(member.lease, (None, 0))
        if challenger is not None:
            self._challengers[member.lease] = (challenger, doubts + 1)
            if doubts + 1 >= _DOUBTS:
                self._drop(member, "the terminal has started anew")
                self._newcomers.add(challenger)
                return
            member.retry_ms = now_ms
        if not member.is_joined and member.failures >= _ADMISSION_TRIES:
            self._drop(member, "")
        elif member.is_gone(now_ms):
            self._drop(member, "the terminal does not answer any more")

    def _drop(self, member: Member, problem: str) -> None:
        self.members.remove(member)
        self._challengers.pop(member.lease, None)
        kept = (tuple(m for m in asked if m is not member) for asked in self._to_ask)
        self._to_ask = [asked for asked in kept if asked]
        if self._question is not None and self._question.member is member:
            self._question.member = None
        if member.is_joined:
            self._events.append(Left(member.lease, member.unit, problem))

    def _heard(self, frame: Frame, now_ms: int) -> None:
        question = self._question
        if frame.kind is Kind.HERE:
            if question is not None and question.kind is Kind.INVITE and frame.turn == question.turn:
                self._came(frame, question, now_ms)
            return
        member = self.members.at(frame.address, frame.lease)
        if member is None:
            return
        is_asked = question is not None and (question.member is member or member in question.asked)
        if question is None or not is_asked or frame.turn != question.turn:
            self._strays += 1
            member.strays += 1
        if frame.kind is Kind.UP:
            member.heard_ms = member.spoke_ms = now_ms
            member.stream.arrived(frame.number, frame.payload)
            if member.ack_ms is None:
                member.ack_ms = now_ms + ACK_WITHIN_MS
        elif frame.kind is Kind.WANT:
            member.waits = max(1, member.waits)
            if question is not None:
                question.voices += 1
        elif frame.kind is Kind.DONE:
            self._done(frame, member, question, now_ms)

    def _done(self, frame: Frame, member: Member, question: _Question | None, now_ms: int) -> None:
        try:
            member.waits, ranges = count_of(frame.payload)
        except PeerFault:
            self._reader.invalid += 1
            return
        member.stream.heard(frame.ack, ranges)
        member.is_short = frame.number != member.stream.expected
        member.answered(now_ms)
        if not member.is_joined:
            member.is_joined = True
            self._events.append(Joined(member.lease, member.unit))
        challenger = self._challengers.pop(member.lease, None)
        if challenger is not None:
            self._keep_away(challenger[0])
            self._events.append(Cloned(member.unit))
        if question is not None and question.member is member and frame.turn == question.turn:
            if question.first_ms is not None:
                member.reaction.took(max(0, question.first_ms - question.sent_ms))
            self._question = None
            self._rest_until_ms = now_ms + _REST_MS

    def _came(self, frame: Frame, question: _Question, now_ms: int) -> None:
        try:
            here = here_of(frame.payload)
        except PeerFault:
            self._reader.invalid += 1
            return
        question.voices += 1
        if self._shunned.is_kept_away(here.unit, now_ms):
            return
        former = self.members.of_unit(here.unit)
        if former is None:
            self._newcomers.add(here)
        elif former.life == here.life:
            self._drop(former, "the terminal has lost its address")
            self._newcomers.add(here)
        else:
            self._challengers[former.lease] = (here, 0)
            former.waits = max(1, former.waits)
            former.retry_ms = now_ms

    def _keep_away(self, here: Here) -> None:
        payload = shun_bytes(Hush(_CLONE_MS, here.unit), here.life)
        self._notices.append(Frame(Kind.SHUN, EVERYBODY, self._turn, payload=payload))

    def _next_newcomer(self, now_ms: int) -> Member | None:
        here = self._newcomers.take()
        if here is None:
            return None
        address = self.members.free_address()
        if address is None:
            self._events.append(Full(here.unit))
            return None
        member = Member(
            here.unit,
            here.life,
            address,
            self._new_lease(),
            TurnStream(self._timing.baud),
            Reaction(self._timing.answer_ms),
            now_ms,
            now_ms,
        )
        self.members.add(member)
        return member

    def _new_lease(self) -> int:
        taken = {member.lease for member in self.members}
        lease = 1 + self._chance(0xFFFF)
        while lease in taken:
            lease = lease % 0xFFFF + 1
        return lease

    def _of_lease(self, lease: int) -> Member | None:
        return next((member for member in self.members if member.lease == lease), None)
