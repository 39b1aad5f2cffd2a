"""The results of a part of the soak: how much was tried, and what went wrong."""

from collections.abc import Callable
from typing import Protocol

import msgspec


class Counts(msgspec.Struct, frozen=True):
    """The amount of work done.

    events: entries written and checked. crashes: power cuts, kills and restarts of either end. seeds: whole
    runs. cuts: places at which a run was cut (a write, a flush, a byte of a session). octets: bytes fed to
    decoders or carried by wires. failures: each with how to see it again.
    """

    events: int = 0
    crashes: int = 0
    seeds: int = 0
    cuts: int = 0
    octets: int = 0
    failures: tuple[str, ...] = ()

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.events + other.events,
            self.crashes + other.crashes,
            self.seeds + other.seeds,
            self.cuts + other.cuts,
            self.octets + other.octets,
            self.failures + other.failures,
        )


Progress = Callable[[Counts], None]
"""Told now and then how much was tried since the part began."""


class Part(Protocol):
    """A part of the soak: the module ``tests/soak/part_NAME.py`` has this function ``run``.

    Its module's docstring begins with a line that says what is tried.
    """

    def __call__(self, seed: int, seconds: float, progress: Progress) -> Counts:
        """Try things for about so many seconds, two processes at once at most; all that was tried.

        The same seed tries the same things in the same order. A failure does not end the part.
        """
