"""Parts of a dollar, and how they become whole ones."""

from fractions import Fraction

from saloon.core.terms import Dollars


def nearest_dollar(amount: Fraction) -> Dollars:
    """Return the nearest whole dollar; a half goes away from zero.

    Source: Official Score System 2003; reading D29.
    """
    rounded = int(abs(amount) + Fraction(1, 2))
    return Dollars(rounded if amount >= 0 else -rounded)
