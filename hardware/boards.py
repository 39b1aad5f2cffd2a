"""The boards for panels, as tables: their 40-pin headers and reserved pins."""

import enum
from typing import Final

import msgspec


class Board(enum.Enum):
    """A computer with the 40-pin header; the value is its name in panel files."""

    PI_3 = "pi-3"
    PI_4 = "pi-4"
    PI_5 = "pi-5"
    VIRTUAL = "virtual"
    """No specific computer: mock pins on any machine."""


class HeaderFunction(enum.Enum):
    """Another use of the header; the value is its name in panel files, under ``uses``."""

    I2C = "i2c"
    SERIAL = "serial"
    SERIAL_RTS = "serial-rts"
    SPI = "spi"
    SPI_DISPLAY = "spi-display"
    RS485_HAT = "rs485-hat"


class Reserved(msgspec.Struct, frozen=True):
    """Reserved pins.

    what: the device using them.
    pins: GPIO numbers.
    from_memory: no data sheet was used.
    """

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
"""The names of the pin drivers that work on a board, the recommended one first.

RPi.GPIO gets no edges, and so no presses, from kernel 6.6 on, and does not support the Pi 5. rpi-lgpio,
chosen by the same name on any board, does both.
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
    """Return the GPIO numbers that no part may use, each with the device that it is reserved for."""
    reserved = dict.fromkeys(ALWAYS.pins, ALWAYS.what)
    for use in uses:
        reserved |= dict.fromkeys(RESERVED[use].pins, RESERVED[use].what)
    return reserved


def places_of(what: str) -> tuple[int, ...]:
    """Return the pins of the header with ``3V3``, ``5V`` or ``GND``."""
    return tuple(place for place, here in enumerate(HEADER, 1) if here == what)
