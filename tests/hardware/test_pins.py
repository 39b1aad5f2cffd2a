"""The pin drivers by name, and all kinds of parts on gpiozero's real factories over chips with levels."""

import sys
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
    SwitchMoved,
    Tune,
)
from hardware.panel import AGAIN_MS, PinPanel, VirtualOnly, panel_on
from hardware.part_wiring import (
    BatteryKind,
    BatteryWiring,
    ButtonWiring,
    BuzzerWiring,
    FanWiring,
    LampWiring,
    Sound,
)
from hardware.pins import PinDriver, PinsUnavailable, pin_factory
from hardware.wiring import Wiring, shipped_wiring
from tests.hardware.chips import PI_4, Board, FakeRPi


def test_the_mock_driver_works_everywhere() -> None:
    pin_factory(PinDriver.MOCK).close()


MODULES = {PinDriver.RPIGPIO: "RPi", PinDriver.LGPIO: "lgpio"}


@pytest.mark.parametrize("driver", MODULES)
def test_a_driver_that_does_not_work_here_says_so_and_its_panel_has_no_part(
    driver: PinDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, MODULES[driver], None)
    with pytest.raises(PinsUnavailable, match=f"^pins by {driver.value}: .+; install it, or name another"):
        pin_factory(driver)
    panel = panel_on(driver, shipped_wiring(), lambda: 1_000)
    (lost,) = panel.advance(1_000)
    assert isinstance(lost, PartFailed)
    assert lost.part == "pins"
    assert driver.value in lost.problem
    assert panel.state().failed_parts == (lost,)
    panel.show(Lamp.PLAYING)
    assert panel.state().lamp_says is Lamp.PLAYING
    with pytest.raises(VirtualOnly):
        panel.press(PanelButton.RESHUFFLE)
    panel.close()


def test_a_panel_works_on_the_pins_of_a_pi(board: Board) -> None:
    library = board.library
    now_ms = 1_000
    panel = panel_on(board.driver, shipped_wiring(), lambda: now_ms)
    assert panel.advance(now_ms) == ()
    if isinstance(library, FakeRPi):
        assert library.mode == library.BCM
    board.chip.drive(17, 0)
    assert panel.advance(now_ms) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, 1_000),)
    now_ms = 1_050
    board.chip.drive(17, 1)
    board.chip.drive(23, 0)
    assert panel.advance(now_ms) == ()
    now_ms = 1_150
    assert panel.advance(now_ms) == (SwitchMoved("key", True, 1_150),)
    panel.show(Lamp.JUDGE_CALLED)
    panel.play(Tune.CLICK)
    assert [board.chip.levels[pin] for pin in (5, 6, 13, 19)] == [1, 0, 0, 1]
    now_ms += 250
    assert panel.advance(now_ms) == ()
    assert [board.chip.levels[pin] for pin in (5, 6, 13, 19)] == [0, 0, 0, 0]
    with pytest.raises(VirtualOnly, match="real pins"):
        panel.press(PanelButton.RESHUFFLE)
    panel.close()
    assert board.chip.was_closed


def test_a_chip_that_comes_late_is_waited_for(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    name = MODULES[board.driver]
    library = sys.modules[name]
    monkeypatch.setitem(sys.modules, name, None)
    waited: list[int] = []

    def waits() -> bool:
        waited.append(1)
        if len(waited) == 2:
            monkeypatch.setitem(sys.modules, name, library)
        return True

    panel = panel_on(board.driver, shipped_wiring(), lambda: 1_000, waits)
    assert len(waited) == 2
    assert panel.state().failed_parts == ()
    panel.close()


def test_a_tone_is_made_by_the_pins_of_a_pi(board: Board) -> None:
    wiring = Wiring("loudspeaker", buzzer=BuzzerWiring(19, sound=Sound.PASSIVE))
    panel = board.panel(wiring)
    panel.play(Tune.CLICK)
    assert panel.state().failed_parts == ()
    assert [*board.chip.tones.items()] == [(19, (1760, 50))]
    panel.advance(1_030)
    assert [*board.chip.tones.items()] == [(19, (1760, 0))]


def test_a_pin_that_another_program_holds_costs_its_part_until_it_is_free(board: Board) -> None:
    board.chip.busy.add(17)
    panel = board.panel(Wiring("x", {"reshuffle": ButtonWiring(17), "end-turn": ButtonWiring(27)}))
    (lost,) = board.look()
    assert isinstance(lost, PartFailed)
    assert (lost.part, lost.remedy) == ("button reshuffle", RepairHint.FREE)
    assert lost.problem in {"GPIO busy", "Failed to add edge detection"}
    board.chip.drive(27, 0)
    assert board.look() == (ButtonPressed(PanelButton.END_TURN, PressKind.PRESSED, 1_000),)
    board.chip.drive(27, 1)
    assert board.look(AGAIN_MS) == ()
    assert panel.state().failed_parts == (lost,)
    board.chip.busy.clear()
    assert board.look(100) == ()
    assert panel.next_deadline_ms() == board.clock.now_ms + AGAIN_MS - 100
    assert board.look(AGAIN_MS - 100) == (PartRecovered("button reshuffle"),)
    board.chip.drive(17, 0)
    pressed = ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, board.clock.now_ms)
    assert board.look() == (pressed,)


