import itertools
import select
import threading
from collections.abc import Callable

import gpiozero
import msgspec
import pytest
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.contract import (
    ButtonPressed,
    Lamp,
    PanelButton,
    PanelEvent,
    PanelState,
    PartFailed,
    PartRecovered,
    PressKind,
    RepairHint,
    SwitchMoved,
    Tune,
)
from hardware.panel import PinPanel, VirtualOnly
from hardware.part_wiring import ButtonWiring, KeyWiring
from hardware.parts.outputs import RHYTHMS
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import Wiring, shipped_wiring
from tests.hardware.conftest import Bench

LAMPS_IN = ("lamp in reshuffle", "lamp in end-turn", "lamp in call-judge")


class ClosedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that is pulled low by a contact to ground, whatever is set."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(value != "up")


class FrailPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that can be torn off, after which it raises the errors of RPi.GPIO and lgpio."""

    is_broken = False

    def _get_state(self) -> bool:
        self._hold_together()
        return bool(super()._get_state())

    def _set_state(self, value: bool) -> None:  # noqa: FBT001 (as gpiozero calls it)
        self._hold_together()
        super()._set_state(value)

    def _hold_together(self) -> None:
        if self.is_broken:
            raise RuntimeError("torn off")


def pressed(button: PanelButton, at_ms: int) -> ButtonPressed:
    return ButtonPressed(button, PressKind.PRESSED, at_ms)


@pytest.mark.parametrize("button", PanelButton)
def test_a_press_is_told_with_the_time_of_its_first_edge(bench: Bench, button: PanelButton) -> None:
    bench.button(button).drive_low()
    assert bench.look(after_ms=5) == (pressed(button, 1_000),)
    bench.now_ms += 200
    bench.button(button).drive_high()
    assert bench.look() == ()
    bench.now_ms += 100
    bench.button(button).drive_low()
    assert bench.look() == (pressed(button, bench.now_ms),)


def test_a_bouncing_contact_is_one_press(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    for _ in range(6):
        pin.drive_low()
        bench.now_ms += 2
        pin.drive_high()
        bench.now_ms += 2
    pin.drive_low()
    events = [*bench.look(), *bench.look(30), *bench.look(30)]
    assert events == [pressed(PanelButton.RESHUFFLE, 1_000)]


@pytest.mark.parametrize(
    ("every_ms", "presses"),
    [pytest.param(510, 1, id="one that is over"), pytest.param(120, 3, id="three quick ones")],
)
def test_presses_before_anybody_looked_are_not_lost(bench: Bench, every_ms: int, presses: int) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    for _ in range(presses):
        pin.drive_low()
        bench.now_ms += 50
        pin.drive_high()
        bench.now_ms += every_ms - 50
    assert bench.look() == tuple(
        pressed(PanelButton.RESHUFFLE, 1_000 + every_ms * one) for one in range(presses)
    )
    assert bench.look(5_000) == ()


def test_a_held_button_is_told_once_more(bench: Bench) -> None:
    bench.button(PanelButton.CALL_JUDGE).drive_low()
    assert bench.look() == (pressed(PanelButton.CALL_JUDGE, 1_000),)
    assert bench.look(799) == ()
    assert bench.look(1) == (ButtonPressed(PanelButton.CALL_JUDGE, PressKind.HELD, 1_800),)
    assert bench.look(10_000) == ()


def test_a_short_press_while_the_program_stood_still_is_no_hold(bench: Bench) -> None:
    bench.button(PanelButton.CALL_JUDGE).drive_low()
    bench.now_ms += 200
    bench.button(PanelButton.CALL_JUDGE).drive_high()
    events = [*bench.look(5_000), *bench.look(1_000)]
    assert events == [pressed(PanelButton.CALL_JUDGE, 1_000)]


def test_a_stuck_button_fails_in_words_until_it_comes_free_and_the_others_go_on(bench: Bench) -> None:
    bench.button(PanelButton.RESHUFFLE).drive_low()
    bench.look()
    bench.look(800)
    assert bench.panel.next_deadline_ms() == 61_000
    stuck = (PartFailed("button reshuffle", "stuck: closed for a minute", RepairHint.RELEASE),)
    assert bench.look(59_200) == stuck
    assert bench.panel.state().failed_parts == stuck
    assert bench.panel.next_deadline_ms() is None
    assert bench.look(60_000) == ()
    bench.button(PanelButton.END_TURN).drive_low()
    assert bench.look() == (pressed(PanelButton.END_TURN, bench.now_ms),)
    bench.button(PanelButton.RESHUFFLE).drive_high()
    assert bench.look() == (PartRecovered("button reshuffle"),)
    assert bench.panel.state().failed_parts == ()


def test_a_button_that_is_closed_when_the_terminal_starts_was_not_pressed(
    make_bench: Callable[..., Bench],
) -> None:
    wiring = Wiring("one button", {"reshuffle": ButtonWiring(17)})
    bench = make_bench(wiring, MockFactory(pin_class=ClosedPin))
    assert bench.look() == ()
    assert bench.look(30_000) == ()
    assert bench.look(30_000) == (
        PartFailed("button reshuffle", "stuck: closed for a minute", RepairHint.RELEASE),
    )
    bench.button(PanelButton.RESHUFFLE).drive_high()
    bench.look(100)
    bench.button(PanelButton.RESHUFFLE).drive_low()
    assert bench.look(100)[0] == pressed(PanelButton.RESHUFFLE, bench.now_ms - 100)


def test_the_key_turns_when_it_stood_still(bench: Bench) -> None:
    pin = bench.key()
    pin.drive_low()
    assert bench.look() == ()
    assert bench.panel.next_deadline_ms() == 1_100
    assert bench.look(100) == (SwitchMoved("key", True, 1_100),)
    assert bench.panel.state().key_on
    for _ in range(20):
        pin.drive_high()
        assert bench.look(20) == ()
        pin.drive_low()
        assert bench.look(20) == ()
    pin.drive_high()
    assert bench.look() == ()
    assert bench.look(100) == (SwitchMoved("key", False, bench.now_ms),)


def test_a_key_that_is_on_when_the_terminal_starts_is_told(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(None, MockFactory(pin_class=ClosedPin))
    bench.look()
    assert bench.look(100) == (SwitchMoved("key", True, 1_100),)


@pytest.mark.parametrize("lamp", Lamp)
def test_the_lamp_shows_the_whole_rhythm(bench: Bench, lamp: Lamp) -> None:
    bench.panel.show(Lamp.ENDED if lamp is Lamp.OFF else Lamp.OFF)
    bench.panel.show(lamp)
    start = bench.now_ms
    for _ in range(60):
        assert bench.lit() == RHYTHMS[lamp].at(bench.now_ms - start) == bench.panel.state().lamp
        assert bench.panel.state().lamp_says is lamp
        bench.look(50)


def test_showing_the_same_again_does_not_begin_its_rhythm_anew(bench: Bench) -> None:
    bench.panel.show(Lamp.JUDGE_CALLED)
    bench.look(300)
    bench.panel.show(Lamp.JUDGE_CALLED)
    assert bench.lit() == (0, 0, 0)


def test_the_owner_is_told_when_the_lamp_changes_next(bench: Bench) -> None:
    bench.panel.show(Lamp.HIGH_NOON)
    assert bench.panel.next_deadline_ms() == 1_700
    bench.look(700)
    assert bench.lit() == (0, 0, 0)
    assert bench.panel.next_deadline_ms() == 2_000
    bench.panel.show(Lamp.PLAYING)
    assert bench.panel.next_deadline_ms() is None


def test_parts_that_work_the_other_way_round_are_the_same_to_the_owner(reversed_bench: Bench) -> None:
    bench = reversed_bench
    assert bench.lit() == (0, 0, 0)
    assert not bench.sounds()
    bench.button(PanelButton.RESHUFFLE).drive_high()
    assert bench.look() == (pressed(PanelButton.RESHUFFLE, 1_000),)
    assert bench.look(300) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.HELD, 1_300),)
    bench.panel.show(Lamp.WAITING)
    bench.panel.play(Tune.CLICK)
    assert bench.lit() == (0, 0, 1)
    assert bench.sounds()
    bench.panel.turn_key(on=True)
    bench.look()
    assert bench.look(100) == (SwitchMoved("key", True, bench.now_ms),)


@pytest.mark.parametrize("other", ["button reshuffle", "key", "lamp red", "lamp blue", "buzzer"])
def test_a_busy_pin_costs_its_part_and_nothing_else(make_bench: Callable[..., Bench], other: str) -> None:
    factory = MockFactory()
    number = dict(shipped_wiring().pins())[other]
    with gpiozero.DigitalInputDevice(number, pin_factory=factory):
        bench = make_bench(None, factory)
        (lost,) = bench.look()
        assert isinstance(lost, PartFailed)
        assert lost.part == other.removesuffix(" red").removesuffix(" blue")
        assert str(number) in lost.problem
        assert bench.panel.state().failed_parts == (lost,)
        assert bench.look() == ()
        bench.button(PanelButton.END_TURN).drive_low()
        assert bench.look() == (pressed(PanelButton.END_TURN, bench.now_ms),)
        bench.panel.show(Lamp.PLAYING)
        bench.panel.play(Tune.CLICK)
        bench.look(10)


def test_a_pin_that_this_chip_has_not_costs_its_part(make_bench: Callable[..., Bench]) -> None:
    wiring = msgspec.structs.replace(shipped_wiring(), key=msgspec.structs.replace(KeyWiring(23), pin=99))
    bench = make_bench(wiring)
    (lost,) = bench.look()
    assert isinstance(lost, PartFailed)
    assert lost.part == "key"
    assert "99" in lost.problem


def test_a_panel_without_parts_is_a_panel(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(Wiring("nothing"))
    bench.panel.show(Lamp.HIGH_NOON)
    assert bench.look(5_000) == ()
    assert bench.panel.next_deadline_ms() is None
    with pytest.raises(VirtualOnly, match="no key"):
        bench.panel.turn_key(on=True)
    with pytest.raises(VirtualOnly, match="no button reshuffle"):
        bench.panel.press(PanelButton.RESHUFFLE)


def test_a_virtual_press_goes_through_the_pin_and_comes_up_again(bench: Bench) -> None:
    bench.panel.press(PanelButton.RESHUFFLE, hold_ms=900)
    assert bench.look() == (pressed(PanelButton.RESHUFFLE, 1_000),)
    assert bench.look(800) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.HELD, 1_800),)
    assert not bench.button(PanelButton.RESHUFFLE).state
    deadline = bench.panel.next_deadline_ms()
    assert deadline == 1_900
    bench.look(100)
    assert bench.button(PanelButton.RESHUFFLE).state


def test_an_edge_from_another_thread_wakes_the_owner(bench: Bench) -> None:
    assert select.select([bench.panel], [], [], 0)[0] == []
    thread = threading.Thread(target=bench.button(PanelButton.RESHUFFLE).drive_low)
    thread.start()
    assert select.select([bench.panel], [], [], 10)[0] == [bench.panel]
    thread.join()
    assert bench.look() == (pressed(PanelButton.RESHUFFLE, 1_000),)
    assert select.select([bench.panel], [], [], 0)[0] == []


def test_edges_of_many_threads_while_the_owner_looks_are_all_told() -> None:
    ticks = itertools.count(0, 1_000)
    panel = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: next(ticks))
    events: list[PanelEvent] = []
    over = threading.Event()

    def push() -> None:
        pin = panel._mock_pin(17)
        assert isinstance(pin, MockPin)
        for _ in range(300):
            pin.drive_low()
            pin.drive_high()
        over.set()

    thread = threading.Thread(target=push)
    thread.start()
    while not over.is_set():
        events += panel.advance(next(ticks))
    thread.join()
    events += panel.advance(next(ticks))
    assert (
        sum(isinstance(event, ButtonPressed) and event.kind is PressKind.PRESSED for event in events) >= 300
    )
    panel.close()


def test_closing_switches_lamp_and_buzzer_off_and_frees_the_pins(make_bench: Callable[..., Bench]) -> None:
    factory = MockFactory()
    bench = make_bench(None, factory)
    bench.panel.show(Lamp.ENDED)
    bench.panel.play(Tune.HIGH_NOON)
    bench.panel.close()
    assert bench.lit() == (0, 0, 0)
    assert not bench.sounds()
    again = make_bench(None, factory)
    assert again.look() == ()
    names = tuple(name for name in again.panel.state().parts if name.startswith(("button", "lamp in")))
    assert names == (*(f"button {button.value}" for button in PanelButton), *LAMPS_IN)
    state = again.panel.state()
    assert state == PanelState(
        Lamp.OFF, (0, 0, 0), False, None, False, (), parts=state.parts, switches=state.switches
    )


def test_a_part_whose_pins_fail_later_is_lost_and_the_others_go_on(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(None, MockFactory(pin_class=FrailPin))
    for part, number in shipped_wiring().pins():
        pin = bench.pin(number)
        assert isinstance(pin, FrailPin)
        pin.is_broken = part in {"button reshuffle", "key", "lamp green", "buzzer"}
    bench.panel.show(Lamp.PLAYING)
    bench.panel.play(Tune.CLICK)
    events = bench.look()
    lost = tuple(PartFailed(part, "torn off") for part in ("button reshuffle", "key", "lamp", "buzzer"))
    assert events == lost
    assert bench.look(1_000) == ()
    assert bench.panel.state().failed_parts == lost
    assert (bench.panel.state().lamp_says, bench.panel.state().lamp) == (Lamp.PLAYING, (0, 1, 0))
    bench.button(PanelButton.END_TURN).drive_low()
    assert bench.look() == (pressed(PanelButton.END_TURN, bench.now_ms),)


def test_real_pins_cannot_be_pressed_by_a_program(bench: Bench) -> None:
    bench.panel._factory = Factory()
    with pytest.raises(VirtualOnly, match="real pins"):
        bench.panel.press(PanelButton.RESHUFFLE)
    bench.panel._factory = bench.factory
