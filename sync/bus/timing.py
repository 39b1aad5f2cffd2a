"""How long things take on a pair of wires: its speed, its adapters, the programs at its ends."""

import math

import msgspec

from saloon.sync.bus.frame import FRAME_OVERHEAD, LARGEST_PAYLOAD

_BITS_A_BYTE = 10
_LONGEST_TURN_MS = 340
_MOST_GRANTED = 3_960
"""A turn fits into the 4,096 bytes that a kernel queues for a serial device."""
_HERE_BYTES = 32
_WANT_BYTES = 24
SHARED_GRANT = 1_024
"""What each gets at least when several have something to say."""
MOST_PATIENCE = 2
"""How often the wait for an answer is doubled, for a terminal that was polled in vain: it may be slow."""
ADAPTER_HOLD_MS = 16
"""USB adapters hold back what they hear for so long, unless they are told better."""


class BusTiming(msgspec.Struct, frozen=True):
    """baud: bits a second, ten to a byte. hold_ms: how long an adapter may hold what it has heard.

    reaction_ms: how late a terminal's program may be.
    """

    baud: int = 115_200
    hold_ms: int = ADAPTER_HOLD_MS
    reaction_ms: int = 15

    def line_ms(self, count: int) -> int:
        """How long so many bytes are on the line, rounded up."""
        return math.ceil(count * _BITS_A_BYTE * 1000 / self.baud)

    @property
    def answer_ms(self) -> int:
        """How long after a question's last byte the first byte of an answer is heard, at the latest."""
        return self.reaction_ms + 2 * self.hold_ms

    @property
    def gap_ms(self) -> int:
        """A silence so long ends a turn that was not closed."""
        return 2 * self.hold_ms + 8

    @property
    def slot_ms(self) -> int:
        """One slot of an invitation: long enough that a voice in it is heard before the next begins."""
        return min(255, self.line_ms(_HERE_BYTES) + self.hold_ms + 2)

    @property
    def want_ms(self) -> int:
        """How long the answer to an ask lies on the line."""
        return self.line_ms(_WANT_BYTES)

    @property
    def here_ms(self) -> int:
        """How long a newcomer's answer lies on the line."""
        return self.line_ms(_HERE_BYTES)

    def grant(self, voices: int) -> int:
        """Bytes of data frames in one turn, when so many have something to say."""
        all_of_it = min(_MOST_GRANTED, _LONGEST_TURN_MS * self.baud // (_BITS_A_BYTE * 1000))
        fair = max(SHARED_GRANT, all_of_it // max(1, voices))
        return max(LARGEST_PAYLOAD + FRAME_OVERHEAD, min(all_of_it, fair))


class Reaction:
    """How soon one terminal answers, learnt from its answers. first_ms: while there was none."""

    def __init__(self, first_ms: int) -> None:
        self._first_ms = first_ms
        self._longest_ms = first_ms << MOST_PATIENCE
        self._smoothed: float | None = None
        self._deviation = 0.0

    @property
    def wait_ms(self) -> int:
        """How long to wait for its answer."""
        if self._smoothed is None:
            return self._first_ms
        return min(self._longest_ms, math.ceil(self._smoothed + 4 * self._deviation) + 2)

    def took(self, ms: int) -> None:
        """It answered so long after the question."""
        if self._smoothed is None:
            self._smoothed, self._deviation = float(ms), ms / 2
            return
        self._deviation += (abs(ms - self._smoothed) - self._deviation) / 4
        self._smoothed += (ms - self._smoothed) / 8
