"""Gauges of power and temperature, read from firmware and kernel by a thread because they are slow."""

import fcntl
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, assert_never

import msgspec

from hardware.contract import Battery, Heat, Reading, Supply, SupplyTrouble
from hardware.part_wiring import BatteryKind, BatteryWiring, SupplySource, SupplyWiring
from hardware.wiring import Wiring

_SUPPLIES: Final = Path("/sys/class/power_supply")
_HWMON: Final = Path("/sys/class/hwmon")
_THERMAL: Final = Path("/sys/class/thermal")
_ANSWER_S: Final = 2.0
_EVER_SHIFT: Final = 16
_I2C_SLAVE: Final = 0x0703
_CHARGE: Final = 0x04
_FULL: Final = 100


class GaugeFault(OSError):
    """A gauge could not be read."""


def supply_of(bits: int) -> Supply:
    """Parse the bits of ``vcgencmd get_throttled``: the low ones are current, the high ones historic."""
    now = frozenset(trouble for trouble in SupplyTrouble if bits >> trouble.value & 1)
    ever = frozenset(trouble for trouble in SupplyTrouble if bits >> _EVER_SHIFT >> trouble.value & 1)
    return Supply(now, now | ever)


def supply_by_firmware(program: str = "vcgencmd") -> Supply:
    """Return the firmware's report on the supply. Raises GaugeFault if it fails or is invalid."""
    path = shutil.which(program)
    if path is None:
        raise GaugeFault(f"there is no {program} here")
    try:
        answer = subprocess.run(  # noqa: S603 (a fixed program, found on the path)
            [path, "get_throttled"], capture_output=True, text=True, timeout=_ANSWER_S, check=True
        )
        return supply_of(int(answer.stdout.strip().partition("=")[2], 16))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise GaugeFault(f"{program} get_throttled: {error}") from error


def supply_by_kernel(folder: Path = _HWMON) -> Supply:
    """Return the kernel's report on the supply. Raises GaugeFault if it has no voltage alarm."""
    for sensor in sorted(folder.glob("*")):
        if _word(sensor / "name", "") == "rpi_volt":
            low = frozenset({SupplyTrouble.UNDER_VOLTAGE})
            return Supply(low, low) if _number(sensor / "in0_lcrit_alarm") else Supply()
    raise GaugeFault(f"no rpi_volt in {folder}")


def battery_by_kernel(low_percent: int, name: str = "", folder: Path = _SUPPLIES) -> Battery:
    """Return the battery with this name, or else the first. Raises GaugeFault without one.

    Batteries of mice or keyboards are ignored.
    """
    for supply in sorted(folder.glob(name or "*")):
        is_battery = _word(supply / "type", "") == "Battery"
        if is_battery and _word(supply / "scope", "System") != "Device":
            percent = min(max(_number(supply / "capacity"), 0), _FULL)
            on_mains = _word(supply / "status", "Unknown") not in {"Discharging", "Unknown"}
            return Battery(percent, on_mains, percent <= low_percent and not on_mains)
    raise GaugeFault(f"no battery {name}".rstrip() + f" in {folder}")


def battery_by_gauge(low_percent: int, register: bytes) -> Battery:
    """Parse the two bytes of a MAX17040's charge register: percent, and 256ths of a percent."""
    percent = min(register[0], _FULL)
    return Battery(percent, None, percent <= low_percent)


def charge_register(bus: int, address: int) -> bytes:
    """Read the charge register of a MAX17040 or similar over I2C. Raises GaugeFault if it doesn't respond."""
    try:
        wire = os.open(f"/dev/i2c-{bus}", os.O_RDWR)
        try:
            fcntl.ioctl(wire, _I2C_SLAVE, address)
            os.write(wire, bytes([_CHARGE]))
            return os.read(wire, 2)
        finally:
            os.close(wire)
    except OSError as error:
        raise GaugeFault(f"battery gauge 0x{address:02x} on I2C {bus}: {error.strerror}") from error


def heat_of_processor(folder: Path = _THERMAL) -> Heat:
    """Return the processor's temperature, from its own zone or else the first. Raises GaugeFault."""
    zones = sorted(folder.glob("thermal_zone*"))
    named = [zone for zone in zones if "cpu" in _word(zone / "type", "")]
    for zone in (*named, *zones):
        return Heat(round(_number(zone / "temp") / 1000))
    raise GaugeFault(f"no thermal zone in {folder}")


def _word(file: Path, otherwise: str) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return otherwise


def _number(file: Path) -> int:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise GaugeFault(f"{file}: {error}") from error


def gauges_of(wiring: Wiring) -> dict[str, Callable[[], Reading]]:
    """Return the functions that read a panel's gauges, by the names of the parts."""
    gauges: dict[str, Callable[[], Reading]] = {}
    if wiring.fan is not None or wiring.supply is not None:
        gauges["heat"] = heat_of_processor
    if wiring.supply is not None:
        gauges["supply"] = _supply(wiring.supply)
    if wiring.battery is not None and wiring.battery.kind is not BatteryKind.PINS:
        gauges["battery"] = _battery(wiring.battery)
    return gauges


def _supply(part: SupplyWiring) -> Callable[[], Reading]:
    match part.source:
        case SupplySource.VCGENCMD:
            return supply_by_firmware
        case SupplySource.KERNEL:
            return supply_by_kernel
        case SupplySource.EITHER:
            # Raspberry Pi OS has the program, Debian doesn't.
            return supply_by_kernel if shutil.which("vcgencmd") is None else supply_by_firmware
        case _:
            assert_never(part.source)


def _battery(part: BatteryWiring) -> Callable[[], Reading]:
    if part.kind is BatteryKind.KERNEL:
        return partial(battery_by_kernel, part.low_percent, part.name)

    def by_gauge() -> Battery:
        return battery_by_gauge(part.low_percent, charge_register(part.bus, part.address))

    return by_gauge


EVERY_S: Final = 5.0
_WAITING: Final = 64
_LAST_ANSWER_S: Final = 2.5


class GaugeReading(msgspec.Struct, frozen=True):
    """The result of reading a gauge: a value, or None and the problem."""

    gauge: str
    reading: Reading | None
    problem: str = ""


class Gauges:
    """A thread that reads all gauges in turn.

    ``wake`` is called on the thread after a change.
    """

    def __init__(
        self,
        gauges: Mapping[str, Callable[[], Reading]],
        wake: Callable[[], None],
        *,
        every_s: float = EVERY_S,
    ) -> None:
        self._gauges = gauges
        self._wake = wake
        self._every_s = every_s
        self._last: dict[str, GaugeReading] = {}
        self._news: queue.Queue[GaugeReading] = queue.Queue(_WAITING)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gauges", daemon=True)

    def start(self) -> None:
        if self._gauges:
            self._thread.start()

    def look(self) -> None:
        """Read all gauges once and queue the changes."""
        for name, read in self._gauges.items():
            try:
                reading = GaugeReading(name, read())
            except GaugeFault as fault:
                reading = GaugeReading(name, None, str(fault))
            if reading != self._last.get(name) and not self._news.full():
                self._last[name] = reading
                self._news.put(reading)
                self._wake()

    def take(self) -> tuple[GaugeReading, ...]:
        """Return the changes since the last call."""
        readings = []
        while not self._news.empty():
            readings.append(self._news.get())
        return tuple(readings)

    def close(self) -> None:
        """Stop the thread, waiting for a pending reading up to its timeout."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join(timeout=_LAST_ANSWER_S)

    def _run(self) -> None:
        while not self._ends.is_set():
            self.look()
            self._ends.wait(self._every_s)
