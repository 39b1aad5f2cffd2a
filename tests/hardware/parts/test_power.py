"""Power and temperature, from fake folders of the kernel and a fake program of the firmware."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.contract import Battery, Fan, Heat, Reading, SensorReadings, Supply, SupplyTrouble
from hardware.part_wiring import BatteryKind, BatteryWiring, FanWiring, SupplySource, SupplyWiring
from hardware.parts.fan import fan_percent
from hardware.parts.power import (
    GaugeFault,
    GaugeReading,
    Gauges,
    battery_by_gauge,
    battery_by_kernel,
    charge_register,
    gauges_of,
    heat_of_processor,
    supply_by_firmware,
    supply_by_kernel,
    supply_of,
)
from hardware.wiring import Wiring

LOW, CAPPED = SupplyTrouble.UNDER_VOLTAGE, SupplyTrouble.CAPPED
THROTTLED, HOT = SupplyTrouble.THROTTLED, SupplyTrouble.HOT


def folder(where: Path, **files: str) -> Path:
    where.mkdir(parents=True)
    for name, text in files.items():
        (where / name).write_text(f"{text}\n", encoding="ascii")
    return where


@pytest.mark.parametrize(
    ("bits", "now", "ever"),
    [
        (0x0, set(), set()),
        (0x50005, {LOW, THROTTLED}, {LOW, THROTTLED}),
        (0x50000, set(), {LOW, THROTTLED}),
        (0x80008, {HOT}, {HOT}),
        (0x20002, {CAPPED}, {CAPPED}),
        (0xF000F, {LOW, CAPPED, THROTTLED, HOT}, {LOW, CAPPED, THROTTLED, HOT}),
        (0x1, {LOW}, {LOW}),
        (0xFFF00FF0, set(), set()),
    ],
)
def test_the_firmwares_bits_have_a_meaning(
    bits: int, now: set[SupplyTrouble], ever: set[SupplyTrouble]
) -> None:
    assert supply_of(bits) == Supply(frozenset(now), frozenset(ever))


@given(st.integers(0, 2**32 - 1))
def test_what_is_now_was_ever(bits: int) -> None:
    supply = supply_of(bits)
    assert supply.now <= supply.ever


def program(where: Path, script: str) -> str:
    where.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    where.chmod(0o755)
    return str(where)


def test_the_firmware_is_asked_by_its_program(tmp_path: Path) -> None:
    command = program(tmp_path / "vcgencmd", '[ "$1" = get_throttled ] && echo throttled=0x50005')
    assert supply_by_firmware(command) == supply_of(0x50005)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo VCHI initialization failed; exit 255", "255"),
        ("echo nonsense", "invalid literal"),
        ("true", "invalid"),
    ],
)
def test_a_firmware_that_answers_nonsense_is_a_fault(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(GaugeFault, match=said):
        supply_by_firmware(program(tmp_path / "vcgencmd", script))


def test_where_there_is_no_such_program_it_is_named() -> None:
    with pytest.raises(GaugeFault, match="there is no vcgencmd-of-nobody here"):
        supply_by_firmware("vcgencmd-of-nobody")


def test_the_kernels_alarm_tells_of_low_voltage(tmp_path: Path) -> None:
    folder(tmp_path / "hwmon0", name="cpu_thermal")
    volt = folder(tmp_path / "hwmon1", name="rpi_volt", in0_lcrit_alarm="0")
    assert supply_by_kernel(tmp_path) == Supply()
    (volt / "in0_lcrit_alarm").write_text("1")
    assert supply_by_kernel(tmp_path).now == {LOW}
    (volt / "in0_lcrit_alarm").unlink()
    with pytest.raises(GaugeFault, match="in0_lcrit_alarm"):
        supply_by_kernel(tmp_path)
    with pytest.raises(GaugeFault, match="no rpi_volt in"):
        supply_by_kernel(tmp_path / "none")


@pytest.mark.parametrize(
    ("capacity", "status", "battery"),
    [
        ("83", "Charging", Battery(83, on_mains=True)),
        ("100", "Full", Battery(100, on_mains=True)),
        ("55", "Discharging", Battery(55, on_mains=False)),
        ("20", "Discharging", Battery(20, on_mains=False, is_low=True)),
        ("3", "Charging", Battery(3, on_mains=True)),
        ("104", "Not charging", Battery(100, on_mains=True)),
    ],
)
def test_a_battery_of_the_kernel_tells_charge_and_mains(
    tmp_path: Path, capacity: str, status: str, battery: Battery
) -> None:
    folder(tmp_path / "AC", type="Mains")
    folder(tmp_path / "BAT0", type="Battery", capacity=capacity, status=status)
    assert battery_by_kernel(20, folder=tmp_path) == battery


def test_the_battery_of_a_mouse_is_not_the_terminals(tmp_path: Path) -> None:
    folder(tmp_path / "hid-mouse", type="Battery", scope="Device", capacity="3", status="Discharging")
    with pytest.raises(GaugeFault, match="no battery in"):
        battery_by_kernel(20, folder=tmp_path)
    folder(tmp_path / "ups", type="Battery", capacity="70", status="Full")
    assert battery_by_kernel(20, folder=tmp_path).percent == 70
    assert battery_by_kernel(20, "ups", tmp_path).percent == 70
    with pytest.raises(GaugeFault, match="no battery other in"):
        battery_by_kernel(20, "other", tmp_path)


@pytest.mark.parametrize(
    ("register", "percent", "is_low"),
    [(b"\x53\x80", 83, False), (b"\x14\x00", 20, True), (b"\x65\x00", 100, False), (b"\x00\xff", 0, True)],
)
def test_a_gauge_chip_tells_percent(register: bytes, percent: int, is_low: bool) -> None:  # noqa: FBT001
    assert battery_by_gauge(20, register) == Battery(percent, None, is_low)


def test_a_bus_without_a_gauge_is_told_with_its_place() -> None:
    with pytest.raises(GaugeFault, match="battery gauge 0x36 on I2C 19: No such file"):
        charge_register(19, 0x36)


def test_the_processors_zone_is_the_one_that_counts(tmp_path: Path) -> None:
    folder(tmp_path / "thermal_zone0", type="battery", temp="20000")
    folder(tmp_path / "thermal_zone1", type="cpu-thermal", temp="61321")
    assert heat_of_processor(tmp_path) == Heat(61)
    with pytest.raises(GaugeFault, match="no thermal zone in"):
        heat_of_processor(tmp_path / "none")
    (tmp_path / "thermal_zone1" / "temp").write_text("warm")
    with pytest.raises(GaugeFault, match="temp"):
        heat_of_processor(tmp_path)


@given(st.lists(st.integers(0, 110), min_size=1), st.booleans())
def test_a_fan_neither_starts_cool_nor_stops_warm(heats: list[int], speeds: bool) -> None:  # noqa: FBT001
    part, percent = FanWiring(18, on_c=60, off_c=50, full_c=75, speeds=speeds), 0
    for celsius in heats:
        before, percent = percent, fan_percent(part, celsius, was=percent)
        assert 0 <= percent <= 100
        if celsius >= 60:
            assert percent >= 50
        if celsius <= 50:
            assert percent == 0
        if 50 < celsius < 60:
            assert bool(percent) == bool(before)
        if celsius >= 75:
            assert percent == 100


def test_gauges_tell_what_changed_and_only_that() -> None:
    heat, calls = [40], []

    def read() -> Reading:
        if heat[0] < 0:
            raise GaugeFault("cold")
        return Heat(heat[0])

    gauges = Gauges({"heat": read}, lambda: calls.append("woken"))
    for celsius in (40, 40, 41, -1, -1, 41):
        heat[0] = celsius
        gauges.look()
    assert gauges.take() == (
        GaugeReading("heat", Heat(40)), GaugeReading("heat", Heat(41)), GaugeReading("heat", None,
        "cold"), GaugeReading("heat", Heat(41)),
    )  # fmt: skip
    assert calls == ["woken"] * 4
    assert gauges.take() == ()
    gauges.close()


def test_gauges_that_nobody_empties_do_not_grow_and_are_told_later() -> None:
    heat = [0]
    gauges = Gauges({"heat": lambda: Heat(heat[0])}, lambda: None)
    for celsius in range(200):
        heat[0] = celsius
        gauges.look()
    assert len(gauges.take()) == 64
    gauges.look()
    assert gauges.take() == (GaugeReading("heat", Heat(199)),)


def test_a_thread_asks_and_ends() -> None:
    read, write = os.pipe()

    def wake() -> None:
        os.write(write, b"!")

    gauges = Gauges({"heat": lambda: Heat(40)}, wake, every_s=0.01)
    gauges.start()
    assert os.read(read, 1) == b"!"
    gauges.close()
    assert gauges.take() == (GaugeReading("heat", Heat(40)),)
    os.close(read)
    os.close(write)


@pytest.mark.parametrize(
    ("wiring", "names"),
    [
        (Wiring("x"), set()),
        (Wiring("x", fan=FanWiring(18)), {"heat"}),
        (Wiring("x", supply=SupplyWiring(SupplySource.KERNEL)), {"heat", "supply"}),
        (Wiring("x", battery=BatteryWiring(BatteryKind.PINS, power_lost=4)), set()),
        (Wiring("x", battery=BatteryWiring(BatteryKind.KERNEL)), {"battery"}),
        (Wiring("x", battery=BatteryWiring(BatteryKind.GAUGE)), {"battery"}),
    ],
)
def test_a_panel_asks_the_gauges_that_it_names(wiring: Wiring, names: set[str]) -> None:
    assert set(gauges_of(wiring)) == names


def test_readings_keep_what_was_told_until_it_is_not_known_any_more() -> None:
    readings = SensorReadings()
    for reading in (Heat(50), Supply(), Battery(50), Fan(100)):
        readings = readings.after(reading)
    assert readings == SensorReadings(Supply(), Battery(50), Heat(50), Fan(100))
    for gauge in ("heat", "supply", "battery"):
        readings = readings.without(gauge)
    assert readings == SensorReadings(fan=Fan(100))
