"""The panel of a terminal: buttons, key switch, lamp and buzzer on real or mocked pins."""

import contextlib
import socket
from collections.abc import Callable, Iterator

from gpiozero.pins import Factory, Pin
from gpiozero.pins.mock import MockFactory

from saloon.hardware.backlight import Backlight, NoBacklight
from saloon.hardware.contacts import KeySwitch, PushButton
from saloon.hardware.contract import Button, Lamp, PanelEvent, PanelState, PartFailed, Tune
from saloon.hardware.outputs import Buzzer, StatusLamp
from saloon.hardware.pins import PinDriver, PinFault, PinsUnavailable, close_factory, pin_factory
from saloon.hardware.wiring import Wiring


class VirtualOnly(OSError):
    """Real pins cannot be pressed by a program."""


class PinPanel:
    """A panel on pins; see ``contract.Panel``.

    clock_ms: monotonic, the same that ``advance`` is given. lost: parts known to be missing already.
    owns_factory: the factory is closed with the panel. backlight: the screen's, if it may be set.
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
    ) -> None:
        self._wiring = wiring
        self._factory = factory
        self._clock_ms = clock_ms
        self._owns_factory = owns_factory
        self._lost = list(lost)
        self._untold = list(lost)
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._contacts: list[PushButton | KeySwitch] = []
        self._lamp = StatusLamp()
        self._buzzer = Buzzer()
        self._backlight = backlight
        self._releases: list[tuple[int, Button]] = []
        self._wire()

    def fileno(self) -> int:
        """Readable when an edge arrived."""
        return self._read.fileno()

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Debounce, hold, blink and play up to now."""
        self._drain()
        self._release_due(now_ms)
        events: list[PanelEvent] = []
        for contact in tuple(self._contacts):
            try:
                events.extend(contact.advance(now_ms))
            except PinFault as fault:
                self._contacts.remove(contact)
                self._lose(contact.name, fault)
                with contextlib.suppress(PinFault):
                    contact.close()
        self._bring_out(now_ms)
        told = (*self._untold, *events)
        self._untold.clear()
        return told

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next; None for only after an edge."""
        now_ms = self._clock_ms()
        if self._untold:
            return now_ms
        parts = (*self._contacts, self._lamp, self._buzzer)
        due = [part.deadline_ms(now_ms) for part in parts]
        due += [at_ms for at_ms, _ in self._releases]
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def show(self, lamp: Lamp) -> None:
        """Let the lamp say something until told otherwise."""
        now_ms = self._clock_ms()
        self._lamp.show(lamp, now_ms)
        self._bring_out(now_ms)

    def play(self, tune: Tune) -> None:
        """Play a tune once."""
        now_ms = self._clock_ms()
        self._buzzer.play(tune, now_ms)
        self._bring_out(now_ms)

    def set_volume(self, percent: int) -> None:
        """How loud tunes are from now on."""
        self._buzzer.set_volume(percent)
        self._bring_out(self._clock_ms())

    def set_brightness(self, percent: int) -> None:
        """How bright the screen is from now on."""
        if self._backlight is None:
            return
        try:
            self._backlight.set(percent)
        except NoBacklight as fault:
            self._backlight = None
            self._lose("backlight", fault)

    def state(self) -> PanelState:
        """What the outputs do now."""
        now_ms = self._clock_ms()
        stuck = [c.stuck for c in self._contacts if isinstance(c, PushButton) and c.stuck is not None]
        return PanelState(
            lamp_says=self._lamp.says,
            lamp=self._lamp.colour(now_ms),
            sounding=self._buzzer.hz(now_ms) > 0,
            tune=self._buzzer.tune(now_ms),
            key_on=any(c.on for c in self._contacts if isinstance(c, KeySwitch)),
            failed_parts=(*self._lost, *stuck),
        )

    def press(self, button: Button, *, hold_ms: int = 0) -> None:
        """Press a button through its mock pin; it comes up after the hold, at the next ``advance``."""
        part = self._wiring.buttons.get(button.value)
        if part is None:
            raise VirtualOnly(f"this panel has no button {button.value}")
        self._drive(part.pin, high=not part.to_ground)
        self._releases.append((self._clock_ms() + max(hold_ms, 1), button))
        self._wake()

    def turn_key(self, *, on: bool) -> None:
        """Turn the key through its mock pin."""
        if self._wiring.key is None:
            raise VirtualOnly("this panel has no key switch")
        self._drive(self._wiring.key.pin, high=on != self._wiring.key.to_ground)
        self._wake()

    def close(self) -> None:
        """Lamp and buzzer off, pins free."""
        for contact in self._contacts:
            with contextlib.suppress(PinFault):
                contact.close()
        self._lamp.close()
        self._buzzer.close()
        if self._owns_factory:
            close_factory(self._factory)
        self._read.close()
        self._write.close()

    def _wire(self) -> None:
        wiring, factory = self._wiring, self._factory
        for name, part in wiring.buttons.items():
            with self._or_lost(f"button {name}"):
                button = PushButton(Button(name), part, factory, self._clock_ms, self._wake)
                self._contacts.append(button)
        if wiring.key is not None:
            with self._or_lost(KeySwitch.name):
                self._contacts.append(KeySwitch(wiring.key, factory, self._wake))
        if wiring.lamp is not None:
            with self._or_lost(StatusLamp.name):
                self._lamp.wire(wiring.lamp, factory)
        if wiring.buzzer is not None:
            with self._or_lost(Buzzer.name):
                self._buzzer.wire(wiring.buzzer, factory)

    @contextlib.contextmanager
    def _or_lost(self, part: str) -> Iterator[None]:
        try:
            yield
        except PinFault as fault:
            self._lose(part, fault)

    def _lose(self, part: str, fault: OSError) -> None:
        lost = PartFailed(part, str(fault))
        self._lost.append(lost)
        self._untold.append(lost)

    def _bring_out(self, now_ms: int) -> None:
        for part in (self._lamp, self._buzzer):
            try:
                part.advance(now_ms)
            except PinFault as fault:
                part.close()
                self._lose(part.name, fault)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            self._write.send(b"!")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            while self._read.recv(1024):
                pass

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


def panel_on(driver: PinDriver, wiring: Wiring, clock_ms: Callable[[], int]) -> PinPanel:
    """A panel on the driver's pins. Where the driver does not work, one without any part that says so.

    No other driver takes its place (decision 0031).
    """
    try:
        factory = pin_factory(driver)
    except PinsUnavailable as error:
        lost = (PartFailed("pins", str(error)),)
        return PinPanel(Wiring(wiring.name), MockFactory(), clock_ms, lost=lost, backlight=Backlight())
    # A program on mock pins is a visitor: the light of a notebook is not its own.
    backlight = None if driver is PinDriver.MOCK else Backlight()
    return PinPanel(wiring, factory, clock_ms, owns_factory=True, backlight=backlight)
