"""The panel of a terminal: all its parts, on real or mock pins."""

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Protocol

from gpiozero.pins import Factory, Pin
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from base.wakeup import Wakeup
from hardware.contract import (
    KEY,
    Glow,
    Lamp,
    PanelButton,
    PanelEvent,
    PanelState,
    PartFailed,
    PartRecovered,
    PowerSource,
    Reading,
    ReadingsReported,
    RepairHint,
    SensorReadings,
    SwitchMoved,
    Tune,
)
from hardware.part_wiring import BatteryKind
from hardware.parts.contacts import BatteryPins, MonitoredPart, PushButton, Switch
from hardware.parts.fan import FanPart
from hardware.parts.outputs import Backlight, ButtonLamp, Buzzer, NoBacklight, StatusLamp
from hardware.parts.power import GaugeReading, Gauges, gauges_of
from hardware.pins import PinDriver, PinFault, PinsUnavailable, close_factory, pin_factory
from hardware.wiring import Wiring

AGAIN_MS: Final = 30_000
"""Milliseconds until a failed part is retried."""


class PanelPart(Protocol):
    """A part that has claimed its pins. It raises PinFault or NoBacklight when it fails."""

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the outputs, and return the events since the last call."""

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``advance`` must be called next, or None if only an edge requires it."""

    def close(self) -> None:
        """Switch the part off and release its pins."""


class PartSlot:
    """The slot of one part. ``take`` sets up the part, and raises PinFault."""

    def __init__(self, name: str, take: Callable[[], PanelPart]) -> None:
        self.name = name
        self.part: PanelPart | None = None
        self.lost: PartFailed | None = None
        self._take = take
        self._again_ms = 0

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the part, or try to recover it."""
        if self.part is None and now_ms < self._again_ms:
            return ()
        try:
            if self.part is None:
                self.part = self._take()
            events = self.part.advance(now_ms)
        except (PinFault, NoBacklight) as fault:
            return self._lose(fault, now_ms)
        mended, self.lost = self.lost, None
        return (PartRecovered(self.name), *events) if mended is not None else events

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return the part's own deadline, or when to try to recover it."""
        return self._again_ms if self.part is None else self.part.deadline_ms(now_ms)

    def close(self) -> None:
        """Switch the part off and release its pins, ignoring failures."""
        part, self.part = self.part, None
        if part is not None:
            with contextlib.suppress(PinFault):
                part.close()

    def _lose(self, fault: PinFault | NoBacklight, now_ms: int) -> tuple[PanelEvent, ...]:
        self.close()
        self._again_ms = now_ms + AGAIN_MS
        remedy = fault.remedy if isinstance(fault, PinFault) else RepairHint.RIGHTS
        before, self.lost = self.lost, PartFailed(self.name, str(fault), remedy)
        return (self.lost,) if self.lost != before else ()


_NO_GAUGES: Final[Mapping[str, Callable[[], Reading]]] = {}
_SHORTEST_PRESS_MS: Final = 60
"""The shortest press of a virtual button; a shorter one would count as a loose wire."""


class VirtualOnly(OSError):
    """A program can press only virtual buttons, not those on real pins."""


