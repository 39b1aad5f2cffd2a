"""The timing of a pair of wires, given its speed, its adapters and the programs at its ends."""

import math

import msgspec

from sync.bus.frame import FRAME_OVERHEAD, LARGEST_PAYLOAD

_BITS_A_BYTE = 10
_LONGEST_TURN_MS = 340
_MOST_GRANTED = 3_960
"""A turn of this size fits into the 4,096 bytes that a kernel buffers for a serial device."""
_HERE_BYTES = 32
_WANT_BYTES = 24
SHARED_GRANT = 1_024
"""The minimum number of bytes granted to each terminal when several have something to send."""
MOST_PATIENCE = 2
"""The most times that the wait for an answer is doubled, for a terminal that missed polls."""
ADAPTER_HOLD_MS = 16
"""Milliseconds that USB adapters hold back received bytes, unless configured otherwise."""


class BusTiming(msgspec.Struct, frozen=True):
    """The timing of one pair of wires.

    baud: bits per second, ten per byte.
    hold_ms: how long an adapter may hold back received bytes.
    reaction_ms: how late a terminal's program may answer.
    """

    baud: int = 115_200
    hold_ms: int = ADAPTER_HOLD_MS
    reaction_ms: int = 15

    def line_ms(self, count: int) -> int:
        """Return the transmission time of some bytes in milliseconds, rounded up."""
        return math.ceil(count * _BITS_A_BYTE * 1000 / self.baud)

    @property
    def answer_ms(self) -> int:
        """The longest wait (ms) from a question's last byte to the first byte of the answer."""
        return self.reaction_ms + 2 * self.hold_ms

    @property
    def gap_ms(self) -> int:
        """The silence (ms) that ends an unclosed turn."""
        return 2 * self.hold_ms + 8

    @property
    def slot_ms(self) -> int:
        """The length of an invitation's slot (ms): its answer is heard before the next slot begins."""
        return min(255, self.line_ms(_HERE_BYTES) + self.hold_ms + 2)

    @property
    def want_ms(self) -> int:
        return self.line_ms(_WANT_BYTES)

    @property
    def here_ms(self) -> int:
        return self.line_ms(_HERE_BYTES)

    def grant(self, voices: int) -> int:
        """Return how many bytes of data frames a terminal may send in its turn.

        ``voices`` is the number of terminals that have something to send.
        """
        all_of_it = min(_MOST_GRANTED, _LONGEST_TURN_MS * self.baud // (_BITS_A_BYTE * 1000))
        fair = max(SHARED_GRANT, all_of_it // max(1, voices))
        return max(LARGEST_PAYLOAD + FRAME_OVERHEAD, min(all_of_it, fair))


class Reaction:
    """An estimate of one terminal's response time. ``first_ms`` is the initial value."""

    def __init__(self, first_ms: int) -> None:
        self._first_ms = first_ms
        self._longest_ms = first_ms << MOST_PATIENCE
        self._smoothed: float | None = None
        self._deviation = 0.0

    @property
    def wait_ms(self) -> int:
        """The time (ms) to wait for the terminal's answer."""
        if self._smoothed is None:
            return self._first_ms
        return min(self._longest_ms, math.ceil(self._smoothed + 4 * self._deviation) + 2)

    def took(self, ms: int) -> None:
        """Add a measured response time (ms) to the estimate."""
        if self._smoothed is None:
            self._smoothed, self._deviation = float(ms), ms / 2
            return
        self._deviation += (abs(ms - self._smoothed) - self._deviation) / 4
        self._smoothed += (ms - self._smoothed) / 8
