"""A terminal's power and temperature readings as values, and the function that combines them."""

import enum

import msgspec


class SupplyTrouble(enum.Enum):
    """An effect of a weak power supply or a hot processor; the value is the firmware's bit."""

    UNDER_VOLTAGE = 0
    """The voltage is below 4.63 V: the supply or its cable is too weak."""
    CAPPED = 1
    """The processor's maximum speed is reduced."""
    THROTTLED = 2
    """The processor is slowed down at this moment."""
    HOT = 3
    """The processor is above its temperature limit."""


class Supply(msgspec.Struct, frozen=True):
    """The firmware's report on the power supply.

    ``ever`` covers the time since the board started, including now.
    """

    now: frozenset[SupplyTrouble] = frozenset()
    ever: frozenset[SupplyTrouble] = frozenset()


class Battery(msgspec.Struct, frozen=True):
    """The terminal's battery.

    percent, on_mains: None if not reported.
    is_low: almost empty.
    """

    percent: int | None = None
    on_mains: bool | None = None
    is_low: bool = False


class Heat(msgspec.Struct, frozen=True):
    """The processor's temperature, in whole degrees Celsius."""

    celsius: int


class Fan(msgspec.Struct, frozen=True):
    """The requested and the measured speed of the fan. ``rpm`` is None without a tacho."""

    percent: int
    rpm: int | None = None


Reading = Supply | Battery | Heat | Fan


class SensorReadings(msgspec.Struct, frozen=True):
    """All readings, or None for those not available on this terminal."""

    supply: Supply | None = None
    battery: Battery | None = None
    heat: Heat | None = None
    fan: Fan | None = None

    def after(self, reading: Reading) -> "SensorReadings":
        """Return the readings with one replaced. Its field is named after its class."""
        return msgspec.structs.replace(self, **{type(reading).__name__.lower(): reading})

    def without(self, gauge: str) -> "SensorReadings":
        """Return the readings without those of a gauge, which are no longer known."""
        return msgspec.structs.replace(self, **{gauge: None}) if gauge in self.__struct_fields__ else self
