"""The voltage drop of cables, and how many tables one cable can supply. Pure functions."""

from typing import Final

COPPER: Final = 0.0178
"""The resistance of copper in ohms per metre and square millimetre, at 20 °C."""
AREA_OF_AWG: Final = {28: 0.081, 26: 0.129, 24: 0.205, 22: 0.326, 20: 0.518, 18: 0.823}
"""The cross-sections in square millimetres of the wire gauges (AWG) printed on USB cables."""
ALARM_V: Final = 4.63
"""The voltage below which a Raspberry Pi reports undervoltage."""
EFFICIENCY: Final = 0.88
"""The efficiency of a step-down converter; from memory."""
_TURNS: Final = 60
"""The number of iterations, enough for the currents of a chain to converge."""


def drop_v(length_m: float, area_mm2: float, ampere: float) -> float:
    """Return the voltage drop in both conductors of a cable."""
    return 2 * length_m * COPPER / area_mm2 * ampere


def longest_m(area_mm2: float, ampere: float, volts: float) -> float:
    """Return the length of the longest cable with at most this voltage drop."""
    return volts * area_mm2 / (2 * COPPER * ampere)


def chain_v(tables: int, spacing_m: float, area_mm2: float, watts: float, volts: float) -> list[float]:
    """Return the voltage at each table of a chain, from the supply outwards. watts: load of each table.

    Converters draw constant power, so the current grows as the voltage falls. Raises ChainTooLong if the
    voltages don't converge.
    """
    resistance = 2 * spacing_m * COPPER / area_mm2
    at = [volts] * tables
    for _ in range(_TURNS):
        currents = [watts / here for here in at]
        found, now = [], volts
        for table in range(tables):
            now -= resistance * sum(currents[table:])
            found.append(now)
        if found[-1] < volts / 2:
            raise ChainTooLong(tables, found[-1])
        at = found
    return at


class ChainTooLong(ValueError):
    """The far end of a chain gets less than half of the input voltage.

    tables: the number of tables. volts: the voltage at the end.
    """

    def __init__(self, tables: int, volts: float) -> None:
        self.tables = tables
        self.volts = volts
        super().__init__(f"{tables} tables are too many for this cable: {volts:.1f} V at the last")
