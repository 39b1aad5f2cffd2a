"""Simulated terminals that send without being polled, each in its own way."""

import abc
import random

from sync.bus.frame import BusFrame, BusFrameKind, burst
from tests.rigs.bus_hall import BusHall
from tests.rigs.bus_units import RigTerminal

_EVERY_MS = 60


class _Babbler(RigTerminal, abc.ABC):
    """A faulty terminal that sends unsolicited bytes while it is switched on."""

    is_on = False
    _babble_ms = 0

    def deadline_ms(self, now_ms: int) -> int | None:
        proper = super().deadline_ms(now_ms)
        if not self.is_on:
            return proper
        return self._babble_ms if proper is None else min(proper, self._babble_ms)

    def to_line(self, now_ms: int) -> bytes:
        said = super().to_line(now_ms)
        if said or not self.is_on or now_ms < self._babble_ms:
            return said
        self._babble_ms = now_ms + _EVERY_MS
        return self.babble(now_ms)

    @abc.abstractmethod
    def babble(self, now_ms: int) -> bytes:
        """Return the unsolicited bytes of this unit."""


class FrameBabbler(_Babbler):
    """A terminal that repeats valid frames with its own address until it is banned."""

    def babble(self, now_ms: int) -> bytes:
        del now_ms
        if not self.slave.is_up:
            return b""
        return burst(BusFrame(BusFrameKind.DONE, self.slave.address, 77, self.slave.lease, payload=bytes(2)))


class NoiseBabbler(_Babbler):
    """A terminal that sends invalid bytes until it is silenced."""

    def babble(self, now_ms: int) -> bytes:
        return (
            b""
            if self.slave._is_hushed(now_ms) or self.slave._is_shunned(now_ms)
            else self._chance.randbytes(24)
        )


class DeafBabbler:
    """A broken transceiver that alternates noise and silence, whatever it receives."""

    def __init__(self, hall: BusHall, on_ms: int, off_ms: int, seed: int = 5) -> None:
        self._hall = hall
        self._on_ms = on_ms
        self._off_ms = off_ms
        self._chance = random.Random(seed)
        self._next_ms = 0

    def plug_in(self) -> None:
        self._hall.plug("deaf", self, lambda _: self._next_ms)

    def pull(self) -> None:
        self._hall.pull("deaf")

    def receive(self, data: bytes, now_ms: int) -> None: ...

    def to_line(self, now_ms: int) -> bytes:
        if now_ms < self._next_ms:
            return b""
        self._next_ms = now_ms + self._on_ms + self._off_ms
        return self._chance.randbytes(max(1, int(self._on_ms * 11.5)))
