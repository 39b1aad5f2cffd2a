"""The station's RS-485 buses, as given on the command line."""

from collections.abc import Callable

import msgspec

from sync.bus.timing import ADAPTER_HOLD_MS, BusTiming
from sync.ports.bus_port import QUEUED
from sync.ports.serial import BAUD, SerialPort
from sync.station.bus import StationBus


class Rs485Options(msgspec.Struct, frozen=True):
    """RS-485 options.

    devices: one for each bus.
    hold_ms: longest delay of bytes in any adapter.

    With ``rts``, the kernel switches the transceiver by RTS; most adapters switch automatically.
    """

    devices: tuple[str, ...] = ()
    baud: int = BAUD
    hold_ms: int = ADAPTER_HOLD_MS
    rts: bool = False


def rs485_bus_factories(
    options: Rs485Options, monotonic_ms: Callable[[], int]
) -> tuple[Callable[[], StationBus], ...]:
    """Return a factory for each bus, which creates it closed."""
    timing = BusTiming(baud=options.baud, hold_ms=options.hold_ms)

    def _pair(device: str) -> Callable[[], StationBus]:
        def make() -> StationBus:
            port = SerialPort(device, options.baud, ahead=QUEUED, drives_direction=options.rts)
            return StationBus(device, port, timing, monotonic_ms)

        return make

    return tuple(_pair(device) for device in options.devices)
