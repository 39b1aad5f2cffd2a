"""The station's end of a shared pair of wires on its event loop, as one wire for each terminal."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Awaitable, Callable
from typing import Protocol, assert_never

import structlog

from base.errors import Unavailable
from sync.bus.master import BusMaster
from sync.bus.members import (
    Babbled,
    BusEvent,
    Cloned,
    Full,
    Joined,
    PairJammed,
    PairQuiet,
    SecondStation,
    StationAlone,
    UnitLeft,
)
from sync.bus.timing import BusTiming
from sync.link.counters import Counters
from sync.ports.bus_port import TurnThread
from sync.ports.port import Port
from sync.protocol.entry import TerminalId
from sync.station.wires import Wire

_FULL_LOOK_S = 0.02
_LAST_WORDS_S = 1.5


class BusWire(Wire):
    """One terminal's stream on a pair. ``unit`` is the id that the terminal claims."""

    kind = "bus"

    def __init__(self, bus: "StationBus", lease: int, unit: bytes) -> None:
        self.bus = bus
        self._lease = lease
        self.unit = unit
        self.readable = asyncio.Event()
        self.problem = ""

    async def read(self, wait_s: float) -> bytes:
        """Implement ``Wire.read``."""
        self.readable.clear()
        data = self._take_received()
        if not data:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self.readable.wait()
            data = self._take_received()
        return data

    async def write(self, data: bytes) -> None:
        """Implement ``Wire.write``."""
        while data:
            self._check()
            data = data[self.bus.send(self._lease, data) :]
            if data:
                await asyncio.sleep(_FULL_LOOK_S)

    async def close(self) -> None:
        """End the stream once the terminal has received the last bytes, unless it isn't listening."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_S):
                while not self.problem and not self.bus.is_flushed(self._lease):  # noqa: ASYNC110 (a thread sends)
                    await asyncio.sleep(_FULL_LOOK_S)
        self.bus.end(self._lease)

    def counters(self) -> Counters | None:
        return self.bus.counters_of(self._lease)

    def over(self, problem: str) -> None:
        """Mark the stream as ended for this reason. Called on the loop."""
        self.problem = problem or "closed"
        self.readable.set()

    def _take_received(self) -> bytes:
        data = self.bus.take_received(self._lease)
        if not data:
            self._check()
        return data

    def _check(self) -> None:
        if self.problem:
            raise Unavailable(f"bus: {self.problem}")


class StationBus:
    """The station's end of a pair of wires.

    ``next`` returns the wire of each terminal that joins, and all other events, one at a time.
    """

    def __init__(self, name: str, port: Port, timing: BusTiming, clock_ms: Callable[[], int]) -> None:
        self.name = name
        self._master = BusMaster(1 + secrets.randbelow(0xFFFF), timing, secrets.randbelow)
        self._thread = TurnThread(
            port, clock_ms, self._step, lambda: self._on_loop(self._on_gone), name=f"bus {name}"
        )
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
        """Wait for a new terminal's wire or another event. Raises Unavailable if the device is gone."""
        news = await self._news.get()
        if news is None:
            raise self._thread.error or Unavailable(f"bus {self.name}: over")
        return news

    def counters_of(self, lease: int) -> Counters | None:
        with self._lock:
            return self._master.counters_of(lease)

    def take_received(self, lease: int) -> bytes:
        with self._lock:
            return self._master.take_received(lease)

    def send(self, lease: int, data: bytes) -> int:
        """Queue bytes for a terminal, and return how many were accepted."""
        with self._lock:
            taken = self._master.send(lease, data)
        self._thread.poke()
        return taken

    def is_flushed(self, lease: int) -> bool:
        with self._lock:
            return self._master.is_flushed(lease)

    def end(self, lease: int) -> None:
        """End the stream of a closed wire, so that its terminal must join again."""
        self._wires.pop(lease, None)
        with self._lock:
            self._master.end(lease)
        self._thread.poke()

    def _step(self, data: bytes, now_ms: int) -> tuple[bytes, int | None]:
        with self._lock:
            self._master.receive(data, now_ms)
            to_send = self._master.to_line(now_ms)
            deadline_ms = self._master.next_deadline_ms(now_ms)
            events = self._master.events()
            readable = self._master.with_bytes() if data else ()
        if events or readable:
            self._on_loop(lambda: self._on_events(events, readable))
        return to_send, deadline_ms

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


