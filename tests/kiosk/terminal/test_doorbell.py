"""The touch wake-up on device files that behave like the kernel's: pipes, and a tree like sysfs."""

import math
import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.terminal.display.touch_input import LOOK_MS, PanelRotation, Pointers, TouchWakeup
from kiosk.terminal.loop import Display

PANEL, MOUSE, KEYBOARD, OLD_PANEL = (
    "260800000000003",
    "30000 0 0 0 0",
    "402000000 3803078f800d001",
    "400 0 0 0 0 0",
)


class Machine:
    """A machine to which input devices are connected."""

    def __init__(self, folder: Path) -> None:
        self.devices = folder / "dev"
        self.tells = folder / "sys"
        self.devices.mkdir()
        self.tells.mkdir()
        self._writers: dict[str, int] = {}

    def plug(self, name: str, *, axes: str = "0", keys: str = "0") -> None:
        capabilities = self.tells / name / "device" / "capabilities"
        capabilities.mkdir(parents=True)
        (capabilities / "abs").write_text(axes + "\n")
        (capabilities / "key").write_text(keys + "\n")
        os.mkfifo(self.devices / name)
        self._writers[name] = os.open(self.devices / name, os.O_RDWR)

    def pull(self, name: str) -> None:
        os.close(self._writers.pop(name))
        for file in (*(self.tells / name / "device" / "capabilities").iterdir(), self.devices / name):
            file.unlink()
        (self.tells / name / "device" / "capabilities").rmdir()

    def touch(self, name: str, count: int = 1) -> None:
        os.write(self._writers[name], bytes(24) * count)

    def close(self) -> None:
        for writer in self._writers.values():
            os.close(writer)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.close()


@pytest.fixture
def bell(machine: Machine) -> Iterator[TouchWakeup]:
    made = TouchWakeup(machine.devices, machine.tells)
    yield made
    made.close()


def rings(bell: TouchWakeup) -> bool:
    return bool(select.select([bell], [], [], 0)[0])


@pytest.mark.parametrize(
    ("axes", "keys", "wired"),
    [(PANEL, "0", True), ("0", MOUSE, True), ("3", OLD_PANEL, True), ("0", KEYBOARD, False), ("", "", False)],
)
def test_panels_and_mice_ring_and_keyboards_do_not(
    machine: Machine, bell: TouchWakeup, axes: str, keys: str, *, wired: bool
) -> None:
    machine.plug("event0", axes=axes, keys=keys)
    bell.look(0)
    assert bell.is_wired() == wired
    machine.touch("event0")
    assert rings(bell) == wired


def test_it_is_silent_again_once_heard_however_long_it_rang(machine: Machine, bell: TouchWakeup) -> None:
    machine.plug("event0", axes=PANEL)
    bell.look(0)
    assert not rings(bell)
    machine.touch("event0", 2_000)
    assert rings(bell)
    bell.settle()
    assert not rings(bell)
    machine.touch("event0")
    assert rings(bell)


def test_a_panel_that_wakes_late_or_is_pulled_out_is_noticed(machine: Machine, bell: TouchWakeup) -> None:
    bell.look(0)
    assert not bell.is_wired()
    machine.plug("event3", axes=PANEL)
    bell.look(LOOK_MS - 1)
    assert not bell.is_wired()
    bell.look(LOOK_MS)
    assert bell.is_wired()
    machine.pull("event3")
    bell.settle()
    assert not bell.is_wired()
    assert not rings(bell)
    bell.look(2 * LOOK_MS)
    assert not bell.is_wired()


def test_the_loop_asks_by_time_only_while_nothing_can_ring(machine: Machine, bell: TouchWakeup) -> None:
    display = Display(Pointers(PanelRotation(800, 480)), lambda: None, polls=True, doorbell=bell)
    display.settle(0)
    assert display.sleep_s(60_000, touched_ms=59_000) == pytest.approx(1 / 60)
    assert display.sleep_s(60_000, touched_ms=0) == pytest.approx(1 / 15)
    machine.plug("event0", axes=PANEL)
    display.settle(LOOK_MS)
    assert display.sleep_s(60_000, touched_ms=59_000) == LOOK_MS / 1000
    machine.touch("event0")
    assert rings(bell)
    display.settle(LOOK_MS)
    assert not rings(bell)


def test_a_display_without_glass_is_never_asked() -> None:
    display = Display(Pointers(PanelRotation(800, 480)), lambda: None, polls=False)
    assert display.sleep_s(0, 0) == math.inf


def test_a_device_that_may_not_be_read_or_no_devices_at_all_stop_nothing(tmp_path: Path) -> None:
    nowhere = TouchWakeup(tmp_path / "dev", tmp_path / "sys")
    nowhere.look(0)
    nowhere.settle()
    capabilities = tmp_path / "sys" / "event0" / "device" / "capabilities"
    capabilities.mkdir(parents=True)
    (capabilities / "abs").write_text(PANEL)
    nowhere.look(LOOK_MS)
    assert not nowhere.is_wired()
    nowhere.close()
