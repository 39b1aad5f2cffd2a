"""Commands about a panel: list the included ones, show its wiring, or test its parts from a console."""

import selectors
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

import click

from base.terminal_text import echo, echo_lines
from hardware.contract import (
    ButtonPressed,
    Glow,
    Lamp,
    Panel,
    PanelButton,
    PanelEvent,
    PartFailed,
    ReadingsReported,
    SensorReadings,
    SwitchMoved,
    SwitchState,
    Tune,
    WiringFault,
)
from hardware.panel import panel_on
from hardware.pins import PinDriver
from hardware.wiring import (
    DRIVERS_OF,
    HEADER,
    PLACE_OF,
    RESERVED,
    WORDS_OF,
    Wiring,
    default_panel,
    free_pins,
    own_model,
    reserved_pins,
    shipped_names,
    wiring_named,
)
from kiosk.i18n import Words
from kiosk.view.panel_view import reading_words

FINE, WRONG, CANNOT_LOOK = 0, 1, 2
_LAMPS: Final = (
    (Lamp.JUDGE_CALLED, "red, blinking"),
    (Lamp.PLAYING, "green"),
    (Lamp.WAITING, "blue"),
    (Lamp.ENDED, "white"),
)
_MOST_SLEEP_S: Final = 0.5


@click.command()
@click.argument("name", default="", metavar="[NAME|FILE]")
def panel(name: str) -> None:
    """List the included panels, or check a panel and show its wiring.

    No outputs are switched. Exits with status 2 if the file is invalid, and says what to fix.
    """
    try:
        if name:
            echo_lines(_plan_text(wiring_named(name)))
        else:
            for known in shipped_names():
                wiring = wiring_named(known)
                echo(f"{known:<14}{wiring.name} ({WORDS_OF[wiring.board]}), --pins {_driver_of(wiring)}")
    except WiringFault as fault:
        echo(f"saloon-terminal: {fault}", err=True)
        sys.exit(CANNOT_LOOK)


def _driver_of(wiring: Wiring) -> str:
    return DRIVERS_OF[wiring.board][0]


def _plan_text(wiring: Wiring) -> str:
    """Return a text drawing of the header with the part wired to each pin, then free and reserved pins."""
    parts = {place.pin: place.part for place in wiring.places()}
    kept = reserved_pins(wiring.uses)
    rows = [f"{wiring.name}: {WORDS_OF[wiring.board]}, pins by {_driver_of(wiring)}", ""]
    pins = [_describe_pin(what, parts, kept, is_left=place % 2 == 1) for place, what in enumerate(HEADER, 1)]
    wide = max(len(left) for left in pins[::2])
    for odd, (left, right) in enumerate(zip(pins[::2], pins[1::2], strict=True)):
        rows.append(f"{left:>{wide}}  {odd * 2 + 1:>2} ▪ ▪ {odd * 2 + 2:<2}  {right}".rstrip())
    rows += ["", f"free: {', '.join(f'GPIO {pin} ({PLACE_OF[pin]})' for pin in free_pins(wiring))}"]
    rows += [
        f"kept for {RESERVED[use].what}: GPIO {', '.join(map(str, RESERVED[use].pins))}"
        + (" (from memory: compare with the maker's sheet)" if RESERVED[use].from_memory else "")
        for use in wiring.uses
    ]
    return "\n".join(rows)


def _describe_pin(what: int | str, parts: dict[int, str], kept: dict[int, str], *, is_left: bool) -> str:
    if isinstance(what, str):
        return what
    part = parts.get(what) or (f"({kept[what]})" if what in kept else "")
    words = (part, f"GPIO {what}") if is_left else (f"GPIO {what}", part)
    return " ".join(words).strip()


