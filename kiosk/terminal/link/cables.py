"""The routes of a terminal over cables, its own or shared ones."""

from saloon.kiosk.terminal.loop import monotonic_ms
from saloon.sync.ports.bus_port import QUEUED, BusPort
from saloon.sync.ports.serial import BAUD, SerialPort
from saloon.sync.protocol.entry import TerminalId
from saloon.sync.terminal.routes import Source, Way

_UNIT_DIGITS = 16
"""Of a terminal's name: as many as a unit id on a shared pair of wires can hold."""


def by_pair(device: str, terminal: TerminalId, *, rts: bool) -> Way:
    """Return the route over a pair of wires shared with other terminals (RS-485).

    rts: the kernel switches the transceiver by RTS; most adapters switch by themselves.
    """
    raw = SerialPort(device, ahead=QUEUED, drives_direction=rts)
    port = BusPort(raw, bytes.fromhex(terminal[:_UNIT_DIGITS]), monotonic_ms, baud=BAUD)
    return Way(f"bus {device}", lambda: port, Source.CABLE)
