"""The station's end of a shared pair on its event loop: one wire for each terminal."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable

from base.errors import Unavailable
from sync.bus.events import BusEvent, Joined, UnitLeft
from sync.bus.master import BusMaster
from sync.bus.timing import BusTiming
from sync.link.counters import Counters
from sync.ports.port import Port
from sync.ports.turns import TurnThread

_FULL_LOOK_S = 0.02
_LAST_WORDS_S = 1.5


class BusWire:
    """The stream of one terminal on a pair (a ``Wire``). ``unit`` is the id that the terminal claims."""

    kind = "bus"
    address = ""

    def __init__(self, bus: "StationBus", lease: int, unit: bytes) -> None:
        self.bus = bus
        self._lease = lease
        self.unit = unit
        self.readable = asyncio.Event()
        self.problem = ""

    async def read(self, wait_s: float) -> bytes:
        """Implement ``Wire.read``."""
        self.readable.clear()
        data = self.bus.take_received(self._lease)
        if not data:
            self._check()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self.readable.wait()
            data = self.bus.take_received(self._lease)
        if not data:
            self._check()
        return data

    async def write(self, data: bytes) -> None:
        """Implement ``Wire.write``."""
        while data:
            self._check()
            data = data[self.bus.send(self._lease, data) :]
            if data:
                await self._pause()

    async def close(self) -> None:
        """Implement ``Wire.close``. The last bytes are still delivered, if the terminal is listening."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_S):
                while not self.problem and not self.bus.is_flushed(self._lease):
                    await self._pause()
        self.bus.end(self._lease)

    def counters(self) -> Counters | None:
        return self.bus.counters_of(self._lease)

    def over(self, problem: str) -> None:
        """End the stream, for this reason; called on the loop."""
        self.problem = problem or "closed"
        self.readable.set()

    async def _pause(self) -> None:
        """Wait until the line has accepted some of the queued bytes."""
        await asyncio.sleep(_FULL_LOOK_S)

    def _check(self) -> None:
        if self.problem:
            raise Unavailable(f"bus: {self.problem}")


class StationBus:
    """The station's end of a pair of wires. ``name`` is the device's.

    ``next`` returns the wires of terminals that join, and all other events, one at a time.
    """

    def __init__(self, name: str, port: Port, timing: BusTiming, clock_ms: Callable[[], int]) -> None:
        self.name = name
        self._master = BusMaster(1 + secrets.randbelow(0xFFFF), timing, secrets.randbelow)
        self._thread = TurnThread(port, clock_ms, self._step, self._on_gone, name=f"bus {name}")
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wires: dict[int, BusWire] = {}
        self._news: asyncio.Queue[BusWire | BusEvent | None] = asyncio.Queue()

    def open(self) -> None:
        """Open the device and start polling. Raises Unavailable."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def close(self) -> None:
        """Stop polling, which ends all wires."""
        await asyncio.to_thread(self._thread.stop)
        self._end_all("the station has closed the pair")

    async def next(self) -> BusWire | BusEvent:
        """Wait for a new terminal's wire, or another event. Raises Unavailable if the device is gone."""
        news = await self._news.get()
        if news is None:
            raise self._thread.error or Unavailable(f"bus {self.name}: over")
        return news

    def counters_of(self, lease: int) -> Counters | None:
        """Return the counters of one terminal's stream, or None if it has ended."""
        with self._lock:
            return self._master.counters_of(lease)

    def take_received(self, lease: int) -> bytes:
        """Return and remove the bytes received from a terminal in order."""
        with self._lock:
            return self._master.take_received(lease)

    def send(self, lease: int, data: bytes) -> int:
        """Queue bytes for a terminal, and return how many were accepted."""
        with self._lock:
            taken = self._master.send(lease, data)
        self._thread.poke()
        return taken

    def is_flushed(self, lease: int) -> bool:
        """Return whether a terminal has received all bytes sent to it."""
        with self._lock:
            return self._master.is_flushed(lease)

    def end(self, lease: int) -> None:
        """End the stream of a closed wire: its terminal must start again."""
        self._wires.pop(lease, None)
        with self._lock:
            self._master.end(lease)
        self._thread.poke()

    def _step(self, data: bytes, now_ms: int) -> tuple[bytes, int | None]:
        with self._lock:
            self._master.receive(data, now_ms)
            said = self._master.to_line(now_ms)
            deadline_ms = self._master.next_deadline_ms(now_ms)
            events = self._master.events()
            readable = self._master.with_bytes() if data else ()
        if events or readable:
            self._on_loop(lambda: self._on_events(events, readable))
        return said, deadline_ms

    def _on_events(self, events: tuple[BusEvent, ...], readable: tuple[int, ...]) -> None:
        for event in events:
            if isinstance(event, Joined):
                wire = self._wires[event.lease] = BusWire(self, event.lease, event.unit)
                self._news.put_nowait(wire)
            elif isinstance(event, UnitLeft):
                if event.lease in self._wires:
                    self._wires.pop(event.lease).over(event.problem)
            else:
                self._news.put_nowait(event)
        for lease in readable:
            if lease in self._wires:
                self._wires[lease].readable.set()

    def _on_gone(self) -> None:
        self._on_loop(self._device_gone)

    def _device_gone(self) -> None:
        self._end_all("the device is gone")
        self._news.put_nowait(None)

    def _end_all(self, problem: str) -> None:
        for wire in self._wires.values():
            wire.over(problem)
        self._wires.clear()

    def _on_loop(self, work: Callable[[], None]) -> None:
        if self._loop is not None:
            # The loop is closed, so nobody is listening any more.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(work)
