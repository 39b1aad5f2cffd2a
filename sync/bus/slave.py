"""The terminal's end of a shared pair of wires, silent until it is polled; sans-I/O."""

from collections.abc import Callable

import msgspec

from base.errors import PeerFault
from sync.bus.frame import (
    EVERYBODY,
    FROM_STATION,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    JoinRequest,
    admission_of,
    burst,
    count_bytes,
    count_of,
    here_bytes,
    hush_of,
    invitation_of,
    is_in_mask,
    shun_of,
)
from sync.bus.interference import ReignWatch
from sync.bus.stream import TurnStream
from sync.link.counters import Counters, Tally, counters_from

PATIENCE_MS = 12_000
"""The time without a poll (ms) after which the station must have dropped this terminal."""
_LATEST_MS = 200
"""The delay (ms) after which an answer is too late to send."""


class _Answer(msgspec.Struct, frozen=True):
    """A scheduled answer."""

    kind: BusFrameKind
    turn: int
    not_before_ms: int
    granted: int = 0


class BusSlave:
    """A terminal on the bus.

    unit: its id, 4 to 8 bytes.
    life: 32 random bits that identify this run.
    chance: returns a random number below its argument.

    Until they are assigned, ``address`` and ``lease`` are 0. Each life has a single stream. If the station
    assigns a new address in the middle of it, the life ends.
    """

    def __init__(self, unit: bytes, life: int, *, baud: int, chance: Callable[[int], int]) -> None:
        self._baud = baud
        self._chance = chance
        self._hushed_until_ms = self._shunned_until_ms = 0
        self._unit = unit
        self._tally = Tally()
        self._reigns = ReignWatch()
        self.begin(life)

    def begin(self, life: int) -> None:
        """Begin a new life, but keep the orders to be silent and the record of stations heard."""
        self._here = JoinRequest(life, self._unit)
        self._reader = BusFrameReader()
        self._stream = TurnStream(self._baud, self._tally)
        self.address = self.lease = self._reign = 0
        self._answer: _Answer | None = None
        self._polled_ms = 0
        self.heard_ms: int | None = None
        """The time of the station's last frame to any unit, or None if there was none in this life."""
        self.is_over = False
        """The stream has ended, so that nothing can be sent until ``begin``."""

    @property
    def is_up(self) -> bool:
        return self.address != EVERYBODY

    def hears_two_stations(self, now_ms: int) -> bool:
        return self._reigns.hears_two(now_ms)

    def counters(self) -> Counters:
        """Return the counters of all lives. The timers are 0, as only the station has timers."""
        return counters_from(
            self._tally, is_up=self.is_up, payload=self._stream.payload(), srtt_ms=0, rto_ms=0
        )

    def send(self, data: bytes) -> int:
        return self._stream.send(data)

    def has_received(self) -> bool:
        return self._stream.has_received()

    def take_received(self) -> bytes:
        return self._stream.take_received()

    def receive(self, data: bytes, now_ms: int) -> None:
        """Process bytes from the line. A frame after a question cancels our answer to it."""
        self._tally.line_bytes_received += len(data)
        before = self._reader.invalid, self._reader.noise_bytes
        for frame in self._reader.feed(data):
            self._tally.frames_received += 1
            self._answer = None
            if frame.kind in FROM_STATION and not self.is_over:
                self.heard_ms = now_ms
                try:
                    self._on_frame(frame, now_ms)
                except PeerFault:
                    # A valid checksum with invalid content: a frame of another version, not for us.
                    self._reader.invalid += 1
        self._tally.frames_invalid += self._reader.invalid - before[0]
        self._tally.noise_bytes += self._reader.noise_bytes - before[1]
        if not self._reader.is_quiet():
            self._answer = None

    def to_line(self, now_ms: int) -> bytes:
        """Return the bytes to send now, usually none."""
        if self.is_up and now_ms - self._polled_ms > PATIENCE_MS:
            self._forget()
        answer = self._answer
        if answer is None or now_ms < answer.not_before_ms:
            return b""
        self._answer = None
        return self._build_reply(answer) if now_ms - answer.not_before_ms <= _LATEST_MS else b""

    def next_deadline_ms(self) -> int | None:
        """Return when ``to_line`` must be called next, or None if only received bytes require it."""
        if self._answer is not None:
            return self._answer.not_before_ms
        return self._polled_ms + PATIENCE_MS + 1 if self.is_up else None

    def _build_reply(self, answer: _Answer) -> bytes:
        match answer.kind:
            case BusFrameKind.HERE:
                return burst(
                    BusFrame(BusFrameKind.HERE, EVERYBODY, answer.turn, payload=here_bytes(self._here))
                )
            case BusFrameKind.WANT:
                return burst(BusFrame(BusFrameKind.WANT, self.address, answer.turn, self.lease))
            case _:
                return self._turn(answer)

    def _turn(self, answer: _Answer) -> bytes:
        stream, who = self._stream, (self.address, answer.turn, self.lease)
        data = [
            BusFrame(BusFrameKind.UP, *who, sent.number, stream.expected, sent.payload)
            for sent in stream.frames(answer.granted)
        ]
        end = count_bytes(stream.unsent(), stream.ranges())
        return burst(*data, BusFrame(BusFrameKind.DONE, *who, stream.next_number, stream.expected, end))

    def _on_frame(self, frame: BusFrame, now_ms: int) -> None:
        is_ours = self.is_up and (frame.address, frame.lease) == (self.address, self.lease)
        match frame.kind:
            case BusFrameKind.INVITE:
                self._on_invitation(frame, now_ms)
            case BusFrameKind.ADMIT:
                self._on_admission(frame, now_ms)
            case BusFrameKind.ASK if self.is_up and is_in_mask(frame.payload, self.address):
                if self._stream.unsent() and not self._is_hushed(now_ms):
                    self._answer = _Answer(BusFrameKind.WANT, frame.turn, now_ms)
            case BusFrameKind.POLL if is_ours:
                granted, ranges = count_of(frame.payload)
                self._stream.on_ack(frame.ack, ranges)
                self._on_poll(frame, granted, now_ms)
            case BusFrameKind.DOWN if is_ours:
                self._stream.on_data(frame.number, frame.payload)
            case BusFrameKind.HUSH:
                hush = hush_of(frame.payload)
                if hush.unit in {b"", self._here.unit}:
                    self._hushed_until_ms = now_ms + hush.for_ms
            case BusFrameKind.SHUN:
                self._on_rejection(frame, now_ms)
            case _:
                pass

    def _on_poll(self, frame: BusFrame, granted: int, now_ms: int) -> None:
        self._polled_ms = now_ms
        self._hushed_until_ms = 0
        self._answer = _Answer(BusFrameKind.DONE, frame.turn, now_ms, granted)

    def _on_invitation(self, frame: BusFrame, now_ms: int) -> None:
        invitation = invitation_of(frame.payload)
        self._reigns.on_invitation(invitation.reign, now_ms)
        is_listed = self.is_up and invitation.taken >> (self.address - 1) & 1
        if self.is_up and not (is_listed and invitation.reign == self._reign):
            self._forget()
        if self.is_up or self.is_over or self._is_shunned(now_ms) or self._is_hushed(now_ms):
            return
        self._reign = invitation.reign
        slot = self._chance(max(1, invitation.slots))
        self._answer = _Answer(BusFrameKind.HERE, frame.turn, now_ms + slot * invitation.slot_ms)

    def _on_admission(self, frame: BusFrame, now_ms: int) -> None:
        admission = admission_of(frame.payload)
        if (admission.life, admission.unit) != (self._here.life, self._here.unit):
            if frame.address == self.address:
                self._forget()
            return
        if (frame.address, frame.lease) != (self.address, self.lease):
            if self.is_up:
                self._forget()
            if self.is_over:
                return
            self.address, self.lease = frame.address, frame.lease
        self._on_poll(frame, admission.grant, now_ms)

    def _on_rejection(self, frame: BusFrame, now_ms: int) -> None:
        hush, life = shun_of(frame.payload)
        if (hush.unit, life) == (self._here.unit, self._here.life):
            self._shunned_until_ms = now_ms + hush.for_ms
            if self.is_up:
                self._forget()

    def _forget(self) -> None:
        self.address = self.lease = 0
        self._answer = None
        again = self._stream.restart()
        self.is_over = again is None
        self._tally.resets += self.is_over
        self._stream = again or TurnStream(self._baud, self._tally)

    def _is_hushed(self, now_ms: int) -> bool:
        return now_ms < self._hushed_until_ms

    def _is_shunned(self, now_ms: int) -> bool:
        return now_ms < self._shunned_until_ms
