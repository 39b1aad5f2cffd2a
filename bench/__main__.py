"""Run benchmarks, print the figures and, with ``--write``, update docs/reference/performance.md."""

import importlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement

BENCHES: Final[Mapping[str, str]] = {
    "tap_to_frame": "bench.tap_to_frame",
    "terminal": "bench.terminal",
    "station_load": "bench.station_load",
    "wire_bytes": "bench.wire_bytes",
    "memory": "bench.memory",
    "large_tournament": "bench.large_tournament",
    "station_start": "bench.station_start",
    "serial_line": "bench.serial.line",
    "serial_bus": "bench.serial.bus",
    "several_stations": "bench.several_stations",
    "devices": "bench.devices",
    "open_floors": "bench.hall.open_floors",
    "large_pages": "bench.hall.large_pages",
    "siege": "bench.hall.siege",
    "large_hall": "bench.hall.large_hall",
    "card": "bench.card",
    "slow_board": "bench.slow_board",
    "image": "bench.image",
}
"""The modules of the benchmarks by name, in the order in which they run."""
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "performance.md"
PICTURE = PAGE.parents[1] / "pictures" / "performance.png"
_COLUMNS = 8
_ARROWS: Final[Mapping[str, str]] = {"less": "↓", "more": "↑"}
_CONTINUED: Final = "… "
_MEASURED = re.compile(r"(.*) ([↓↑])")
TABLE = re.compile(r"(?s)(<!-- figures -->\n).*?(\n<!-- end of figures -->)")


@dataclass(frozen=True)
class Failure:
    """A measurement that failed, or was left out because this machine lacks something that it needs."""

    name: str
    reason: str
    left_out: bool = False


def measurements_of(bench: str, effort: Effort) -> Sequence[Measurement]:
    """Return the measurements of one benchmark."""
    plan: Callable[[Effort], Sequence[Measurement]] = importlib.import_module(BENCHES[bench]).measurements
    return plan(effort)


def take(measurement: Measurement) -> Sequence[Figure] | Failure:
    """Return a measurement's figures, or a Failure, so that the other measurements can continue."""
    try:
        return measurement.take()
    except Unavailable as error:
        return Failure(measurement.name, str(error), left_out=True)
    except Exception as error:  # noqa: BLE001 (whatever a peer raises is reported beside its name)
        return Failure(measurement.name, f"{type(error).__name__}: {error}")


def shown(figures: Sequence[Figure]) -> Table:
    """Return the figures as a table that fits into 80 columns."""
    table = Table("figure", box=box.SIMPLE_HEAD, title="Saloon, measured here")
    for name in ("ours", "peer", "ratio"):
        table.add_column(name, justify="right", no_wrap=True)
    for f in figures:
        aim = f"; aim: {f.aim}" if f.aim else ""
        table.add_row(
            f"{f.what}\n[dim]{f.unit}, {f.better} is better{aim}\nbeside: {f.peer_name}[/dim]",
            f"{f.ours:.4g}",
            f"{f.peer:.4g}",
            f"{f.ratio:.2f}",
        )
    return table


def as_markdown(figures: Sequence[Figure]) -> str:
    """Format the figures as a table for docs/reference/performance.md."""
    rows = [
        "| figure | unit | ours | aim | peer or floor in the same run | peer | ratio | beside it |",
        "|---|---|---|---|---|---|---|---|",
    ]
    above, group = ("", 0.0), ""
    for f in figures:
        name = f.what.removeprefix(group)
        what = f.what if name == f.what else f"{_CONTINUED}{name}"
        again = above == (f.what, f.ours)
        ours = " | | |" if again else f"{what} | {f.unit} {_ARROWS[f.better]} | {f.ours:.4g} | {f.aim}"
        rows.append(f"| {ours} | {f.peer_name} | {f.peer:.4g} | {f.ratio:.2f} | {f.more} |")
        above, group = (f.what, f.ours), _group_of(f.what)
    system = f"{platform.system()} {platform.machine()}"
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, {system}"
    return "\n".join([*rows, "", f"Measured by `make bench ARGS=--write` on: {where}."])