@click.command()
@click.option("--panel", "name", default="", metavar="NAME|FILE", help="The panel, as for the terminal.")
@click.option(
    "--pins",
    envvar="GPIOZERO_PIN_FACTORY",
    default="mock",
    show_default=True,
    type=click.Choice([driver.value for driver in PinDriver]),
    help="The driver of the pins.",
)
@click.option("--wait", "wait_s", default=20.0, show_default=True, help="Seconds to wait for each press.")
def selftest(name: str, pins: str, wait_s: float) -> None:
    """Test each part by pressing, looking and listening. Stop the terminal first, as it uses the pins.

    Exit status 0 if all is fine, 1 if a part doesn't work, 2 if the panel's file is invalid.
    """
    try:
        wiring = wiring_named(name or default_panel(pins, own_model()))
    except WiringFault as fault:
        echo(f"saloon-terminal: {fault}", err=True)
        sys.exit(CANNOT_LOOK)
    panel = panel_on(PinDriver(pins), wiring, _now_ms)
    try:
        results = dict(Bench(panel, wait_s).results())
    finally:
        panel.close()
    for part, is_fine in results.items():
        sign = click.style("✓", fg="green") if is_fine else click.style("✗", fg="red")
        echo(str(part), sign=sign)
    sys.exit(FINE if all(results.values()) else WRONG)


class Bench:
    """A panel under test. ``wait_s`` limits each press; ``asks`` asks the tester a yes/no question."""

    def __init__(self, panel: Panel, wait_s: float, asks: Callable[[str], bool] = click.confirm) -> None:
        self._panel = panel
        self._wait_s = wait_s
        self._asks = asks
        self._readings = SensorReadings()

    def results(self) -> Iterator[tuple[str, bool]]:
        """Yield each part's name and whether it works, as soon as it has been tested."""
        names = self._panel.state().parts
        failed: dict[str, PartFailed] = {}
        self._until(lambda _: False, 0.0)
        for failure in self._panel.state().failed_parts:
            failed[failure.part] = failure
            echo(f"{failure.part}: {failure.problem}")
            yield failure.part, False
        for button in PanelButton:
            part = f"button {button.value}"
            if part in names and part not in failed:
                yield part, self._wait_for_press(button)
        for switch in self._panel.state().switches:
            if switch.part not in failed:
                yield switch.part, self._wait_for_turns(switch)
        if "lamp" in names and "lamp" not in failed:
            for lamp, colour in _LAMPS:
                self._panel.show(lamp)
                yield f"lamp {colour}", self._asks(f"The lamp: {colour}?")
            self._panel.show(Lamp.OFF)
        if "buzzer" in names and "buzzer" not in failed:
            self._panel.play(Tune.HIGH_NOON)
            self._until(lambda _: self._panel.state().tune is None, self._wait_s)
            yield "buzzer", self._asks("Three long strokes and two short ones?")
        for line in reading_words(self._readings, Words("en")):
            echo(line)

    def _wait_for_press(self, button: PanelButton) -> bool:
        echo(f"Press {button.value} …")
        self._panel.glow({button: Glow.BLINKING})
        came = self._until(
            lambda event: isinstance(event, ButtonPressed) and event.button is button, self._wait_s
        )
        self._panel.glow({})
        return came

    def _wait_for_turns(self, switch: SwitchState) -> bool:
        for wanted in (not switch.on, switch.on):
            echo(f"{switch.title}. {switch.to_on if wanted else switch.to_off} …")
            if not self._until(_turns(switch.part, on=wanted), self._wait_s):
                return False
        return True

    def _until(self, comes: Callable[[PanelEvent], bool], seconds: float) -> bool:
        """Poll the panel until a matching event arrives, or return False when the time is over."""
        end_ms = _now_ms() + round(seconds * 1000)
        with selectors.DefaultSelector() as selector:
            selector.register(self._panel, selectors.EVENT_READ)
            while True:
                for event in self._panel.advance(_now_ms()):
                    if isinstance(event, ReadingsReported):
                        self._readings = event.readings
                    if comes(event):
                        return True
                left_ms = end_ms - _now_ms()
                if left_ms <= 0:
                    return False
                due = self._panel.next_deadline_ms()
                sleep_ms = left_ms if due is None else min(left_ms, max(0, due - _now_ms()))
                selector.select(min(_MOST_SLEEP_S, sleep_ms / 1000))


def _turns(part: str, *, on: bool) -> Callable[[PanelEvent], bool]:
    return lambda event: isinstance(event, SwitchMoved) and (event.part, event.on) == (part, on)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
