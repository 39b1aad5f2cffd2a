"""The pin drivers, by name. RPi.GPIO and lgpio are stood in for by chips that keep levels and tell edges;
gpiozero's factories over them are the real ones, as on a Pi."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import ModuleType

import gpiozero.pins.local
import pytest

from hardware.contract import ButtonPressed, Lamp, PanelButton, PartFailed, PressKind, SwitchMoved, Tune
from hardware.panel import PinPanel, VirtualOnly, panel_on
from hardware.part_wiring import BuzzerWiring, Sound
from hardware.pins import PinDriver, PinsUnavailable, pin_factory
from hardware.wiring import Wiring, shipped_wiring

PI_4, PI_5 = 0xC03111, 0xC04170


class Chip:
    """Levels of a board's pins, and who wants to know of their edges."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.outputs: set[int] = set()
        self.tones: dict[int, tuple[float, float]] = {}
        self.watchers: dict[int, Callable[[int], None]] = {}
        self.busy: set[int] = set()
        self.broken: set[int] = set()
        self.was_closed = False

    def drive(self, number: int, level: int) -> None:
        """The part at the pin pulls it."""
        self.levels[number] = level
        if number in self.watchers:
            self.watchers[number](level)


class RPiTone:
    """RPi.GPIO's PWM."""

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
    """RPi.GPIO as far as gpiozero asks for it."""

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
    """lgpio's own error: neither an OSError nor one of gpiozero."""


class LgCallback:
    """lgpio's handle of a watched pin."""

    def __init__(self, chip: Chip, number: int) -> None:
        self._chip, self._number = chip, number

    def cancel(self) -> None:
        self._chip.watchers.pop(self._number, None)


class FakeLg(ModuleType):
    """lgpio as far as gpiozero asks for it."""

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


@pytest.fixture
def chip() -> Chip:
    return Chip()


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[PinDriver, Chip, int], ModuleType]]:
    """Makes this machine a Pi of a revision with one pin library installed."""
    names = ("RPi", "RPi.GPIO", "lgpio", "gpiozero.pins.rpigpio", "gpiozero.pins.lgpio")

    def make(driver: PinDriver, chip: Chip, revision: int) -> ModuleType:
        monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: revision)
        # Its local factories all share one set of pins.
        monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "pins", {})
        monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "_reservations", defaultdict(list))
        for name in names:
            monkeypatch.delitem(sys.modules, name, raising=False)
        if driver is PinDriver.LGPIO:
            library: ModuleType = FakeLg(chip)
            monkeypatch.setitem(sys.modules, "lgpio", library)
        else:
            library = FakeRPi(chip)
            package = ModuleType("RPi")
            package.GPIO = library  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, "RPi", package)
            monkeypatch.setitem(sys.modules, "RPi.GPIO", library)
        return library

    yield make
    for name in names:
        sys.modules.pop(name, None)


REAL = pytest.mark.parametrize(
    ("driver", "revision"), [(PinDriver.RPIGPIO, PI_4), (PinDriver.LGPIO, PI_4), (PinDriver.LGPIO, PI_5)]
)
Pi = Callable[[PinDriver, Chip, int], ModuleType]


def test_the_mock_driver_works_everywhere() -> None:
    pin_factory(PinDriver.MOCK).close()


@pytest.mark.parametrize("driver", [PinDriver.RPIGPIO, PinDriver.LGPIO])
def test_a_driver_that_does_not_work_here_says_so_and_what_to_do(
    driver: PinDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, {PinDriver.RPIGPIO: "RPi", PinDriver.LGPIO: "lgpio"}[driver], None)
    with pytest.raises(PinsUnavailable, match=f"^pins by {driver.value}: .+; install it, or name another"):
        pin_factory(driver)


@pytest.mark.parametrize("driver", [PinDriver.RPIGPIO, PinDriver.LGPIO])
def test_a_panel_whose_driver_does_not_work_says_so_and_has_no_part(
    driver: PinDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, {PinDriver.RPIGPIO: "RPi", PinDriver.LGPIO: "lgpio"}[driver], None)
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


@REAL
def test_a_panel_works_on_the_pins_of_a_pi(pi: Pi, chip: Chip, driver: PinDriver, revision: int) -> None:
    library = pi(driver, chip, revision)
    now_ms = 1_000
    panel = panel_on(driver, shipped_wiring(), lambda: now_ms)
    assert panel.advance(now_ms) == ()
    if isinstance(library, FakeRPi):
        assert library.mode == library.BCM
    chip.drive(17, 0)
    assert panel.advance(now_ms) == (ButtonPressed(PanelButton.RESHUFFLE, PressKind.PRESSED, 1_000),)
    now_ms = 1_050
    chip.drive(17, 1)
    chip.drive(23, 0)
    assert panel.advance(now_ms) == ()
    now_ms = 1_150
    assert panel.advance(now_ms) == (SwitchMoved("key", True, 1_150),)
    panel.show(Lamp.JUDGE_CALLED)
    panel.play(Tune.CLICK)
    assert [chip.levels[pin] for pin in (5, 6, 13, 19)] == [1, 0, 0, 1]
    now_ms += 250
    assert panel.advance(now_ms) == ()
    assert [chip.levels[pin] for pin in (5, 6, 13, 19)] == [0, 0, 0, 0]
    with pytest.raises(VirtualOnly, match="real pins"):
        panel.press(PanelButton.RESHUFFLE)
    panel.close()
    assert chip.was_closed


@REAL
def test_a_chip_that_comes_late_is_waited_for(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi(driver, chip, revision)
    name = {PinDriver.RPIGPIO: "RPi", PinDriver.LGPIO: "lgpio"}[driver]
    library = sys.modules[name]
    monkeypatch.setitem(sys.modules, name, None)
    waited: list[int] = []

    def waits() -> bool:
        waited.append(1)
        if len(waited) == 2:
            monkeypatch.setitem(sys.modules, name, library)
        return True

    panel = panel_on(driver, shipped_wiring(), lambda: 1_000, waits)
    assert len(waited) == 2
    assert panel.state().failed_parts == ()
    panel.close()


@REAL
def test_a_tone_is_made_by_the_pins_of_a_pi(pi: Pi, chip: Chip, driver: PinDriver, revision: int) -> None:
    pi(driver, chip, revision)
    wiring = Wiring("loudspeaker", buzzer=BuzzerWiring(19, sound=Sound.PASSIVE))
    panel = PinPanel(wiring, pin_factory(driver), lambda: 1_000)
    panel.play(Tune.CLICK)
    assert panel.state().failed_parts == ()
    assert [*chip.tones.items()] == [(19, (1760, 50))]
    panel.advance(1_030)
    assert [*chip.tones.items()] == [(19, (1760, 0))]
    panel.close()


@REAL
def test_a_pin_that_another_program_holds_costs_its_part(
    pi: Pi, chip: Chip, driver: PinDriver, revision: int
) -> None:
    pi(driver, chip, revision)
    chip.busy.add(17)
    panel = panel_on(driver, shipped_wiring(), lambda: 1_000)
    (lost,) = panel.advance(1_000)
    assert isinstance(lost, PartFailed)
    assert lost.part == "button reshuffle"
    assert lost.problem in {"GPIO busy", "Failed to add edge detection"}
    chip.drive(27, 0)
    assert panel.advance(1_000) == (ButtonPressed(PanelButton.END_TURN, PressKind.PRESSED, 1_000),)
    panel.close()