def figures_in(markdown: str) -> list[Figure]:
    """Parse the figures in a table written by ``as_markdown``, as far as it contains them."""
    found: list[Figure] = []
    better = {arrow: word for word, arrow in _ARROWS.items()}
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if len(cells) != _COLUMNS:
            continue
        what, unit, ours, aim, peer_name, peer, _, more = cells
        if what.startswith(_CONTINUED):
            what = what.replace(_CONTINUED, _group_of(found[-1].what), 1)
        if row := _MEASURED.fullmatch(unit):
            found.append(Figure(what, row[1], float(ours), peer_name, float(peer), better[row[2]], aim, more))
        elif found and not what and peer:
            found.append(replace(found[-1], peer_name=peer_name, peer=float(peer), more=more))
    return found


def _group_of(what: str) -> str:
    """Return the beginning of a figure's name up to the colon, which all figures of one run share."""
    return what.partition(": ")[0] + ": "


def merge_figures(known: Sequence[Figure], new: Sequence[Figure]) -> list[Figure]:
    """Replace known figures by new values, and append those that are new."""
    fresh = {(figure.what, figure.peer_name): figure for figure in new}
    kept = [fresh.pop((figure.what, figure.peer_name), figure) for figure in known]
    return [*kept, *fresh.values()]


def _write(figures: Sequence[Figure], draw: Callable[[Sequence[Figure], Path], None]) -> None:
    """Update the table and the picture of the performance page, keeping rows that weren't measured."""
    page = PAGE.read_text(encoding="utf-8")
    before = TABLE.search(page)
    known = [] if before is None else figures_in(before[0])
    rows = merge_figures(known, figures)
    draw(rows, PICTURE)
    PAGE.write_text(TABLE.sub(lambda m: m[1] + as_markdown(rows) + m[2], page), encoding="utf-8")


def _measured(
    benches: Sequence[str], effort: Effort, console: Console
) -> Iterator[Sequence[Figure] | Failure]:
    """Run each measurement, with a progress bar."""
    with Progress(console=console) as progress:
        running = progress.add_task("", total=len(benches))
        for bench in benches:
            try:
                plan = measurements_of(bench, effort)
            except (ImportError, Unavailable) as error:
                yield Failure(bench, str(error), left_out=True)
                plan = ()
            for number, measurement in enumerate(plan, 1):
                progress.update(running, description=f"{bench} {number}/{len(plan)}: {measurement.name[:40]}")
                yield take(measurement)
                progress.advance(running, 1 / len(plan))


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(BENCHES)))
@click.option("--write", is_flag=True, help="Put the figures into docs/reference/performance.md.")
@click.option("--share", default=1.0, show_default=True, help="Measure a share of the full counts and times.")
def main(names: tuple[str, ...], *, write: bool, share: float) -> None:
    """Run the benchmarks NAMES, by default all. Exits with status 1 if a measurement failed."""
    # Imported for writing only, and early, so that a missing library is reported before measuring.
    draw: Callable[[Sequence[Figure], Path], None] | None = (
        importlib.import_module("bench.plot").drawn if write else None
    )
    console = Console()
    figures: list[Figure] = []
    failures: list[Failure] = []
    for outcome in _measured(names or tuple(BENCHES), Effort(share), console):
        match outcome:
            case Failure():
                failures.append(outcome)
            case _:
                figures.extend(outcome)
    console.print(shown(figures))
    for failure in failures:
        what = "left out" if failure.left_out else "failed"
        console.print(f"{failure.name} {what}: {failure.reason}", style="red", markup=False)
    if draw is not None:
        _write(figures, draw)
    if any(not failure.left_out for failure in failures):
        sys.exit(1)


if __name__ == "__main__":
    main()
