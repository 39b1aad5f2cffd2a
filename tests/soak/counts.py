"""The results of a part of the soak: the amount of work, and the failures."""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Protocol, TypeVar

import msgspec

T = TypeVar("T")
_AT_ONCE = 2
_QUEUED = 4


class Counts(msgspec.Struct, frozen=True):
    """The amount of work done, and the failures, each with the command that repeats it.

    events: entries written and checked.
    crashes: power cuts, kills and restarts of either end.
    seeds: whole runs.
    cuts: places at which a run was cut, such as a write, a flush, or a byte of a session.
    octets: bytes fed to decoders or carried by wires.
    """

    events: int = 0
    crashes: int = 0
    seeds: int = 0
    cuts: int = 0
    octets: int = 0
    failures: tuple[str, ...] = ()

    def __add__(self, other: "Counts") -> "Counts":
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)
        return Counts(*(one + another for one, another in pairs))


Progress = Callable[[Counts], None]
"""A function that is called now and then with the amount of work since the part began."""


class Part(Protocol):
    """A part of the soak."""

    def __call__(self, seed: int, seconds: float, progress: Progress) -> Counts:
        """Work for about this time, with at most two processes, and return all counts.

        The same seed tests the same things in the same order. A failure does not end the part.
        """


def repeated(
    hall: Callable[[int, float], Counts], seed: int, seconds: float, progress: Progress, *, least: int = 1
) -> Counts:
    """Run halls of consecutive seeds, each told the seconds left, until the time is over."""
    end, done = time.monotonic() + seconds, Counts()
    for number in itertools.count():
        left = end - time.monotonic()
        if left <= 0 and number >= least:
            break
        done += hall(seed + number, left)
        progress(done)
    return done


def in_two_processes(
    works: Iterator[Callable[[], T]], end: float, prepare: Callable[[], object] | None = None
) -> Iterator[T]:
    """Run work in two processes and yield results as they arrive. None begins after ``end`` (monotonic)."""
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
