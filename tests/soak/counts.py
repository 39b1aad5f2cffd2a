"""The results of a part of the soak: how much was tried, and what went wrong."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Protocol, TypeVar

import msgspec

T = TypeVar("T")
_AT_ONCE = 2
_QUEUED = 4


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


def in_two_processes(
    works: Iterator[Callable[[], T]], end: float, prepare: Callable[[], object] | None = None
) -> Iterator[T]:
    """Yield the results of works as they come, beginning none after ``end`` (monotonic)."""
    running: set[Future[T]] = set()
    with ProcessPoolExecutor(_AT_ONCE, initializer=prepare) as pool:
        while True:
            while len(running) < _QUEUED and time.monotonic() < end:
                work = next(works, None)
                if work is None:
                    break
                running.add(pool.submit(work))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
