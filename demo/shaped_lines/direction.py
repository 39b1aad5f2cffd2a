"""One direction of a simulated serial line: it paces, delays and corrupts bytes, with time as an argument."""

import math
import random
from collections import deque

import msgspec

_BITS_A_BYTE = 10
_DATA_BITS = 8
_NEVER = 1e-15


class Weather(msgspec.Struct, frozen=True):
    """The disturbances of a line. Times are in milliseconds of the caller's clock.

    delay_ms: latency of every byte.
    quantum_ms: bytes are delivered only at multiples of it, as USB adapters do.
    flips: probability that a bit is wrong.
    losses, doubles: probability that a byte is lost or doubled.
    bursts: spans (from, to) in which bytes become noise.
    drops: spans in which bytes are lost.
    stalls: spans in which nothing is sent and bytes wait.
    half_duplex: bytes sent by both ends at once become noise.
    """

    delay_ms: float = 0.0
    quantum_ms: float = 0.0
    flips: float = 0.0
    losses: float = 0.0
    doubles: float = 0.0
    bursts: tuple[tuple[float, float], ...] = ()
    drops: tuple[tuple[float, float], ...] = ()
    half_duplex: bool = False
    stalls: tuple[tuple[float, float], ...] = ()


class LineDirection:
    """The bytes travelling in one direction. A byte takes ten bits at ``baud``."""

    def __init__(self, baud: int, weather: Weather, seed: int) -> None:
        self._byte_ms = _BITS_A_BYTE * 1000 / baud
        self._weather = weather
        self._chance = random.Random(seed)  # noqa: S311 (noise)
        self._way: deque[tuple[float, bytearray]] = deque()
        self._free_at_ms = 0.0
        self._to_flip = self._gap(weather.flips)
        self._to_lose = self._gap(weather.losses)
        self._to_double = self._gap(weather.doubles)
        self.carried = 0
        self.flipped = 0

    def waiting(self) -> int:
        """Return how many bytes have been sent but not yet delivered."""
        return sum(len(data) for _, data in self._way)

    def put(self, data: bytes, now_ms: float) -> None:
        """Send bytes, after those already on the line."""
        if not data:
            return
        begin_ms = max(self._free_at_ms, now_ms)
        begin_ms = max(
            [begin_ms, *(to_ms for from_ms, to_ms in self._weather.stalls if from_ms <= begin_ms < to_ms)]
        )
        self._free_at_ms = begin_ms + len(data) * self._byte_ms
        self._way.append((begin_ms, self._flip_bits(data)))
        for from_ms, to_ms in self._weather.bursts:
            if begin_ms < to_ms and from_ms < self._free_at_ms:
                self.spoil(max(from_ms, begin_ms), to_ms)

    def spans(self) -> tuple[tuple[float, float], ...]:
        """Return the spans (from, to) in which undelivered bytes are transmitted, in milliseconds."""
        return tuple((begin_ms, begin_ms + len(data) * self._byte_ms) for begin_ms, data in self._way)

    def spoil(self, from_ms: float, to_ms: float) -> None:
        """Corrupt undelivered bytes that are transmitted within this span."""
        for begin_ms, data in self._way:
            first, last = self._between(data, begin_ms, from_ms, to_ms)
            data[first:last] = self._chance.randbytes(last - first)

    def take(self, now_ms: float, most: int) -> bytes:
        """Return the bytes that have arrived by now, at most ``most``."""
        quantum = self._weather.quantum_ms
        seen_ms = math.floor(now_ms / quantum) * quantum if quantum else now_ms
        seen_ms -= self._weather.delay_ms
        out = bytearray()
        while self._way and len(out) < most:
            begin_ms, data = self._way[0]
            count = min(int((seen_ms - begin_ms) / self._byte_ms + 1e-6), len(data), most - len(out))
            if count <= 0:
                break
            out += self._drop_and_double(data[:count], begin_ms)
            self.carried += count
            del data[:count]
            if data:
                self._way[0] = (begin_ms + count * self._byte_ms, data)
            else:
                self._way.popleft()
        return bytes(out)

    def clear(self) -> None:
        """Discard all undelivered bytes."""
        self._way.clear()

    def _gap(self, chance: float) -> int:
        """Return how many events go undisturbed before the next disturbed one, or -1 if none ever is."""
        if chance < _NEVER:
            return -1
        return int(math.log(1.0 - self._chance.random()) / math.log1p(-chance)) if chance < 1 else 0

    def _flip_bits(self, data: bytes) -> bytearray:
        out = bytearray(data)
        if self._to_flip < 0:
            return out
        bits = len(out) * _DATA_BITS
        while self._to_flip < bits:
            out[self._to_flip // _DATA_BITS] ^= 1 << self._to_flip % _DATA_BITS
            self.flipped += 1
            self._to_flip += 1 + self._gap(self._weather.flips)
        self._to_flip -= bits
        return out

    def _between(self, data: bytearray, begin_ms: float, from_ms: float, to_ms: float) -> tuple[int, int]:
        first = max(0, math.ceil((from_ms - begin_ms) / self._byte_ms))
        return first, max(first, min(len(data), math.ceil((to_ms - begin_ms) / self._byte_ms)))

    def _drop_and_double(self, data: bytearray, begin_ms: float) -> bytearray:
        """Return the bytes without lost ones, and with doubled ones twice."""
        for from_ms, to_ms in sorted(self._weather.drops, reverse=True):
            first, last = self._between(data, begin_ms, from_ms, to_ms)
            del data[first:last]
        if self._to_lose < 0 and self._to_double < 0:
            return data
        out = bytearray()
        for byte in data:
            is_lost, self._to_lose = self._next(self._to_lose, self._weather.losses)
            is_double, self._to_double = self._next(self._to_double, self._weather.doubles)
            if not is_lost:
                out += bytes([byte]) * (2 if is_double else 1)
        return out

    def _next(self, left: int, chance: float) -> tuple[bool, int]:
        return (True, self._gap(chance)) if left == 0 else (False, left - 1 if left > 0 else left)


def collide(one: LineDirection, other: LineDirection) -> None:
    """Corrupt bytes that both directions transmit at the same time, as on one pair of wires."""
    for begin_ms, end_ms in one.spans():
        for other_begin_ms, other_end_ms in other.spans():
            from_ms, to_ms = max(begin_ms, other_begin_ms), min(end_ms, other_end_ms)
            if from_ms < to_ms:
                one.spoil(from_ms, to_ms)
                other.spoil(from_ms, to_ms)
