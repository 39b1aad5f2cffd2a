"""A reliable stream of bytes over a bad serial line: selective repeat, sans-I/O.

The link exists for speed and may forget everything at any moment; the session above carries the
promise. When the other end starts anew, both ends do, and the layer above is told (``was_reset``).
"""

from saloon.sync.link.counters import Counters, Tally, counted
from saloon.sync.link.frame import LARGEST_PAYLOAD, Frame, FrameReader, Kind, frame_bytes
from saloon.sync.link.pace import Pace
from saloon.sync.link.window import ReceiveWindow, SendWindow, Sent, ranges_of

SEND_LIMIT = 16 * 1024
RECEIVE_LIMIT = 256 * 1024
_OPEN_EVERY_MS = 500
_AT_ONCE = 512
"""Bytes made for the line in one go, so that a frame's time is that of its sending, not of its queueing."""
_SLOWEST = 2
"""Timers of frames sent again are so much longer; noise, not a crowd, is what loses frames here."""
_UP, _NOT_UP = b"\1", b"\0"
_FORGET_AFTER = 12
"""Sendings of one frame after which the other end is taken to be gone."""


class ReliableLink:
    """One end of a line. session: 1 to 65,535, drawn anew at each start. baud: of the line.

    tally: where to count on, when this is not the first link of its port.
    """

    def __init__(self, session: int, *, baud: int, tally: Tally | None = None) -> None:
        self._session = session
        self._reader = FrameReader()
        self._pace = Pace(baud)
        self._outgoing = bytearray()
        self._tally = tally or Tally()
        self._was_reset = False
        self._open_at_ms = 0
        self._start_anew()

    def _start_anew(self) -> None:
        self._peer = 0
        self._is_up = False
        self._window = SendWindow()
        self._arrivals = ReceiveWindow()
        self._ack_due = False
        self._waiting = bytearray()
        self._incoming = bytearray()

    @property
    def is_up(self) -> bool:
        """Whether the other end answers in this life."""
        return self._is_up

    def was_reset(self) -> bool:
        """Whether the other end started anew since the last call."""
        was, self._was_reset = self._was_reset, False
        return was

    def counters(self) -> Counters:
        """What was seen so far."""
        pace = self._pace
        return counted(
            self._tally, is_up=self._is_up, payload=pace.payload, srtt_ms=pace.srtt_ms, rto_ms=pace.rto_ms
        )

    def send(self, data: bytes) -> int:
        """Hand over bytes of the stream; how many were taken (the buffer is bounded)."""
        taken = data[: max(0, SEND_LIMIT - len(self._waiting))]
        self._waiting += taken
        return len(taken)

    def received(self) -> bytes:
        """The bytes of the stream that are in order; asking takes them."""
        data = bytes(self._incoming)
        self._incoming.clear()
        return data

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the line."""
        tally, reader = self._tally, self._reader
        invalid, noise = reader.invalid, reader.noise
        tally.bytes_received += len(data)
        for frame in reader.feed(data):
            tally.frames_received += 1
            self._arrived(frame, now_ms)
        tally.frames_invalid += reader.invalid - invalid
        tally.noise_bytes += reader.noise - noise

    def to_line(self, now_ms: int) -> bytes:
        """Bytes for the line now: opening, new data, what must be sent again, an ack."""
        if not self._is_up:
            self._offer(now_ms)
        else:
            self._send_again(now_ms)
            self._send_new(now_ms)
            if self._ack_due:
                self._put(Frame(Kind.ACK, self._session, 0, self._arrivals.expected, self._arrivals.ranges()))
                self._ack_due = False
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def next_deadline_ms(self) -> int | None:
        """When ``to_line`` must be asked next; None for not before something happens."""
        if not self._is_up:
            return self._open_at_ms
        due: list[int] = [self._due_ms(sent) for sent in self._window if not sent.sacked]
        return min(due, default=None)

    def _due_ms(self, sent: Sent) -> int:
        return sent.at_ms + self._pace.rto_ms * min(_SLOWEST, sent.times)

    def _put(self, frame: Frame) -> None:
        self._outgoing += frame_bytes(frame)

    def _offer(self, now_ms: int) -> None:
        if now_ms >= self._open_at_ms:
            self._put_open()
            self._open_at_ms = now_ms + _OPEN_EVERY_MS

    def _send_new(self, now_ms: int) -> None:
        while self._waiting and not self._window.is_full() and len(self._outgoing) < _AT_ONCE:
            size = min(self._pace.payload, LARGEST_PAYLOAD)
            payload = bytes(self._waiting[:size])
            del self._waiting[:size]
            self._tally.bytes_sent += len(payload)
            self._send_data(self._window.add(payload, now_ms))

    def _send_data(self, sent: Sent) -> None:
        self._tally.frames_sent += 1
        self._put(Frame(Kind.DATA, self._session, sent.number, self._arrivals.expected, sent.payload))
        # Data says how far all is there; frames beyond a gap only an ack can name.
        self._ack_due = self._ack_due and self._arrivals.has_gap()

    def _send_again(self, now_ms: int) -> None:
        jumped = self._window.highest_sacked()
        for i, sent in enumerate(self._window):
            lost = i < jumped and now_ms - sent.at_ms >= self._pace.srtt_ms
            if sent.sacked or not (lost or now_ms >= self._due_ms(sent)):
                continue
            if sent.times >= _FORGET_AFTER:
                self._forget_peer(now_ms)
                return
            sent.times += 1
            sent.at_ms = now_ms
            self._tally.frames_sent_again += 1
            self._tally.bytes_sent_again += len(sent.payload)
            self._pace.lost()
            self._send_data(sent)

    def _forget_peer(self, now_ms: int) -> None:
        self._start_anew()
        self._was_reset = True
        self._tally.resets += 1
        self._session = self._session % 0xFFFF + 1
        self._open_at_ms = now_ms

    def _arrived(self, frame: Frame, now_ms: int) -> None:
        if frame.kind is Kind.OPEN:
            self._opened(frame, now_ms)
        elif self._is_up and frame.session == self._peer:
            self._acknowledged(frame, now_ms)
            if frame.kind is Kind.DATA:
                self._take(frame)

    def _opened(self, frame: Frame, now_ms: int) -> None:
        if self._is_up and frame.session != self._peer:
            self._forget_peer(now_ms)
        knows_us = int.from_bytes(frame.payload[:2]) == self._session
        is_up_there = frame.payload[2:3] == _UP
        self._peer = frame.session
        self._is_up = self._is_up or knows_us
        # Answered until the other end is up too; an end that is up asks nothing.
        if not (is_up_there and knows_us):
            self._put_open()

    def _put_open(self) -> None:
        up = _UP if self._is_up else _NOT_UP
        self._put(Frame(Kind.OPEN, self._session, 0, 0, self._peer.to_bytes(2) + up))

    def _acknowledged(self, frame: Frame, now_ms: int) -> None:
        ranges = ranges_of(frame.payload) if frame.kind is Kind.ACK else ()
        for sent in self._window.acknowledged(frame.ack, ranges):
            self._pace.delivered(now_ms - sent.at_ms if sent.times == 1 else None)

    def _take(self, frame: Frame) -> None:
        self._ack_due = True
        if len(self._incoming) + len(frame.payload) > RECEIVE_LIMIT:
            return
        ready = self._arrivals.arrived(frame.number, frame.payload)
        self._tally.bytes_delivered += len(ready)
        self._incoming += ready
