"""The panel file, which assigns a panel's parts to the pins of a board."""

import enum
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from base.toml_lines import explain, nearest_line, positions
from hardware.contract import PanelButton, WiringFault
from hardware.part_wiring import (
    BacklightWiring,
    BatteryKind,
    BatteryWiring,
    ButtonWiring,
    BuzzerWiring,
    FanWiring,
    KeyWiring,
    LampWiring,
    PartWiring,
    Place,
    SupplyWiring,
    SwitchWiring,
)


class Board(enum.Enum):
    """A computer with the 40-pin header; the value is its name in panel files."""

    PI_3 = "pi-3"
    PI_4 = "pi-4"
    PI_5 = "pi-5"
    VIRTUAL = "virtual"
    """No specific computer: mock pins on any machine."""


class HeaderFunction(enum.Enum):
    """Another use of the header; the value is its name under ``uses`` in panel files."""

    I2C = "i2c"
    SERIAL = "serial"
    SERIAL_RTS = "serial-rts"
    SPI = "spi"
    SPI_DISPLAY = "spi-display"
    RS485_HAT = "rs485-hat"


class Reserved(msgspec.Struct, frozen=True):
    """Pins that another device uses. ``from_memory`` means that no data sheet was consulted."""

    what: str
    pins: tuple[int, ...]
    from_memory: bool = False


ALWAYS: Final = Reserved("the memory chip of a HAT", (0, 1))

RESERVED: Final[dict[HeaderFunction, Reserved]] = {
    HeaderFunction.I2C: Reserved("I2C", (2, 3)),
    HeaderFunction.SERIAL: Reserved("the serial port", (14, 15)),
    HeaderFunction.SERIAL_RTS: Reserved("the serial port with RTS", (14, 15, 17)),
    HeaderFunction.SPI: Reserved("SPI", (7, 8, 9, 10, 11)),
    HeaderFunction.SPI_DISPLAY: Reserved(
        "a 3.5-inch display on SPI", (7, 8, 9, 10, 11, 17, 24, 25), from_memory=True
    ),
    HeaderFunction.RS485_HAT: Reserved("the RS-485 HAT", (4, 14, 15), from_memory=True),
}

DRIVERS_OF: Final = {
    Board.PI_3: ("lgpio", "rpigpio"),
    Board.PI_4: ("lgpio", "rpigpio"),
    Board.PI_5: ("lgpio",),
    Board.VIRTUAL: ("mock",),
}
"""The pin drivers that work on each board, the recommended one first.

From kernel 6.6 on, RPi.GPIO gets no edges, and so no presses, and it does not support the Pi 5. rpi-lgpio,
which has the same name, works on every board.
"""

WORDS_OF: Final = {
    Board.PI_3: "Raspberry Pi 3",
    Board.PI_4: "Raspberry Pi 4",
    Board.PI_5: "Raspberry Pi 5",
    Board.VIRTUAL: "any computer, with mock pins",
}

_3V3, _5V, _GND = "3V3", "5V", "GND"
HEADER: Final[tuple[int | str, ...]] = (
    _3V3, _5V, 2, _5V, 3, _GND, 4, 14, _GND, 15, 17, 18, 27, _GND, 22, 23, _3V3, 24, 10, _GND,
    9, 25, 11, 8, _GND, 7, 0, 1, 5, _GND, 6, 12, 13, _GND, 19, 16, 26, 20, _GND, 21,
)  # fmt: skip
"""The function of each pin of the header, from pin 1 on: a GPIO number, or power."""

PLACE_OF: Final = {gpio: place for place, gpio in enumerate(HEADER, 1) if isinstance(gpio, int)}
"""The pin of the header for each GPIO number."""


def reserved_pins(uses: tuple[HeaderFunction, ...]) -> dict[int, str]:
    """Return the GPIO numbers that no part may use, each with the device that needs it."""
    reserved = dict.fromkeys(ALWAYS.pins, ALWAYS.what)
    for use in uses:
        reserved |= dict.fromkeys(RESERVED[use].pins, RESERVED[use].what)
    return reserved


