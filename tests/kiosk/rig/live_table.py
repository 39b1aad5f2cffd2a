"""A virtual table in real time, on a background thread, for tests that use its web page."""

import queue
import threading
import time
from pathlib import Path

import msgspec

from core.game.orders import Order
from kiosk.terminal.loop import Waker
from tests.kiosk.rig.virtual_table import Clock, Rigging, VirtualTable


class _RealClock(Clock):
    def monotonic_ms(self) -> int:
        self.now_ms = time.monotonic_ns() // 1_000_000
        return self.now_ms


class LiveTable:
    """A virtual table that runs from its creation until ``close``. rigging: must include a door."""

    def __init__(self, folder: Path, rigging: Rigging) -> None:
        self._waker = Waker()
        self._made: queue.SimpleQueue[VirtualTable] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(folder, rigging), name="live table")
        self._thread.start()
        self.table = self._made.get()
        assert self.table.door is not None
        self.url = f"http://127.0.0.1:{self.table.door.port}"

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.table.station.give(msgspec.msgpack.encode(order))
        self._waker.wake()

    def close(self) -> None:
        self.table.loop.stop()
        self._waker.wake()
        self._thread.join()
        self._waker.close()

    def _run(self, folder: Path, rigging: Rigging) -> None:
        clock = _RealClock()
        clock.monotonic_ms()
        table = VirtualTable(folder, rigging, clock)
        self._made.put(table)
        try:
            table.loop.run(self._waker)
        finally:
            table.close()
