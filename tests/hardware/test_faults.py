"""Every fault of every part, on mock pins: reported once with its remedy, and over when it is fixed."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from base.errors import Unavailable
from hardware.contract import (
    Battery,
    ButtonPressed,
    Glow,
    Heat,
    Lamp,
    PanelButton,
    PanelEvent,
    PartFailed,
    PartRecovered,
    PowerSource,
    Reading,
    ReadingsReported,
    RepairHint,
    SensorReadings,
    Supply,
    SupplyTrouble,
    SwitchMoved,
)
from hardware.panel import AGAIN_MS
from hardware.part_wiring import BatteryKind, BatteryWiring, ButtonWiring, FanWiring, LampWiring
from hardware.parts.outputs import RHYTHMS, Backlight
from hardware.parts.power import GaugeFault
from hardware.wiring import Wiring, shipped_names, shipped_wiring
from tests.hardware.conftest import Bench

LOW = frozenset({SupplyTrouble.UNDER_VOLTAGE})


def faults(events: tuple[PanelEvent, ...]) -> list[PanelEvent]:
    return [event for event in events if isinstance(event, PartFailed | PartRecovered)]


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_panel_has_all_its_parts_on_mock_pins(
    make_bench: Callable[..., Bench], name: str
) -> None:
    bench = make_bench(shipped_wiring(name), MockFactory(pin_class=MockPWMPin))
    assert faults(bench.look()) == []
    assert bench.panel.state().failed_parts == ()


def moves(events: Iterable[PanelEvent]) -> list[bool]:
    return [event.on for event in events if isinstance(event, SwitchMoved)]


def test_a_key_that_chatters_is_told_never_turns_and_is_mended_by_rest(bench: Bench) -> None:
    failed = PartFailed("key", "chatters: not still for ten seconds", RepairHint.CLEAN)
    assert bench.chatter(bench.key(), 250) == [failed]
    assert bench.panel.state().failed_parts == (failed,)
    bench.key().drive_low()
    bench.look(200)
    assert PartRecovered("key") in [*bench.look_when_due(), *bench.look(after_ms=1_000)]
    assert bench.panel.state().key_on
    assert bench.panel.state().failed_parts == ()


def test_a_key_that_is_turned_now_and_then_is_no_chatter(bench: Bench) -> None:
    events: list[PanelEvent] = []
    for turn in range(20):
        bench.key().drive_high() if turn % 2 else bench.key().drive_low()
        bench.look()
        events += bench.look(1_200)
    assert moves(events) == [True, False] * 10
    assert len(events) == 20


def test_a_key_that_is_lost_while_it_is_on_is_off_and_on_again_only_when_it_comes_back_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = bench.key()
    pin.drive_low()
    assert moves((*bench.look(), *bench.look(200))) == [True]

    def gone(_pin: object) -> bool:
        raise RuntimeError("the wire came off")

    with monkeypatch.context() as broken:
        broken.setattr(type(pin), "state", property(gone))
        events = bench.look(10)
    assert PartFailed("key", "the wire came off", RepairHint.WIRE) in events
    assert moves(events) == [False]
    assert not bench.panel.state().key_on
    assert bench.look(10) == ()
    bench.look(AGAIN_MS)
    # A mock pin that is taken anew begins open.
    pin.drive_low()
    assert moves((*bench.look(), *bench.look(200))) == [True]


LOOSE = PartFailed("button reshuffle", "chatters: faster than a hand", RepairHint.CLEAN)


def test_a_loose_wire_presses_a_few_times_then_is_silenced_told_and_mended_by_rest(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    events = bench.chatter(pin, 600)
    assert [event.at_ms for event in events if isinstance(event, ButtonPressed)] == [
        1_000, 1_100, 1_200, 1_300, 1_400
    ]  # fmt: skip
    assert faults(tuple(events)) == [LOOSE]
    assert bench.panel.state().failed_parts == (LOOSE,)
    assert bench.look_when_due() == (PartRecovered("button reshuffle"),)
    assert bench.panel.state().failed_parts == ()
    pin.drive_low()
    assert [type(event) for event in bench.look(after_ms=10)] == [ButtonPressed]


def test_a_silenced_button_costs_no_other_and_is_not_held(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    events: list[PanelEvent] = []
    for _ in range(3):
        pin.drive_low()
        bench.look()
        pin.drive_high()
        events += bench.look(after_ms=35)
        bench.look(after_ms=35)
    assert events == [LOOSE]
    pin.drive_low()
    assert bench.look(after_ms=5_000) == ()
    bench.button(PanelButton.END_TURN).drive_low()
    assert [event.button for event in bench.look(5) if isinstance(event, ButtonPressed)] == [
        PanelButton.END_TURN
    ]


def test_a_loose_wire_that_ends_up_closed_is_stuck_and_mended_when_it_opens(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    bench.chatter(pin, 21)
    assert bench.panel.state().failed_parts == (LOOSE,)
    stuck = PartFailed("button reshuffle", "stuck: closed for a minute", RepairHint.RELEASE)
    assert bench.look_when_due() == (stuck,)
    assert bench.panel.next_deadline_ms() is None
    pin.drive_high()
    assert bench.look(after_ms=1) == ()
    assert bench.look(after_ms=3_000) == (PartRecovered("button reshuffle"),)


def test_two_quick_clicks_of_a_virtual_button_are_two_presses(bench: Bench) -> None:
    presses = 0
    for _ in range(2):
        bench.panel.press(PanelButton.RESHUFFLE)
        presses += sum(isinstance(event, ButtonPressed) for event in bench.look())
        while (due := bench.panel.next_deadline_ms()) is not None and due <= bench.now_ms + 1_000:
            bench.now_ms = due
            bench.look()
    assert presses == 2
    assert bench.panel.state().failed_parts == ()


@pytest.mark.slow
def test_a_storm_of_edges_neither_grows_nor_presses_more_than_hands_can(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    for _ in range(20_000):
        pin.drive_low()
        pin.drive_high()
    assert len(bench.look(after_ms=1)) <= 1


def test_a_light_that_cannot_be_written_is_told_once_and_tried_again(
    make_bench: Callable[..., Bench], tmp_path: Path
) -> None:
    light = tmp_path / "panel"
    light.mkdir()
    (light / "max_brightness").write_text("100")
    (light / "brightness").mkdir()
    bench = make_bench(Wiring("x"), backlight=Backlight(tmp_path))
    for percent in (50, 40):
        bench.panel.set_brightness(percent)
    (failed,) = bench.look()
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.remedy) == ("backlight", RepairHint.RIGHTS)
    assert bench.look(1) == ()
    (light / "brightness").rmdir()
    (light / "brightness").write_text("100")
    assert bench.panel.next_deadline_ms() == 1_000 + AGAIN_MS
    assert bench.look_when_due() == (PartRecovered("backlight"),)
    assert (light / "brightness").read_text() == "40"


class Gauge:
    """A gauge whose reading is set by a test, or None if it doesn't respond."""

    def __init__(self, reading: Reading | None) -> None:
        self.reading = reading

    def __call__(self) -> Reading:
        if self.reading is None:
            raise GaugeFault("no answer")
        return self.reading


