"""The reliable stream between the station and one terminal on a bus.

In each turn, each end acknowledges the frames it has received, and the other resends the missing ones in its
next turn, so no timers are needed.
"""

from sync.bus.frame import FRAME_OVERHEAD
from sync.link.counters import Tally
from sync.link.pace import Pace
from sync.link.window import NUMBERS, ReceiveWindow, SendWindow, Sent, ranges_of

SEND_LIMIT = 16 * 1024
RECEIVE_LIMIT = 64 * 1024


class TurnStream:
    """One end of a stream. ``tally`` is updated with its counts."""

    def __init__(self, baud: int, tally: Tally | None = None) -> None:
        self._baud = baud
        self.tally = tally or Tally()
        self._pace = Pace(baud)
        self._window = SendWindow()
        self._arrivals = ReceiveWindow()
        self._unsent = bytearray()
        self._incoming = bytearray()
        self.next_number = 0
        self.bytes_received = 0

    def restart(self) -> "TurnStream | None":
        """Return this stream for another lease, or None if any bytes were already transferred."""
        if self.bytes_received or self._arrivals.has_gap() or self.next_number != len(self._window):
            return None
        again = TurnStream(self._baud, self.tally)
        again._unsent = bytearray().join(sent.payload for sent in self._window) + self._unsent
        return again

    @property
    def expected(self) -> int:
        return self._arrivals.expected

    def ranges(self) -> bytes:
        return self._arrivals.ranges()

    def send(self, data: bytes) -> int:
        """Queue bytes and return how many were accepted, as the buffer is bounded."""
        taken = data[: max(0, SEND_LIMIT - len(self._unsent))]
        self._unsent += taken
        return len(taken)

    def unsent(self) -> int:
        return len(self._unsent)

    def room(self) -> int:
        return SEND_LIMIT - len(self._unsent)

    def count_unacknowledged(self) -> int:
        return len(self._window)

    def payload(self) -> int:
        return self._pace.payload

    def has_received(self) -> bool:
        return bool(self._incoming)

    def take_received(self) -> bytes:
        """Return and remove the bytes received in order."""
        data = bytes(self._incoming)
        self._incoming.clear()
        return data

    def frames(self, granted: int) -> tuple[Sent, ...]:
        """Return the data frames to send in one turn, lost ones first.

        ``granted`` is the most bytes that they may take on the line.
        """
        chosen: list[Sent] = []
        for sent in self._window:
            size = len(sent.payload) + FRAME_OVERHEAD
            if not sent.sacked and size <= granted:
                granted -= size
                sent.times += 1
                self.tally.frames_sent_again += 1
                self.tally.bytes_sent_again += len(sent.payload)
                self._pace.on_loss(sent.number)
                chosen.append(sent)
        while self._unsent and not self._window.is_full():
            payload = bytes(self._unsent[: min(self._pace.payload, granted - FRAME_OVERHEAD)])
            if granted <= FRAME_OVERHEAD:
                break
            del self._unsent[: len(payload)]
            granted -= len(payload) + FRAME_OVERHEAD
            chosen.append(self._window.add(payload, 0))
            self.next_number = (self.next_number + 1) % NUMBERS
        self.tally.frames_sent += len(chosen)
        self.tally.bytes_sent += sum(len(sent.payload) for sent in chosen)
        return tuple(chosen)

    def on_ack(self, ack: int, ranges: bytes) -> None:
        for _ in self._window.acknowledge(ack, ranges_of(ranges)):
            self._pace.on_delivery(None)

    def on_data(self, number: int, payload: bytes) -> None:
        """Process a data frame. If the buffer is full, drop it, since the other end will send it again."""
        if len(self._incoming) + len(payload) <= RECEIVE_LIMIT:
            ready = self._arrivals.receive(number, payload)
            self.bytes_received += len(ready)
            self.tally.bytes_delivered += len(ready)
            self._incoming += ready
