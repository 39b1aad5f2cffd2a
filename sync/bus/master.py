"""The station's end of a shared pair of wires, the only end that sends without being polled; sans-I/O.

It asks one question at a time. A ``Question`` is the frame sent and the time allowed for its answer;
``to_line`` closes it when that time is over, and then chooses the next.
"""

from collections.abc import Callable, Iterator

from base.errors import PeerFault
from sync.bus.admission_control import AdmissionControl
from sync.bus.frame import (
    EVERYBODY,
    FROM_STATION,
    LARGEST_PAYLOAD,
    Admission,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    Hush,
    admission_bytes,
    burst,
    count_bytes,
    count_of,
    hush_bytes,
    mask_bytes,
)
from sync.bus.interference import HushAll, Listen, PairWatch, PollOne, Probe
from sync.bus.members import ACK_WITHIN_MS, Babbled, BusEvent, Joined, Member, Members, StationAlone, UnitLeft
from sync.bus.question import GroupPolling, Question
from sync.bus.timing import MOST_PATIENCE, BusTiming
from sync.link.counters import Counters, counters_from

_REST_MS = 10
"""Pause between questions to idle terminals, to spare their processors."""
_ADMISSION_TRIES = 4
_LATE_TURNS = 4
"""Answers that are late by up to this many turns are ignored; older ones count as strays."""
_SHUNS = 3
_CAUGHT = 2
_BROKEN, _NOISY, _ENDLESS = 2, 2, 6
"""The weights of an unclosed turn, of unsolicited bytes, and of an endless turn."""


