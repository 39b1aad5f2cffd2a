"""A panel on gpiozero's mock pins, and a clock that a test moves."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.contract import PanelButton, PanelEvent
from hardware.panel import PinPanel
from hardware.pins import PinDriver
from hardware.wiring import Wiring, shipped_wiring
from tests.hardware.chips import PI_4, PI_5, Board


class Bench:
    def __init__(self, wiring: Wiring, factory: MockFactory | None, options: dict[str, Any]) -> None:
        self.now_ms = 1_000
        self.factory = factory or MockFactory()
        self.wiring = wiring
        self.panel = PinPanel(wiring, self.factory, lambda: self.now_ms, **options)

    def pin(self, number: int) -> MockPin:
        pin = self.factory.pin(number)
        assert isinstance(pin, MockPin)
        return pin

    def button(self, button: PanelButton) -> MockPin:
        return self.pin(self.wiring.buttons[button.value].pin)

    def key(self) -> MockPin:
        assert self.wiring.key is not None
        return self.pin(self.wiring.key.pin)

    def chatter(self, pin: MockPin, times: int) -> list[PanelEvent]:
        """Close and open a contact ten times in a second, closed at first."""
        events: list[PanelEvent] = []
        for time in range(times):
            pin.drive_high() if time % 2 else pin.drive_low()
            events += self.look(after_ms=50)
        return events

    def look(self, after_ms: int = 0) -> tuple[PanelEvent, ...]:
        self.now_ms += after_ms
        return self.panel.advance(self.now_ms)

    def look_when_due(self) -> tuple[PanelEvent, ...]:
        due = self.panel.next_deadline_ms()
        assert due is not None
        return self.look(max(0, due - self.now_ms))

    def measure(self) -> tuple[PanelEvent, ...]:
        """Let the gauges be read."""
        self.panel.look()
        return self.look()

    def lit(self) -> tuple[int, int, int]:
        """The lamp's colour as its pins say."""
        lamp = self.wiring.lamp
        assert lamp is not None
        red, green, blue = (
            int(self.pin(pin).state == lamp.active_high) for pin in (lamp.red, lamp.green, lamp.blue)
        )
        return red, green, blue

    def sounds(self) -> bool:
        buzzer = self.wiring.buzzer
        assert buzzer is not None
        return bool(self.pin(buzzer.pin).state) == buzzer.active_high


@pytest.fixture
def make_bench() -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(wiring: Wiring | None = None, factory: MockFactory | None = None, **options: Any) -> Bench:
        made.append(Bench(wiring or shipped_wiring(), factory, options))
        return made[-1]

    yield make
    for bench in made:
        bench.panel.close()
        bench.factory.close()


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench()


@pytest.fixture
def reversed_bench(make_bench: Callable[..., Bench]) -> Bench:
    """A panel with inverted levels: contacts to 3.3 V, and lamps lit by a low pin."""
    wiring = shipped_wiring()
    assert wiring.key is not None
    assert wiring.lamp is not None
    assert wiring.buzzer is not None
    return make_bench(
        Wiring(
            wiring.name,
            {
                name: msgspec.structs.replace(part, to_ground=False, hold_ms=300)
                for name, part in wiring.buttons.items()
                if name != "shut-down"  # GPIO 3 has a resistor to 3.3 V on the board
            },
            msgspec.structs.replace(wiring.key, to_ground=False),
            msgspec.structs.replace(wiring.lamp, active_high=False),
            msgspec.structs.replace(wiring.buzzer, active_high=False),
        )
    )


@pytest.fixture(
    params=[(PinDriver.RPIGPIO, PI_4), (PinDriver.LGPIO, PI_4), (PinDriver.LGPIO, PI_5)],
    ids=["rpigpio on a Pi 4", "lgpio on a Pi 4", "lgpio on a Pi 5"],
)
def board(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    driver, revision = request.param
    made = Board(driver, revision, monkeypatch)
    yield made
    made.close()
