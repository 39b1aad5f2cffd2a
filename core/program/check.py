"""``saloon-rules check``: worked cases against the rules."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from saloon.core.editions.loader import editions
from saloon.core.program.console import printer
from saloon.core.program.vectors import VectorFile, vector_file
from saloon.core.program.verdicts import Verdict, verdict

MANY_FILES = 8
"""From here on a progress bar says how far the files are."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Compare worked cases (vectors) with what the rules say.

    Prints every field that differs. The exit status is 0 when nothing differs, 1 when something
    does, 2 for a file that cannot be read. Cases of editions that are not there yet are listed
    and count as neither.
    """
    console = printer()
    read = [vector_file(path) for path in _with_progress(files)]
    failed = 0
    for file in read:
        verdicts = [verdict(file, vector, editions()) for vector in file.vectors]
        failed += _printed(console, file, verdicts)
    if failed:
        console.print(f"{failed} of {sum(len(file.vectors) for file in read)} cases differ", style="bold red")
        sys.exit(1)


def _with_progress(files: tuple[Path, ...]) -> Iterator[Path]:
    if len(files) < MANY_FILES:
        return iter(files)
    return iter(track(files, description="reading", console=Console(stderr=True), transient=True))


def _printed(console: Console, file: VectorFile, verdicts: list[Verdict]) -> int:
    passed = sum(verdict.passed for verdict in verdicts)
    differing = [verdict for verdict in verdicts if verdict.differences]
    console.print(f"{file.path}: {passed} agree, {len(differing)} differ", markup=False, soft_wrap=True)
    for found in differing:
        console.print(f"  {found.vector}", style="bold red", markup=False)
        for difference in found.differences:
            console.print(
                f"    {difference.path}: expected {difference.expected}, found {difference.found}",
                markup=False,
                soft_wrap=True,
            )
    for reason, count in sorted(Counter(v.not_there for v in verdicts if v.not_there).items()):
        console.print(f"  {reason} ({count})", style="yellow", markup=False)
    return len(differing)
