"""A measured figure beside its peer."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """One row of the table: what was measured, ours, and the peer or floor of the same run.

    better: ``less`` or ``more`` of the unit is better. aim: what is to be reached, in words; may be
    empty. more: what else the run showed, for the page.
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
        """Ours as a multiple of the peer; 1 where both are nothing."""
        if not self.peer:
            return float("inf") if self.ours else 1.0
        return self.ours / self.peer


def milliseconds(action: Callable[[], object], times: int) -> list[float]:
    """How long each of so many calls took, in milliseconds."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        action()
        taken.append((perf_counter() - start) * 1000)
    return taken


def percentile(values: Sequence[float], share: int) -> float:
    """The value that so many per cent of the values do not exceed (1 to 99)."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]
