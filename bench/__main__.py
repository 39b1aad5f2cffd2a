"""Measure, show as a table and, with ``--write``, put table and picture into docs/performance.md."""

import importlib
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.figure import Figure
from saloon.core.errors import Unavailable

BENCHES = (
    "tap_to_frame",
    "terminal",
    "station_load",
    "wire_bytes",
    "memory",
    "large_tournament",
    "serial_line",
    "several_stations",
    "card",
    "image",
)
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
PICTURE = PAGE.parent / "pictures" / "performance.png"
_COLUMNS = 8
_MEASURED = re.compile(r"(.*), (less|more) is better")
TABLE = re.compile(r"(?s)(<!-- figures -->\n).*?(\n<!-- end of figures -->)")


def measured(name: str) -> Sequence[Figure]:
    """The figures of one bench."""
    measure: Callable[[], Sequence[Figure]] = importlib.import_module(f"bench.{name}").measure
    return measure()


def shown(figures: Sequence[Figure]) -> Table:
    """The figures as a table for the terminal."""
    table = Table(
        "figure", "unit", "ours", "aim", "peer or floor", "peer", "ratio", title="Saloon, measured here"
    )
    for f in figures:
        table.add_row(
            f.what,
            f"{f.unit} ({f.better} is better)",
            f"{f.ours:.4g}",
            f.aim,
            f.peer_name,
            f"{f.peer:.4g}",
            f"{f.ratio:.2f}",
        )
    return table


def as_markdown(figures: Sequence[Figure]) -> str:
    """The figures as a table for docs/performance.md."""
    rows = [
        "| figure | unit | ours | aim | peer or floor in the same run | peer | ratio | beside it |",
        "|---|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {f.what} | {f.unit}, {f.better} is better | {f.ours:.4g} | {f.aim} | {f.peer_name}"
        f" | {f.peer:.4g} | {f.ratio:.2f} | {f.more} |"
        for f in figures
    ]
    system = f"{platform.system()} {platform.machine()}"
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, {system}"
    return "\n".join([*rows, "", f"Measured by `make bench ARGS=--write` on: {where}."])


def figures_in(markdown: str) -> list[Figure]:
    """The figures of a table that ``as_markdown`` made, as far as it shows them."""
    found = []
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        row = _MEASURED.fullmatch(cells[1]) if len(cells) == _COLUMNS else None
        if row is not None:
            what, _, ours, aim, peer_name, peer, _, more = cells
            found.append(Figure(what, row[1], float(ours), peer_name, float(peer), row[2], aim, more))
    return found


def brought_up(known: Sequence[Figure], new: Sequence[Figure]) -> list[Figure]:
    """The known figures, those that were measured again replaced where they stand, the others behind them."""
    fresh = {(figure.what, figure.peer_name): figure for figure in new}
    kept = [fresh.pop((figure.what, figure.peer_name), figure) for figure in known]
    return [*kept, *fresh.values()]


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(BENCHES))
@click.option("--write", is_flag=True, help="Put the table into docs/performance.md.")
def main(names: tuple[str, ...], *, write: bool) -> None:
    """Measure NAMES (all when none is given)."""
    # Needed only to write; that it is missing is told before minutes of measuring, not after.
    draws: Callable[[Sequence[Figure], Path], None] | None = (
        importlib.import_module("bench.plot").drawn if write else None
    )
    console = Console()
    figures: list[Figure] = []
    for name in track(names or BENCHES, description="measuring", console=console):
        try:
            figures.extend(measured(name))
        except Unavailable as error:
            console.print(f"{name} is left out: {error}")
    console.print(shown(figures))
    if draws is not None:
        page = PAGE.read_text(encoding="utf-8")
        before = TABLE.search(page)
        if names and before is not None:
            figures = brought_up(figures_in(before[0]), figures)
        draws(figures, PICTURE)
        PAGE.write_text(TABLE.sub(lambda m: m[1] + as_markdown(figures) + m[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
