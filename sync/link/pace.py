"""How large frames are and how long to wait for an ack: learnt from what the line does."""

from saloon.sync.link.frame import LARGEST_PAYLOAD

PAYLOADS = (120, 240, LARGEST_PAYLOAD)
_BITS_A_BYTE = 10
_ADAPTER_MS = 40
"""USB adapters hold bytes back for up to 16 ms in each direction."""
_FRAME_OVERHEAD = 15
_LONGEST_RTO_MS = 3_000
_JUDGED_OVER = 32
_TOO_MANY = 2
"""Frames sent again among the last 32 (about 5 %) that make frames smaller."""
_CLEAN_TO_GROW = 256


class Pace:
    """Round trips and frame errors of one line. baud: bits a second, ten to a byte."""

    def __init__(self, baud: int) -> None:
        frame_ms = (LARGEST_PAYLOAD + _FRAME_OVERHEAD) * _BITS_A_BYTE * 1000 // baud + 1
        self._least_rto_ms = 2 * frame_ms + _ADAPTER_MS
        self._size = len(PAYLOADS) - 1
        self._srtt: float | None = None
        self._deviation = 0.0
        self._judged = self._lost = self._clean = 0

    @property
    def payload(self) -> int:
        """Bytes that a new frame may carry."""
        return PAYLOADS[self._size]

    @property
    def srtt_ms(self) -> int:
        """The smoothed round trip; the shortest timer while none was measured."""
        return round(self._srtt) if self._srtt is not None else self._least_rto_ms

    @property
    def rto_ms(self) -> int:
        """How long to wait for an ack before sending again."""
        if self._srtt is None:
            return 1_000
        return min(_LONGEST_RTO_MS, max(self._least_rto_ms, round(self._srtt + 4 * self._deviation)))

    def delivered(self, round_trip_ms: int | None) -> None:
        """A frame was acknowledged; None where it was sent twice and the time means nothing."""
        self._count()
        self._clean += 1
        if self._clean >= _CLEAN_TO_GROW and self._size < len(PAYLOADS) - 1:
            self._size += 1
            self._clean = 0
        if round_trip_ms is None:
            return
        if self._srtt is None:
            self._srtt, self._deviation = float(round_trip_ms), round_trip_ms / 2
            return
        self._deviation += (abs(round_trip_ms - self._srtt) - self._deviation) / 4
        self._srtt += (round_trip_ms - self._srtt) / 8

    def lost(self) -> None:
        """A frame had to be sent again."""
        self._lost += 1
        self._clean = 0
        if self._lost > _TOO_MANY and self._size > 0:
            self._size -= 1
            self._judged = self._lost = 0

    def _count(self) -> None:
        self._judged += 1
        if self._judged >= _JUDGED_OVER:
            self._judged = self._lost = 0
