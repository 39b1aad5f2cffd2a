"""Frame sizes and retransmission timeouts, adapted to the quality of the line."""

from sync.link.frame import LARGEST_PAYLOAD
from sync.link.window import NUMBERS

PAYLOADS = (120, 240, LARGEST_PAYLOAD)
_BITS_A_BYTE = 10
_ADAPTER_MS = 40
"""The time that USB adapters may hold bytes back: up to 16 ms in each direction, and some more."""
_FRAME_OVERHEAD = 15
_FIRST_RTO = 3
"""The initial timeout, as a multiple of the shortest one."""
_LONGEST_RTO_MS = 3_000
_MOST_PATIENCE = 8
_BEHIND = 2
"""If a round trip takes more than this many shortest timeouts, frames wait in a hidden queue."""
_BEARABLE = 0.06
"""The share of damaged frames above which smaller frames have a higher throughput."""
_TOO_MUCH = 2.5
"""The number of damaged frames beyond the bearable share that makes frames smaller."""
_GROW_AFTER = 256
_FEW = 4
"""The most errors in 256 frames for which frames grow, since that about doubles the errors."""


class Pace:
    """An estimate of a line's round trips and error rate. ``baud`` is in bits per second, ten per byte."""

    def __init__(self, baud: int) -> None:
        frame_ms = (LARGEST_PAYLOAD + _FRAME_OVERHEAD) * _BITS_A_BYTE * 1000 // baud + 1
        self._least_rto_ms = 2 * frame_ms + _ADAPTER_MS
        self._size = len(PAYLOADS) - 1
        self._srtt: float | None = None
        self._deviation = 0.0
        self._excess = 0.0
        self._judged = self._errors = 0
        self._last_lost: int | None = None
        self._patience = 1
        self._patient_until_ms = 0

    @property
    def payload(self) -> int:
        return PAYLOADS[self._size]

    @property
    def srtt_ms(self) -> int:
        """The smoothed round-trip time (ms); the shortest timeout until one is measured."""
        return round(self._srtt) if self._srtt is not None else self._least_rto_ms

    @property
    def rto_ms(self) -> int:
        """The retransmission timeout (ms), from the end of a frame."""
        rto_ms = _FIRST_RTO * self._least_rto_ms
        if self._srtt is not None:
            rto_ms = max(self._least_rto_ms, round(self._srtt + 4 * self._deviation))
        return min(_LONGEST_RTO_MS, rto_ms * self._patience)

    @property
    def is_behind(self) -> bool:
        """Return whether the line is slower than its nominal speed, so that frames queue up first."""
        return self._srtt is not None and self._srtt > _BEHIND * self._least_rto_ms

    def on_timeout(self, now_ms: int) -> None:
        """Double the timeout until a frame sent only once gives a new round trip.

        Otherwise, once a line becomes slow, every frame would be sent twice, and no round trip ever measured.
        """
        if now_ms >= self._patient_until_ms:
            self._patience = min(_MOST_PATIENCE, 2 * self._patience)
            self._patient_until_ms = now_ms + self.rto_ms

    def on_delivery(self, round_trip_ms: int | None) -> None:
        """Record an acknowledged frame.

        ``round_trip_ms`` is None if it was sent twice, as nobody knows which copy was acknowledged.
        """
        self._excess = max(0.0, self._excess - _BEARABLE)
        self._judged += 1
        if self._judged >= _GROW_AFTER:
            if self._errors <= _FEW:
                self._resize(1)
            self._judged = self._errors = 0
        if round_trip_ms is None:
            return
        self._patience = 1
        if self._srtt is None:
            self._srtt, self._deviation = float(round_trip_ms), round_trip_ms / 2
            return
        self._deviation += (abs(round_trip_ms - self._srtt) - self._deviation) / 4
        self._srtt += (round_trip_ms - self._srtt) / 8

    def on_loss(self, number: int) -> None:
        """Record a resent frame. Consecutive ones count once, as noise comes in bursts."""
        is_neighbour = self._last_lost is not None and number == (self._last_lost + 1) % NUMBERS
        self._last_lost = number
        if is_neighbour:
            return
        self._errors += 1
        self._excess += 1
        if self._excess > _TOO_MUCH:
            self._resize(-1)

    def _resize(self, steps: int) -> None:
        self._size = min(len(PAYLOADS) - 1, max(0, self._size + steps))
        self._excess = 0.0
        self._judged = self._errors = 0
