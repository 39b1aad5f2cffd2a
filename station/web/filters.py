"""What templates may ask for: dollars, durations, plain values of enums."""

from enum import Enum
from fractions import Fraction

from jinja2 import Environment

_MINUTE_S = 60
_HOUR_S = 3600


def add_to(environment: Environment) -> None:
    """Make the filters known to an environment of templates."""
    environment.filters["dollars"] = dollars
    environment.filters["ago"] = ago
    environment.filters["exact"] = exact
    environment.filters["slug"] = slug


def dollars(amount: int) -> str:
    """An amount with its sign and thousands parted: ``$1,600``."""
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


def ago(seconds: float | None) -> str:
    """A duration in short: ``8 s``, ``3 min``, ``2 h``; a dash for none."""
    if seconds is None:
        return "–"
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < _HOUR_S else f"{seconds / _HOUR_S:.0f} h"


def exact(value: object) -> str:
    """A tie-break's value: a fraction to two places with its exact form, anything else as it is."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):,.2f} ({value})"
    return "–" if isinstance(value, Enum) else str(value)


def slug(value: Enum) -> str:
    """An enum's value as part of a class name."""
    return str(value.value).replace("_", "-").replace(" ", "-")
