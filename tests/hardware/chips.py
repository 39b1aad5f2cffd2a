"""Fake chips of a Raspberry Pi: RPi.GPIO and lgpio, as far as gpiozero's real factories use them."""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import ModuleType

import gpiozero.pins.local
import pytest

from hardware.contract import PanelEvent, Reading
from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import Wiring
from tests.rigs.told_clock import ToldClock

PI_4, PI_5 = 0xC03111, 0xC04170


class Chip:
    """The levels of a board's pins, and the callbacks for their edges."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.outputs: set[int] = set()
        self.tones: dict[int, tuple[float, float]] = {}
        self.watchers: dict[int, Callable[[int], None]] = {}
        self.busy: set[int] = set()
        self.broken: set[int] = set()
        self.was_closed = False

    def drive(self, number: int, level: int) -> None:
        self.levels[number] = level
        if number in self.watchers:
            self.watchers[number](level)


class RPiTone:
    def __init__(self, chip: Chip, number: int, frequency: float) -> None:
        self._chip, self._number, self._frequency = chip, number, frequency

    def start(self, percent: float) -> None:
        self.ChangeDutyCycle(percent)

    def ChangeDutyCycle(self, percent: float) -> None:  # noqa: N802 (its name in the library)
        self._chip.tones[self._number] = (self._frequency, percent)

    def ChangeFrequency(self, frequency: float) -> None:  # noqa: N802 (its name in the library)
        self._frequency = frequency

    def stop(self) -> None:
        self._chip.tones.pop(self._number, None)


class FakeRPi(ModuleType):
    BCM, IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 11, 1, 0, 42, 41, 43, 40, -1
    PUD_OFF, PUD_DOWN, PUD_UP, RISING, FALLING, BOTH = 20, 21, 22, 31, 32, 33

    def __init__(self, chip: Chip) -> None:
        super().__init__("RPi.GPIO")
        self._chip = chip
        self.mode = 0

    def setmode(self, mode: int) -> None:
        self.mode = mode

    def setwarnings(self, _on: bool) -> None:  # noqa: FBT001 (as gpiozero calls it)
        pass

    def setup(self, number: int, direction: int, pull: int = 20, initial: int = -1) -> None:
        if direction == self.OUT:
            self._chip.outputs.add(number)
            self._chip.levels[number] = max(int(initial), 0)
        else:
            self._chip.outputs.discard(number)
            self._chip.levels.setdefault(number, int(pull == self.PUD_UP))
            if pull != self.PUD_OFF:
                self._chip.levels[number] = int(pull == self.PUD_UP)

    def gpio_function(self, number: int) -> int:
        return self.OUT if number in self._chip.outputs else self.IN

    def input(self, number: int) -> int:
        if number in self._chip.broken:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._chip.levels[number]

    def output(self, number: int, level: int) -> None:
        self._chip.levels[number] = int(level)

    def add_event_detect(
        self, number: int, _edges: int, *, callback: Callable[[int], None], bouncetime: int
    ) -> None:
        assert bouncetime == -666  # none: the debouncing is ours
        if number in self._chip.busy:
            raise RuntimeError("Failed to add edge detection")
        self._chip.watchers[number] = lambda _: callback(number)

    def remove_event_detect(self, number: int) -> None:
        self._chip.watchers.pop(number, None)

    def PWM(self, number: int, frequency: float) -> RPiTone:  # noqa: N802 (its name in the library)
        return RPiTone(self._chip, number, frequency)

    def cleanup(self, number: int | None = None) -> None:
        if number is None:
            self._chip.was_closed = True
        else:
            self._chip.outputs.discard(number)


class LgError(Exception):
    """lgpio's own error, which is neither an OSError nor one of gpiozero's."""


class LgCallback:
    def __init__(self, chip: Chip, number: int) -> None:
        self._chip, self._number = chip, number

    def cancel(self) -> None:
        self._chip.watchers.pop(self._number, None)


class FakeLg(ModuleType):
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    error = LgError

    def __init__(self, chip: Chip) -> None:
        super().__init__("lgpio")
        self._chip = chip
        self._flags: dict[int, int] = {}
        self.chip_opened = -1

    def gpiochip_open(self, chip: int) -> int:
        self.chip_opened = chip
        return 7

    def gpiochip_close(self, handle: int) -> None:
        assert handle == 7
        self._chip.was_closed = True

    def gpio_claim_input(self, _handle: int, number: int, flags: int = 0) -> None:
        if number in self._chip.busy:
            raise LgError("GPIO busy")
        # Claimed anew as a plain input, a pin tells no edges any more.
        self._chip.watchers.pop(number, None)
        self._chip.outputs.discard(number)
        self._flags[number] = flags
        if flags in {self.SET_PULL_UP, self.SET_PULL_DOWN}:
            self._chip.levels[number] = int(flags == self.SET_PULL_UP)
        self._chip.levels.setdefault(number, 0)

    def gpio_claim_output(self, _handle: int, number: int) -> None:
        self._chip.outputs.add(number)
        self._chip.levels[number] = 0

    def gpio_claim_alert(self, _handle: int, number: int, edges: int, flags: int) -> None:
        assert edges == self.BOTH_EDGES
        self._flags[number] = flags

    def gpio_free(self, _handle: int, number: int) -> None:
        self._flags.pop(number, None)
        self._chip.watchers.pop(number, None)

    def gpio_get_mode(self, _handle: int, number: int) -> int:
        return self._flags.get(number, 0) | (2 if number in self._chip.outputs else 0)

    def gpio_read(self, _handle: int, number: int) -> int:
        if number in self._chip.broken:
            raise LgError("bad event request")
        return self._chip.levels[number]

    def gpio_write(self, _handle: int, number: int, level: int) -> None:
        self._chip.levels[number] = int(level)

    def gpio_set_debounce_micros(self, _handle: int, _number: int, micros: int) -> None:
        assert micros == 0  # none: the debouncing is ours

    def callback(
        self, _handle: int, number: int, _edges: int, callback: Callable[[int, int, int, int], None]
    ) -> LgCallback:
        self._chip.watchers[number] = lambda level: callback(0, number, level, 1_000)
        return LgCallback(self._chip, number)

    def tx_pwm(self, _handle: int, number: int, frequency: float, percent: float) -> None:
        self._chip.tones[number] = (frequency, percent)


_NAMES = ("RPi", "RPi.GPIO", "lgpio", "gpiozero.pins.rpigpio", "gpiozero.pins.lgpio")


class Board:
    """This machine in the role of a Pi of some revision, with one pin library installed."""

    def __init__(self, driver: PinDriver, revision: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.driver = driver
        self.chip = Chip()
        self.clock = ToldClock(1_000)
        self._panels: list[PinPanel] = []
        monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: revision)
        # Its local factories all share one set of pins.
        monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "pins", {})
        monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "_reservations", defaultdict(list))
        for name in _NAMES:
            monkeypatch.delitem(sys.modules, name, raising=False)
        self.library: ModuleType = FakeLg(self.chip) if driver is PinDriver.LGPIO else FakeRPi(self.chip)
        if driver is PinDriver.LGPIO:
            monkeypatch.setitem(sys.modules, "lgpio", self.library)
        else:
            package = ModuleType("RPi")
            package.GPIO = self.library  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, "RPi", package)
            monkeypatch.setitem(sys.modules, "RPi.GPIO", self.library)

    def panel(self, wiring: Wiring, gauges: Mapping[str, Callable[[], Reading]] | None = None) -> PinPanel:
        self._panels.append(PinPanel(wiring, pin_factory(self.driver), self.clock, gauges=gauges or {}))
        return self._panels[-1]

    def look(self, after_ms: int = 0) -> tuple[PanelEvent, ...]:
        self.clock.now_ms += after_ms
        return self._panels[-1].advance(self.clock.now_ms)

    def close(self) -> None:
        for panel in self._panels:
            panel.close()
        for name in _NAMES:
            sys.modules.pop(name, None)
