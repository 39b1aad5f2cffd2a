"""What the rules raise when a forger's steps lead them where no tournament of ours can be."""

from saloon.base.errors import OurFault

IMPOSSIBLE: tuple[type[Exception], ...] = (ValueError, LookupError, AssertionError, StopIteration, OurFault)
"""Refused and BadData are ValueErrors. To be caught only around what is computed from a file of others."""