def test_a_flat_battery_and_a_weak_supply_are_told_as_readings(make_bench: Callable[..., Bench]) -> None:
    battery, supply = Gauge(Battery(90, on_mains=True)), Gauge(Supply())
    bench = make_bench(Wiring("x"), gauges={"battery": battery, "supply": supply})
    assert bench.measure()[-1] == ReadingsReported(SensorReadings(Supply(), Battery(90, on_mains=True)))
    assert bench.look() == ()
    battery.reading, supply.reading = Battery(4, on_mains=False, is_low=True), Supply(LOW, LOW)
    assert bench.measure()[-1] == ReadingsReported(
        SensorReadings(Supply(LOW, LOW), Battery(4, on_mains=False, is_low=True))
    )
    battery.reading = None
    failed = PartFailed("battery", "no answer", RepairHint.RIGHTS)
    assert bench.measure() == (failed, ReadingsReported(SensorReadings(Supply(LOW, LOW))))
    assert bench.panel.state().failed_parts == (failed,)
    battery.reading = Battery(50, on_mains=True)
    assert bench.measure()[0] == PartRecovered("battery")
    assert bench.panel.state().failed_parts == ()


def test_a_fan_without_a_thermometer_turns_for_safety(make_bench: Callable[..., Bench]) -> None:
    heat = Gauge(Heat(40))
    bench = make_bench(Wiring("x", fan=FanWiring(18)), gauges={"heat": heat})
    turning = []
    for reading in (Heat(40), Heat(60), Heat(55), Heat(50), Heat(55), None, Heat(40)):
        heat.reading = reading
        bench.measure()
        turning.append(int(bench.pin(18).state))
    assert turning == [0, 1, 1, 0, 0, 1, 0]