def places_of(what: str) -> tuple[int, ...]:
    return tuple(place for place, here in enumerate(HEADER, 1) if here == what)


_SHIPPED: Final = Path(__file__).parent / "panels"
VIRTUAL: Final = "virtual"
"""The panel with everything wired to mock pins."""
_MAKER: Final = "Raspberry Pi"
NONE: Final = "none"
"""The panel of a terminal with nothing but its touch screen."""


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole panel; missing parts are None. ``uses`` lists what else the board's header is used for."""

    name: str
    buttons: dict[str, ButtonWiring] = msgspec.field(default_factory=dict)
    key: KeyWiring | None = None
    lamp: LampWiring | None = None
    buzzer: BuzzerWiring | None = None
    board: Board = Board.VIRTUAL
    uses: tuple[HeaderFunction, ...] = ()
    backlight: BacklightWiring | None = None
    fan: FanWiring | None = None
    battery: BatteryWiring | None = None
    supply: SupplyWiring | None = None

    def pins(self) -> tuple[tuple[str, int], ...]:
        return tuple((place.part, place.pin) for place in self.places())

    def places(self) -> Iterator[Place]:
        """Yield every wire, in the order of the panel file."""
        for name, button in self.buttons.items():
            yield from button.places(f"buttons.{name}")
        for name, button in self.buttons.items():
            yield from button.lamp_place(name)
        for key, part in self._parts():
            yield from part.places(key)

    def switches(self) -> tuple[SwitchWiring, ...]:
        return tuple(part for _, part in self._parts() if isinstance(part, SwitchWiring))

    def _parts(self) -> Iterator[tuple[str, PartWiring]]:
        for key in self.__struct_fields__:
            part: object = getattr(self, key)
            if isinstance(part, PartWiring):
                yield key, part


def wiring_of(text: str, where: str) -> Wiring:
    """Parse the text of a panel file. Raises WiringFault naming ``where``, line and key."""
    try:
        data = tomllib.loads(text)
        wiring = msgspec.convert(data, Wiring)
    except tomllib.TOMLDecodeError as error:
        raise WiringFault(where, f"not TOML: {error}") from error
    except msgspec.ValidationError as error:
        key, problem = explain(error, Wiring)
        if key.startswith("buttons[...]"):
            name = next(name for name, button in data["buttons"].items() if not _is_button(button))
            key = key.replace("[...]", f".{name}", 1)
        raise WiringFault(f"{where}{_line(text, key)}" + (f": {key}" if key else ""), problem) from error
    for key, problem in _faults(wiring):
        raise WiringFault(f"{where}{_line(text, key)}: {key}", problem)
    return wiring


def _is_button(button: object) -> bool:
    try:
        return bool(msgspec.convert(button, ButtonWiring))
    except msgspec.ValidationError:
        return False