_log = structlog.get_logger()
_REOPEN_S = 1.0


class BusOwner(Protocol):
    """The receiver of a bus's alarms. Called on the event loop; must not block."""

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Alert the judge to a problem with a terminal."""

    def bus_alarm(self, device: str, problem: str) -> None:
        """Alert the judge to a problem with a pair of wires, or clear the alarm if the problem is empty."""


class BusSupervisor:
    """A supervisor that keeps a pair of wires open, serves its terminals and reports interference.

    make: creates the unopened pair, and is called again if the device disappears.
    serve: communicates with the terminal at the other end of a wire until it disconnects.
    """

    def __init__(
        self,
        make: Callable[[], StationBus],
        serve: Callable[[Wire], Awaitable[None]],
        owner: BusOwner,
    ) -> None:
        self._make = make
        self._serve = serve
        self._owner = owner
        self._names: dict[bytes, TerminalId] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self.bus: StationBus | None = None

    def note_terminal(self, wire: Wire, terminal: TerminalId) -> None:
        """Record which terminal is at the other end of a wire, so that alarms can name it."""
        if isinstance(wire, BusWire) and wire.bus is self.bus:
            self._names[wire.unit] = terminal

    async def run(self) -> None:
        """Open and serve the pair for ever."""
        while True:
            bus = self.bus = self._make()
            try:
                bus.open()
                while True:
                    self._act_on(bus.name, await bus.next())
            except Unavailable as error:
                _log.debug("pair of wires unavailable", device=bus.name, problem=str(error))
            except Exception:  # noqa: BLE001
                # After any error, the terminals of this pair must be able to come back.
                _log.exception("internal error on a pair of wires", device=bus.name)
            finally:
                for task in tuple(self._serving):
                    task.cancel()
                await asyncio.gather(*self._serving, return_exceptions=True)
                await bus.close()
            await asyncio.sleep(_REOPEN_S)

    async def _serve_one(self, wire: BusWire) -> None:
        try:
            await self._serve(wire)
        except Exception:  # noqa: BLE001
            # After any error, the terminal must be able to come back.
            _log.exception("internal error on a pair of wires")

    def _act_on(self, device: str, news: BusWire | BusEvent) -> None:
        match news:
            case BusWire():
                task = asyncio.ensure_future(self._serve_one(news))
                self._serving.add(task)
                task.add_done_callback(self._serving.discard)
            case Cloned():
                self._tell(device, news.unit, "a second terminal on the shared cable has the same identity")
            case Full():
                self._owner.bus_alarm(
                    device,
                    f"no room for terminal {_short_unit_id(news.unit)}: 32 are already on the shared cable",
                )
            case Babbled():
                seconds = news.for_ms // 1000
                self._tell(device, news.unit, f"sent data without being polled; ignored for {seconds} s")
            case PairJammed():
                self._on_drowned(device, news.suspects)
            case SecondStation():
                self._owner.bus_alarm(
                    device,
                    "a second station is on this cable, and the two disturb each other; unplug one of them; "
                    "nothing is lost",
                )
            case PairQuiet() | StationAlone():
                self._owner.bus_alarm(device, "")
            case Joined() | UnitLeft():
                pass
            case _:
                assert_never(news)

    def _on_drowned(self, device: str, suspects: tuple[bytes, ...]) -> None:
        names = ", ".join(_short_unit_id(unit) for unit in suspects) or "none known"
        self._owner.bus_alarm(
            device, f"a terminal is jamming the shared cable; suspects: {names}; unplug them one at a time"
        )
        for unit in suspects[:1]:
            self._tell(device, unit, "probably jamming the shared cable: unplug it")

    def _tell(self, device: str, unit: bytes, problem: str) -> None:
        terminal = self._names.get(unit)
        if terminal is not None:
            self._owner.alarm(terminal, problem)
        else:
            self._owner.bus_alarm(device, f"{_short_unit_id(unit)}: {problem}")


def _short_unit_id(unit: bytes) -> str:
    """Return the first digits of a terminal's id, as shown on pages."""
    return unit.hex()[:8]