class PinPanel:
    """A panel on pins; see ``contract.Panel``.

    clock_ms: monotonic, the same as passed to ``advance``.
    lost: parts known to be missing from the start.
    owns_factory: close the factory with the panel.
    backlight: the screen's, if adjustable.
    gauges: functions that take readings, by name. ``look`` calls them once; after ``watch``, a thread does.
    """

    def __init__(
        self,
        wiring: Wiring,
        factory: Factory,
        clock_ms: Callable[[], int],
        *,
        lost: tuple[PartFailed, ...] = (),
        owns_factory: bool = False,
        backlight: Backlight | None = None,
        gauges: Mapping[str, Callable[[], Reading]] = _NO_GAUGES,
    ) -> None:
        self._wiring = wiring
        self._factory = factory
        self._clock_ms = clock_ms
        self._owns_factory = owns_factory
        self._lost = lost
        self._wakeup = Wakeup()
        self._lamp = StatusLamp()
        self._buzzer = Buzzer()
        self._backlight = backlight
        self._button_lamps = tuple(ButtonLamp(PanelButton(name)) for name in wiring.buttons)
        self._fan = FanPart(wiring.fan, clock_ms) if wiring.fan is not None else None
        self._battery = BatteryPins(wiring.battery, self._wakeup.wake) if wiring.battery is not None else None
        self._gauges = Gauges(gauges, self._wakeup.wake)
        self._gauge_names = tuple(gauges)
        self._silent: dict[str, PartFailed] = {}
        self._readings = SensorReadings()
        self._releases: list[tuple[int, PanelButton]] = []
        self._slots = tuple(PartSlot(name, take) for name, take in self._part_factories().items())
        self._is_key_reported_on = False
        self._pending_events: list[PanelEvent] = [*lost, *self._advance_parts(clock_ms())]

    def fileno(self) -> int:
        return self._wakeup.fileno()

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Advance all parts to this time, and return the events since the last call."""
        self._wakeup.clear()
        self._release_due(now_ms)
        events = [*self._pending_events, *self._gauge_events(now_ms), *self._advance_parts(now_ms)]
        self._pending_events.clear()
        events.extend(self._release_failed_key(events, now_ms))
        readings = self._readings
        if self._fan is not None:
            readings = readings.after(self._fan.reading(now_ms))
        if self._battery is not None and self._battery.reading is not None:
            readings = readings.after(self._battery.reading)
        if readings != self._readings:
            self._readings = readings
            events.append(ReadingsReported(readings))
        return tuple(events)

    def next_deadline_ms(self) -> int | None:
        """Return when ``advance`` must be called next, or None if only an edge requires it."""
        now_ms = self._clock_ms()
        if self._pending_events:
            return now_ms
        due = [slot.deadline_ms(now_ms) for slot in self._slots]
        due += [at_ms for at_ms, _ in self._releases]
        if self._wiring.buzzer is None:
            # Without a buzzer, the virtual terminal still shows when a tune ends.
            due.append(self._buzzer.deadline_ms(now_ms))
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def show(self, lamp: Lamp) -> None:
        self._lamp.show(lamp, self._clock_ms())
        self._apply_outputs()

    def glow(self, glows: Mapping[PanelButton, Glow]) -> None:
        """Set the lamps in the buttons; those not listed are dark."""
        for lamp in self._button_lamps:
            lamp.show(glows.get(lamp.button, Glow.DARK), self._clock_ms())
        self._apply_outputs()

    def play(self, tune: Tune) -> None:
        self._buzzer.play(tune, self._clock_ms())
        self._apply_outputs()

    def set_volume(self, percent: int) -> None:
        self._buzzer.set_volume(percent)
        self._apply_outputs()

    def set_brightness(self, percent: int) -> None:
        """Set the brightness of the screen, if it is adjustable."""
        if self._backlight is not None:
            self._backlight.wanted = percent
        self._apply_outputs()

    def state(self) -> PanelState:
        """Return the current state of the outputs, switches and readings."""
        now_ms, on = self._clock_ms(), self._switches_on()
        monitored = [part for part in self._parts() if isinstance(part, MonitoredPart)]
        return PanelState(
            lamp_says=self._lamp.says,
            lamp=self._lamp.colour(now_ms),
            sounding=self._buzzer.hz(now_ms) > 0,
            tune=self._buzzer.tune(now_ms),
            key_on=KEY in on,
            failed_parts=(
                *self._lost,
                *(slot.lost for slot in self._slots if slot.lost is not None),
                *(part.stuck for part in monitored if part.stuck is not None),
                *self._silent.values(),
            ),
            lit=tuple(lamp.button for lamp in self._button_lamps if lamp.is_lit(now_ms)),
            parts=(*(slot.name for slot in self._slots), *self._gauge_names),
            switches=tuple(replace(s.state, on=s.state.part in on) for s in self._wiring.switches()),
            readings=self._readings,
        )

    def press(self, button: PanelButton, *, hold_ms: int = 0) -> None:
        """Press a button through its mock pin; it is released after the hold, at the next ``advance``."""
        part = self._wiring.buttons.get(button.value)
        if part is None:
            raise VirtualOnly(f"this panel has no button {button.value}")
        self._drive(part.pin, high=not part.to_ground)
        self._releases.append((self._clock_ms() + max(hold_ms, _SHORTEST_PRESS_MS), button))
        self._wakeup.wake()

    def turn_key(self, *, on: bool) -> None:
        """Turn the key through its mock pin."""
        if self._wiring.key is None:
            raise VirtualOnly("this panel has no key switch")
        self._drive(self._wiring.key.pin, high=on != self._wiring.key.to_ground)
        self._wakeup.wake()

    def run_on(self, source: PowerSource) -> None:
        """Set the power source through the battery's mock pins."""
        part = self._wiring.battery
        if part is None or part.kind is not BatteryKind.PINS:
            raise VirtualOnly("this panel has no battery on pins")
        states = ((part.power_lost, source is not PowerSource.MAINS), (part.low, source is PowerSource.LOW))
        for pin, is_active in states:
            if pin is not None:
                self._drive(pin, high=is_active == part.active_high)
        self._wakeup.wake()

    def look(self) -> None:
        """Take all readings once, on this thread; the next ``advance`` reports them."""
        self._gauges.look()

    def watch(self) -> None:
        self._gauges.start()

    def close(self) -> None:
        """Switch off the lamps and the buzzer, and release the pins."""
        self._gauges.close()
        for slot in self._slots:
            slot.close()
        if self._owns_factory:
            close_factory(self._factory)
        self._wakeup.close()

    def _advance_parts(self, now_ms: int) -> tuple[PanelEvent, ...]:
        return tuple(event for slot in self._slots for event in slot.advance(now_ms))

    def _parts(self) -> tuple[PanelPart, ...]:
        return tuple(slot.part for slot in self._slots if slot.part is not None)

    def _part_factories(self) -> dict[str, Callable[[], PanelPart]]:
        wiring, factory = self._wiring, self._factory
        factories: dict[str, Callable[[], PanelPart]] = {}
        for name, button in wiring.buttons.items():
            take = partial(PushButton, PanelButton(name), button, factory, self._clock_ms, self._wakeup.wake)
            factories[f"button {name}"] = take
        for switch in wiring.switches():
            factories[switch.state.part] = partial(Switch, switch, factory, self._clock_ms, self._wakeup.wake)
        if wiring.lamp is not None:
            factories[StatusLamp.name] = partial(self._lamp.wire, wiring.lamp, factory)
        for lamp in self._button_lamps:
            button = wiring.buttons[lamp.button.value]
            if button.lamp is not None:
                factories[lamp.name] = partial(lamp.wire, button, factory)
        if wiring.buzzer is not None:
            factories[Buzzer.name] = partial(self._buzzer.wire, wiring.buzzer, factory)
        if self._fan is not None:
            factories[FanPart.name] = partial(self._fan.wire, factory)
        if self._battery is not None:
            factories[BatteryPins.name] = partial(self._battery.wire, factory)
        if (backlight := self._backlight) is not None:
            factories[Backlight.name] = lambda: backlight
        return factories

    def _switches_on(self) -> frozenset[str]:
        return frozenset(part.name for part in self._parts() if isinstance(part, Switch) and part.on)

    def _release_failed_key(self, events: list[PanelEvent], now_ms: int) -> tuple[PanelEvent, ...]:
        """Report the key as off if its switch fails while on, since the judge may no longer be present."""
        for event in events:
            if isinstance(event, SwitchMoved) and event.part == KEY:
                self._is_key_reported_on = event.on
        if not self._is_key_reported_on or KEY in self._switches_on():
            return ()
        self._is_key_reported_on = False
        return (SwitchMoved(KEY, on=False, at_ms=now_ms),)

    def _gauge_events(self, now_ms: int) -> list[PanelEvent]:
        events: list[PanelEvent] = []
        for report in self._gauges.take():
            events.extend(self._on_reading(report))
            if self._fan is not None and report.gauge == "heat":
                self._fan.heat(self._readings.heat, now_ms)
        return events

    def _on_reading(self, report: GaugeReading) -> list[PanelEvent]:
        was = self._silent.pop(report.gauge, None)
        before = self._readings
        if report.reading is None:
            self._readings = self._readings.without(report.gauge)
            failed = PartFailed(report.gauge, report.problem, RepairHint.RIGHTS)
            self._silent[report.gauge] = failed
            return [failed, *([ReadingsReported(self._readings)] if self._readings != before else [])]
        self._readings = self._readings.after(report.reading)
        return [*([PartRecovered(report.gauge)] if was is not None else []), ReadingsReported(self._readings)]

    def _apply_outputs(self) -> None:
        """Update the outputs at once; the next ``advance`` returns the resulting events."""
        self._pending_events += self._advance_parts(self._clock_ms())

    def _release_due(self, now_ms: int) -> None:
        due = [button for at_ms, button in self._releases if at_ms <= now_ms]
        self._releases = [(at_ms, button) for at_ms, button in self._releases if at_ms > now_ms]
        for button in due:
            part = self._wiring.buttons[button.value]
            self._drive(part.pin, high=part.to_ground)

    def _drive(self, number: int, *, high: bool) -> None:
        pin = self._mock_pin(number)
        pin.drive_high() if high else pin.drive_low()

    def _mock_pin(self, number: int) -> Pin:
        if not isinstance(self._factory, MockFactory):
            raise VirtualOnly("real pins cannot be pressed from here")
        return self._factory.pin(number)


