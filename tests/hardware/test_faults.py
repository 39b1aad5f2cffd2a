"""Every fault of every part, on mock pins: reported once with its remedy, and over when it is fixed."""

from collections.abc import Callable
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
from hardware.panel import AGAIN_MS, PinPanel
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


def test_a_key_that_chatters_is_told_never_turns_and_is_mended_by_rest(bench: Bench) -> None:
    wiring = bench.wiring.key
    assert wiring is not None
    pin = bench.pin(wiring.pin)
    events: list[PanelEvent] = []
    for tick in range(250):
        pin.drive_low() if tick % 2 else pin.drive_high()
        events += bench.look(after_ms=50)
    assert events == [PartFailed("key", "chatters: not still for ten seconds", RepairHint.CLEAN)]
    assert bench.panel.state().failed_parts == tuple(events)
    pin.drive_low()
    bench.look(200)
    due = bench.panel.next_deadline_ms()
    assert due is not None
    bench.now_ms = max(due, bench.now_ms)
    events = [*bench.look(), *bench.look(after_ms=1_000)]
    assert PartRecovered("key") in events
    assert bench.panel.state().key_on
    assert bench.panel.state().failed_parts == ()


def test_a_key_that_is_turned_now_and_then_is_no_chatter(bench: Bench) -> None:
    wiring = bench.wiring.key
    assert wiring is not None
    events: list[PanelEvent] = []
    for turn in range(20):
        bench.pin(wiring.pin).drive_high() if turn % 2 else bench.pin(wiring.pin).drive_low()
        bench.look()
        events += bench.look(1_200)
    assert [event.on for event in events if isinstance(event, SwitchMoved)] == [True, False] * 10
    assert len(events) == 20


def test_a_key_that_is_lost_while_it_is_on_is_off_and_on_again_only_when_it_comes_back_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring = bench.wiring.key
    assert wiring is not None
    pin = bench.pin(wiring.pin)
    pin.drive_low()
    assert [event.on for event in (*bench.look(), *bench.look(200)) if isinstance(event, SwitchMoved)] == [
        True
    ]

    def gone(_pin: object) -> bool:
        raise RuntimeError("the wire came off")

    with monkeypatch.context() as broken:
        broken.setattr(type(pin), "state", property(gone))
        events = bench.look(10)
    assert PartFailed("key", "the wire came off", RepairHint.WIRE) in events
    assert [event.on for event in events if isinstance(event, SwitchMoved)] == [False]
    assert not bench.panel.state().key_on
    assert bench.look(10) == ()
    bench.look(AGAIN_MS)
    # A mock pin that is taken anew begins open.
    pin.drive_low()
    events = (*bench.look(), *bench.look(200))
    assert [event.on for event in events if isinstance(event, SwitchMoved)] == [True]


LOOSE = PartFailed("button reshuffle", "chatters: faster than a hand", RepairHint.CLEAN)


def test_a_loose_wire_presses_a_few_times_then_is_silenced_told_and_mended_by_rest(bench: Bench) -> None:
    pin = bench.button(PanelButton.RESHUFFLE)
    events: list[PanelEvent] = []
    for tick in range(600):
        pin.drive_high() if tick % 2 else pin.drive_low()
        events += bench.look(after_ms=50)
    assert [event.at_ms for event in events if isinstance(event, ButtonPressed)] == [
        1_000, 1_100, 1_200, 1_300, 1_400
    ]  # fmt: skip
    assert faults(tuple(events)) == [LOOSE]
    assert bench.panel.state().failed_parts == (LOOSE,)
    due = bench.panel.next_deadline_ms()
    assert due is not None
    bench.now_ms = due
    assert bench.look() == (PartRecovered("button reshuffle"),)
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
    for tick in range(21):
        pin.drive_high() if tick % 2 else pin.drive_low()
        bench.look(after_ms=50)
    assert bench.panel.state().failed_parts == (LOOSE,)
    due = bench.panel.next_deadline_ms()
    assert due is not None
    bench.now_ms = due
    (stuck,) = bench.look()
    assert stuck == PartFailed("button reshuffle", "stuck: closed for a minute", RepairHint.RELEASE)
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


def test_a_light_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    light = tmp_path / "panel"
    light.mkdir()
    (light / "max_brightness").write_text("100")
    (light / "brightness").mkdir()
    now = [0]
    panel = PinPanel(Wiring("x"), MockFactory(), lambda: now[0], backlight=Backlight(tmp_path))
    panel.set_brightness(40)
    (failed,) = panel.advance(0)
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.remedy) == ("backlight", RepairHint.RIGHTS)
    (light / "brightness").rmdir()
    (light / "brightness").write_text("100")
    assert panel.next_deadline_ms() == AGAIN_MS
    now[0] = AGAIN_MS
    assert panel.advance(AGAIN_MS) == (PartRecovered("backlight"),)
    assert (light / "brightness").read_text() == "40"
    panel.close()


class Gauge:
    """A gauge whose reading is set by a test, or None if it doesn't respond."""

    def __init__(self, reading: Reading | None) -> None:
        self.reading = reading

    def __call__(self) -> Reading:
        if self.reading is None:
            raise GaugeFault("no answer")
        return self.reading


