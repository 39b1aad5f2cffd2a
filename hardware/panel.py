"""The panel of a terminal: buttons, key switch, lamp and buzzer on real or mocked pins."""

import contextlib
import socket
from collections import deque
from collections.abc import Callable

from gpiozero import GPIOZeroError
from gpiozero.pins import Factory, Pin
from gpiozero.pins.mock import MockFactory

from saloon.hardware.contract import (
    Button,
    ButtonPressed,
    KeyTurned,
    Lamp,
    PanelEvent,
    PanelState,
    PartFailed,
    PressKind,
    Tune,
)
from saloon.hardware.debounce import ButtonState, KeyState
from saloon.hardware.patterns import RHYTHMS, TUNES
from saloon.hardware.pins import InputPin, OutputPin, failed
from saloon.hardware.wiring import ButtonWiring, Wiring

_STUCK_MS = 60_000


class VirtualOnly(OSError):
    """Real pins cannot be pressed by a program."""


class PinPanel:
    """A panel on pins; see ``contract.Panel``. clock_ms: monotonic, the same that ``advance`` is given."""

    def __init__(self, wiring: Wiring, factory: Factory, clock_ms: Callable[[], int]) -> None:
        self._wiring = wiring
        self._factory = factory
        self._clock_ms = clock_ms
        self._failed: list[PartFailed] = []
        self._untold: list[PartFailed] = []
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._inputs: dict[Button, InputPin] = {}
        self._edges: deque[tuple[Button, bool, int]] = deque()
        self._buttons: dict[Button, ButtonState] = {}
        for name, part in wiring.buttons.items():
            self._add_button(Button(name), part)
        self._key = self._key_pin()
        self._key_state = KeyState()
        self._lamp = self._lamp_pins()
        self._buzzer = self._buzzer_pin()
        self._says = Lamp.OFF
        self._says_since_ms = 0
        self._tune: Tune | None = None
        self._tune_since_ms = 0
        self._stuck: set[Button] = set()
        self._releases: list[tuple[int, Button]] = []

    def fileno(self) -> int:
        """Readable when an edge arrived."""
        return self._read.fileno()

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Debounce, hold, blink and play up to now."""
        self._drain()
        self._release_due(now_ms)
        events: list[PanelEvent] = [*self._untold]
        self._untold.clear()
        while self._edges:
            button, level, at_ms = self._edges.popleft()
            events.extend(self._moved(button, level=level, at_ms=at_ms))
        for button, pin in self._inputs.items():
            events.extend(self._moved(button, level=pin.is_closed(), at_ms=now_ms))
            events.extend(self._held(button, now_ms))
        events.extend(self._key_moved(now_ms))
        self._shine(now_ms)
        self._sound(now_ms)
        return tuple(events)

    def next_deadline_ms(self) -> int | None:
        """When ``advance`` must be called next; None for only after an edge."""
        now_ms = self._clock_ms()
        due = [self._key_state.deadline_ms(), self._lamp_deadline(now_ms), self._tune_deadline(now_ms)]
        due += [state.deadline_ms(now_ms, self._hold_ms(button)) for button, state in self._buttons.items()]
        due += [at_ms for at_ms, _ in self._releases]
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def show(self, lamp: Lamp) -> None:
        """Let the lamp say something until told otherwise."""
        if lamp is not self._says:
            self._says, self._says_since_ms = lamp, self._clock_ms()
            self._shine(self._says_since_ms)

    def play(self, tune: Tune) -> None:
        """Play a tune once."""
        self._tune, self._tune_since_ms = tune, self._clock_ms()
        self._sound(self._tune_since_ms)

    def state(self) -> PanelState:
        """What the outputs do now."""
        now_ms = self._clock_ms()
        return PanelState(
            lamp_says=self._says,
            lamp=RHYTHMS[self._says].at(now_ms - self._says_since_ms),
            sounding=self._sounding(now_ms),
            tune=self._tune if self._tune_deadline(now_ms) is not None else None,
            key_on=self._key_state.on,
            failed_parts=tuple(self._failed),
        )

    def press(self, button: Button, *, hold_ms: int = 0) -> None:
        """Press a button through its mock pin; it comes up after the hold, at the next ``advance``."""
        part = self._wiring.buttons.get(button.value)
        if part is None:
            raise VirtualOnly(f"this panel has no button {button.value}")
        pin = self._mock_pin(part.pin)
        pin.drive_low() if part.to_ground else pin.drive_high()
        self._releases.append((self._clock_ms() + max(hold_ms, 1), button))
        self._wake()

    def turn_key(self, *, on: bool) -> None:
        """Turn the key through its mock pin."""
        if self._wiring.key is None:
            raise VirtualOnly("this panel has no key switch")
        pin = self._mock_pin(self._wiring.key.pin)
        pin.drive_low() if on == self._wiring.key.to_ground else pin.drive_high()
        self._wake()

    def close(self) -> None:
        """Lamp and buzzer off, pins free."""
        inputs = [*self._inputs.values(), *([self._key] if self._key else [])]
        outputs = [*self._lamp, *([self._buzzer] if self._buzzer else [])]
        for closed in (*(pin.close for pin in inputs), *(pin.close for pin in outputs)):
            with contextlib.suppress(GPIOZeroError):
                closed()
        self._read.close()
        self._write.close()

    def _add_button(self, button: Button, part: ButtonWiring) -> None:
        def changed() -> None:
            pin = self._inputs.get(button)
            if pin is not None:
                self._edges.append((button, pin.is_closed(), self._clock_ms()))
                self._wake()

        try:
            self._inputs[button] = InputPin(
                part.pin, to_ground=part.to_ground, factory=self._factory, changed=changed
            )
        except (GPIOZeroError, OSError) as error:
            self._lost(f"button {button.value}", error)
            return
        # One that is closed already was not pressed by anybody: it may be stuck.
        is_closed = self._inputs[button].is_closed()
        self._buttons[button] = ButtonState(is_closed, self._clock_ms(), held=is_closed)

    def _key_pin(self) -> InputPin | None:
        part = self._wiring.key
        if part is None:
            return None
        try:
            return InputPin(part.pin, to_ground=part.to_ground, factory=self._factory, changed=self._wake)
        except (GPIOZeroError, OSError) as error:
            self._lost("key", error)
            return None

    def _lamp_pins(self) -> tuple[OutputPin, ...]:
        part = self._wiring.lamp
        if part is None:
            return ()
        try:
            return tuple(
                OutputPin(pin, active_high=part.active_high, factory=self._factory)
                for pin in (part.red, part.green, part.blue)
            )
        except (GPIOZeroError, OSError) as error:
            self._lost("lamp", error)
            return ()

    def _buzzer_pin(self) -> OutputPin | None:
        part = self._wiring.buzzer
        if part is None:
            return None
        try:
            return OutputPin(part.pin, active_high=part.active_high, factory=self._factory)
        except (GPIOZeroError, OSError) as error:
            self._lost("buzzer", error)
            return None

    def _lost(self, part: str, error: Exception) -> None:
        lost = failed(part, error)
        self._failed.append(lost)
        self._untold.append(lost)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            self._write.send(b"!")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            while self._read.recv(1024):
                pass

    def _hold_ms(self, button: Button) -> int:
        return self._wiring.buttons[button.value].hold_ms

    def _moved(self, button: Button, *, level: bool, at_ms: int) -> tuple[PanelEvent, ...]:
        before = self._buttons[button]
        after = before.after(level=level, now_ms=at_ms)
        self._buttons[button] = after
        if after.closed and not before.closed:
            return (ButtonPressed(button, PressKind.PRESSED, at_ms),)
        if not after.closed:
            self._stuck.discard(button)
        return ()

    def _held(self, button: Button, now_ms: int) -> tuple[PanelEvent, ...]:
        state = self._buttons[button]
        if state.closed and now_ms - state.since_ms >= _STUCK_MS and button not in self._stuck:
            self._stuck.add(button)
            return (PartFailed(f"button {button.value}", "stuck: closed for a minute"),)
        if not state.is_due_to_be_held(now_ms, self._hold_ms(button)):
            return ()
        self._buttons[button] = ButtonState(state.closed, state.since_ms, state.quiet_until_ms, held=True)
        return (ButtonPressed(button, PressKind.HELD, now_ms),)

    def _key_moved(self, now_ms: int) -> tuple[PanelEvent, ...]:
        if self._key is None:
            return ()
        before = self._key_state
        self._key_state = before.after(level=self._key.is_closed(), now_ms=now_ms)
        return (KeyTurned(self._key_state.on, now_ms),) if self._key_state.on != before.on else ()

    def _shine(self, now_ms: int) -> None:
        colour = RHYTHMS[self._says].at(now_ms - self._says_since_ms)
        for pin, on in zip(self._lamp, colour, strict=False):
            pin.set(on=bool(on))

    def _lamp_deadline(self, now_ms: int) -> int | None:
        change = RHYTHMS[self._says].next_change_ms(now_ms - self._says_since_ms) if self._lamp else None
        return None if change is None else now_ms + change

    def _sounding(self, now_ms: int) -> bool:
        if self._tune is None:
            return False
        left = now_ms - self._tune_since_ms
        for on, duration in TUNES[self._tune]:
            if left < duration:
                return on
            left -= duration
        return False

    def _sound(self, now_ms: int) -> None:
        if self._buzzer is not None:
            self._buzzer.set(on=self._sounding(now_ms))

    def _tune_deadline(self, now_ms: int) -> int | None:
        if self._tune is None:
            return None
        end = self._tune_since_ms
        for _, duration in TUNES[self._tune]:
            end += duration
            if now_ms < end:
                return end
        return None

    def _release_due(self, now_ms: int) -> None:
        due = [button for at_ms, button in self._releases if at_ms <= now_ms]
        self._releases = [(at_ms, button) for at_ms, button in self._releases if at_ms > now_ms]
        for button in due:
            part = self._wiring.buttons[button.value]
            pin = self._mock_pin(part.pin)
            pin.drive_high() if part.to_ground else pin.drive_low()

    def _mock_pin(self, number: int) -> Pin:
        if not isinstance(self._factory, MockFactory):
            raise VirtualOnly("real pins cannot be pressed from here")
        return self._factory.pin(number)
