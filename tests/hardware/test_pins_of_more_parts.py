"""Lamps in buttons, dimming, fan and battery on gpiozero's real factories over the chips of test_pins."""

import threading

import pytest

from hardware.contract import (
    ButtonPressed,
    Glow,
    Heat,
    Lamp,
    PanelButton,
    PanelEvent,
    PartFailed,
    PartRecovered,
    PressKind,
    ReadingsReported,
    RepairHint,
)
from hardware.panel import PinPanel
from hardware.part_wiring import BatteryKind, BatteryWiring, ButtonWiring, FanWiring, LampWiring
from hardware.pins import PinDriver, pin_factory
from hardware.rack import AGAIN_MS
from hardware.wiring import Wiring
from tests.hardware.test_pins import REAL, Chip, FakeRPi, Pi, chip, pi

__all__ = ["chip", "pi"]


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_ms = 1_000

    def __call__(self) -> int:
        return self.now_ms


@REAL
def test_an_edge_comes_from_another_thread_and_wakes_the_owner(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    panel = PinPanel(Wiring("x", {"reshuffle": ButtonWiring(17)}), pin_factory(driver), Clock())
    hand = threading.Thread(target=chip.drive, args=(17, 0))
    hand.start()
    hand.join()
    assert panel.advance(1_000) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, 1_000),)
    panel.close()


@REAL
def test_the_lamp_in_a_button_follows_what_it_says(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    clock = Clock()
    wiring = Wiring("x", {"reshuffle": ButtonWiring(17, lamp=24), "end-turn": ButtonWiring(27)})
    panel = PinPanel(wiring, pin_factory(driver), clock)
    panel.glow({PanelButton.RESHUFFLE: Glow.BLINKING, PanelButton.END_TURN: Glow.LIT})
    seen = []
    for _ in range(4):
        seen.append(chip.levels[24])
        clock.now_ms += 500
        panel.advance(clock.now_ms)
    assert seen == [1, 0, 1, 0]
    panel.close()
    assert chip.levels[24] == 0


@REAL
def test_a_dimmed_lamp_is_on_for_its_share_of_the_time(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    wiring = Wiring("x", lamp=LampWiring(5, 6, 13, brightness=40))
    panel = PinPanel(wiring, pin_factory(driver), Clock())
    panel.show(Lamp.HIGH_NOON)
    assert {number: percent for number, (_, percent) in chip.tones.items()} == {5: 40, 6: 40, 13: 0}
    panel.close()
    assert all(percent == 0 for _, percent in chip.tones.values())


@REAL
def test_a_fan_turns_faster_with_the_heat_and_is_seen_to_stand_still(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    clock, heat = Clock(), [70]
    fan = FanWiring(18, on_c=60, off_c=50, full_c=80, speeds=True, tacho=26)
    panel = PinPanel(Wiring("x", fan=fan), pin_factory(driver), clock, gauges={"heat": lambda: Heat(heat[0])})
    panel.look()
    panel.advance(clock.now_ms)
    assert chip.tones[18][1] == 75
    for _ in range(60):
        clock.now_ms += 50
        chip.drive(26, 0)
        chip.drive(26, 1)
    assert not [event for event in panel.advance(clock.now_ms) if isinstance(event, PartFailed)]
    turning = panel.state().readings.fan
    assert turning is not None
    assert turning.rpm == 600
    clock.now_ms += 4_000
    stalled = PartFailed("fan", "stalled: told to turn, and does not", RepairHint.FAN)
    assert stalled in panel.advance(clock.now_ms)
    panel.close()


@REAL
def test_a_battery_that_speaks_by_pins_is_believed_when_it_stood_still(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    clock = Clock()
    battery = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16)
    panel = PinPanel(Wiring("x", battery=battery), pin_factory(driver), clock)
    panel.advance(clock.now_ms)
    events: list[PanelEvent] = []
    for level in (1, 0, 1):
        chip.drive(26, level)
        clock.now_ms += 20
        events += panel.advance(clock.now_ms)
    assert events == []
    clock.now_ms += 100
    (news,) = panel.advance(clock.now_ms)
    assert isinstance(news, ReadingsReported)
    assert news.readings.battery is not None
    assert (news.readings.battery.on_mains, news.readings.battery.is_low) == (False, False)
    panel.close()


@REAL
def test_a_pin_that_is_busy_for_a_while_is_had_later(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    clock = Clock()
    chip.busy.add(17)
    panel = PinPanel(Wiring("x", {"reshuffle": ButtonWiring(17)}), pin_factory(driver), clock)
    (lost,) = panel.advance(clock.now_ms)
    assert isinstance(lost, PartFailed)
    assert lost.mend is RepairHint.FREE
    clock.now_ms += AGAIN_MS
    assert panel.advance(clock.now_ms) == ()
    assert panel.state().failed_parts == (lost,)
    chip.busy.clear()
    assert panel.next_deadline_ms() == clock.now_ms + AGAIN_MS
    clock.now_ms += AGAIN_MS
    assert panel.advance(clock.now_ms) == (PartRecovered("button reshuffle"),)
    chip.drive(17, 0)
    assert panel.advance(clock.now_ms) == (
        ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, clock.now_ms),
    )
    panel.close()


@REAL
def test_a_pin_that_fails_later_is_had_again_with_its_edges(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    clock = Clock()
    panel = PinPanel(Wiring("x", {"reshuffle": ButtonWiring(17)}), pin_factory(driver), clock)
    assert panel.advance(clock.now_ms) == ()
    chip.broken.add(17)
    (lost,) = panel.advance(clock.now_ms)
    assert isinstance(lost, PartFailed)
    chip.broken.clear()
    clock.now_ms += AGAIN_MS
    assert panel.advance(clock.now_ms) == (PartRecovered("button reshuffle"),)
    chip.drive(17, 0)
    chip.drive(17, 1)
    pressed = ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, clock.now_ms)
    assert panel.advance(clock.now_ms) == (pressed,)
    panel.close()


@REAL
def test_closing_frees_what_was_taken(pi: Pi, chip: Chip, driver: PinDriver, revision: int) -> None:
    library = pi(driver, chip, revision)
    factory = pin_factory(driver)
    wiring = Wiring("x", {"reshuffle": ButtonWiring(17, lamp=24)}, fan=FanWiring(18))
    PinPanel(wiring, factory, Clock()).close()
    assert 17 not in chip.watchers
    again = PinPanel(wiring, factory, Clock())
    assert not [event for event in again.advance(1_000) if isinstance(event, PartFailed)]
    again.close()
    if isinstance(library, FakeRPi):
        assert 18 not in chip.outputs


@pytest.mark.parametrize("celsius", [49, 50, 55, 59])
def test_a_fan_that_stands_still_waits_for_the_heat(pi: Pi, chip: Chip, celsius: int) -> None:
    pi(PinDriver.RPIGPIO, chip, 0xC03111)
    panel = PinPanel(
        Wiring("x", fan=FanWiring(18)), pin_factory(PinDriver.RPIGPIO), Clock(),
        gauges={"heat": lambda: Heat(celsius)},
    )  # fmt: skip
    panel.look()
    panel.advance(1_000)
    assert chip.levels[18] == 0
    panel.close()
