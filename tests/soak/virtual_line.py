"""A serial cable of a simulated world, with frames that are late, lost, flipped or cut short, and unplugging.

Noise is drawn frame by frame, so that the same seed makes the same noise although TLS draws other bytes each
time.
"""

import random
from collections.abc import Callable

from base.errors import PeerFault, Unavailable
from sync.link.frame import cobs_decode
from tests.soak.virtual_loop import VirtualLoop

BAUD = 115_200
_BITS_A_BYTE = 10
_HEADER = 9
_END = b"\0"


class Cable:
    """A cable between the station (end 0) and a terminal (end 1). ``errors`` is the share of wrong bits."""

    def __init__(self, loop: VirtualLoop, chance: random.Random, number: int, errors: float) -> None:
        self.loop = loop
        self.chance = chance
        self.number = number
        self.errors = errors
        self.is_plugged = True
        self.octets = 0
        self.ends: dict[int, RawEnd] = {}
        self._busy_until_s = [0.0, 0.0]

    def carry(self, frame: bytes, sender: "RawEnd") -> None:
        """Put a frame, including its closing zero, on the line."""
        size = _plain_size(frame)
        side = sender.side
        begins = max(self.loop.time(), self._busy_until_s[side])
        arrives = begins + size * _BITS_A_BYTE / BAUD
        self._busy_until_s[side] = arrives
        arriving = self._with_noise(frame, size)
        self.loop.call_at(arrives + self.chance.choice((0.0, 0.001, 0.016)), self._arrive, 1 - side, arriving)

    def _arrive(self, side: int, data: bytes) -> None:
        end = self.ends.get(side)
        if end is not None and self.is_plugged and data:
            self.octets += len(data)
            end.came(data)

    def _with_noise(self, frame: bytes, size: int) -> bytes:
        if self.chance.random() >= 1 - (1 - self.errors) ** (8 * size):
            return frame
        match self.chance.randrange(5):
            case 0:
                return b""
            case 1:
                return frame[: self.chance.randrange(_HEADER)] + _END
            case 2:
                # The end is hit: this frame and the next become one that is neither.
                return frame[:-1]
            case 3:
                return b"\x55" * self.chance.randint(1, 2000) + frame
            case _:
                hit = bytearray(frame)
                # A zero for safety before a frame is a frame of nothing.
                place = min(len(hit) - 1, self.chance.randrange(1, _HEADER))
                hit[place] ^= 1 << self.chance.randrange(8)
                return bytes(hit)


class RawEnd:
    """One end of a cable, as a raw port. ``woken`` is called when bytes have arrived."""

    def __init__(self, cable: Cable, side: int, woken: Callable[[], None]) -> None:
        self._cable = cable
        self.side = side
        self._woken = woken
        self._arrived = bytearray()
        self._begun = bytearray()

    def open(self) -> None:
        """Open the device. Raises Unavailable if it is not plugged in."""
        if not self._cable.is_plugged:
            raise Unavailable("serial: no such device")
        self._arrived.clear()
        self._begun.clear()
        self._cable.ends[self.side] = self

    def close(self) -> None:
        if self._cable.ends.get(self.side) is self:
            del self._cable.ends[self.side]

    def fileno(self) -> int:
        if self._cable.ends.get(self.side) is not self:
            raise Unavailable("serial: not open")
        return 1_000 + self._cable.number

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises Unavailable if the device was unplugged."""
        self._check()
        data = bytes(self._arrived)
        self._arrived.clear()
        return data

    def write(self, data: bytes) -> int:
        """Put bytes on the line. Raises Unavailable if the device was unplugged."""
        self._check()
        self._begun += data
        *frames, rest = self._begun.split(_END)
        self._begun = rest
        for frame in frames:
            self._cable.carry(bytes(frame) + _END, self)
        return len(data)

    def wants_write(self) -> bool:
        return False

    def came(self, data: bytes) -> None:
        self._arrived += data
        self._woken()

    def _check(self) -> None:
        if not self._cable.is_plugged or self._cable.ends.get(self.side) is not self:
            raise Unavailable("serial: unplugged")


def _plain_size(frame: bytes) -> int:
    """Return a frame's length before stuffing, which depends on what TLS drew."""
    try:
        return len(cobs_decode(frame[:-1])) + 3
    except PeerFault:
        return len(frame)
