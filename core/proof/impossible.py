"""The errors that the rules raise for a forger's steps."""

from saloon.base.errors import OurFault

IMPOSSIBLE: tuple[type[Exception], ...] = (ValueError, LookupError, AssertionError, StopIteration, OurFault)
"""Refused and BadData are ValueErrors. To be caught only around what is computed from a file of others."""