class BusMaster:
    """The station's end of one pair of wires.

    reign: 16 random bits that identify this run of the station.
    chance: returns a random number below its argument.
    """

    def __init__(self, reign: int, timing: BusTiming, chance: Callable[[int], int]) -> None:
        self._timing = timing
        self._reader = BusFrameReader()
        self.members = Members()
        self._admission = AdmissionControl(reign, timing, chance, self.members)
        self._polling = GroupPolling()
        self._watch = PairWatch(reign, self.members)
        self._events: list[BusEvent] = []
        self._notices: list[BusFrame] = []
        self._question: Question | None = None
        self._last: Member | None = None
        self._turn = 0
        self._line_free_ms = 0
        self._rest_until_ms = 0
        self._polls = 0

    def events(self) -> tuple[BusEvent, ...]:
        """Return the events since the last call."""
        events = tuple(self._events)
        self._events.clear()
        return events

    def send(self, lease: int, data: bytes) -> int:
        """Queue bytes for a terminal and return how many were accepted; 0 if its lease has ended."""
        member = self.members.of_lease(lease)
        return member.stream.send(data) if member is not None else 0

    def take_received(self, lease: int) -> bytes:
        member = self.members.of_lease(lease)
        return member.stream.take_received() if member is not None else b""

    def with_bytes(self) -> tuple[int, ...]:
        return tuple(member.lease for member in self.members if member.stream.has_received())

    def is_flushed(self, lease: int) -> bool:
        """Return whether the terminal has received everything queued, or its lease has ended."""
        member = self.members.of_lease(lease)
        return member is None or not (member.stream.unsent() or member.stream.count_unacknowledged())

    def counters_of(self, lease: int) -> Counters | None:
        """Return one terminal's counters, or None if its lease has ended."""
        member = self.members.of_lease(lease)
        if member is None:
            return None
        stream, wait = member.stream, member.reaction.wait_ms
        return counters_from(stream.tally, is_up=True, payload=stream.payload(), srtt_ms=wait, rto_ms=wait)

    def end(self, lease: int) -> None:
        """End a terminal's lease, so that it must join again."""
        member = self.members.of_lease(lease)
        if member is not None:
            self._drop(member, "closed by the station")

    def receive(self, data: bytes, now_ms: int) -> None:
        """Process bytes from the line."""
        before = self._reader.invalid
        question, count = self._question, len(data) - data.count(0)
        if question is not None and count:
            question.on_bytes(count, now_ms)
        elif count > _CAUGHT:
            self._watch.add_fault(_NOISY, self._last)
        for frame in self._reader.feed(data):
            if frame.kind in FROM_STATION:
                self._on_question(frame, now_ms)
            elif frame.kind is BusFrameKind.HERE:
                self._on_join_request(frame, now_ms)
            else:
                self._on_frame(frame, now_ms)
        if question is not None:
            question.invalid += self._reader.invalid - before

    def to_line(self, now_ms: int) -> bytes:
        """Return the bytes to send now; empty while another end may send, or if nothing is due."""
        if now_ms < self._line_free_ms:
            return b""
        if self._watch.rival.is_gone(now_ms):
            self._events.append(StationAlone())
        if self._question is not None:
            if now_ms < self._question.over_ms(self._timing, is_quiet=self._reader.is_quiet()):
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
        """Return when ``to_line`` must be called next, unless bytes arrive earlier."""
        if now_ms < self._line_free_ms:
            return self._line_free_ms
        if self._question is not None:
            return self._question.over_ms(self._timing, is_quiet=self._reader.is_quiet())
        if self.members.next_turn(now_ms) is not None or self._notices:
            return now_ms
        due = [self._admission.invite_ms, *(member.next_ms() for member in self.members)]
        if self.members.idle(now_ms):
            due.append(self._rest_until_ms)
        if self._watch.check_ms is not None:
            due.append(self._watch.check_ms)
        return max(now_ms, min(due))

    def _next_question(self, now_ms: int) -> Iterator[BusFrame]:
        if self._notices:
            yield self._notices.pop(0)
            return
        probe = self._watch.next_probe(now_ms)
        while isinstance(probe, PollOne) and not self._is_here(probe.member):
            # It left during the inquiry, so its address may have been reassigned.
            self._on_result(0, now_ms)
            probe = self._watch.next_probe(now_ms)
        if probe is not None:
            yield from self._do(probe, now_ms)
            return
        newcomer = self._admission.admit(now_ms)
        if isinstance(newcomer, Member):
            yield from self._poll(newcomer, now_ms)
            return
        if newcomer is not None:
            self._events.append(newcomer)
        if self._admission.is_open(now_ms):
            yield self._invite(now_ms)
            return
        turn = self.members.next_turn(now_ms)
        group = self._polling.next_group(self.members, turn, now_ms, self._rest_until_ms)
        if group:
            yield self._ask(group, now_ms)
        elif turn is not None:
            yield from self._poll(turn, now_ms)

    def _do(self, probe: Probe, now_ms: int) -> Iterator[BusFrame]:
        match probe:
            case Listen():
                self._put_question(Question(None, 0, now_ms, now_ms + probe.for_ms, probe=probe))
            case HushAll():
                self._put_question(
                    Question(BusFrameKind.HUSH, 0, now_ms, now_ms + self._timing.gap_ms, probe=probe)
                )
                yield BusFrame(
                    BusFrameKind.HUSH, EVERYBODY, self._turn, payload=hush_bytes(Hush(probe.for_ms))
                )
            case PollOne():
                yield from self._poll(probe.member, now_ms, probe)

    def _ask(self, group: tuple[Member, ...], now_ms: int) -> BusFrame:
        wait = max(member.reaction.wait_ms for member in group) + self._timing.want_ms
        self._put_question(Question(BusFrameKind.ASK, 0, now_ms, now_ms + wait, group=group))
        addresses = tuple(member.address for member in group)
        return BusFrame(BusFrameKind.ASK, EVERYBODY, self._turn, payload=mask_bytes(addresses))

    def _invite(self, now_ms: int) -> BusFrame:
        self._put_question(Question(BusFrameKind.INVITE, 0, now_ms, now_ms + self._admission.answers_ms()))
        return BusFrame(BusFrameKind.INVITE, EVERYBODY, self._turn, payload=self._admission.invitation())

    def _poll(self, member: Member, now_ms: int, probe: Probe | None = None) -> Iterator[BusFrame]:
        self._polls += 1
        timing, stream = self._timing, member.stream
        grant = timing.grant(self.members.voices(now_ms)) if probe is None else LARGEST_PAYLOAD
        wait_ms = max(timing.answer_ms << min(member.failures, MOST_PATIENCE), member.reaction.wait_ms)
        ends_ms = now_ms + wait_ms + timing.line_ms(grant + 128) + timing.gap_ms
        self._put_question(
            Question(BusFrameKind.POLL, 0, now_ms, ends_ms, wait_ms, member=member, probe=probe)
        )
        who = (member.address, self._turn, member.lease)
        member.served = self._polls
        member.ack_ms = None
        self._last = member
        if not member.is_joined:
            admission = Admission(grant, member.life, member.unit)
            yield BusFrame(BusFrameKind.ADMIT, *who, payload=admission_bytes(admission))
            return
        for sent in stream.frames(grant):
            yield BusFrame(BusFrameKind.DOWN, *who, sent.number, stream.expected, sent.payload)
        end = count_bytes(grant, stream.ranges())
        yield BusFrame(BusFrameKind.POLL, *who, stream.next_number, stream.expected, end)

    def _put_question(self, question: Question) -> None:
        self._turn = question.turn = (self._turn + 1) % 256
        self._reader.hush()
        self._question = question

    def _close(self, question: Question, now_ms: int) -> None:
        self._question = None
        is_garbage = self._reader.hush() or question.invalid > 0
        if question.member is not None:
            self._on_unanswered_poll(question, question.member, now_ms)
        elif question.kind is BusFrameKind.INVITE:
            is_busy = self.members.next_turn(now_ms) is not None
            self._admission.on_invitation_end(question, now_ms, is_garbage=is_garbage, is_busy=is_busy)
            self._weigh(is_garbage=is_garbage)
        elif question.kind is BusFrameKind.ASK:
            self._polling.end_window(question.group, now_ms, is_garbage=is_garbage)
            self._weigh(is_garbage=is_garbage)
            self._rest_until_ms = now_ms + _REST_MS
        if question.probe is not None:
            self._on_result(question.noise, now_ms)

    def _weigh(self, *, is_garbage: bool) -> None:
        if is_garbage:
            self._watch.add_fault(1, self._last)
        else:
            self._watch.add_success()

    def _on_unanswered_poll(self, question: Question, member: Member, now_ms: int) -> None:
        member.on_silence(now_ms)
        if question.first_ms is not None:
            is_endless = now_ms - question.last_ms < self._timing.gap_ms
            self._watch.add_fault(_ENDLESS if is_endless else _BROKEN, member)
        if self._admission.is_replaced(member, now_ms):
            self._drop(member, "the terminal has restarted")
        elif not member.is_joined and member.failures >= _ADMISSION_TRIES:
            self._drop(member, "")
        elif member.is_gone(now_ms):
            self._watch.on_lost(member)
            self._drop(member, "the terminal no longer answers")

    def _drop(self, member: Member, problem: str) -> None:
        self.members.remove(member)
        self._admission.forget(member)
        self._polling.remove(member)
        if self._question is not None and self._question.member is member:
            self._question.member = None
        if member.is_joined:
            self._events.append(UnitLeft(member.lease, member.unit, problem))

    def _on_frame(self, frame: BusFrame, now_ms: int) -> None:
        question = self._question
        member = self.members.at(frame.address, frame.lease)
        if member is None:
            return
        member.stream.tally.frames_received += 1
        is_asked = question is not None and question.is_to(member, frame.turn)
        if not is_asked and not self._is_recent(frame):
            self._watch.add_stray(member, now_ms)
        if frame.kind is BusFrameKind.UP:
            member.heard_ms = member.spoke_ms = now_ms
            member.stream.on_data(frame.number, frame.payload)
            if member.ack_ms is None:
                member.ack_ms = now_ms + ACK_WITHIN_MS
        elif frame.kind is BusFrameKind.WANT:
            member.waits = max(1, member.waits)
            if question is not None:
                question.voices += 1
        elif frame.kind is BusFrameKind.DONE:
            self._finish_question(frame, member, question, now_ms)

    def _on_question(self, frame: BusFrame, now_ms: int) -> None:
        is_listening = self._question is not None and isinstance(self._question.probe, Listen)
        try:
            self._events += self._watch.on_question(frame, now_ms, is_listening=is_listening)
        except PeerFault:
            self._reader.invalid += 1

    def _finish_question(
        self, frame: BusFrame, member: Member, question: Question | None, now_ms: int
    ) -> None:
        try:
            member.waits, ranges = count_of(frame.payload)
        except PeerFault:
            self._reader.invalid += 1
            return
        member.stream.on_ack(frame.ack, ranges)
        member.is_short = frame.number != member.stream.expected
        member.on_answer(now_ms)
        if not member.is_joined:
            member.is_joined = True
            self._events.append(Joined(member.lease, member.unit))
        twin = self._admission.silence_twin(member)
        if twin is not None:
            self._notices.append(twin[0])
            self._events.append(twin[1])
        if question is None or question.member is not member or frame.turn != question.turn:
            return
        if question.first_ms is not None:
            member.reaction.took(max(0, question.first_ms - question.sent_ms))
        self._watch.add_success()
        self._question = None
        self._rest_until_ms = now_ms + _REST_MS
        if question.probe is not None:
            self._on_result(0, now_ms, answered=True)

    def _on_join_request(self, frame: BusFrame, now_ms: int) -> None:
        if not self._is_recent(frame):
            return
        if self._question is not None:
            self._question.voices += 1
        try:
            former = self._admission.on_join_request(frame.payload, now_ms)
        except PeerFault:
            self._reader.invalid += 1
            return
        if former is not None:
            self._drop(former, "the terminal has lost its address")

    def _on_result(self, noise: int, now_ms: int, *, answered: bool = False) -> None:
        verdict = self._watch.report(noise, now_ms, answered=answered)
        if verdict is None:
            return
        culprit = verdict.culprit
        if culprit is not None and self._is_here(culprit):
            notice, for_ms = self._admission.ban(culprit, now_ms)
            self._notices += [notice] * _SHUNS
            self._drop(culprit, "the terminal sent without being polled")
            self._events.append(Babbled(culprit.unit, for_ms))
        self._events += self._watch.news_of(verdict)

    def _is_here(self, member: Member) -> bool:
        return self.members.at(member.address, member.lease) is member

    def _is_recent(self, frame: BusFrame) -> bool:
        return (self._turn - frame.turn) % 256 <= _LATE_TURNS
