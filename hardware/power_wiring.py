"""The choice of a panel's gauges, from its panel file."""

from collections.abc import Callable
from functools import partial
from typing import assert_never

from saloon.hardware.part_wiring import BatteryKind, BatteryWiring, SupplySource, SupplyWiring
from saloon.hardware.parts.power import (
    battery_by_gauge,
    battery_by_kernel,
    charge_register,
    firmware_is_there,
    heat_of_processor,
    supply_by_firmware,
    supply_by_kernel,
)
from saloon.hardware.parts.readings import Battery, Reading
from saloon.hardware.wiring import Wiring


def gauges_of(wiring: Wiring) -> dict[str, Callable[[], Reading]]:
    """Return the functions that take a panel's readings, by the names of the parts."""
    found: dict[str, Callable[[], Reading]] = {}
    if wiring.fan is not None or wiring.supply is not None:
        found["heat"] = heat_of_processor
    if wiring.supply is not None:
        found["supply"] = _supply(wiring.supply)
    if wiring.battery is not None and wiring.battery.kind is not BatteryKind.PINS:
        found["battery"] = _battery(wiring.battery)
    return found


def _supply(part: SupplyWiring) -> Callable[[], Reading]:
    match part.source:
        case SupplySource.VCGENCMD:
            return supply_by_firmware
        case SupplySource.KERNEL:
            return supply_by_kernel
        case SupplySource.EITHER:
            return supply_by_firmware if firmware_is_there() else supply_by_kernel
        case _:
            assert_never(part.source)


def _battery(part: BatteryWiring) -> Callable[[], Reading]:
    if part.kind is BatteryKind.KERNEL:
        return partial(battery_by_kernel, part.low_percent, part.name)

    def by_gauge() -> Battery:
        return battery_by_gauge(part.low_percent, charge_register(part.bus, part.address))

    return by_gauge