def test_a_fan_that_stalls_is_told_and_mended_when_it_turns(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(Wiring("x", fan=FanWiring(18, tacho=26)), gauges={"heat": Gauge(Heat(70))})
    assert faults((*bench.measure(), *bench.look(2_999))) == []
    assert bench.panel.next_deadline_ms() == bench.now_ms + 3_000
    assert faults(bench.look(101)) == [
        PartFailed("fan", "stalled: told to turn, and does not", RepairHint.FAN)
    ]
    for _ in range(20):
        bench.pin(26).drive_low()
        bench.pin(26).drive_high()
    assert faults(bench.look()) == [PartRecovered("fan")]


@pytest.mark.parametrize("active_high", [True, False])
def test_a_battery_hat_tells_mains_lost_and_low_by_its_pins(
    make_bench: Callable[..., Bench], *, active_high: bool
) -> None:
    part = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16, active_high=active_high)
    bench = make_bench(Wiring("x", battery=part))
    bench.look()
    assert bench.panel.state().readings.battery == Battery(None, on_mains=True)
    for number, battery in (
        (26, Battery(None, on_mains=False)),
        (16, Battery(None, on_mains=False, is_low=True)),
    ):
        pin = bench.pin(number)
        pin.drive_high() if active_high else pin.drive_low()
        bench.look()
        bench.look(100)
        assert bench.panel.state().readings.battery == battery


@pytest.mark.parametrize("active_high", [True, False])
def test_the_battery_tells_where_the_power_comes_from(
    make_bench: Callable[..., Bench], *, active_high: bool
) -> None:
    part = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16, active_high=active_high)
    bench = make_bench(Wiring("x", battery=part))
    for source, battery in (
        (PowerSource.MAINS, Battery(None, on_mains=True)),
        (PowerSource.BATTERY, Battery(None, on_mains=False)),
        (PowerSource.LOW, Battery(None, on_mains=False, is_low=True)),
        (PowerSource.MAINS, Battery(None, on_mains=True)),
    ):
        bench.panel.run_on(source)
        events = [event for _ in range(3) for event in bench.look(300)]
        assert bench.panel.state().readings.battery == battery
        assert ReadingsReported(SensorReadings(battery=battery)) in events


@pytest.mark.parametrize("lamp", Lamp)
def test_a_dimmed_lamp_shows_the_whole_rhythm(make_bench: Callable[..., Bench], lamp: Lamp) -> None:
    wiring = Wiring("x", lamp=LampWiring(5, 6, 13, brightness=25))
    bench = make_bench(wiring, MockFactory(pin_class=MockPWMPin))
    bench.panel.show(lamp)
    levels, wanted = [], []
    for colour, duration in RHYTHMS[lamp].steps:
        levels.append(tuple(bench.pin(number).state for number in (5, 6, 13)))
        wanted.append(tuple(0.25 * part for part in colour))
        bench.look(duration)
    assert levels == wanted


@pytest.mark.parametrize("active_high", [True, False])
def test_lamps_in_buttons_say_what_they_are_told_from_then_on(
    make_bench: Callable[..., Bench], *, active_high: bool
) -> None:
    button = ButtonWiring(17, lamp=24, lamp_active_high=active_high)
    bench = make_bench(Wiring("x", {"reshuffle": button, "end-turn": ButtonWiring(27)}))
    seen: dict[Glow, list[bool]] = {}
    for glow in Glow:
        bench.panel.glow({PanelButton.RESHUFFLE: glow})
        seen[glow] = []
        for _ in range(4):
            lit = bool(bench.pin(24).state) == active_high
            assert lit == (PanelButton.RESHUFFLE in bench.panel.state().lit)
            seen[glow].append(lit)
            bench.look(500)
    assert seen == {
        Glow.DARK: [False] * 4, Glow.LIT: [True] * 4, Glow.BLINKING: [True, False, True, False]
    }  # fmt: skip
    bench.panel.glow({PanelButton.RESHUFFLE: Glow.BLINKING})
    assert bench.panel.next_deadline_ms() is not None
    bench.panel.glow({})
    assert not bench.panel.state().lit
    assert bench.panel.next_deadline_ms() is None


def test_a_panel_without_such_a_battery_says_so(make_bench: Callable[..., Bench]) -> None:
    with pytest.raises((OSError, KeyError, Unavailable)):
        make_bench(Wiring("x")).panel.run_on(PowerSource.LOW)
