"""The terminal's end of a shared pair of wires: silent until it is asked, and then only shortly; sans-I/O."""

import enum
from collections.abc import Callable

import msgspec

from saloon.core.errors import PeerFault
from saloon.sync.bus.frame import EVERYBODY, FROM_STATION, Frame, FrameReader, Kind, burst
from saloon.sync.bus.payloads import (
    Here,
    admission_of,
    count_bytes,
    count_of,
    here_bytes,
    hush_of,
    invitation_of,
    is_in_mask,
    shun_of,
)
from saloon.sync.bus.stream import TurnStream
from saloon.sync.link.counters import Counters, Tally, counted

PATIENCE_MS = 12_000
"""A terminal that was not polled for so long has been forgotten by its station."""
_LATEST_MS = 200
"""An answer that could not be given for so long is not wanted any more."""


class SlaveState(enum.Enum):
    """Where a terminal stands."""

    WAITING = "waiting for an invitation"
    LENT = "has an address"
    SHUNNED = "told to stay away for a while"


class _Answer(msgspec.Struct, frozen=True):
    """What to say, not before and not after a time."""

    kind: Kind
    turn: int
    not_before_ms: int
    granted: int = 0


class BusSlave:
    """One terminal. unit: its id, 4 to 8 bytes. life: 32 random bits, new at each start.

    chance: gives a number below the one it is given, for the slot of an invitation. A life has one
    stream: when the station lends the address anew in the middle of it, the life is over.
    """

    def __init__(self, unit: bytes, life: int, *, baud: int, chance: Callable[[int], int]) -> None:
        self._baud = baud
        self._chance = chance
        self._hushed_until_ms: int | None = None
        self._shunned_until_ms: int | None = None
        self._unit = unit
        self._tally = Tally()
        self.begin(life)

    def begin(self, life: int) -> None:
        """A new life: nothing is kept but what the station has told this unit not to do."""
        self._here = Here(life, self._unit)
        self._reader = FrameReader()
        self._stream = TurnStream(self._baud, self._tally)
        self._address = self._lease = self._reign = 0
        self._answer: _Answer | None = None
        self._polled_ms = 0
        self._heard_ms: int | None = None
        self._is_over = False

    @property
    def is_up(self) -> bool:
        """Whether it has an address."""
        return self._address != EVERYBODY

    @property
    def address(self) -> int:
        """Its address; 0 while it has none."""
        return self._address

    @property
    def lease(self) -> int:
        """The lease of its address; 0 while it has none."""
        return self._lease

    def is_silenced(self, now_ms: int) -> bool:
        """Whether the station has told it to say nothing for now."""
        return self._is_hushed(now_ms) or self._is_shunned(now_ms)

    def state(self, now_ms: int) -> SlaveState:
        """Where it stands."""
        if self.is_up:
            return SlaveState.LENT
        return SlaveState.SHUNNED if self._is_shunned(now_ms) else SlaveState.WAITING

    @property
    def is_over(self) -> bool:
        """Whether the station has begun anew: say nothing until ``begin``, and tell the layer above."""
        return self._is_over

    def counters(self) -> Counters:
        """What was seen of the pair so far, over all lives; timers are none, the station keeps them."""
        return counted(self._tally, is_up=self.is_up, payload=self._stream.payload(), srtt_ms=0, rto_ms=0)

    @property
    def heard_ms(self) -> int | None:
        """When the station last said anything, to anybody; None for never in this life."""
        return self._heard_ms

    def send(self, data: bytes) -> int:
        """Hand over bytes of the stream; how many were taken."""
        return self._stream.send(data)

    def has_received(self) -> bool:
        """Whether bytes of the stream are there to be taken."""
        return self._stream.has_received()

    def received(self) -> bytes:
        """The bytes of the stream that are in order; asking takes them."""
        return self._stream.received()

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the line: everybody's. Whatever is heard behind a question takes its answer back."""
        self._tally.bytes_received += len(data)
        before = self._reader.invalid, self._reader.noise_bytes
        for frame in self._reader.feed(data):
            self._tally.frames_received += 1
            self._answer = None
            if frame.kind in FROM_STATION and not self._is_over:
                self._heard_ms = now_ms
                try:
                    self._heard(frame, now_ms)
                except PeerFault:
                    # The sum was right and the content is not: some other version's, not for us.
                    self._reader.invalid += 1
        self._tally.frames_invalid += self._reader.invalid - before[0]
        self._tally.noise_bytes += self._reader.noise_bytes - before[1]
        if not self._reader.is_quiet():
            self._answer = None

    def to_line(self, now_ms: int) -> bytes:
        """What may be said now; empty nearly always."""
        if self.is_up and now_ms - self._polled_ms > PATIENCE_MS:
            self._forget()
        answer = self._answer
        if answer is None or now_ms < answer.not_before_ms:
            return b""
        self._answer = None
        return self._said(answer) if now_ms - answer.not_before_ms <= _LATEST_MS else b""

    def next_deadline_ms(self) -> int | None:
        """When ``to_line`` must be asked next; None for not before something is heard."""
        if self._answer is not None:
            return self._answer.not_before_ms
        return self._polled_ms + PATIENCE_MS + 1 if self.is_up else None

    def _said(self, answer: _Answer) -> bytes:
        match answer.kind:
            case Kind.HERE:
                return burst(Frame(Kind.HERE, EVERYBODY, answer.turn, payload=here_bytes(self._here)))
            case Kind.WANT:
                return burst(Frame(Kind.WANT, self._address, answer.turn, self._lease))
            case _:
                return self._turn(answer)

    def _turn(self, answer: _Answer) -> bytes:
        stream, who = self._stream, (self._address, answer.turn, self._lease)
        data = [
            Frame(Kind.UP, *who, sent.number, stream.expected, sent.payload)
            for sent in stream.frames(answer.granted)
        ]
        end = count_bytes(stream.unsent(), stream.ranges())
        return burst(*data, Frame(Kind.DONE, *who, stream.next_number, stream.expected, end))

    def _heard(self, frame: Frame, now_ms: int) -> None:
        is_ours = self.is_up and (frame.address, frame.lease) == (self._address, self._lease)
        match frame.kind:
            case Kind.INVITE:
                self._invited(frame, now_ms)
            case Kind.ADMIT:
                self._admitted(frame, now_ms)
            case Kind.ASK if self.is_up and is_in_mask(frame.payload, self._address):
                if self._stream.unsent() and not self._is_hushed(now_ms):
                    self._answer = _Answer(Kind.WANT, frame.turn, now_ms)
            case Kind.POLL if is_ours:
                granted, ranges = count_of(frame.payload)
                self._stream.heard(frame.ack, ranges)
                self._polled(frame, granted, now_ms)
            case Kind.DOWN if is_ours:
                self._stream.arrived(frame.number, frame.payload)
            case Kind.HUSH:
                hush = hush_of(frame.payload)
                if hush.unit in {b"", self._here.unit}:
                    self._hushed_until_ms = now_ms + hush.for_ms
            case Kind.SHUN:
                self._shunned(frame, now_ms)
            case _:
                pass

    def _polled(self, frame: Frame, granted: int, now_ms: int) -> None:
        self._polled_ms = now_ms
        self._hushed_until_ms = None
        self._answer = _Answer(Kind.DONE, frame.turn, now_ms, granted)

    def _invited(self, frame: Frame, now_ms: int) -> None:
        invitation = invitation_of(frame.payload)
        is_listed = self.is_up and invitation.taken >> (self._address - 1) & 1
        if self.is_up and not (is_listed and invitation.reign == self._reign):
            self._forget()
        if self.is_up or self._is_over or self._is_shunned(now_ms) or self._is_hushed(now_ms):
            return
        self._reign = invitation.reign
        slot = self._chance(max(1, invitation.slots))
        self._answer = _Answer(Kind.HERE, frame.turn, now_ms + slot * invitation.slot_ms)

    def _admitted(self, frame: Frame, now_ms: int) -> None:
        admission = admission_of(frame.payload)
        if (admission.life, admission.unit) != (self._here.life, self._here.unit):
            if frame.address == self._address:
                self._forget()
            return
        if (frame.address, frame.lease) != (self._address, self._lease):
            if self.is_up:
                self._forget()
            if self._is_over:
                return
            self._address, self._lease = frame.address, frame.lease
        self._polled(frame, admission.grant, now_ms)

    def _shunned(self, frame: Frame, now_ms: int) -> None:
        hush, life = shun_of(frame.payload)
        if (hush.unit, life) == (self._here.unit, self._here.life):
            self._shunned_until_ms = now_ms + hush.for_ms
            if self.is_up:
                self._forget()

    def _forget(self) -> None:
        """The address is no longer ours."""
        self._address = self._lease = 0
        self._answer = None
        again = self._stream.begun_again()
        self._is_over = again is None
        self._tally.resets += self._is_over
        self._stream = again or TurnStream(self._baud, self._tally)

    def _is_hushed(self, now_ms: int) -> bool:
        return self._hushed_until_ms is not None and now_ms < self._hushed_until_ms

    def _is_shunned(self, now_ms: int) -> bool:
        return self._shunned_until_ms is not None and now_ms < self._shunned_until_ms
