"""Keeping a station's shared pair of wires open, serving its terminals, and reporting interference."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, assert_never

import structlog

from base.errors import Unavailable
from sync.bus.events import (
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
from sync.protocol.entry import TerminalId
from sync.station.bus_wires import BusWire, StationBus
from sync.station.wires import Wire

_log = structlog.get_logger()
_REOPEN_S = 1.0


class BusOwner(Protocol):
    """The receiver of a pair's alarms. Called on the event loop; must not block."""

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        """Raise an alarm about a terminal for the judge."""

    def bus_alarm(self, device: str, problem: str) -> None:
        """Raise an alarm about a pair of wires for the judge; clear it with an empty problem."""


class BusSupervisor:
    """A supervisor of one pair of wires. ``serve`` talks to the other end of a wire until it disconnects.

    ``make`` returns the pair unopened, and is called again if the device disappears.
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
        """Record the terminal at the other end of a wire of this pair, so that alarms can name it."""
        if isinstance(wire, BusWire) and wire.bus is self.bus:
            self._names[wire.unit] = terminal

    async def run(self) -> None:
        """Open and serve the pair, for ever."""
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
                await self._close(bus)
            await asyncio.sleep(_REOPEN_S)

    async def _serve_one(self, wire: BusWire) -> None:
        try:
            await self._serve(wire)
        except Exception:  # noqa: BLE001
            # After any error, the terminal must be able to come back.
            _log.exception("internal error on a pair of wires")

    async def _close(self, bus: StationBus) -> None:
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await bus.close()

    def _act_on(self, device: str, news: BusWire | BusEvent) -> None:
        match news:
            case BusWire():
                task = asyncio.ensure_future(self._serve_one(news))
                self._serving.add(task)
                task.add_done_callback(self._serving.discard)
            case Cloned():
                self._tell(
                    device, (news.unit,), "a second terminal on the shared cable has the same identity"
                )
            case Full():
                self._owner.bus_alarm(
                    device,
                    f"no room for terminal {short_unit_id(news.unit)}: 32 are already on the shared cable",
                )
            case Babbled():
                seconds = news.for_ms // 1000
                self._tell(device, (news.unit,), f"sent data without being polled; ignored for {seconds} s")
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
        names = ", ".join(short_unit_id(unit) for unit in suspects) or "none known"
        self._owner.bus_alarm(
            device, f"a terminal is jamming the shared cable; suspects: {names}; unplug them one at a time"
        )
        for unit in suspects[:1]:
            self._tell(device, (unit,), "probably jamming the shared cable: unplug it")

    def _tell(self, device: str, units: tuple[bytes, ...], problem: str) -> None:
        for unit in units:
            terminal = self._names.get(unit)
            if terminal is not None:
                self._owner.alarm(terminal, problem)
            else:
                self._owner.bus_alarm(device, f"{short_unit_id(unit)}: {problem}")


def short_unit_id(unit: bytes) -> str:
    """Return a unit's short id: the first digits of its terminal's id, as shown on pages."""
    return unit.hex()[:8]
