"""The two halves of selective repeat: frames that are sent but unacknowledged, and frames received early."""

import struct
from collections.abc import Iterator

import msgspec

NUMBERS = 65_536
WINDOW = 24
"""Data frames that may be in flight without an ack: about one second on a 115200 baud line."""

_RANGE = struct.Struct(">HH")
_RANGES = 12


def distance(start: int, number: int) -> int:
    return (number - start) % NUMBERS


class Sent(msgspec.Struct):
    """A data frame in flight.

    begun_ms, at_ms: when its first and last bytes leave in the latest transmission, at the line's nominal
        speed.
    since_ms: when it was created.
    times: number of transmissions.
    sacked: the other end has received it out of order.
    is_lost: to be resent.
    """

    number: int
    payload: bytes
    since_ms: int
    begun_ms: int
    at_ms: int
    times: int = 1
    sacked: bool = False
    is_lost: bool = False


class SendWindow:
    """The frames in flight, oldest first."""

    def __init__(self) -> None:
        self._sent: list[Sent] = []
        self._next = 0
        self._newest_ms = 0

    def is_full(self) -> bool:
        return len(self._sent) >= WINDOW

    def __iter__(self) -> Iterator[Sent]:
        return iter(self._sent)

    def __len__(self) -> int:
        return len(self._sent)

    def add(self, payload: bytes, now_ms: int) -> Sent:
        """Put a payload in flight, under the next number."""
        sent = Sent(self._next, payload, now_ms, now_ms, now_ms)
        self._sent.append(sent)
        self._next = (self._next + 1) % NUMBERS
        return sent

    def acknowledge(self, ack: int, ranges: tuple[tuple[int, int], ...]) -> tuple[Sent, ...]:
        """Remove and return all frames before ``ack``, and mark those in the ranges as received.

        An ack for a frame that was never sent is ignored.
        """
        if not self._sent:
            return ()
        done = distance(self._sent[0].number, ack)
        if done > len(self._sent):
            return ()
        gone, self._sent = self._sent[:done], self._sent[done:]
        for sent in gone:
            self._note_arrival(sent)
        for first, count in ranges:
            for sent in self._sent:
                if not sent.sacked and distance(first, sent.number) < count:
                    sent.sacked = True
                    self._note_arrival(sent)
        return tuple(gone)

    def find_lost(self) -> None:
        """Mark frames as lost if a later one has arrived, since a line keeps the order."""
        for sent in self._sent:
            if not sent.sacked and sent.at_ms < self._newest_ms:
                sent.is_lost = True

    def broken(self, number: int, now_ms: int) -> None:
        """Mark a frame as lost that the other end reports as hit by noise, unless it hasn't left yet."""
        if not self._sent:
            return
        ahead = distance(self._sent[0].number, number)
        if ahead < len(self._sent) and now_ms >= self._sent[ahead].begun_ms:
            self._sent[ahead].is_lost = True

    def _note_arrival(self, sent: Sent) -> None:
        # For a frame sent twice, nobody knows which copy arrived.
        if sent.times == 1:
            self._newest_ms = max(self._newest_ms, sent.at_ms)


class ReceiveWindow:
    """A buffer that puts received frames in order, keeping early ones and dropping duplicates."""

    def __init__(self) -> None:
        self.expected = 0
        self._early: dict[int, bytes] = {}

    def receive(self, number: int, payload: bytes) -> bytes:
        """Return the bytes that are now in order; none for an early, late or duplicate frame."""
        ahead = distance(self.expected, number)
        if ahead >= WINDOW:
            return b""
        self._early[number] = payload
        ready = bytearray()
        while self.expected in self._early:
            ready += self._early.pop(self.expected)
            self.expected = (self.expected + 1) % NUMBERS
        return bytes(ready)

    def has_gap(self) -> bool:
        return bool(self._early)

    def behind_newest(self) -> int:
        """Return the number after the newest frame received."""
        newest = max(self._early, key=self._ahead, default=self.expected - 1)
        return (newest + 1) % NUMBERS

    def ranges(self) -> bytes:
        """Return the ranges of early frames, as the payload of an ack."""
        numbers = sorted(self._early, key=self._ahead)
        spans: list[list[int]] = []
        for number in numbers:
            if spans and distance(spans[-1][0], number) == spans[-1][1]:
                spans[-1][1] += 1
            else:
                spans.append([number, 1])
        return b"".join(_RANGE.pack(first, count) for first, count in spans[:_RANGES])

    def _ahead(self, number: int) -> int:
        return distance(self.expected, number)


def ranges_of(payload: bytes) -> tuple[tuple[int, int], ...]:
    """Parse the ranges in an ack's payload, ignoring an incomplete one at the end."""
    whole = len(payload) - len(payload) % _RANGE.size
    return tuple(_RANGE.iter_unpack(payload[:whole]))
