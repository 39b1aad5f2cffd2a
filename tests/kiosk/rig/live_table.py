"""Virtual tables in real time: on a background thread, or connected to a real hub by TLS or a serial line."""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from base.clock import SystemClock
from core.game.orders import Order
from kiosk.terminal.loop import Waker
from sync.ports.link_port import LinkPort
from sync.ports.serial import BAUD, SerialPort
from sync.ports.tcp import TcpPort
from sync.protocol.entry import TerminalId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import UplinkContract
from sync.terminal.routes import StationRoute
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.kiosk.rig.virtual_table import Clock, Rigging, VirtualTable
from tests.rigs.ends import Station


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


_PATIENCE_S = 20.0
_LOOK_S = 0.002
_LOOK_MS = 5


def by_tls(station: Station) -> Callable[[Journal, Path], UplinkContract]:
    return _to(station, lambda: StationRoute("tcp", lambda: TcpPort("127.0.0.1", station.port)))


def by_serial(station: Station, device: Path) -> Callable[[Journal, Path], UplinkContract]:

    def way() -> StationRoute:
        port = LinkPort(SerialPort(str(device), BAUD), SystemClock().monotonic_ms, baud=BAUD)
        return StationRoute(f"serial {device}", lambda: port)

    return _to(station, way)


def wait_until(table: VirtualTable, wanted: Callable[[], bool]) -> None:
    """Let real time pass until a condition holds. Raises TimeoutError."""
    end = time.monotonic() + _PATIENCE_S
    while not wanted():
        if time.monotonic() > end:
            raise TimeoutError(table.view.link)
        time.sleep(_LOOK_S)
        table.after(_LOOK_MS)


def _to(station: Station, way: Callable[[], StationRoute]) -> Callable[[Journal, Path], UplinkContract]:
    def made(journal: Journal, folder: Path) -> UplinkContract:
        key, certificate = own_identity(folder, "virtual table")
        terminal = TerminalId(fingerprint_of_pem(certificate.read_text(), "certificate"))
        credentials = Credentials(station.identity[1].read_text(), key, certificate, "welcome")
        return Uplink(journal, orders_of(terminal), (way(),), credentials, lambda: None)

    return made