def read_wiring(path: Path) -> Wiring:
    """Read a panel file. Raises WiringFault if it is wrong or cannot be read."""
    try:
        return wiring_of(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise WiringFault(str(path), f"{error.strerror}; choose {_names()}") from error
    except UnicodeDecodeError as error:
        raise WiringFault(
            str(path), f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
        ) from error


def shipped_names() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


def _names() -> str:
    return f"{', '.join(shipped_names())}, or the path of a panel file"


def shipped_text(name: str) -> str:
    """Return the file of a panel that comes with Saloon. Raises WiringFault for an unknown name."""
    if name not in shipped_names():
        raise WiringFault(f"panel {name}", f"no such panel; choose {_names()}")
    return (_SHIPPED / f"{name}.toml").read_text(encoding="utf-8")


def shipped_wiring(name: str = VIRTUAL) -> Wiring:
    return wiring_of(shipped_text(name), f"{name}.toml")


def wiring_named(name: str) -> Wiring:
    """Return the built-in panel with this name, or read the panel file at this path. Raises WiringFault."""
    looks_like_a_path = "/" in name or name.endswith(".toml")
    return read_wiring(Path(name)) if looks_like_a_path else shipped_wiring(name)


def default_panel(driver: str, model: str = "") -> str:
    """Return the name of the default panel for a pin driver.

    ``model`` is the board's name, such as ``Raspberry Pi 4 Model B Rev 1.5``. An unknown Raspberry Pi gets
    the panel of the driver's recommended board, and any other computer gets none.
    """
    if driver in DRIVERS_OF[Board.VIRTUAL]:
        return VIRTUAL
    if _MAKER not in model:
        return NONE
    by_model = [board for board in Board if board is not Board.VIRTUAL and WORDS_OF[board] in model]
    by_driver = [board for board, suits in DRIVERS_OF.items() if driver in suits]
    boards = (*by_model, *reversed(by_driver))
    return f"bare-{boards[0].value}" if boards else VIRTUAL


def own_model(file: Path = Path("/proc/device-tree/model")) -> str:
    """Return this board's model name, or an empty string if it has none."""
    try:
        return file.read_text(encoding="utf-8").strip("\0\n ")
    except (OSError, UnicodeDecodeError):
        return ""


def free_pins(wiring: Wiring) -> tuple[int, ...]:
    taken = {pin for _, pin in wiring.pins()} | set(reserved_pins(wiring.uses))
    return tuple(pin for pin in sorted(PLACE_OF) if pin not in taken)


def _faults(wiring: Wiring) -> Iterator[tuple[str, str]]:
    """Yield each mistake as the key of the panel file and the problem."""
    known = {button.value for button in PanelButton}
    for name in wiring.buttons:
        if name not in known:
            yield f"buttons.{name}", f"no such button; there are {', '.join(sorted(known))}"
    taken: dict[int, str] = {}
    reserved = reserved_pins(wiring.uses)
    free = ", ".join(map(str, free_pins(wiring)))
    for place in wiring.places():
        if place.pin in reserved:
            remedy = _remedy(place.pin, wiring.uses)
            yield place.key, f"pin {place.pin} is kept for {reserved[place.pin]}; free are {free}{remedy}"
        if place.pin in taken:
            yield place.key, f"pin {place.pin} is already the one of {taken[place.pin]}; free are {free}"
        taken[place.pin] = place.part
    if wiring.fan is not None and not wiring.fan.off_c < wiring.fan.on_c <= wiring.fan.full_c:
        yield "fan.off_c", "a fan must stop cooler than it starts: off_c < on_c <= full_c"
    if wiring.battery is not None:
        yield from _battery_faults(wiring.battery, wiring.uses)


def _battery_faults(battery: BatteryWiring, uses: tuple[HeaderFunction, ...]) -> Iterator[tuple[str, str]]:
    has_pins = battery.power_lost is not None or battery.low is not None
    if battery.kind is BatteryKind.PINS and not has_pins:
        yield "battery.kind", "a battery of this kind needs power_lost = PIN, or low = PIN, or both"
    if battery.kind is not BatteryKind.PINS and has_pins:
        yield "battery.kind", 'power_lost and low belong to kind = "pins"'
    if battery.kind is BatteryKind.GAUGE and HeaderFunction.I2C not in uses:
        yield "battery.kind", 'this chip sits on I2C: add "i2c" to uses, so that its pins are kept free'


def _remedy(pin: int, uses: tuple[HeaderFunction, ...]) -> str:
    if pin in ALWAYS.pins:
        return ""
    because = next(use for use in uses if pin in RESERVED[use].pins)
    return f'; or take "{because.value}" out of uses, if the board has none'


def _line(text: str, key: str) -> str:
    """Return ``:LINE`` for a dotted key or the nearest table, or an empty string without either."""
    line = nearest_line(positions(text), *key.split("."))
    return "" if line is None else f":{line}"
