"""Measured figures and their peers."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """A row of the table: what was measured, our value, and the value of a peer or lower bound.

    better: whether ``less`` or ``more`` of the unit is better.
    aim: the target as text, which may be empty.
    more: further results for the page.
    """

    what: str
    unit: str
    ours: float
    peer_name: str
    peer: float
    better: str = "less"
    aim: str = ""
    more: str = ""

    @property
    def ratio(self) -> float:
        """Our value divided by the peer's, or 1 if both are zero."""
        if not self.peer:
            return float("inf") if self.ours else 1.0
        return self.ours / self.peer


def milliseconds(action: Callable[[], object], times: int) -> list[float]:
    """Return the duration of each of ``times`` calls in milliseconds."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        action()
        taken.append((perf_counter() - start) * 1000)
    return taken


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value that ``share`` per cent of the values don't exceed (1 to 99)."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


@dataclass(frozen=True)
class Effort:
    """The extent of a run, as a share of the full counts and durations."""

    share: float = 1.0

    def count(self, full: int, least: int = 1) -> int:
        """Return this share of a full count, but at least ``least``."""
        return max(least, round(full * self.share))

    def seconds(self, full: float, least: float = 0.3) -> float:
        """Return this share of a full duration in seconds, but at least ``least``."""
        return max(least, full * self.share)


@dataclass(frozen=True)
class Measurement:
    """A part of a benchmark that can fail separately. ``take`` measures and returns the figures."""

    name: str
    take: Callable[[], Sequence[Figure]]


class Once(Generic[T]):
    """A value shared by several measurements and created when it is first needed, or the error of its
    creation.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: tuple[T] | None = None
        self._error: Exception | None = None

    def __call__(self) -> T:
        if self._error is not None:
            raise self._error
        if self._made is None:
            try:
                self._made = (self._make(),)
            except Exception as error:
                self._error = error
                raise
        return self._made[0]
