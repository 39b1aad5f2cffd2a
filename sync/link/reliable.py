"""A reliable stream of bytes over an unreliable serial line, by selective repeat; sans-I/O.

The link only makes transfers efficient and may lose its state at any moment; the session above guarantees
delivery. If one end restarts, both do, and ``was_reset`` reports it to the layer above.
"""

from sync.link.counters import Counters, Tally, counters_from
from sync.link.frame import Kind, LinkFrame, LinkFrameReader, frame_bytes
from sync.link.pace import Pace
from sync.link.window import ReceiveWindow, SendWindow, Sent, ranges_of

SEND_LIMIT = 16 * 1024
RECEIVE_LIMIT = 256 * 1024
_OPEN_EVERY_MS = 500
_UP, _NOT_UP = b"\1", b"\0"
_OPEN_BYTES = 3
_FORGET_AFTER = 12
_FORGET_AFTER_MS = 10_000
"""The other end is given up after this number of transmissions of a frame and this silence (ms)."""
_NOISE_EVERY_MS = 20
"""The shortest interval (ms) between reports of noise, as reports may themselves cause noise."""
_BITS_A_BYTE = 10


class ReliableLink:
    """One end of a line.

    session: 1 to 65,535, random at each start.
    tally: the counters to continue, if this isn't the first link of its port.
    """

    def __init__(self, session: int, *, baud: int, tally: Tally | None = None) -> None:
        self._session = session
        self._reader = LinkFrameReader()
        self._pace = Pace(baud)
        self._outgoing = bytearray()
        self._tally = tally or Tally()
        self._byte_ms = _BITS_A_BYTE * 1000 / baud
        self._was_reset = False
        self._open_at_ms = 0
        self._reset()

    def _reset(self) -> None:
        self._peer = 0
        self._is_up = False
        self._window = SendWindow()
        self._arrivals = ReceiveWindow()
        self._ack_due = False
        self._noise_at_ms = 0
        self._heard_ms = 0
        self._waiting = bytearray()
        self._incoming = bytearray()

    @property
    def is_up(self) -> bool:
        """Return whether the other end has answered since this end started."""
        return self._is_up

    def was_reset(self) -> bool:
        was, self._was_reset = self._was_reset, False
        return was

    def counters(self) -> Counters:
        """Return the counters so far."""
        pace = self._pace
        return counters_from(
            self._tally, is_up=self._is_up, payload=pace.payload, srtt_ms=pace.srtt_ms, rto_ms=pace.rto_ms
        )

    def send(self, data: bytes) -> int:
        """Queue bytes of the stream and return how many were accepted, as the buffer is bounded."""
        taken = data[: max(0, SEND_LIMIT - len(self._waiting))]
        self._waiting += taken
        return len(taken)

    def take_received(self) -> bytes:
        """Return and remove the bytes of the stream received in order."""
        data = bytes(self._incoming)
        self._incoming.clear()
        return data

    def receive(self, data: bytes, now_ms: int) -> None:
        """Process bytes from the line."""
        tally, reader = self._tally, self._reader
        invalid, noise = reader.invalid, reader.noise_bytes
        tally.line_bytes_received += len(data)
        for frame in reader.feed(data):
            tally.frames_received += 1
            self._on_frame(frame, now_ms)
        tally.noise_bytes += reader.noise_bytes - noise
        if reader.invalid > invalid:
            tally.frames_invalid += reader.invalid - invalid
            self._report_noise(now_ms)

    def to_line(self, now_ms: int, queued_ms: float = 0.0) -> bytes:
        """Return the bytes to send now: an open frame, an ack, and at most one data frame, resent ones first.

        ``queued_ms`` is how long the line stays busy with earlier bytes.
        """
        if not self._is_up:
            self._offer(now_ms)
        else:
            if self._ack_due and self._arrivals.has_gap():
                self._put_ack()
            self._send_one(now_ms, queued_ms)
            if self._ack_due:
                self._put_ack()
        if not self._outgoing:
            return b""
        # After silence, start with a zero, so that noise on the line does not corrupt the frame.
        data = bytes(self._outgoing) if queued_ms > 0 else b"\0" + self._outgoing
        self._outgoing.clear()
        return data

    def has_more(self) -> bool:
        """Return whether ``to_line`` has more to send as soon as the line has room."""
        return bool(self._outgoing) or (self._is_up and bool(self._waiting) and not self._window.is_full())

    def is_behind(self) -> bool:
        return self._pace.is_behind

    def next_deadline_ms(self) -> int | None:
        """Return when ``to_line`` must be called next, or None if only received bytes require it."""
        if not self._is_up:
            return self._open_at_ms
        due: list[int] = [self._due_ms(sent) for sent in self._window if not sent.sacked]
        return min(due, default=None)

    def _due_ms(self, sent: Sent) -> int:
        return sent.at_ms + self._pace.rto_ms

    def _put(self, frame: LinkFrame) -> None:
        self._outgoing += frame_bytes(frame)

    def _offer(self, now_ms: int) -> None:
        if now_ms >= self._open_at_ms:
            self._put_open(now_ms)

    def _put_ack(self, kind: Kind = Kind.ACK, number: int = 0) -> None:
        self._put(LinkFrame(kind, self._session, number, self._arrivals.expected, self._arrivals.ranges()))
        self._ack_due = False

    def _report_noise(self, now_ms: int) -> None:
        """Report noise, and assume that it hit the frame after the newest one received."""
        if self._is_up and now_ms >= self._noise_at_ms:
            self._noise_at_ms = now_ms + _NOISE_EVERY_MS
            self._put_ack(Kind.NOISE, self._arrivals.behind_newest())

    def _send_one(self, now_ms: int, queued_ms: float) -> None:
        sent = self._next_repeat(now_ms)
        if sent is not None:
            if (
                sent.times >= _FORGET_AFTER
                and now_ms - max(sent.since_ms, self._heard_ms) >= _FORGET_AFTER_MS
            ):
                self._forget_peer(now_ms)
                return
            sent.times += 1
            sent.is_lost = False
            self._tally.frames_sent_again += 1
            self._tally.bytes_sent_again += len(sent.payload)
            self._pace.on_loss(sent.number)
        elif self._waiting and not self._window.is_full():
            payload = bytes(self._waiting[: self._pace.payload])
            del self._waiting[: len(payload)]
            self._tally.bytes_sent += len(payload)
            sent = self._window.add(payload, now_ms)
        else:
            return
        self._tally.frames_sent += 1
        # Data carries the cumulative ack; only an ack can name frames beyond a gap.
        self._ack_due = False
        sent.begun_ms = round(now_ms + queued_ms + len(self._outgoing) * self._byte_ms)
        self._put(LinkFrame(Kind.DATA, self._session, sent.number, self._arrivals.expected, sent.payload))
        sent.at_ms = round(now_ms + queued_ms + len(self._outgoing) * self._byte_ms)

    def _next_repeat(self, now_ms: int) -> Sent | None:
        for sent in self._window:
            if sent.sacked:
                continue
            if sent.is_lost:
                return sent
            if now_ms >= self._due_ms(sent):
                self._pace.on_timeout(now_ms)
                return sent
        return None

    def _forget_peer(self, now_ms: int) -> None:
        self._reset()
        self._was_reset = True
        self._tally.resets += 1
        self._session = self._session % 0xFFFF + 1
        self._open_at_ms = now_ms

    def _on_frame(self, frame: LinkFrame, now_ms: int) -> None:
        if frame.kind is Kind.OPEN:
            self._on_open(frame, now_ms)
        elif self._is_up and frame.session == self._peer:
            self._heard_ms = now_ms
            self._on_ack(frame, now_ms)
            if frame.kind is Kind.DATA:
                self._take(frame)
            elif frame.kind is Kind.NOISE:
                self._window.broken(frame.number, now_ms)

    def _on_open(self, frame: LinkFrame, now_ms: int) -> None:
        if frame.session == 0 or len(frame.payload) != _OPEN_BYTES:
            return
        if frame.session == self._session:
            self._tally.echoes += 1
            return
        if self._is_up and frame.session != self._peer:
            self._forget_peer(now_ms)
        knows_us = int.from_bytes(frame.payload[:2]) == self._session
        is_up_there = frame.payload[2:] == _UP
        self._peer = frame.session
        if knows_us and not self._is_up:
            self._is_up, self._heard_ms = True, now_ms
        # Answer until the other end is up too; once up, it stops asking.
        if not (is_up_there and knows_us):
            self._put_open(now_ms)

    def _put_open(self, now_ms: int) -> None:
        up = _UP if self._is_up else _NOT_UP
        self._put(LinkFrame(Kind.OPEN, self._session, 0, 0, self._peer.to_bytes(2) + up))
        self._open_at_ms = now_ms + _OPEN_EVERY_MS

    def _on_ack(self, frame: LinkFrame, now_ms: int) -> None:
        ranges = () if frame.kind is Kind.DATA else ranges_of(frame.payload)
        for sent in self._window.acknowledge(frame.ack, ranges):
            self._pace.on_delivery(max(1, now_ms - sent.at_ms) if sent.times == 1 else None)
        self._window.find_lost()

    def _take(self, frame: LinkFrame) -> None:
        self._ack_due = True
        if len(self._incoming) + len(frame.payload) > RECEIVE_LIMIT:
            return
        ready = self._arrivals.receive(frame.number, frame.payload)
        self._tally.bytes_delivered += len(ready)
        self._incoming += ready
