"""``make soak``: test the guarantees under every fault that we can cause, for any length of time.

make soak ARGS="--minutes 30 --seed 7 --only sim,cuts"
"""

import importlib
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.soak.counts import Counts, Part

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "development" / "soak.md"
PLACE = re.compile(r"(?s)(<!-- soak -->\n).*?(\n<!-- end of soak -->)")
SHARES = {"sim": 8.0, "wifi": 12.0, "reorder": 4.0, "cuts": 2.0, "link": 2.0, "fuzz": 2.0, "packets": 1.0}
"""The relative share of the time for each part, by default 1."""
COLUMNS = ("events", "crashes", "seeds", "cuts", "octets")


def part_names() -> tuple[str, ...]:
    """Return the names of all parts: those with a share first, then the others by name."""
    names = sorted(path.stem.removeprefix("part_") for path in HERE.glob("part_*.py"))
    return tuple(sorted(names, key=lambda name: list(SHARES).index(name) if name in SHARES else 99))


def part(name: str) -> tuple[Part, str]:
    """Return a part and a line that describes it."""
    module = importlib.import_module(f"tests.soak.part_{name}")
    run: Part = module.run
    return run, (module.__doc__ or "").partition("\n")[0]


def tried(
    names: tuple[str, ...],
    minutes: float,
    seed: int,
    console: Console,
    note: Callable[[Mapping[str, Counts]], None] = lambda _: None,
) -> dict[str, Counts]:
    """Run these parts one after the other, each for its share of the time, and call ``note`` after each."""
    whole = sum(SHARES.get(name, 1.0) for name in names)
    results: dict[str, Counts] = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[so_far]}"),
    )
    with Progress(*columns, console=console) as bars:
        for name in names:
            run, what = part(name)
            seconds = 60 * minutes * SHARES.get(name, 1.0) / whole
            bar = bars.add_task(f"{name}: {what}", total=seconds, so_far="")
            begun = time.monotonic()

            def on_progress(counts: Counts, bar: TaskID = bar, begun: float = begun) -> None:
                bars.update(bar, completed=time.monotonic() - begun, so_far=in_short(counts))

            results[name] = run(seed, seconds, on_progress)
            bars.update(bar, completed=seconds, so_far=in_short(results[name]))
            for failure in results[name].failures:
                console.print(f"[bold red]{name}[/]: {failure}", highlight=False)
            note(results)
    return results


def in_short(counts: Counts) -> str:
    """Return a line with the amounts of work that are not 0."""
    said = [f"{getattr(counts, column):,} {column}" for column in COLUMNS if getattr(counts, column)]
    return ", ".join([*said, f"{len(counts.failures)} failures"])


def rows(results: Mapping[str, Counts]) -> list[tuple[str, ...]]:
    """Return the table's rows, with the total last."""
    whole = sum(results.values(), Counts())
    return [
        (name, *(f"{getattr(c, column):,}" for column in COLUMNS), str(len(c.failures)))
        for name, c in [*results.items(), ("all", whole)]
    ]


def as_markdown(results: Mapping[str, Counts], commands: Sequence[str]) -> str:
    """Return the table for docs/development/soak.md."""
    head = ("part", *COLUMNS, "failures")
    lines = [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows(results))]
    system = f"{platform.system()} {platform.machine()}"
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, {system}"
    said = ", ".join(f"`{command}`" for command in commands)
    return "\n".join([*lines, "", f"By {said} on: {where}."])


def on_the_page(text: str, fresh: Iterable[str]) -> tuple[dict[str, Counts], list[str]]:
    """Parse the table's rows, except of parts in ``fresh``, and the commands that produced them."""
    place = PLACE.search(text)
    table = place[0] if place else ""
    results = {}
    for name, *numbers in re.findall(r"(?m)^\| (\w+) \|" + r" ([\d,]+) \|" * 6 + "$", table):
        if name != "all" and name not in fresh:
            counts = (int(number.replace(",", "")) for number in numbers)
            events, crashes, seeds, cuts, octets, failures = counts
            unknown = ("written earlier",) * failures
            results[name] = Counts(events, crashes, seeds, cuts, octets, unknown)
    return results, re.findall(r"`(make soak [^`]+)`", table) if results else []


def put(page: Path, text: str) -> None:
    before = page.read_text(encoding="utf-8")
    page.write_text(PLACE.sub(lambda m: m[1] + text + m[2], before), encoding="utf-8")


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="How long, all parts together.")
@click.option("--seed", default=1, show_default=True, help="The same seed tries the same things.")
@click.option("--only", default="", help="Parts, with commas between; all when none is named.")
@click.option("--write", is_flag=True, help="Put the rows into docs/development/soak.md as each part ends.")
def main(minutes: float, seed: int, only: str, *, write: bool) -> None:
    """Try to break the promise; the exit status is 1 where it broke."""
    console = Console()
    there = part_names()
    names = tuple(only.split(",")) if only else there
    if unknown := sorted(set(names) - set(there)):
        raise click.BadParameter(f"no such part: {', '.join(unknown)}; there are {', '.join(there)}")
    command = f'make soak ARGS="--minutes {minutes:g} --seed {seed}{f" --only {only}" if only else ""}"'
    page = PAGE.read_text(encoding="utf-8")

    def note(results: Mapping[str, Counts]) -> None:
        # A run that is interrupted leaves the parts that it has ended.
        earlier, commands = on_the_page(page, results)
        put(PAGE, as_markdown({**earlier, **results}, [*commands, command]))

    results = tried(names, minutes, seed, console, note if write else lambda _: None)
    table = Table("part", *COLUMNS, "failures", title="tried")
    for row in rows(results):
        table.add_row(*row)
    console.print(table)
    sys.exit(any(counts.failures for counts in results.values()))


if __name__ == "__main__":
    main()