def panel_on(
    driver: PinDriver, wiring: Wiring, clock_ms: Callable[[], int], waits: Callable[[], bool] = lambda: False
) -> PinPanel:
    """Return a panel on the driver's pins; if the driver fails, a panel without pins that reports it.

    There is no fallback to another driver (decision 0022). The chip may appear a moment after this program
    starts, so ``waits`` is called after a failure: it waits, and returns whether to try again.
    """
    # With mock pins, leave the backlight, sensors and battery of the developer's computer alone.
    is_mock = driver is PinDriver.MOCK
    backlight = None if is_mock or wiring.backlight is None else Backlight(name=wiring.backlight.name)
    gauges = _NO_GAUGES if is_mock else gauges_of(wiring)
    lost: tuple[PartFailed, ...] = ()
    try:
        # A panel without pins needs no driver.
        factory, parts = (_wait_for_factory(driver, waits) if wiring.pins() else MockFactory()), wiring
    except PinsUnavailable as error:
        factory, parts = MockFactory(), Wiring(wiring.name)
        lost = (PartFailed("pins", str(error), RepairHint.INSTALL),)
    panel = PinPanel(
        parts, factory, clock_ms, lost=lost, owns_factory=True, backlight=backlight, gauges=gauges
    )
    panel.watch()
    return panel


def _wait_for_factory(driver: PinDriver, waits: Callable[[], bool]) -> Factory:
    while True:
        try:
            return pin_factory(driver)
        except PinsUnavailable:
            if not waits():
                raise