def test_an_edge_comes_from_another_thread_and_wakes_the_owner(board: Board) -> None:
    panel = board.panel(Wiring("x", {"reshuffle": ButtonWiring(17)}))
    hand = threading.Thread(target=board.chip.drive, args=(17, 0))
    hand.start()
    hand.join()
    assert panel.advance(1_000) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, 1_000),)


def test_the_lamp_in_a_button_follows_what_it_says(board: Board) -> None:
    wiring = Wiring("x", {"reshuffle": ButtonWiring(17, lamp=24), "end-turn": ButtonWiring(27)})
    panel = board.panel(wiring)
    panel.glow({PanelButton.RESHUFFLE: Glow.BLINKING, PanelButton.END_TURN: Glow.LIT})
    seen = []
    for _ in range(4):
        seen.append(board.chip.levels[24])
        board.look(500)
    assert seen == [1, 0, 1, 0]
    panel.close()
    assert board.chip.levels[24] == 0


def test_a_dimmed_lamp_is_on_for_its_share_of_the_time(board: Board) -> None:
    wiring = Wiring("x", lamp=LampWiring(5, 6, 13, brightness=40))
    panel = board.panel(wiring)
    panel.show(Lamp.HIGH_NOON)
    assert {number: percent for number, (_, percent) in board.chip.tones.items()} == {5: 40, 6: 40, 13: 0}
    panel.close()
    assert all(percent == 0 for _, percent in board.chip.tones.values())


def test_a_fan_turns_faster_with_the_heat_and_is_seen_to_stand_still(board: Board) -> None:
    heat = [70]
    fan = FanWiring(18, on_c=60, off_c=50, full_c=80, speeds=True, tacho=26)
    panel = board.panel(Wiring("x", fan=fan), gauges={"heat": lambda: Heat(heat[0])})
    panel.look()
    board.look()
    assert board.chip.tones[18][1] == 75
    for _ in range(60):
        board.clock.now_ms += 50
        board.chip.drive(26, 0)
        board.chip.drive(26, 1)
    assert not [event for event in board.look() if isinstance(event, PartFailed)]
    turning = panel.state().readings.fan
    assert turning is not None
    assert turning.rpm == 600
    board.clock.now_ms += 4_000
    stalled = PartFailed("fan", "stalled: told to turn, and does not", RepairHint.FAN)
    assert stalled in board.look()


def test_a_battery_that_speaks_by_pins_is_believed_when_it_stood_still(board: Board) -> None:
    battery = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16)
    board.panel(Wiring("x", battery=battery))
    board.look()
    events: list[PanelEvent] = []
    for level in (1, 0, 1):
        board.chip.drive(26, level)
        events += board.look(20)
    assert events == []
    (news,) = board.look(100)
    assert isinstance(news, ReadingsReported)
    assert news.readings.battery is not None
    assert (news.readings.battery.on_mains, news.readings.battery.is_low) == (False, False)


def test_a_pin_that_fails_later_is_had_again_with_its_edges(board: Board) -> None:
    board.panel(Wiring("x", {"reshuffle": ButtonWiring(17)}))
    assert board.look() == ()
    board.chip.broken.add(17)
    (lost,) = board.look()
    assert isinstance(lost, PartFailed)
    board.chip.broken.clear()
    assert board.look(AGAIN_MS) == (PartRecovered("button reshuffle"),)
    board.chip.drive(17, 0)
    board.chip.drive(17, 1)
    pressed = ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, board.clock.now_ms)
    assert board.look() == (pressed,)


def test_closing_frees_what_was_taken(board: Board) -> None:
    library = board.library
    factory = pin_factory(board.driver)
    wiring = Wiring("x", {"reshuffle": ButtonWiring(17, lamp=24)}, fan=FanWiring(18))
    PinPanel(wiring, factory, board.clock).close()
    assert 17 not in board.chip.watchers
    again = PinPanel(wiring, factory, board.clock)
    assert not [event for event in again.advance(1_000) if isinstance(event, PartFailed)]
    again.close()
    if isinstance(library, FakeRPi):
        assert 18 not in board.chip.outputs


@pytest.mark.parametrize("celsius", [49, 50, 55, 59])
@pytest.mark.parametrize("board", [(PinDriver.RPIGPIO, PI_4)], indirect=True)
def test_a_fan_that_stands_still_waits_for_the_heat(board: Board, celsius: int) -> None:
    panel = board.panel(Wiring("x", fan=FanWiring(18)), gauges={"heat": lambda: Heat(celsius)})
    panel.look()
    panel.advance(1_000)
    assert board.chip.levels[18] == 0
