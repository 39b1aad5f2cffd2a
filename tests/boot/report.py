"""The results of the trials: a table for people, JSON for the benchmarks."""

import enum
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.table import Table


class Verdict(enum.Enum):
    HELD = "held"
    BROKE = "broke"
    NOT_TRIED = "not tried"


class Measured(msgspec.Struct, frozen=True):
    """A time or a size. unit: ``s``, ``MB``, ``%`` or a word for a count."""

    what: str
    value: float
    unit: str


class Outcome(msgspec.Struct, frozen=True):
    """One trial on one board. said: what was seen, in sentences; why: it broke or was not tried."""

    trial: str
    arch: str
    verdict: Verdict
    took_s: float = 0.0
    measured: tuple[Measured, ...] = ()
    said: tuple[str, ...] = ()
    why: str = ""


class Report(msgspec.Struct, frozen=True):
    """All of it. at: the last trial, as ISO 8601. Every board is emulated without the machine's help."""

    at: str
    outcomes: tuple[Outcome, ...] = ()

    def with_outcome(self, outcome: Outcome, at: str) -> "Report":
        """The same with this outcome of now, in place of an older one of the same trial and board."""
        kept = [o for o in self.outcomes if (o.trial, o.arch) != (outcome.trial, outcome.arch)]
        return Report(at, (*kept, outcome))

    def held(self) -> bool:
        return all(outcome.verdict is not Verdict.BROKE for outcome in self.outcomes)


def read(path: Path) -> Report | None:
    """A report that was kept; None where there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None


def keep(report: Report, path: Path) -> None:
    """Write it where ``read`` finds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")


def report_table(report: Report) -> Table:
    """The report as a table."""
    table = Table("trial", "board", "", "took", "measured and seen", title="the images, tried")
    for outcome in report.outcomes:
        figures = [f"{m.what}: {m.value:.4g} {m.unit}" for m in outcome.measured]
        words = "\n".join([*figures, *outcome.said, *([outcome.why] if outcome.why else [])])
        table.add_row(outcome.trial, outcome.arch, outcome.verdict.value, f"{outcome.took_s:.0f} s", words)
    return table


def value_of(outcomes: Sequence[Outcome], arch: str, what: str) -> float | None:
    """A figure by its name; None where it was not measured."""
    return next((m.value for o in outcomes if o.arch == arch for m in o.measured if m.what == what), None)
