"""The two halves of selective repeat: frames sent and not acknowledged, frames received early."""

import struct
from collections.abc import Iterator

import msgspec

NUMBERS = 65_536
WINDOW = 24
"""Data frames that may be on the way without an ack: about one second of a 115200 baud line."""

_RANGE = struct.Struct(">HH")
_RANGES = 12


def distance(start: int, number: int) -> int:
    """How far a frame's number lies ahead of another, modulo 65,536."""
    return (number - start) % NUMBERS


class Sent(msgspec.Struct):
    """A data frame on the way.

    begun_ms, at_ms: when its first and its last byte leave for the last time, as the line's speed has
    it; since_ms: when it was made. times: how often it was sent. sacked: the other end has
    it out of order. is_lost: known not to have arrived.
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
    """Data frames in order of their numbers, oldest first."""

    def __init__(self) -> None:
        self._sent: list[Sent] = []
        self._next = 0
        self._newest_ms = 0

    def is_full(self) -> bool:
        """Whether no more may be on the way."""
        return len(self._sent) >= WINDOW

    def __iter__(self) -> Iterator[Sent]:
        return iter(self._sent)

    def __len__(self) -> int:
        return len(self._sent)

    def add(self, payload: bytes, now_ms: int) -> Sent:
        """Number a payload and note that it is on the way."""
        sent = Sent(self._next, payload, now_ms, now_ms, now_ms)
        self._sent.append(sent)
        self._next = (self._next + 1) % NUMBERS
        return sent

    def acknowledged(self, ack: int, ranges: tuple[tuple[int, int], ...]) -> tuple[Sent, ...]:
        """Take away all before ``ack``, mark the ranges; the frames that were taken away now.

        An ack for what was never sent takes nothing.
        """
        if not self._sent:
            return ()
        done = distance(self._sent[0].number, ack)
        if done > len(self._sent):
            return ()
        gone, self._sent = self._sent[:done], self._sent[done:]
        for sent in gone:
            self._arrived(sent)
        for first, count in ranges:
            for sent in self._sent:
                if not sent.sacked and distance(first, sent.number) < count:
                    sent.sacked = True
                    self._arrived(sent)
        return tuple(gone)

    def find_lost(self) -> None:
        """A line keeps the order: what left before a frame that has arrived, and has not, is lost."""
        for sent in self._sent:
            if not sent.sacked and sent.at_ms < self._newest_ms:
                sent.is_lost = True

    def broken(self, number: int, now_ms: int) -> None:
        """The other end says that noise may have hit this frame: so it is, unless it has not left yet."""
        if not self._sent:
            return
        ahead = distance(self._sent[0].number, number)
        if ahead < len(self._sent) and now_ms >= self._sent[ahead].begun_ms:
            self._sent[ahead].is_lost = True

    def _arrived(self, sent: Sent) -> None:
        # Of a frame sent twice nobody knows which one it was.
        if sent.times == 1:
            self._newest_ms = max(self._newest_ms, sent.at_ms)


class ReceiveWindow:
    """What arrived, put in order; early frames wait, late ones are dropped."""

    def __init__(self) -> None:
        self.expected = 0
        self._early: dict[int, bytes] = {}

    def arrived(self, number: int, payload: bytes) -> bytes:
        """The bytes that are in order now; empty for an early, late or doubled frame."""
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
        """Whether frames arrived early."""
        return bool(self._early)

    def behind_newest(self) -> int:
        """The number behind the newest frame that arrived: what a line in order brings next."""
        newest = max(self._early, key=self._ahead, default=self.expected - 1)
        return (newest + 1) % NUMBERS

    def ranges(self) -> bytes:
        """The early frames as an ack's payload."""
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
    """The ranges in an ack's payload; a broken tail is ignored (the CRC has passed, so it is no noise)."""
    whole = len(payload) - len(payload) % _RANGE.size
    return tuple(_RANGE.iter_unpack(payload[:whole]))