def test_a_flat_battery_and_a_weak_supply_are_told_as_readings() -> None:
    battery, supply = Gauge(Battery(90, on_mains=True)), Gauge(Supply())
    panel = PinPanel(Wiring("x"), MockFactory(), lambda: 0, gauges={"battery": battery, "supply": supply})
    panel.look()
    events = panel.advance(0)
    assert events[-1] == ReadingsReported(SensorReadings(Supply(), Battery(90, on_mains=True)))
    assert panel.advance(0) == ()
    battery.reading, supply.reading = Battery(4, on_mains=False, is_low=True), Supply(LOW, LOW)
    panel.look()
    assert panel.advance(0)[-1] == ReadingsReported(
        SensorReadings(Supply(LOW, LOW), Battery(4, on_mains=False, is_low=True))
    )
    battery.reading = None
    panel.look()
    failed = PartFailed("battery", "no answer", RepairHint.RIGHTS)
    assert panel.advance(0) == (failed, ReadingsReported(SensorReadings(Supply(LOW, LOW))))
    assert panel.state().failed_parts == (failed,)
    battery.reading = Battery(50, on_mains=True)
    panel.look()
    assert panel.advance(0)[0] == PartRecovered("battery")
    assert panel.state().failed_parts == ()
    panel.close()


def test_a_fan_without_a_thermometer_turns_for_safety() -> None:
    heat, factory = Gauge(Heat(40)), MockFactory()
    panel = PinPanel(Wiring("x", fan=FanWiring(18)), factory, lambda: 0, gauges={"heat": heat})
    turning = []
    for reading in (Heat(40), Heat(60), Heat(55), Heat(50), Heat(55), None, Heat(40)):
        heat.reading = reading
        panel.look()
        panel.advance(0)
        turning.append(int(factory.pin(18).state))
    assert turning == [0, 1, 1, 0, 0, 1, 0]
    panel.close()


def test_a_fan_that_stalls_is_told_and_mended_when_it_turns() -> None:
    now, factory = [0], MockFactory()
    panel = PinPanel(
        Wiring("x", fan=FanWiring(18, tacho=26)), factory, lambda: now[0], gauges={"heat": Gauge(Heat(70))}
    )
    panel.look()
    failures = faults(panel.advance(0))
    now[0] = 2_999
    failures += faults(panel.advance(2_999))
    assert failures == []
    assert panel.next_deadline_ms() == 2_999 + 3_000
    now[0] = 3_100
    assert faults(panel.advance(3_100)) == [
        PartFailed("fan", "stalled: told to turn, and does not", RepairHint.FAN)
    ]
    for _ in range(20):
        factory.pin(26).drive_low()
        factory.pin(26).drive_high()
    assert faults(panel.advance(3_100)) == [PartRecovered("fan")]
    panel.close()


@pytest.mark.parametrize("active_high", [True, False])
def test_a_battery_hat_tells_mains_lost_and_low_by_its_pins(*, active_high: bool) -> None:
    now, factory = [0], MockFactory()
    part = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16, active_high=active_high)
    panel = PinPanel(Wiring("x", battery=part), factory, lambda: now[0])
    panel.advance(0)

    def tell(number: int) -> Battery | None:
        pin = factory.pin(number)
        pin.drive_high() if active_high else pin.drive_low()
        panel.advance(now[0])
        now[0] += 100
        panel.advance(now[0])
        return panel.state().readings.battery

    assert panel.state().readings.battery == Battery(None, on_mains=True)
    assert tell(26) == Battery(None, on_mains=False)
    assert tell(16) == Battery(None, on_mains=False, is_low=True)
    panel.close()


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


STANDS_STILL_MS = 300


def told_after(panel: PinPanel, source: PowerSource, now: list[int]) -> tuple[bool | None, bool] | None:
    panel.run_on(source)
    events: list[PanelEvent] = []
    for _ in range(3):
        events += panel.advance(now[0])
        now[0] += STANDS_STILL_MS
    batteries = [event.readings.battery for event in events if isinstance(event, ReadingsReported)]
    last = batteries[-1] if batteries else None
    return None if last is None else (last.on_mains, last.is_low)


@pytest.mark.parametrize("active_high", [True, False])
def test_the_battery_tells_where_the_power_comes_from(*, active_high: bool) -> None:
    now = [0]
    part = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16, active_high=active_high)
    panel = PinPanel(Wiring("x", battery=part), MockFactory(), lambda: now[0])
    panel.run_on(PowerSource.MAINS)
    for _ in range(3):
        panel.advance(now[0])
        now[0] += STANDS_STILL_MS
    assert told_after(panel, PowerSource.BATTERY, now) == (False, False)
    assert told_after(panel, PowerSource.LOW, now) == (False, True)
    assert told_after(panel, PowerSource.MAINS, now) == (True, False)
    panel.close()


def test_a_panel_without_such_a_battery_says_so() -> None:
    panel = PinPanel(Wiring("x"), MockFactory(), lambda: 0)
    with pytest.raises((OSError, KeyError, Unavailable)):
        panel.run_on(PowerSource.LOW)
    panel.close()
